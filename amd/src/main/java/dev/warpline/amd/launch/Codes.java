package dev.warpline.amd.launch;

import dev.warpline.amd.code.CodeObject;
import dev.warpline.amd.code.Kernel;
import dev.warpline.amd.launch.LaunchFile.KernelLaunch;
import dev.warpline.isa.Demangler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The code objects of a launch file by name, and the kernels in them. */
record Codes(Map<String, CodeObject> objects) {
  /** A kernel and the code object it is in. */
  record Found(CodeObject code, Kernel kernel) {}

  /** The kernel that a launch names: as the code object has it, or the only one of that source. */
  Found find(KernelLaunch launch, Place place) throws LaunchException {
    if (launch.code() != null && !objects.containsKey(launch.code())) {
      throw place
          .field("code")
          .found(launch.code(), "one of codes: " + String.join(", ", objects.keySet()));
    }
    List<Found> exact = new ArrayList<>();
    List<Found> alike = new ArrayList<>();
    objects.forEach(
        (name, object) -> {
          if (launch.code() != null && !launch.code().equals(name)) {
            return;
          }
          for (Kernel kernel : object.kernels()) {
            if (kernel.name().equals(launch.kernel())) {
              exact.add(new Found(object, kernel));
            } else if (sourceName(kernel).equals(launch.kernel())
                || Demangler.demangle(kernel.name()).equals(launch.kernel())) {
              alike.add(new Found(object, kernel));
            }
          }
        });
    List<Found> found = exact.isEmpty() ? alike : exact;
    if (found.size() == 1) {
      return found.get(0);
    }
    String there =
        (found.isEmpty() ? all() : found)
            .stream()
                .map(f -> f.kernel().name() + (objects.size() == 1 ? "" : " of " + f.code().file()))
                .collect(Collectors.joining(", "));
    throw place
        .field("kernel")
        .found(
            (found.isEmpty() ? "no kernel " : found.size() + " kernels called ") + launch.kernel(),
            found.isEmpty() ? "one of " + there : "a whole name, or code as well: " + there);
  }

  private List<Found> all() {
    return objects.values().stream()
        .flatMap(object -> object.kernels().stream().map(kernel -> new Found(object, kernel)))
        .toList();
  }

  /** What the source calls a kernel, without its parameters. */
  private static String sourceName(Kernel kernel) {
    String text = Demangler.demangle(kernel.name());
    int open = text.indexOf('(');
    String name = open < 0 ? text : text.substring(0, open);
    int template = name.indexOf('<');
    int space = name.substring(0, template < 0 ? name.length() : template).lastIndexOf(' ');
    return name.substring(space + 1);
  }
}
