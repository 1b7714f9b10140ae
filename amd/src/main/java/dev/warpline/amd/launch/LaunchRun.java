package dev.warpline.amd.launch;

import dev.warpline.amd.code.CodeObject;
import dev.warpline.amd.exec.DeviceMemory;
import dev.warpline.amd.exec.ExecutionFault;
import dev.warpline.amd.exec.FunctionalDevice;
import dev.warpline.amd.hsa.HsaDevice;
import dev.warpline.amd.hsa.HsaException;
import dev.warpline.amd.hsa.HsaStopped;
import dev.warpline.amd.launch.BufferContents.Placed;
import dev.warpline.amd.launch.LaunchFile.Check;
import dev.warpline.amd.launch.LaunchFile.KernelLaunch;
import dev.warpline.amd.launch.LaunchFile.Output;
import dev.warpline.amd.launch.LaunchFile.Step;
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
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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

  private final Path path;
  private final Path folder;
  private final LaunchFile file;
  private final Place root;
  private final GpuDescription gpu;
  private final AmdSpec spec;
  private final GcnTarget target;

  public LaunchRun(Path path, GpuDescription gpu) throws IOException {
    this.path = path;
    this.gpu = gpu;
    folder = Optional.ofNullable(path.toAbsolutePath().getParent()).orElse(Path.of("."));
    file = LaunchFile.read(path);
    root = Place.of(Files.readString(path), path.toString());
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

  private ProgramRun program(LaunchDevice device, Codes codes, RunOptions options) {
    return new ProgramRun(file, root, folder, codes, device, options);
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
      if (options.eachUnit()) {
        device.countEachUnit();
      }
      TimedDevice timed = new TimedDevice(device, options.stop());
      ProgramRun program = program(timed, readCodes(), options);
      observer.watch(program);
      long cpuStart;
      try {
        program.prepare();
        if (options.checkpoints() != null && options.checkpoints().isResumed()) {
          replay(device, program, options);
        }
        cpuStart = cpuNanos();
        program.run();
      } catch (HsaException | ExecutionFault e) {
        throw new LaunchException(path.toString(), e);
      } catch (HsaStopped e) {
        String limit = observer.limit();
        throw new UnfinishedSimulationException(
            limit == null ? timed.withNames(e.getMessage()) : limit, device.results());
      }
      double cpuSeconds = (cpuNanos() - cpuStart) / 1e9;
      observer.tellOfEnded();
      List<KernelResult> results = new ArrayList<>(device.results());
      results.sort(Comparator.comparingInt(KernelResult::id));
      requireSome(results);
      RunResult result =
          result("gcn", results, device.instructions(), options.threads(), start)
              .withActivities(device.activities());
      return finish(program, timed, result, cpuSeconds, options);
    }
  }

  /** Runs the program once more up to the wait in which a checkpoint was written. */
  private static void replay(HsaDevice device, ProgramRun program, RunOptions options)
      throws IOException {
    ProgramRun.Seen seen = options.checkpoints().plan(ProgramRun.Seen.class);
    program.replay(seen);
    device.decode(seen.decoded());
    device.replay(
        seen.waits(),
        () -> {
          try {
            options
                .checkpoints()
                .restore(outside(device, options), new Object[] {device, program.read()});
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private static List<Object> outside(HsaDevice device, RunOptions options) {
    List<Object> all = device.outside();
    if (options.profile() != null) {
      all.add(options.profile());
    }
    return all;
  }

  /** Checks and writes what the file wants at the end. */
  private Outcome finish(
      ProgramRun program,
      LaunchDevice device,
      RunResult result,
      double cpuSeconds,
      RunOptions options)
      throws IOException {
    List<String> failures = new ArrayList<>(program.failures());
    RunResult all = result.withWarnings(program.warnings());
    if (program.ended()) {
      all =
          all.withWarnings(
              List.of(
                  path
                      + ": ended after kernel "
                      + result.kernels().get(result.kernels().size() - 1).id()
                      + " as asked; checks and outputs at its end were left out"));
    } else {
      failures.addAll(check(program, device, options));
      writeOutputs(program, device.memory());
    }
    for (Map.Entry<Path, byte[]> read : program.written().entrySet()) {
      WholeFile.write(read.getKey(), out -> out.write(read.getValue()));
    }
    return new Outcome(all, failures, cpuSeconds);
  }

  /**
   * Looks, before anything runs, at what can be known before: the code, the kernels, signals, the
   * files to write.
   */
  public void check() throws IOException {
    Codes codes = readCodes();
    Set<String> signals = new TreeSet<>();
    for (Located step : allSteps()) {
      signals.addAll(step.completes());
    }
    for (Located step : allSteps()) {
      if (step.step().launch() != null) {
        codes.find(step.step().launch(), step.place());
      }
      for (String name : step.waitsFor()) {
        if (!signals.contains(name)) {
          throw step.place()
              .found(
                  "a wait for signal " + name,
                  signals.isEmpty()
                      ? "a step with signal: " + name
                      : "one of " + String.join(", ", signals));
        }
      }
      if (step.step().read() != null && step.step().read().file() != null) {
        WholeFile.check(folder.resolve(step.step().read().file()));
      }
    }
    for (Output output : file.outputs()) {
      WholeFile.check(folder.resolve(output.file()));
    }
  }

  /** A step and its place; steps of loops stand after the loop. */
  private record Located(Step step, Place place) {
    List<String> completes() {
      return Stream.of(
              step.launch() == null ? null : step.launch().signal(),
              step.copy() == null ? null : step.copy().signal(),
              step.set() == null ? null : step.set().signal(),
              step.read() == null ? null : step.read().signal(),
              step.barrier() == null ? null : step.barrier().signal())
          .filter(Objects::nonNull)
          .toList();
    }

    List<String> waitsFor() {
      List<String> names = new ArrayList<>();
      if (step.launch() != null) {
        names.addAll(step.launch().after());
        names.addAll(step.launch().afterAny());
      } else if (step.copy() != null) {
        names.addAll(step.copy().after());
      } else if (step.set() != null) {
        names.addAll(step.set().after());
      } else if (step.read() != null) {
        names.addAll(step.read().after());
      } else if (step.barrier() != null) {
        names.addAll(step.barrier().after());
        names.addAll(step.barrier().afterAny());
      } else if (step.waitFor() != null) {
        names.addAll(step.waitFor().signals());
      }
      return names;
    }
  }

  private List<Located> allSteps() {
    List<Located> all = new ArrayList<>();
    boolean plain = file.steps().isEmpty();
    addSteps(file.program(), root.field(plain ? "launches" : "steps"), plain, all);
    return all;
  }

  private static void addSteps(List<Step> steps, Place place, boolean plain, List<Located> all) {
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      Place here = place.item(i);
      all.add(new Located(step, step.launch() == null || plain ? here : here.field("launch")));
      if (step.loop() != null) {
        addSteps(step.loop().steps(), here.field("loop").field("steps"), false, all);
      }
    }
  }

  /** The files it reads: itself, the code, contents of buffers; sorted by name. */
  public List<Path> files() {
    List<String> names = new ArrayList<>();
    file.buffers().values().forEach(buffer -> names.add(buffer.file()));
    file.checks().forEach(check -> names.add(check.file()));
    for (Located step : allSteps()) {
      names.add(step.step().copy() == null ? null : step.step().copy().file());
      names.add(step.step().check() == null ? null : step.step().check().file());
    }
    Stream<Path> contents =
        names.stream().filter(Objects::nonNull).map(folder::resolve).filter(Files::isRegularFile);
    Stream<Path> own =
        Stream.concat(Stream.of(path), file.codeFiles().values().stream().map(this::codeFile));
    return Stream.concat(own, contents).distinct().sorted().toList();
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
    List<KernelResult> results = new ArrayList<>();
    FunctionalDevice device = functionalDevice(results, options, options.maxInstructions());
    PlainDevice plain = new PlainDevice(device, results, progress);
    ProgramRun program = program(plain, readCodes(), options);
    program.prepare();
    program.run();
    results.sort(Comparator.comparingInt(KernelResult::id));
    requireSome(results);
    RunResult result = result(RunResult.FUNCTIONAL, results, device.instructions(), 1, start);
    return finish(program, plain, result, plain.cpuNanos() / 1e9, options);
  }

  private static FunctionalDevice functionalDevice(
      List<KernelResult> results, RunOptions options, long maxInstructions) {
    FunctionalDevice device = new FunctionalDevice();
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
    return device;
  }

  private static String instructionLimit(long most) {
    return "stopped at the limit of " + most + " warp instructions";
  }

  /** A run of nothing is a mistake: names what there is. */
  private void requireSome(List<KernelResult> results) throws LaunchException {
    if (results.isEmpty()) {
      List<String> names =
          allSteps().stream()
              .map(located -> located.step().launch())
              .filter(Objects::nonNull)
              .map(KernelLaunch::kernel)
              .distinct()
              .toList();
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

  private Codes readCodes() throws IOException {
    Map<String, CodeObject> objects = new LinkedHashMap<>();
    for (Map.Entry<String, String> code : file.codeFiles().entrySet()) {
      List<CodeObject> all = CodeObject.readAll(codeFile(code.getValue()), Optional.of(target));
      for (int i = 0; i < all.size(); i++) {
        objects.put(i == 0 ? code.getKey() : code.getKey() + "#" + (i + 1), all.get(i));
      }
    }
    return new Codes(objects);
  }

  private Path codeFile(String name) {
    return folder.resolve(name.replace("{target}", target.processor()));
  }

  private List<String> check(ProgramRun program, LaunchDevice device, RunOptions options)
      throws IOException {
    List<String> failures = new ArrayList<>();
    FunctionalDevice reference = null;
    ProgramRun plain = null;
    for (int i = 0; i < file.checks().size(); i++) {
      Check check = file.checks().get(i);
      Place place = root.field("checks").item(i);
      String difference;
      if (!check.functional()) {
        difference = program.difference(check, place);
      } else {
        if (reference == null) {
          List<KernelResult> nobody = new ArrayList<>();
          reference = functionalDevice(nobody, options, 0);
          plain =
              program(
                  new PlainDevice(reference, nobody, Progress.NONE),
                  readCodes(),
                  options.withKernels((number, name) -> true));
          plain.prepare();
          plain.run();
        }
        Placed buffer = find(program.buffers(), check.buffer(), place);
        difference =
            BufferContents.differs(
                device.memory(),
                buffer,
                reference.memory(),
                plain.buffers().get(check.buffer()),
                check);
      }
      if (difference != null) {
        failures.add(difference);
      }
    }
    return failures;
  }

  private static Placed find(Map<String, Placed> buffers, String name, Place place)
      throws LaunchException {
    Placed buffer = buffers.get(name);
    if (buffer == null) {
      throw place
          .field("buffer")
          .found("buffer " + name, "one of " + String.join(", ", buffers.keySet()));
    }
    return buffer;
  }

  private void writeOutputs(ProgramRun program, DeviceMemory memory) throws IOException {
    for (int i = 0; i < file.outputs().size(); i++) {
      Output output = file.outputs().get(i);
      Placed buffer = find(program.buffers(), output.buffer(), root.field("outputs").item(i));
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
    private ProgramRun program;

    Observer(HsaDevice device, RunOptions options, Progress progress) {
      this.device = device;
      this.options = options;
      this.progress = progress;
    }

    /** The program whose state is written. */
    void watch(ProgramRun run) {
      program = run;
    }

    private void save(long cycle) {
      try {
        options
            .checkpoints()
            .write(
                cycle,
                program.seen(device.waits(), device.decoded()),
                outside(device, options),
                new Object[] {device, program.read()});
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    boolean goOn(long cycle) {
      tellOfEnded();
      if (options.checkpoints() != null && options.checkpoints().isDue(cycle, options.stop())) {
        save(cycle);
      }
      if (++windows % EVERY == 0) {
        progress.advanced(cycle, device.groupsFinished(), device.instructions(), 0);
        progress.reported();
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
