package dev.warpline.nvidia.modern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole machine on small kernels. */
class ModernMachineTest {
  @TempDir Path folder;

  private KernelResult run(String gpu, int threads) throws IOException {
    try (TraceSet program = Traces.open(folder)) {
      return new ModernMachine(Gpus.load(gpu, List.of()), true)
          .run(program, RunOptions.DEFAULT.withThreads(threads), Progress.NONE)
          .kernels()
          .get(0);
    }
  }

  private static Program copy() {
    return Program.of(
            "S02 W0 S2R R0, SR_TID.X",
            "S06 B01 IMAD.WIDE R2, R0, R4, R6",
            "S04 W1 LDG.E R8, desc[UR4][R2.64]",
            "S04 W1 LDG.E.128 R12, desc[UR4][R2.64]",
            "S05 B02 FADD R8, R8, R12",
            "S01 R2 STG.E desc[UR4][R2.64], R8",
            "S05 EXIT")
        .addressStep(1 << 16)
        .warps(4);
  }

  @Test
  void resultsAreTheSameForAnyNumberOfThreads() throws IOException {
    copy().write(folder, 300);
    KernelResult one = run("h200", 1);
    for (int threads : new int[] {2, 3, 5}) {
      assertThat(run("h200", threads)).isEqualTo(one);
    }
  }

  @Test
  void warpStatesAddUpToTheLifeOfTheWarps() throws IOException {
    copy().write(folder, 50);
    KernelResult result = run("h200", 1);
    assertThat(result.warpInstructions()).isEqualTo(50 * 4 * 7);
    long selected = result.stalls().get("selected");
    assertThat(selected).isEqualTo(result.warpInstructions());
  }

  /** {@code launch_cost.cu}: 3,050 cycles. */
  @Test
  void anEmptyKernelTakesWhatALaunchTakes() throws IOException {
    Program.of("S05 EXIT").warps(4).write(folder, 1);
    assertThat(run("h200", 1).cycles()).isBetween(3000L, 3100L);
  }

  /**
   * {@code warp_ends.cu}: one block takes 77 cycles a barrier, two beside each other 131 to 141.
   */
  @Test
  void blocksOfAnSmShareTheUnitForTheirBarriers() throws IOException {
    Program.repeated("S05 BAR.SYNC.DEFER_BLOCKING 0x0", 40)
        .then("S05 EXIT")
        .warps(32)
        .write(folder, 132);
    long one = run("h200", 1).cycles();
    Program.repeated("S05 BAR.SYNC.DEFER_BLOCKING 0x0", 40)
        .then("S05 EXIT")
        .warps(32)
        .write(folder, 264);
    assertThat((run("h200", 1).cycles() - one) / 40).isBetween(50L, 70L);
  }

  /** {@code after_barrier.cu}: a barrier that defers holds what goes to a queue, and branches. */
  @ParameterizedTest
  @CsvSource({
    "FADD R4 R5 R6, true",
    "LDS R4 [R5], false",
    "STS [R5] R4, false",
    "MUFU.RSQ R4 R5, false",
    "SHFL.BFLY PT R4 R5 0x1 0x1f, false",
    "DFMA R4 R6 R8 R10, true"
  })
  void whatComesBehindABarrierWaitsIfItGoesToAQueue(String next, boolean passes)
      throws IOException {
    Program.Run run =
        Program.of("S05 BAR.SYNC.DEFER_BLOCKING 0x0", "S02 " + operands(next), "S05 EXIT")
            .warps(32)
            .run();
    List<Long> first = run.issued().get(0);
    if (passes) {
      assertThat(first.get(1) - first.get(0)).isLessThan(12);
    } else {
      assertThat(first.get(1) - first.get(0)).isGreaterThan(60);
    }
    assertThat(first.get(2) - first.get(0)).as("EXIT").isGreaterThan(60);
  }

  /** Commas part the columns of a table: here operands stand without. */
  private static String operands(String text) {
    String[] words = text.split(" ", 2);
    return words[0] + " " + words[1].replace(" ", ", ");
  }

  @Test
  void onEveryPresetAKernelTakesItsLoadsLongerThanAnEmptyOne() throws IOException {
    List<String> presets = new ArrayList<>();
    for (String gpu : Gpus.names()) {
      if (Gpus.load(gpu).modern() != null) {
        presets.add(gpu);
      }
    }
    assertThat(presets).contains("h200", "h100", "a100", "rtx3070");
    for (String gpu : presets) {
      Program.of("S05 EXIT").warps(4).write(folder, 20);
      long empty = run(gpu, 1).cycles();
      copy().write(folder, 20);
      KernelResult result = run(gpu, 1);
      assertThat(result.warpInstructions()).as(gpu).isEqualTo(20 * 4 * 7);
      // Loads to one register wait for each other; device memory is 300 to 1000 cycles away.
      assertThat(result.cycles() - empty).as(gpu).isBetween(300L, 2000L);
      assertThat(statistic(result, "l1.globalLoads")).as(gpu).isEqualTo(20 * 4 * 2);
      assertThat(statistic(result, "dram.bytesRead")).as(gpu).isPositive();
    }
  }

  private static long statistic(KernelResult result, String name) {
    return result.statistics().get(name).longValue();
  }

  private List<KernelResult> twice(boolean cold) throws IOException {
    copy().write(folder, 50);
    Files.writeString(folder.resolve("kernelslist.g"), "kernel-1.traceg\nkernel-1.traceg\n");
    try (TraceSet program = Traces.open(folder)) {
      return new ModernMachine(Gpus.load("h200"), cold)
          .run(program, RunOptions.DEFAULT, Progress.NONE)
          .kernels();
    }
  }

  @Test
  void aSecondKernelFromColdCachesGivesTheFirstOnesCountersAgain() throws IOException {
    List<KernelResult> kernels = twice(true);
    KernelResult first = kernels.get(0);
    KernelResult second = kernels.get(1);
    assertThat(second.cycles()).isEqualTo(first.cycles());
    assertThat(second.warpInstructions()).isEqualTo(first.warpInstructions());
    assertThat(second.threadInstructions()).isEqualTo(first.threadInstructions());
    assertThat(second.occupancy()).isEqualTo(first.occupancy());
    assertThat(second.statistics()).isEqualTo(first.statistics());
    assertThat(second.stalls()).isEqualTo(first.stalls());
    assertThat(second.start()).isEqualTo(first.end());
  }

  @Test
  void aSecondKernelFindsItsDataInL2ButNotInL1() throws IOException {
    List<KernelResult> kernels = twice(false);
    KernelResult first = kernels.get(0);
    KernelResult second = kernels.get(1);
    assertThat(second.warpInstructions()).isEqualTo(first.warpInstructions());
    for (String same : List.of("l1.globalLoads", "l1.globalLoadSectors")) {
      assertThat(statistic(second, same)).as(same).isEqualTo(statistic(first, same));
    }
    assertThat(statistic(first, "l2.smReadSectors")).isPositive();
    assertThat(statistic(first, "l2.smReadHits")).isLessThan(statistic(first, "l2.smReadSectors"));
    assertThat(statistic(second, "l2.smReadHits")).isEqualTo(statistic(second, "l2.smReadSectors"));
    assertThat(statistic(second, "dram.bytesRead")).isLessThan(statistic(first, "dram.bytesRead"));
    assertThat(second.cycles()).isLessThan(first.cycles() - 100);
  }

  @Test
  void warpsThatPushEachOthersConstantOutComeToAnEnd() throws IOException {
    String[] code = new String[21];
    for (int i = 0; i < 20; i++) {
      code[i] = String.format("S01 FADD R%d, R1, c[0x0][0x%x]", 2 + i % 8, 0x160 + 0x40 * (i % 3));
    }
    code[20] = "S05 EXIT";
    Program.of(code).warps(32).write(folder, 1);
    try (TraceSet program = Traces.open(folder)) {
      KernelResult result =
          new ModernMachine(Gpus.load("h200", List.of("modern.constants.operandLines=1")), true)
              .run(program, new RunOptions(1, 1_000_000, 0, (id, name) -> true), Progress.NONE)
              .kernels()
              .get(0);
      assertThat(result.warpInstructions()).isEqualTo(32 * 21);
      assertThat(result.statistics().get("issue.constantMisses").longValue())
          .isGreaterThan(32 * 20);
    }
  }

  @Test
  void aLimitOfCyclesStopsTheRun() throws IOException {
    copy().write(folder, 300);
    try (TraceSet program = Traces.open(folder)) {
      RunOptions options = new RunOptions(1, 2000, 0, (id, name) -> true);
      ModernMachine machine = new ModernMachine(Gpus.load("h200"), true);
      assertThatThrownBy(() -> machine.run(program, options, Progress.NONE))
          .isInstanceOf(UnfinishedSimulationException.class)
          .hasMessageContaining("2000 cycles");
    }
  }
}
