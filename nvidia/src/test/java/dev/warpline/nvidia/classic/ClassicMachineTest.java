package dev.warpline.nvidia.classic;

import static dev.warpline.nvidia.classic.Kernels.cost;
import static dev.warpline.nvidia.classic.Kernels.gpu;
import static dev.warpline.nvidia.classic.Kernels.oneWarp;
import static dev.warpline.nvidia.classic.Kernels.run;
import static dev.warpline.nvidia.classic.Kernels.statistic;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.Counters;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.nvidia.Countings;
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

/** The whole machine on small kernels: an RTX 3070 without launch latency. */
class ClassicMachineTest {
  private static final Path EXAMPLES = Path.of("../examples/traces");

  private static String ffma(int pc, String d, String a) {
    return String.format("%04x ffffffff 1 %s FFMA 2 %s R9 0 0", pc, d, a);
  }

  @Test
  void dependentFmasIssueEverySevenCycles() throws IOException {
    // Collect 1, dispatch 1, enter the unit 1, latency 2, write back 2: the next issue in cycle 7.
    long two = cost(ffma(0, "R1", "R1"), ffma(16, "R1", "R1"));
    long three = cost(ffma(0, "R1", "R1"), ffma(16, "R1", "R1"), ffma(32, "R1", "R1"));
    assertThat(three - two).isEqualTo(7);
  }

  @Test
  void independentFmasOfOneWarpIssueEveryCycle() throws IOException {
    String[] lines = new String[32];
    for (int i = 0; i < 32; i++) {
      lines[i] = String.format("%04x ffffffff 1 R%d FFMA 1 R1 0 0", 16 * i, 10 + i);
    }
    assertThat(cost(lines)).isBetween(32L, 36L);
  }

  @Test
  void operandsInOneBankAreReadOneAfterTheOther() throws IOException {
    String[] apart = new String[32];
    String[] together = new String[32];
    for (int i = 0; i < 32; i++) {
      apart[i] = String.format("%04x ffffffff 1 R%d FFMA 3 R1 R2 R1 0 0", 16 * i, 10 + i);
      together[i] = String.format("%04x ffffffff 1 R%d FFMA 3 R1 R3 R5 0 0", 16 * i, 10 + i);
    }
    // A sub-core has two banks, read twice a cycle: three operands of one bank need 1.5 cycles.
    assertThat(cost(together) - cost(apart)).isBetween(12L, 40L);
  }

  @Test
  void aRealInstructionCacheMissesOncePerLine() throws IOException {
    String[] lines = new String[64];
    for (int i = 0; i < 64; i++) {
      lines[i] = String.format("%04x ffffffff 1 R%d FFMA 1 R1 0 0", 16 * i, 10 + i);
    }
    String real = "classic.frontEnd.perfectInstructionAndConstantCache=false";
    KernelResult result = run(oneWarp(lines), real);
    // 64 instructions of 16 bytes fill eight lines; EXIT at 0xff0 is in a ninth.
    assertThat(statistic(result, "l1i.misses")).isEqualTo(9);
    assertThat(statistic(result, "l1i.linesFetched")).isEqualTo(9);
    assertThat(statistic(result, "l1i.accesses"))
        .isEqualTo(statistic(result, "l1i.hits") + statistic(result, "l1i.misses"));
    assertThat(result.cycles()).isGreaterThan(run(oneWarp(lines)).cycles() + 9 * 187);
  }

  @Test
  void integerUnitsTakeAnInstructionEveryOtherCycle() throws IOException {
    String[] lines = new String[32];
    for (int i = 0; i < 32; i++) {
      lines[i] = String.format("%04x ffffffff 1 R%d IADD3 1 R1 0 0", 16 * i, 10 + i);
    }
    assertThat(cost(lines)).isBetween(62L, 68L);
  }

  @Test
  void aLoadThatHitsInL1ReturnsAfterTheL1LatencyAndThePipeline() throws IOException {
    String load = "%04x ffffffff 1 R%d LDG.E 1 R1 4 1 0x10000 4 0";
    String use = "%04x ffffffff 1 R30 MOV 1 R%d 0 0";
    String first = String.format(load, 0, 2);
    String second = String.format(load, 32, 3);
    long miss = cost(first, String.format(use, 16, 2));
    long both = cost(first, String.format(use, 16, 2), second, String.format(use, 48, 3));
    // 39 cycles of latency queue, 3 to the unit, 1 in its dispatch register, the use itself.
    assertThat(both - miss).isBetween(39L + 3, 39L + 14);
    // 187 before the L2, 254 before the DRAM.
    assertThat(miss).isGreaterThan(187 + 254);
  }

  @Test
  void aSharedLoadReturnsAfterItsLatencyPlusConflicts() throws IOException {
    String use = "0010 ffffffff 1 R30 MOV 1 R2 0 0";
    long free = cost("0000 ffffffff 1 R2 LDS 1 R1 4 1 0x0 4 0", use);
    long conflicting = cost("0000 ffffffff 1 R2 LDS 1 R1 4 1 0x0 128 0", use);
    assertThat(conflicting - free).as("32-way instead of 1-way").isEqualTo(31);
    assertThat(free).isBetween(29L + 6, 29L + 16);
  }

  @Test
  void aStoreHoldsItsWarpOnlyAtTheEnd() throws IOException {
    KernelResult result =
        run(oneWarp("0000 ffffffff 0 STG.E 2 R2 R4 4 1 0x10000 4 0", ffma(16, "R1", "R1")));
    assertThat(statistic(result, "l1.accesses")).isEqualTo(4);
    assertThat(statistic(result, "l2.accesses")).isEqualTo(4);
    assertThat(statistic(result, "loadStore.answers")).as("acknowledged").isEqualTo(4);
    assertThat(result.cycles()).isGreaterThan(187);
  }

  @Test
  void strongLoadsGoPastTheL1() throws IOException {
    KernelResult result = run(oneWarp("0000 ffffffff 1 R2 LDG.E.STRONG.GPU 1 R1 4 1 0x10000 4 0"));
    assertThat(statistic(result, "l1.accesses")).isZero();
    assertThat(statistic(result, "l2.accesses")).isEqualTo(4);
  }

  @Test
  void anAtomicOnOneWordMakesATransactionPerLane() throws IOException {
    KernelResult result = run(oneWarp("0000 ffffffff 0 RED.E.ADD 2 R2 R4 4 1 0x10000 0 0"));
    assertThat(statistic(result, "loadStore.atomics")).isEqualTo(32);
    assertThat(statistic(result, "l2.accesses")).isEqualTo(32);
  }

  @Test
  void localMemoryOfNeighbouringThreadsIsContiguous() throws IOException {
    // Every thread stores at the same local offset: one sector per eight threads.
    KernelResult result = run(oneWarp("0000 ffffffff 0 STL 2 R1 R4 4 1 0xfffc00 0 0"));
    assertThat(
            statistic(result, "l1.LOCAL_ACC_W.MISS")
                + statistic(result, "l1.LOCAL_ACC_W.SECTOR_MISS"))
        .isEqualTo(4);
  }

  @Test
  void genericAccessesGoWhereTheirAddressPoints() throws IOException {
    MemoryKernel kernel =
        new KernelBuilder("generic")
            .block(32, 1, 1)
            .binaryVersion(86)
            .windows(0x7f0000000000L, 0x7f1000000000L)
            .line("0000 ffffffff 1 R2 LD.E 1 R1 4 1 0x7f0000000100 4 0")
            .line("0010 ffffffff 1 R3 LD.E 1 R1 4 1 0x7e0000000100 4 0")
            .line("0020 ffffffff 0 EXIT 0 0 0")
            .build();
    KernelResult result = run(kernel);
    assertThat(statistic(result, "sm.sharedThreads")).isEqualTo(32);
    assertThat(statistic(result, "l1.accesses")).isEqualTo(4);
  }

  @Test
  void aFenceWaitsForLoadsAndEmptiesTheL1() throws IOException {
    String load = "%04x ffffffff 1 R%d LDG.E 1 R1 4 1 0x10000 4 0";
    KernelResult result =
        run(
            oneWarp(
                String.format(load, 0, 2),
                "0010 ffffffff 0 MEMBAR.SC.GPU 0 0 0",
                String.format(load, 32, 3)));
    assertThat(statistic(result, "l1.misses")).isEqualTo(8);
  }

  @Test
  void asynchronousCopiesAreAwaitedByGroup() throws IOException {
    String copy = "0000 ffffffff 0 LDGSTS.E.128 2 R2 R4 16 1 0x10000 16 0";
    long without = cost(copy, ffma(16, "R1", "R1"), ffma(32, "R1", "R1"));
    long awaited =
        cost(
            copy,
            "0010 ffffffff 0 LDGDEPBAR 0 0 0",
            "0020 ffffffff 0 DEPBAR.LE 0 0 0",
            ffma(48, "R1", "R1"));
    assertThat(awaited).isGreaterThan(187);
    assertThat(without).isLessThan(awaited);
  }

  /** A warp that waits for device memory before a line, and one that works long after it. */
  private static long twoWarps(String line) throws IOException {
    KernelBuilder builder = new KernelBuilder("barrier").block(64, 1, 1).binaryVersion(86);
    builder.warp(0, 0).line("0000 ffffffff 1 R2 LDG.E 1 R1 4 1 0x10000 4 0");
    builder.line("0010 ffffffff 1 R3 MOV 1 R2 0 0").line("0020 ffffffff 0 " + line + " 0 0 0");
    builder.line("0ff0 ffffffff 0 EXIT 0 0 0");
    builder.warp(0, 1).line("0020 ffffffff 0 " + line + " 0 0 0");
    for (int i = 0; i < 100; i++) {
      builder.line(ffma(0x30 + 16 * i, "R1", "R1"));
    }
    return run(builder.line("0ff0 ffffffff 0 EXIT 0 0 0").build()).cycles();
  }

  @Test
  void warpsOfABlockMeetAtABarrier() throws IOException {
    long apart = twoWarps("NOP");
    assertThat(apart).as("100 dependent FFMAs of 7 cycles hide the load").isBetween(700L, 750L);
    assertThat(twoWarps("BAR.SYNC") - apart).as("they begin after it").isBetween(450L, 550L);
  }

  @Test
  void launchLatencyComesFirst() throws IOException {
    MemoryKernel kernel = oneWarp();
    assertThat(run(kernel, "launch.kernelCycles=5000").cycles() - run(kernel).cycles())
        .isEqualTo(5000);
  }

  @Test
  void blocksStartOnePerSmAndCycle() throws IOException {
    MemoryKernel small =
        new KernelBuilder("grid")
            .grid(46 * 8, 1, 1)
            .block(32, 1, 1)
            .binaryVersion(86)
            .line("0000 ffffffff 0 EXIT 0 0 0")
            .everyWarpTheSame()
            .build();
    KernelResult eight = run(small);
    assertThat(eight.cycles() - run(oneWarp()).cycles()).isBetween(7L, 12L);
    assertThat(eight.warpInstructions()).isEqualTo(46 * 8);
  }

  @Test
  void aCopyFillsTheL2WhereItsWholeAddressIsUsed() throws IOException {
    MemoryKernel kernel = oneWarp("0000 ffffffff 1 R2 LDG.E 1 R1 4 1 0x7f0000010000 4 0");
    assertThat(l2Misses(gpu(), kernel)).as("32 bits, as in Accel-Sim").isEqualTo(4);
    assertThat(l2Misses(gpu("detailedMemory.l2.copyAddressBits=64"), kernel)).isZero();
  }

  private static long l2Misses(GpuDescription gpu, MemoryKernel kernel) throws IOException {
    MemoryTrace program = new MemoryTrace("test").copy(0x7f0000010000L, 4096).launch(kernel);
    RunResult result = new ClassicMachine(gpu).run(program, RunOptions.DEFAULT, Progress.NONE);
    return statistic(result.kernels().get(0), "l2.misses");
  }

  @Test
  void everyPartThatCountsIsRegistered() throws Exception {
    GpuDescription few =
        gpu("sm.count=2", "classic.frontEnd.perfectInstructionAndConstantCache=false");
    ClassicMachine machine = new ClassicMachine(few);
    assertThat(Countings.forgotten(machine, machine.counters())).isEmpty();
    assertThat(Countings.forgotten(machine, new Counters()))
        .contains("ClassicSm.idleCycles", "IssueCounts.lanes", "InstructionCache.linesFetched");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lrr",
        "gto",
        "rrr",
        "old",
        "two-level:6",
        "warp-limiting:4",
        "youngest",
        "least-recent"
      })
  void everyPolicyRunsEveryWarpToItsEnd(String policy) throws IOException {
    try (TraceSet program = Traces.open(EXAMPLES.resolve("cpasync.tar.xz"))) {
      ClassicMachine machine = new ClassicMachine(gpu("classic.frontEnd.policy=" + policy));
      RunResult result = machine.run(program, RunOptions.DEFAULT, Progress.NONE);
      assertThat(issued(result)).isEqualTo(instructions("cpasync.tar.xz"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"rtx3070", "rtx2060", "qv100", "titanx"})
  void everyClassicPresetRunsARealTrace(String preset) throws IOException {
    try (TraceSet program = Traces.open(EXAMPLES.resolve("cpasync.tar.xz"))) {
      RunResult result =
          new ClassicMachine(Gpus.load(preset)).run(program, RunOptions.DEFAULT, Progress.NONE);
      assertThat(issued(result)).isEqualTo(instructions("cpasync.tar.xz"));
    }
  }

  /** Instructions issued; copies that miss complete twice, so completions are not the measure. */
  private static long issued(RunResult result) {
    long sum = 0;
    for (int lanes = 0; lanes <= 32; lanes++) {
      sum += statistic(result.kernels().get(0), "issue.lanes" + lanes);
    }
    return sum;
  }

  private static long instructions(String trace) throws IOException {
    try (TraceSet program = Traces.open(EXAMPLES.resolve(trace))) {
      long count = 0;
      for (var command : program.commands()) {
        if (command instanceof dev.warpline.trace.TraceCommand.Launch launch) {
          var kernel = program.open(launch);
          var block = new dev.warpline.trace.BlockTrace();
          for (long b = 0; b < kernel.header().grid().count(); b++) {
            count += kernel.readBlock(b, block) ? block.instructions() : 0;
          }
        }
      }
      return count;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"vecadd", "cpasync.tar.xz", "mandelbrot.wlt"})
  void resultsDoNotDependOnThreads(String trace) throws IOException {
    GpuDescription gpu = Gpus.load("rtx3070");
    List<KernelResult> one = kernels(gpu, trace, 1);
    assertThat(kernels(gpu, trace, 2)).isEqualTo(one);
    assertThat(kernels(gpu, trace, 5)).isEqualTo(one);
    assertThat(kernels(gpu, trace, 1)).as("nor on the run").isEqualTo(one);
  }

  private static List<KernelResult> kernels(GpuDescription gpu, String trace, int threads)
      throws IOException {
    try (TraceSet program = Traces.open(EXAMPLES.resolve(trace))) {
      return new ClassicMachine(gpu)
          .run(program, RunOptions.DEFAULT.withThreads(threads), Progress.NONE)
          .kernels();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"vecadd", "cpasync.tar.xz", "reduce.wlt"})
  void everyRequestIsAnsweredEveryRegisterReleasedEveryBlockFinished(String trace)
      throws IOException {
    ClassicMachine machine = new ClassicMachine(Gpus.load("rtx3070"));
    KernelResult result;
    try (TraceSet program = Traces.open(EXAMPLES.resolve(trace))) {
      result = machine.run(program, RunOptions.DEFAULT, Progress.NONE).kernels().get(0);
    }
    machine.drain();
    assertThat(machine.isDrained()).isTrue();
    assertThat(statistic(result, "requestNetwork.injectedPackets"))
        .isEqualTo(
            statistic(result, "loadStore.localReads")
                + statistic(result, "loadStore.localWrites")
                + statistic(result, "loadStore.globalReads")
                + statistic(result, "loadStore.globalWrites"));
  }

  @Test
  void aLimitStopsTheRunAndSaysWhich() throws IOException {
    MemoryKernel kernel = oneWarp(ffma(0, "R1", "R1"));
    RunOptions cycles = new RunOptions(1, 100, 0, (id, name) -> true);
    MemoryTrace program = new MemoryTrace("test").launch(kernel);
    ClassicMachine machine = new ClassicMachine(gpu("launch.kernelCycles=5000"));
    assertThatThrownBy(() -> machine.run(program, cycles, Progress.NONE))
        .isInstanceOf(UnfinishedSimulationException.class)
        .hasMessageContaining("100 cycles");
  }

  @Test
  void aDescriptionWithoutAClassicCoreIsRefused() throws IOException {
    GpuDescription gpu = Gpus.load("mi300a");
    assertThatThrownBy(() -> new ClassicMachine(gpu))
        .isInstanceOf(DescriptionException.class)
        .hasMessageContaining("classic");
  }
}
