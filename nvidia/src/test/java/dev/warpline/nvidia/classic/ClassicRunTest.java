package dev.warpline.nvidia.classic;

import static dev.warpline.nvidia.classic.Kernels.gpu;
import static dev.warpline.nvidia.classic.Kernels.oneWarp;
import static dev.warpline.nvidia.classic.Kernels.run;
import static dev.warpline.nvidia.classic.Kernels.statistic;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.StopSignal;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.engine.profile.TimelineRecorder;
import dev.warpline.trace.KernelBuilder;
import dev.warpline.trace.MemoryKernel;
import dev.warpline.trace.MemoryTrace;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs of several kernels, runs that end early, and settings of the whole machine. */
class ClassicRunTest {
  private static final Path EXAMPLES = Path.of("../examples/traces");
  private static final String SHARED = "launch.kernelsShareSms=true";

  private static String ffma(int pc) {
    return String.format("%04x ffffffff 1 R1 FFMA 2 R1 R9 0 0", pc);
  }

  /** Blocks that each do so many dependent multiplications. */
  private static MemoryKernel kernel(long stream, int grid, int threads, int registers, int work) {
    KernelBuilder builder =
        new KernelBuilder("k" + stream).grid(grid, 1, 1).block(threads, 1, 1).binaryVersion(86);
    builder.stream(stream).registers(registers);
    for (int i = 0; i < work; i++) {
      builder.line(ffma(16 * i));
    }
    return builder.line("0ff0 ffffffff 0 EXIT 0 0 0").everyWarpTheSame().build();
  }

  private static MemoryKernel stream(long stream, int work) {
    return kernel(stream, 1, 32, 16, work);
  }

  private static RunResult limited(GpuDescription gpu, long cycles, MemoryKernel... kernels)
      throws IOException {
    MemoryTrace program = new MemoryTrace("test");
    for (MemoryKernel kernel : kernels) {
      program.launch(kernel);
    }
    RunOptions options = new RunOptions(1, cycles, 0, (id, name) -> true);
    return new ClassicMachine(gpu).run(program, options, Progress.NONE);
  }

  // ---- streams

  @Test
  void kernelsOfDifferentStreamsRunSideBySideWhereTheGpuAllowsIt() throws IOException {
    RunResult apart = run(gpu(), 1, stream(1, 200), stream(2, 200));
    RunResult together = run(gpu(SHARED), 1, stream(1, 200), stream(2, 200));
    long alone = apart.kernels().get(0).cycles();
    assertThat(apart.kernels().get(1).start()).as("one after the other").isEqualTo(alone);
    assertThat(apart.cycles()).isGreaterThanOrEqualTo(2 * alone);
    assertThat(together.kernels()).extracting(KernelResult::start).containsExactly(0L, 0L);
    assertThat(together.cycles()).as("the last end").isBetween(alone, alone + 32);
    for (KernelResult kernel : together.kernels()) {
      assertThat(kernel.warpInstructions()).as("its own").isEqualTo(201);
      assertThat(kernel.threadInstructions()).isEqualTo(32 * 201);
      assertThat(kernel.warnings()).hasSize(1);
      assertThat(kernel.warnings().get(0)).startsWith("ran beside kernel " + (3 - kernel.id()));
    }
    assertThat(apart.kernels().get(0).warnings()).isEmpty();
  }

  @Test
  void onlySoManyKernelsOfTheListAreLookedAtAtOnce() throws IOException {
    GpuDescription two = gpu(SHARED, "launch.concurrentKernels=2");
    MemoryKernel[] three = {stream(1, 200), stream(1, 200), stream(2, 200)};
    RunResult run = run(two, 1, three);
    assertThat(run.kernels().get(2).start())
        .as("the third is not in view before the first has ended")
        .isGreaterThanOrEqualTo(run.kernels().get(0).end());
    RunResult more = run(gpu(SHARED), 1, three);
    assertThat(more.kernels().get(2).start()).isZero();
  }

  @Test
  void kernelsOfOneStreamKeepTheirOrder() throws IOException {
    RunResult ordered = run(gpu(SHARED), 1, stream(1, 200), stream(1, 200));
    KernelResult first = ordered.kernels().get(0);
    assertThat(ordered.kernels().get(1).start()).isGreaterThanOrEqualTo(first.end());
  }

  @Test
  void aKernelThatEndsBeforeAnEarlierOneIsStillListedSecond() throws IOException {
    RunResult run = run(gpu(SHARED), 1, stream(1, 200), stream(2, 1));
    assertThat(run.kernels()).extracting(KernelResult::id).containsExactly(1, 2);
    assertThat(run.kernels().get(1).end()).isLessThan(run.kernels().get(0).end());
    assertThat(run.cycles()).isEqualTo(run.kernels().get(0).end());
  }

  @Test
  void kernelsThatShareAnSmShareItsWarpsAndRegisters() throws IOException {
    // 48 warps: a block of 32 leaves room for 16 blocks of one warp, though 16 fit without it too.
    MemoryKernel large = kernel(1, 46, 1024, 16, 10);
    MemoryKernel small = kernel(2, 46 * 40, 32, 16, 10);
    RunResult together = run(gpu(SHARED), 1, large, small);
    assertThat(together.kernels()).extracting(KernelResult::start).containsExactly(0L, 0L);
    assertThat(together.kernels().get(0).warpInstructions()).isEqualTo(46 * 32 * 11);
    assertThat(together.kernels().get(1).warpInstructions()).isEqualTo(46 * 40 * 11);
    // 1024 threads of 64 registers fill the file: the second kernel has to wait.
    RunResult full = run(gpu(SHARED), 1, kernel(1, 46, 1024, 64, 200), small);
    RunResult half = run(gpu(SHARED), 1, kernel(1, 46, 1024, 32, 200), small);
    assertThat(full.kernels().get(1).end()).isGreaterThan(half.kernels().get(1).end() + 500);
  }

  @Test
  void aLimitOfCyclesIsTheProgramsTime() throws IOException {
    GpuDescription gpu = gpu(SHARED);
    MemoryKernel[] four = {stream(1, 200), stream(2, 200), stream(3, 200), stream(4, 200)};
    long time = run(gpu, 1, four).cycles();
    assertThat(limited(gpu, time, four).cycles()).isEqualTo(time);
    assertThatThrownBy(() -> limited(gpu, time - 1, four))
        .isInstanceOf(UnfinishedSimulationException.class);
  }

  // ---- runs that end early

  @Test
  void whateverStopsARunLeavesTheResultsOfFinishedKernels() throws IOException {
    MemoryKernel first = stream(1, 1);
    MemoryKernel load = oneWarp("0000 ffffffff 0 STG.E 2 R2 R4 4 1 0x10000 4 0");
    assertThatThrownBy(() -> run(gpu(), 1, first, stuckAtBarriers(2)))
        .hasMessageStartingWith("deadlock")
        .satisfies(ClassicRunTest::hasOne);
    long end = run(gpu(), 1, first).cycles();
    assertThatThrownBy(() -> limited(gpu(), end + 40, first, load))
        .satisfies(ClassicRunTest::hasOne);
    StopSignal stop = new StopSignal();
    Progress stopper =
        new Progress() {
          @Override
          public void kernelFinished(KernelResult result) {
            stop.stop("cancelled");
          }
        };
    MemoryTrace program = new MemoryTrace("test").launch(first).launch(load);
    RunOptions options = RunOptions.DEFAULT.withStop(stop);
    assertThatThrownBy(() -> new ClassicMachine(gpu()).run(program, options, stopper))
        .hasMessage("cancelled")
        .satisfies(ClassicRunTest::hasOne);
  }

  private static void hasOne(Throwable e) {
    assertThat(e).isInstanceOf(UnfinishedSimulationException.class);
    assertThat(((UnfinishedSimulationException) e).finished()).hasSize(1);
  }

  /** Every warp waits at a barrier of its own for another that never comes. */
  private static MemoryKernel stuckAtBarriers(int warps) {
    KernelBuilder builder =
        new KernelBuilder("stuck").block(32 * warps, 1, 1).binaryVersion(86).tracerVersion(6);
    for (int w = 0; w < warps; w++) {
      builder.warp(0, w);
      builder.line(String.format("%04x ffffffff 0 BAR.SYNC 0 0 %d 64", 16 * w, 1 + w));
      builder.line("0ff0 ffffffff 0 EXIT 0 0 0 0");
    }
    return builder.build();
  }

  @Test
  void aDeadlockIsReportedInFewLines() {
    assertThatThrownBy(() -> run(gpu(), 1, stuckAtBarriers(15), stuckAtBarriers(15)))
        .isInstanceOf(UnfinishedSimulationException.class)
        .hasMessageStartingWith("deadlock: nothing moves")
        .hasMessageContaining("at a barrier")
        .satisfies(e -> assertThat(e.getMessage().lines().count()).isLessThanOrEqualTo(20));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "classic.operands.general.units=2",
        "classic.operands.general.units=6",
        "classic.operands.general.units=0",
        "classic.operands.general.inPorts=0",
        "classic.operands.banks=6"
      })
  void collectorsThatCannotServeEverySchedulerAreRefused(String setting) {
    assertThatThrownBy(() -> gpu(setting))
        .isInstanceOf(DescriptionException.class)
        .hasMessageContaining("operands.")
        .hasMessageContaining("frontEnd.schedulers");
  }

  // ---- perfect memory, flushing, timeline

  @Test
  void perfectMemoryAnswersInTheNextCycle() throws IOException {
    String load = "0000 ffffffff 1 R2 LDG.E 1 R1 4 1 0x10000 4 0";
    String use = "0010 ffffffff 1 R3 MOV 1 R2 0 0";
    KernelResult real = run(oneWarp(load, use));
    KernelResult perfect = run(oneWarp(load, use), "classic.loadStore.perfectMemory=true");
    assertThat(real.cycles() - perfect.cycles()).isGreaterThan(187 + 254 - 10);
    assertThat(statistic(perfect, "l1.misses")).isEqualTo(4);
    assertThat(statistic(perfect, "l2.accesses")).isZero();
    assertThat(statistic(perfect, "dram.readBursts")).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"vecadd", "cpasync.tar.xz"})
  void withPerfectMemoryARealTraceIsFasterAndNothingIsLeft(String trace) throws IOException {
    ClassicMachine machine = new ClassicMachine(gpu("classic.loadStore.perfectMemory=true"));
    long perfect = cycles(machine, trace);
    machine.drain();
    assertThat(machine.isDrained()).isTrue();
    assertThat(perfect).isLessThan(cycles(new ClassicMachine(gpu()), trace));
  }

  private static long cycles(ClassicMachine machine, String trace) throws IOException {
    try (TraceSet program = Traces.open(EXAMPLES.resolve(trace))) {
      return machine.run(program, RunOptions.DEFAULT, Progress.NONE).cycles();
    }
  }

  @Test
  void aFlushedL2HasLostWhatWasWritten() throws IOException {
    MemoryKernel store = oneWarp("0000 ffffffff 0 STG.E 2 R2 R4 4 1 0x10000 4 0");
    MemoryKernel other = oneWarp("0000 ffffffff 1 R2 LDG.E.STRONG.GPU 1 R1 4 1 0x20000 4 0");
    MemoryKernel load = oneWarp("0000 ffffffff 1 R2 LDG.E.STRONG.GPU 1 R1 4 1 0x10000 4 0");
    List<KernelResult> kept = run(gpu(), 1, store, other, load, other).kernels();
    List<KernelResult> flushed =
        run(gpu("detailedMemory.l2.flush=true"), 1, store, other, load, other).kernels();
    assertThat(statistic(kept.get(2), "l2.hits")).isEqualTo(4);
    assertThat(statistic(flushed.get(2), "l2.misses")).isEqualTo(4);
    assertThat(statistic(flushed.get(2), "dram.writeBursts")).as("dropped, not written").isZero();
    assertThat(statistic(flushed.get(3), "l2.hits")).as("clean lines stay").isEqualTo(4);
  }

  @Test
  void theTimelineOfASmallGridShowsItsWarps() throws IOException {
    RunOptions options = RunOptions.DEFAULT.withProfile(new ProfileOptions(0, 100_000, 1));
    MemoryTrace program = new MemoryTrace("test").launch(kernel(1, 4, 64, 16, 10));
    KernelResult result =
        new ClassicMachine(Gpus.load("rtx3070"))
            .run(program, options, Progress.NONE)
            .kernels()
            .get(0);
    List<TimelineRecorder.Slice> slices = result.profile().timeline();
    assertThat(slices)
        .as("two warps of eleven instructions")
        .filteredOn(slice -> slice.kind() == TimelineRecorder.Kind.INSTRUCTION)
        .hasSize(22);
    assertThat(slices).extracting(TimelineRecorder.Slice::sm).containsOnly(slices.get(0).sm());
  }

  // ---- instruction cache

  @Test
  void fetchesOfALineOnItsWayAreCountedAsInAccelSim() throws IOException {
    String real = "classic.frontEnd.perfectInstructionAndConstantCache=false";
    // 32 warps begin with the same line. Where a line gets its place when it comes (f) each of
    // them misses, all but one joining the first; where it has one at once (m) they are pending.
    MemoryKernel kernel = kernel(1, 1, 1024, 16, 8);
    KernelResult fill = run(kernel, real);
    assertThat(statistic(fill, "l1i.linesFetched")).as("0x0 and 0xff0").isEqualTo(2);
    assertThat(statistic(fill, "l1i.misses") - statistic(fill, "l1i.INST_ACC_R.MSHR_HIT"))
        .isEqualTo(2);
    assertThat(statistic(fill, "l1i.pendingHits")).isZero();
    KernelResult miss = run(kernel, real, "classic.instructionCache.allocate=on-miss");
    assertThat(statistic(miss, "l1i.misses")).isEqualTo(2);
    assertThat(statistic(miss, "l1i.pendingHits")).isGreaterThan(30);
    assertThat(statistic(miss, "l1i.linesFetched")).isEqualTo(2);
    KernelResult sectors = run(kernel, real, "classic.instructionCache.sectored=true");
    assertThat(statistic(sectors, "l2.INST_ACC_R.MISS")).isEqualTo(2);
  }

  @Test
  void aFullMissTableOfTheInstructionCacheIsCounted() throws IOException {
    String real = "classic.frontEnd.perfectInstructionAndConstantCache=false";
    MemoryKernel kernel = kernel(1, 1, 1024, 16, 1);
    KernelResult narrow = run(kernel, real, "classic.instructionCache.mshrMerge=4");
    assertThat(statistic(narrow, "l1i.reservationFails")).isGreaterThan(100);
    assertThat(statistic(narrow, "l1i.INST_ACC_R.MSHR_MERGE_ENRTY_FAIL"))
        .isEqualTo(statistic(narrow, "l1i.reservationFails"));
  }
}
