package dev.warpline.amd.launch;

import dev.warpline.amd.code.CodeObject;
import dev.warpline.amd.code.KernargSegment;
import dev.warpline.amd.code.Kernel;
import dev.warpline.amd.code.KernelArgument;
import dev.warpline.amd.exec.DeviceMemory;
import dev.warpline.amd.exec.ExecutionFault;
import dev.warpline.amd.exec.FunctionalDevice;
import dev.warpline.amd.hsa.HsaDevice;
import dev.warpline.amd.hsa.HsaException;
import dev.warpline.amd.hsa.HsaQueue;
import dev.warpline.amd.hsa.HsaStopped;
import dev.warpline.amd.hsa.LoadedCode;
import dev.warpline.amd.launch.BufferContents.Placed;
import dev.warpline.amd.launch.LaunchFile.Check;
import dev.warpline.amd.launch.LaunchFile.KernelLaunch;
import dev.warpline.amd.launch.LaunchFile.Output;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.WholeFile;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.isa.gcn.GcnTarget;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** Runs a launch file on a described GPU, timed or functionally. */
public final class LaunchRun {
  /**
   * What came of it.
   *
   * @param result the kernels
   * @param failedChecks checks that failed, in words
   * @param cpuSeconds processor time the calling thread spent on the launches alone, without
   *     loading, filling buffers and checking
   */
  public record Outcome(RunResult result, List<String> failedChecks, double cpuSeconds) {}

  private static final int QUEUE_SIZE = 64;

  private final Path path;
  private final Path folder;
  private final LaunchFile file;
  private final GpuDescription gpu;
  private final AmdSpec spec;
  private final GcnTarget target;

  public LaunchRun(Path path, GpuDescription gpu) throws IOException {
    this.path = path;
    this.gpu = gpu;
    folder = Optional.ofNullable(path.toAbsolutePath().getParent()).orElse(Path.of("."));
    file = LaunchFile.read(path);
    spec = gpu.amd();
    if (spec == null) {
      throw new LaunchException(
          path.toString(),
          "is a launch file of an AMD program, and "
              + gpu.name()
              + " is a GPU of NVIDIA; expected a GPU of AMD, e.g. --gpu mi300a");
    }
    target =
        GcnTarget.ofProcessor(spec.target())
            .orElseThrow(
                () ->
                    new LaunchException(
                        gpu.name(),
                        "amd.target is " + spec.target() + ", expected gfx900, gfx90a or gfx942"));
  }

  /**
   * Runs on the timed model. Launches that {@code options} leave out are executed without time, so
   * that later ones find what they wrote in memory, though not in caches.
   */
  public Outcome timed(RunOptions options, Progress progress) throws IOException {
    long start = System.nanoTime();
    try (HsaDevice device = new HsaDevice(spec, gpu.clocks(), options.threads())) {
      Observer observer = new Observer(device, options, progress);
      device.setObserver(observer::goOn);
      options.stop().check();
      device.setProfile(options.profile());
      LoadedCode code = device.load(readCode());
      Map<String, Placed> buffers = placeBuffers(device.memory());
      Map<Integer, HsaQueue> queues = new LinkedHashMap<>();
      int number = 0;
      long cpuStart = cpuNanos();
      try {
        for (int i = 0; i < file.launches().size(); i++) {
          KernelLaunch launch = file.launches().get(i);
          Kernel kernel = kernel(code.object(), launch, i);
          HsaQueue queue =
              queues.computeIfAbsent(launch.queue(), q -> device.createQueue(QUEUE_SIZE));
          for (int r = 0; r < launch.repeat(); r++) {
            KernargSegment arguments = arguments(kernel, launch, buffers, i);
            number++;
            if (options.kernels().test(number, kernel.name())) {
              device.dispatch(
                  queue,
                  code,
                  kernel,
                  launch.gridSizes(),
                  launch.groupSizes(),
                  arguments,
                  null,
                  !launch.concurrent(),
                  launch.acquire(),
                  launch.release());
            } else {
              device.execute(
                  code,
                  kernel,
                  launch.gridSizes(),
                  launch.groupSizes(),
                  arguments,
                  count -> options.stop().check());
            }
          }
        }
        device.drain();
      } catch (HsaException | ExecutionFault e) {
        throw new LaunchException(path.toString(), e);
      } catch (HsaStopped e) {
        String limit = observer.limit();
        throw new UnfinishedSimulationException(
            limit == null ? e.getMessage() : limit, device.results());
      }
      double cpuSeconds = (cpuNanos() - cpuStart) / 1e9;
      observer.tellOfEnded();
      List<KernelResult> results = List.copyOf(device.results());
      requireSome(results);
      Outcome outcome =
          new Outcome(
              result("gcn", results, device.instructions(), options.threads(), start),
              check(device.memory(), buffers, options),
              cpuSeconds);
      writeOutputs(device.memory(), buffers);
      return outcome;
    }
  }

  /**
   * Looks, before anything runs, at what can be known before: the code, the kernels, the files to
   * write.
   */
  public void check() throws IOException {
    CodeObject object = readCode();
    for (int i = 0; i < file.launches().size(); i++) {
      kernel(object, file.launches().get(i), i);
    }
    for (Output output : file.outputs()) {
      WholeFile.check(folder.resolve(output.file()));
    }
  }

  /** The files it reads: itself, the code, contents of buffers; sorted by name. */
  public List<Path> files() {
    Stream<String> buffers = file.buffers().values().stream().map(LaunchFile.Buffer::file);
    Stream<String> checks = file.checks().stream().map(LaunchFile.Check::file);
    Stream<Path> contents =
        Stream.concat(buffers, checks)
            .filter(Objects::nonNull)
            .map(folder::resolve)
            .filter(Files::isRegularFile);
    return Stream.concat(Stream.of(path, codeFile()), contents).distinct().sorted().toList();
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /**
   * Runs without timing; the options' limit of instructions and stop signal count, and launches
   * that they leave out are executed but not listed.
   */
  public Outcome functional(RunOptions options, Progress progress) throws IOException {
    long start = System.nanoTime();
    FunctionalDevice device = new FunctionalDevice();
    List<KernelResult> results = new ArrayList<>();
    long[] cpuNanos = new long[1];
    Map<String, Placed> buffers =
        runFunctional(device, results, options, options.maxInstructions(), progress, cpuNanos);
    requireSome(results);
    Outcome outcome =
        new Outcome(
            result(RunResult.FUNCTIONAL, results, device.instructions(), 1, start),
            check(device.memory(), buffers, options),
            cpuNanos[0] / 1e9);
    writeOutputs(device.memory(), buffers);
    return outcome;
  }

  private Map<String, Placed> runFunctional(
      FunctionalDevice device,
      List<KernelResult> results,
      RunOptions options,
      long maxInstructions,
      Progress progress,
      long[] cpuNanos)
      throws IOException {
    device.setObserver(
        count -> {
          String why =
              options.stop().reason() != null
                  ? options.stop().reason()
                  : maxInstructions > 0 && count >= maxInstructions
                      ? instructionLimit(maxInstructions)
                      : null;
          if (why != null) {
            throw new UnfinishedSimulationException(why, results);
          }
        });
    FunctionalDevice.LoadedCode code = device.load(readCode());
    Map<String, Placed> buffers = placeBuffers(device.memory());
    int number = 0;
    for (int i = 0; i < file.launches().size(); i++) {
      KernelLaunch launch = file.launches().get(i);
      Kernel kernel = kernel(code.object(), launch, i);
      for (int r = 0; r < launch.repeat(); r++) {
        long before = device.instructions();
        long cpuStart = cpuNanos();
        try {
          device.launch(
              code,
              kernel,
              launch.gridSizes(),
              launch.groupSizes(),
              arguments(kernel, launch, buffers, i));
        } catch (ExecutionFault | IllegalArgumentException e) {
          throw new LaunchException(place(i), e);
        }
        cpuNanos[0] += cpuNanos() - cpuStart;
        long count = device.instructions() - before;
        if (!options.kernels().test(++number, kernel.name())) {
          continue;
        }
        KernelResult result =
            new KernelResult(
                number,
                kernel.name(),
                0,
                0,
                count,
                64 * count,
                0,
                "",
                Map.of("cu.instructions", count),
                Map.of(),
                List.of());
        results.add(result);
        progress.kernelFinished(result);
      }
    }
    return buffers;
  }

  private static String instructionLimit(long most) {
    return "stopped at the limit of " + most + " warp instructions";
  }

  /** A run of nothing is a mistake: names what there is. */
  private void requireSome(List<KernelResult> results) throws LaunchException {
    if (results.isEmpty()) {
      List<String> names = file.launches().stream().map(KernelLaunch::kernel).distinct().toList();
      throw new LaunchException(
          path.toString(),
          names.isEmpty()
              ? "found no launches, expected one or more"
              : "none of its kernels was chosen; it launches " + String.join(", ", names));
    }
  }

  private RunResult result(
      String core, List<KernelResult> kernels, long instructions, int threads, long startNanos) {
    double seconds = (System.nanoTime() - startNanos) / 1e9;
    Runtime runtime = Runtime.getRuntime();
    return new RunResult(
        gpu.name(),
        core,
        gpu.clocks().coreMHz(),
        kernels,
        new RunResult.Simulation(
            threads,
            seconds,
            seconds == 0 ? 0 : instructions / seconds,
            runtime.totalMemory() - runtime.freeMemory()));
  }

  private CodeObject readCode() throws IOException {
    return CodeObject.read(codeFile(), Optional.of(target));
  }

  private Path codeFile() {
    return folder.resolve(file.code().replace("{target}", target.processor()));
  }

  private Map<String, Placed> placeBuffers(DeviceMemory memory) throws IOException {
    Map<String, Placed> placed = new LinkedHashMap<>();
    for (Map.Entry<String, LaunchFile.Buffer> entry : file.buffers().entrySet()) {
      placed.put(
          entry.getKey(),
          BufferContents.place(
              memory, entry.getValue(), path + ": buffers." + entry.getKey(), folder));
    }
    return placed;
  }

  private Kernel kernel(CodeObject object, KernelLaunch launch, int index) throws IOException {
    Kernel kernel = object.kernel(launch.kernel());
    int[] group = launch.groupSizes();
    if ((long) group[0] * group[1] * group[2] > kernel.maxGroupSize()) {
      throw new LaunchException(
          place(index),
          String.format(
              "found groups of %d work-items, expected at most the %d kernel %s was compiled for",
              (long) group[0] * group[1] * group[2], kernel.maxGroupSize(), kernel.name()));
    }
    return kernel;
  }

  private String place(int launch) {
    return path + ": launches[" + launch + "]";
  }

  private KernargSegment arguments(
      Kernel kernel, KernelLaunch launch, Map<String, Placed> buffers, int index)
      throws LaunchException {
    List<KernelArgument> wanted = kernel.explicitArguments();
    if (wanted.size() != launch.arguments().size()) {
      throw new LaunchException(
          place(index),
          String.format(
              "found %d arguments, expected the %d of kernel %s",
              launch.arguments().size(), wanted.size(), kernel.name()));
    }
    KernargSegment segment = new KernargSegment(kernel);
    for (int i = 0; i < wanted.size(); i++) {
      String text = launch.arguments().get(i).strip();
      try {
        argument(segment, i, wanted.get(i), text, buffers);
      } catch (IllegalArgumentException e) {
        throw new LaunchException(
            place(index) + ".arguments[" + i + "]",
            String.format("found \"%s\", expected %s", text, expectation(wanted.get(i), buffers)));
      }
    }
    if (launch.dynamicLds() > 0) {
      segment.addDynamicLds(launch.dynamicLds());
    }
    return segment;
  }

  private static String expectation(KernelArgument argument, Map<String, Placed> buffers) {
    if (argument.isDynamicLds()) {
      return "lds N for a pointer to N bytes of LDS";
    }
    if (argument.isFloatingPoint() || argument.isWhole()) {
      return (argument.isWhole() ? "a whole number" : "a number") + " (" + argument.type() + ")";
    }
    String kind = argument.isGlobalBuffer() ? "a buffer" : "a number or a buffer";
    return kind + (buffers.isEmpty() ? "" : " (" + String.join(", ", buffers.keySet()) + ")");
  }

  private static void argument(
      KernargSegment segment,
      int position,
      KernelArgument argument,
      String text,
      Map<String, Placed> buffers) {
    if (text.startsWith("lds ")) {
      segment.setLocal(position, Integer.parseInt(text.substring(4).strip()));
      return;
    }
    int plus = text.indexOf('+', 1);
    String name = plus < 0 ? text : text.substring(0, plus).strip();
    Placed buffer = buffers.get(name);
    if (buffer != null) {
      long offset = plus < 0 ? 0 : Long.decode(text.substring(plus + 1).strip());
      segment.set(position, buffer.address() + offset);
      return;
    }
    boolean fraction = !text.startsWith("0x") && (text.contains(".") || text.contains("e"));
    if (fraction && argument.isWhole() || argument.isDynamicLds()) {
      throw new IllegalArgumentException("not of the argument's type");
    }
    if (argument.isGlobalBuffer() && Long.decode(text) != 0) {
      throw new IllegalArgumentException("an address nobody can know");
    }
    if (fraction || argument.isFloatingPoint()) {
      double value = Double.parseDouble(text);
      if (argument.size() == 8) {
        segment.set(position, value);
      } else {
        segment.set(position, (float) value);
      }
      return;
    }
    segment.set(position, Long.decode(text).longValue());
  }

  private List<String> check(DeviceMemory memory, Map<String, Placed> buffers, RunOptions options)
      throws IOException {
    List<String> failures = new ArrayList<>();
    FunctionalDevice reference = null;
    Map<String, Placed> referenceBuffers = null;
    for (int i = 0; i < file.checks().size(); i++) {
      Check check = file.checks().get(i);
      String place = path + ": checks[" + i + "]";
      Placed buffer = find(buffers, check.buffer(), place);
      String difference;
      if (check.pattern() != null) {
        difference = BufferContents.differsFromPattern(memory, buffer, check);
      } else if (check.file() != null) {
        byte[] expected = Files.readAllBytes(folder.resolve(check.file()));
        DeviceMemory other = new DeviceMemory();
        long at = other.allocate(Math.max(1, expected.length));
        other.copyIn(at, expected);
        difference =
            BufferContents.differs(memory, buffer, other, new Placed(at, expected.length), check);
      } else if (check.equals() != null) {
        Placed other = find(buffers, check.equals(), place);
        difference = BufferContents.differs(memory, buffer, memory, other, check);
      } else {
        if (reference == null) {
          reference = new FunctionalDevice();
          referenceBuffers =
              runFunctional(reference, new ArrayList<>(), options, 0, Progress.NONE, new long[1]);
        }
        difference =
            BufferContents.differs(
                memory, buffer, reference.memory(), referenceBuffers.get(check.buffer()), check);
      }
      if (difference != null) {
        failures.add(difference);
      }
    }
    return failures;
  }

  private static Placed find(Map<String, Placed> buffers, String name, String place)
      throws LaunchException {
    Placed buffer = buffers.get(name);
    if (buffer == null) {
      throw new LaunchException(
          place,
          "found buffer " + name + ", expected one of " + String.join(", ", buffers.keySet()));
    }
    return buffer;
  }

  private void writeOutputs(DeviceMemory memory, Map<String, Placed> buffers) throws IOException {
    for (int i = 0; i < file.outputs().size(); i++) {
      Output output = file.outputs().get(i);
      Placed buffer = find(buffers, output.buffer(), path + ": outputs[" + i + "]");
      byte[] bytes = memory.copyOut(buffer.address(), (int) buffer.bytes());
      WholeFile.write(folder.resolve(output.file()), out -> out.write(bytes));
    }
  }

  /** Watches limits and tells the progress while the device runs. */
  private static final class Observer {
    private static final int EVERY = 256;

    private final HsaDevice device;
    private final RunOptions options;
    private final Progress progress;
    private int windows;
    private int told;
    private String limit;

    Observer(HsaDevice device, RunOptions options, Progress progress) {
      this.device = device;
      this.options = options;
      this.progress = progress;
    }

    boolean goOn(long cycle) {
      tellOfEnded();
      if (++windows % EVERY == 0) {
        progress.advanced(cycle, device.groupsFinished(), device.instructions());
      }
      if (options.stop().reason() != null) {
        limit = options.stop().reason();
      } else if (options.maxCycles() > 0 && cycle >= options.maxCycles()) {
        limit = "stopped at the limit of " + options.maxCycles() + " cycles";
      } else if (options.maxInstructions() > 0
          && device.instructions() >= options.maxInstructions()) {
        limit = instructionLimit(options.maxInstructions());
      }
      return limit == null;
    }

    /** Tells of kernels that have ended since it was last asked. */
    void tellOfEnded() {
      List<KernelResult> all = device.results();
      while (told < all.size()) {
        progress.kernelFinished(all.get(told++));
      }
    }

    /** The limit that ended the run, or null. */
    String limit() {
      return limit;
    }
  }
}
