package dev.warpline.nvidia.modern;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Instruction and constant caches. */
class FetchTest {
  @Test
  void straightLineCodeMissesOnceAndTheStreamBufferDoesTheRest() throws IOException {
    Program.Run run = Program.repeated("S01 FADD R1, R2, R3", 400).then("EXIT").cold().run();
    assertThat(run.count("supply.l0Misses")).isEqualTo(1);
  }

  @Test
  void aColdStreamCostsItsLatencyOverTheLinesAhead() throws IOException {
    Program.Run run =
        Program.repeated("S01 FADD R1, R2, R3", 400)
            .then("EXIT")
            .cold()
            .set("modern.supply.l15Cycles=138")
            .set("modern.supply.lineHopCycles=0")
            .run();
    // 138 cycles with six lines ahead: 23 per line of eight instructions.
    assertThat(run.between(160, 320)).isBetween(20L * 20, 20L * 25);
  }

  /** {@code warp_ends.cu}: 108 to 121 cycles per line beyond 64 KB, six lines ahead. */
  @Test
  void codeThatTheLaunchDoesNotBringComesFromDeviceMemory() throws IOException {
    Program.Run run =
        Program.repeated("S01 FADD R1, R2, R3", 400)
            .then("EXIT")
            .cold()
            .set("modern.launch.codeBytes=1024")
            .run();
    assertThat(run.between(160, 320)).isBetween(20L * 90, 20L * 140);
  }

  /** {@code launch_cost.cu}: 156 cycles. */
  @Test
  void theFirstInstructionOfAnSmWaitsForItsTranslation() throws IOException {
    long first = Program.of("S01 NOP", "EXIT").cold().run().first(0);
    long without =
        Program.of("S01 NOP", "EXIT").cold().set("modern.supply.firstCycles=0").run().first(0);
    assertThat(first - without).isEqualTo(56);
  }

  @Test
  void aJumpBackOutOfTheSubCoresCacheStartsTheStreamAgain() throws IOException {
    Program.Run run =
        Program.repeated("S01 FADD R1, R2, R3", 1000)
            .then("S05 BRA 0x0")
            .jumpsTo(0)
            .then("EXIT")
            .cold()
            .run();
    assertThat(run.count("supply.l0Misses")).isEqualTo(2);
  }

  /** Two stages lie between fetch and issue: three entries are the fewest that never run dry. */
  @ParameterizedTest
  @CsvSource({"1,90", "2,45", "3,30", "4,30", "5,30", "6,30"})
  void threeEntriesLetAWarpIssueEveryCycle(int entries, long cycles) throws IOException {
    Program.Run run =
        Program.repeated("S01 NOP", 40)
            .then("EXIT")
            .set("modern.supply.bufferEntries=" + entries)
            .run();
    assertThat(run.between(0, 30)).isEqualTo(cycles);
  }

  @Test
  void aSubCoreFetchesOneInstructionPerCycle() throws IOException {
    Program.Run run =
        Program.of("S15 NOP", "EXIT")
            .warps(12)
            .set("modern.launch.smWarpInterval=0")
            .set("modern.supply.bufferEntries=1")
            .run();
    // Warps 0, 4 and 8 share a sub-core and start in the same cycle.
    assertThat(List.of(run.first(4), run.first(8)))
        .containsExactly(run.first(0) + 1, run.first(0) + 2);
  }

  @Test
  void subCoresThatMissTogetherAreServedOneAfterTheOther() throws IOException {
    Program.Run run =
        Program.of("S01 NOP", "EXIT").warps(4).set("modern.launch.smWarpInterval=0").run();
    assertThat(List.of(run.first(1), run.first(2), run.first(3)))
        .containsExactly(run.first(0) + 1, run.first(0) + 2, run.first(0) + 3);
    assertThat(run.count("supply.arbiterCycles")).isEqualTo(1 + 2 + 3);
  }

  /** The instruction behind a branch is fetched before the branch is decoded, the next is not. */
  @Test
  void behindABranchThatIsNotTakenOneInstructionWaitsInTheBuffer() throws IOException {
    Program.Run run = Program.of("S01 NOP", "S01 BRA 0x20", "S01 NOP", "S01 NOP", "EXIT").run();
    assertThat(run.between(1, 2)).isEqualTo(5);
    assertThat(run.between(2, 3)).isEqualTo(1);
  }

  @Test
  void lanesThatMeetGoOnAfterThirteenCycles() throws IOException {
    Program.Run run =
        Program.of("S04 BSSY B0, 0x20", "S05 BSYNC B0", "S01 NOP", "EXIT").on("h200").run();
    assertThat(run.between(0, 1)).isEqualTo(4);
    assertThat(run.between(1, 2)).isEqualTo(13);
  }

  @Test
  void aTakenBranchCostsOneFetchInVain() throws IOException {
    Program.Run run = Program.of("S01 NOP", "S01 NOP", "S05 BRA 0x0").jumpsTo(0).run();
    // The second branch is the last instruction: what lies behind it is fetched in vain, too.
    assertThat(run.count("issue.wastedFetches")).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"stream-buffer,1", "next-line,1", "none,51"})
  void withoutAPrefetcherEveryLineMisses(String prefetcher, long misses) throws IOException {
    Program.Run run =
        Program.repeated("S01 FADD R1, R2, R3", 400)
            .then("EXIT")
            .cold()
            .set("modern.supply.prefetcher=" + prefetcher)
            .run();
    assertThat(run.count("supply.l0Misses")).isEqualTo(misses);
  }

  @Test
  void aTakenBranchCostsTenCycles() throws IOException {
    Program.Run run = Program.of("S01 NOP", "S01 NOP", "S05 BRA 0x0", "EXIT").jumpsTo(0).run();
    // Lines 0, 1, 2, 3, then again 0: the trace jumps from line 3, the last one.
    assertThat(run.between(3, 4)).isEqualTo(10);
  }

  @Test
  void aConstantOperandThatMissesWaits79Cycles() throws IOException {
    Program.Run run =
        Program.of(
                "S01 NOP",
                "S01 FADD R1, R2, c[0x0][0x160]",
                "S04 FADD R3, R2, c[0x0][0x164]",
                "EXIT")
            .on("rtx3070")
            .cold()
            .set("modern.constants.operandMissCycles=78")
            .run();
    assertThat(run.between(0, 1)).isEqualTo(79);
    assertThat(run.between(1, 2)).isEqualTo(1);
  }

  @Test
  void afterFourCyclesTheSchedulerTurnsToAnotherWarp() throws IOException {
    Program.Run run =
        Program.of("S01 NOP", "S01 FADD R1, R2, c[0x0][0x160]", "S01 NOP", "EXIT")
            .on("rtx3070")
            .warps(5)
            .cold()
            .set("modern.launch.smWarpInterval=0")
            .set("modern.supply.l15Cycles=0")
            .set("modern.constants.operandMissCycles=78")
            .run();
    // Warp 4 is the youngest of sub-core 0: NOP at 0, misses at 1, warp 0's NOP at 5.
    assertThat(run.together(0).get(0)).isEqualTo(5);
  }
}
