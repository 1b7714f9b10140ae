package dev.warpline.cli;

import dev.warpline.amd.code.CodeListing;
import dev.warpline.amd.code.CodeObject;
import dev.warpline.amd.code.Kernel;
import dev.warpline.amd.code.KernelArgument;
import dev.warpline.isa.Demangler;
import dev.warpline.isa.gcn.GcnTarget;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists the code of an AMD code object. */
@Command(
    name = "disasm",
    mixinStandardHelpOptions = true,
    description = {
      "List the code of an AMD code object, laid out like llvm-objdump's listing.",
      "",
      "Reads ELF code objects for gfx900, gfx90a and gfx942 (versions 3 to 6), clang's offload"
          + " bundles of them, plain or compressed, and HIP programs and object files with such"
          + " bundles inside. Code that is not linked is linked with ld.lld where there is one."
    },
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n")
final class DisasmCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Parameters(paramLabel = "FILE", description = "A code object, offload bundle or HIP program.")
  Path file;

  @Option(names = "--kernel", paramLabel = "NAME", description = "List this kernel only.")
  String kernel;

  @Option(
      names = "--target",
      paramLabel = "GFX",
      description = "Which code to take from a bundle: ${COMPLETION-CANDIDATES}.")
  GcnTarget target;

  @Option(
      names = "--kernels",
      description = "List the kernels with their arguments instead of the code.")
  boolean kernelsOnly;

  @Override
  public Integer call() throws IOException {
    List<CodeObject> objects = CodeObject.readAll(file, Optional.ofNullable(target));
    PrintWriter out = spec.commandLine().getOut();
    if (kernel != null) {
      objects = List.of(withKernel(objects));
    }
    for (CodeObject object : objects) {
      out.printf(
          "%s: %s, code object v%d%n",
          objects.size() == 1 ? file : object.file(),
          object.target().processor(),
          object.version());
      if (kernelsOnly) {
        for (Kernel each : object.kernels()) {
          if (kernel == null || kernel.equals(each.name())) {
            describe(out, each, object.target());
          }
        }
      } else if (kernel == null) {
        new CodeListing(object).write(out);
      } else {
        new CodeListing(object).write(out, object.kernel(kernel));
      }
    }
    out.flush();
    return ExitCode.OK;
  }

  private CodeObject withKernel(List<CodeObject> objects) throws IOException {
    for (CodeObject object : objects) {
      if (object.kernels().stream().anyMatch(each -> each.name().equals(kernel))) {
        return object;
      }
    }
    objects.get(0).kernel(kernel);
    return objects.get(0);
  }

  private static void describe(PrintWriter out, Kernel kernel, GcnTarget target) {
    out.printf(
        "%n%s%s: %d VGPRs, %d SGPRs, %d bytes of LDS, %d of scratch per work-item%n",
        kernel.name(),
        Demangler.demangle(kernel.name()).equals(kernel.name())
            ? ""
            : ", " + Demangler.demangle(kernel.name()),
        kernel.descriptor().vgprs(target),
        kernel.descriptor().sgprs(),
        kernel.descriptor().groupSegmentBytes(),
        kernel.descriptor().privateSegmentBytes());
    for (KernelArgument argument : kernel.explicitArguments()) {
      out.printf(
          "  %4d  %2d bytes  %s  %s %s%n",
          argument.offset(),
          argument.size(),
          argument.kind(),
          argument.type().isEmpty() ? "(type unknown)" : argument.type(),
          argument.name());
    }
  }
}
