package dev.warpline.nvidia.modern;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Issue schedule and latencies of memory instructions that hit. */
class MemoryPipelineTest {
  /** The published schedule of Ampere: a burst of five, then one per four, six or eight cycles. */
  @ParameterizedTest
  @CsvSource({"1,4", "2,4", "3,6", "4,8"})
  void fiveMemoryInstructionsIssueAtOnceThenTheSharedPartSetsThePace(int subCores, long pace)
      throws IOException {
    Program.Run run =
        Program.repeated("S01 LDS R1, [R2]", 20)
            .then("EXIT")
            .on("rtx3070")
            .warps(subCores)
            .set("modern.launch.smWarpInterval=0")
            .run();
    List<Long> issues = run.issues(0);
    assertThat(issues.subList(0, 5)).containsExactly(0L, 1L, 2L, 3L, 4L);
    // The sixth: after 11 cycles on one sub-core, two later on each other one.
    for (int k = 0; k < subCores; k++) {
      long sixth = 11 + 2L * k;
      assertThat(
              java.util.stream.IntStream.range(0, subCores).mapToLong(w -> run.together(w).get(5)))
          .contains(sixth);
    }
    assertThat(issues.get(18) - issues.get(14)).isEqualTo(4 * pace);
  }

  /** RAW and WAR of every row of the published table (Ampere) and of the measured one (H200). */
  @ParameterizedTest
  @CsvSource({
    "rtx3070,'LDG.E R4, desc[UR4][UR6]',29,9",
    "rtx3070,'LDG.E.64 R4, desc[UR4][UR6]',31,9",
    "rtx3070,'LDG.E.128 R4, desc[UR4][UR6]',35,9",
    "rtx3070,'LDG.E R4, desc[UR4][R2.64]',32,11",
    "rtx3070,'LDG.E.64 R4, desc[UR4][R2.64]',34,11",
    "rtx3070,'LDG.E.128 R4, desc[UR4][R2.64]',38,11",
    "rtx3070,'LDS R4, [UR4]',23,9",
    "rtx3070,'LDS.64 R4, [UR4]',23,9",
    "rtx3070,'LDS.128 R4, [UR4]',25,9",
    "rtx3070,'LDS R4, [R2]',24,9",
    "rtx3070,'LDS.64 R4, [R2]',24,9",
    "rtx3070,'LDS.128 R4, [R2]',26,9",
    "rtx3070,'LDC R4, c[0x0][0x28]',26,10",
    "rtx3070,'LDC R4, c[0x3][R2]',29,29",
    "h200,'LDG.E R4, desc[UR4][R2.64]',31,10",
    "h200,'LDG.E.64 R4, desc[UR4][R2.64]',34,10",
    "h200,'LDG.E.128 R4, desc[UR4][R2.64]',40,10",
    "h200,'LDS R4, [R2]',23,8",
    "h200,'LDS.64 R4, [R2]',26,8",
    "h200,'LDS.128 R4, [R2]',32,8",
    "h200,'SHFL.BFLY PT, R4, R2, 0x1, 0x1f',24,9",
    "h200,'MUFU.RSQ R4, R2',17,14",
    "h200,'S2R R4, SR_TID.X',35,9"
  })
  void aLoadsResultAndItsSourcesAreFreeAfter(String gpu, String load, long raw, long war)
      throws IOException {
    // The first access brings the line; a long wait; then the one that is measured.
    Program.Run result =
        Program.of("S02 W0 " + load, "S05 B01 NOP", "S02 W1 " + load, "S01 B02 NOP", "EXIT")
            .on(gpu)
            .run();
    assertThat(result.between(2, 3)).as("result").isEqualTo(raw);
    Program.Run sources =
        Program.of("S02 W0 " + load, "S05 B01 NOP", "S02 W1 R2 " + load, "S01 B04 NOP", "EXIT")
            .on(gpu)
            .run();
    assertThat(sources.between(2, 3)).as("sources").isEqualTo(war);
  }

  @ParameterizedTest
  @CsvSource({
    "rtx3070,'STG.E desc[UR4][R2.64], R4',14",
    "rtx3070,'STG.E.64 desc[UR4][R2.64], R4',16",
    "rtx3070,'STG.E.128 desc[UR4][R2.64], R4',20",
    "rtx3070,'STG.E desc[UR4][UR6], R4',10",
    "rtx3070,'STG.E.64 desc[UR4][UR6], R4',12",
    "rtx3070,'STG.E.128 desc[UR4][UR6], R4',16",
    "rtx3070,'STS [R2], R4',12",
    "rtx3070,'STS.64 [R2], R4',14",
    "rtx3070,'STS.128 [R2], R4',18",
    "rtx3070,'STS [UR4], R4',10",
    "rtx3070,'STS.64 [UR4], R4',12",
    "rtx3070,'STS.128 [UR4], R4',16",
    "h200,'STG.E desc[UR4][R2.64], R4',13",
    "h200,'STG.E.64 desc[UR4][R2.64], R4',15",
    "h200,'STG.E.128 desc[UR4][R2.64], R4',19",
    "h200,'STS [R2], R4',11",
    "h200,'STS.64 [R2], R4',13",
    "h200,'STS.128 [R2], R4',17"
  })
  void aStoresSourcesAreFreeAfter(String gpu, String store, long war) throws IOException {
    Program.Run run = Program.of("S02 R0 " + store, "S01 B01 NOP", "EXIT").on(gpu).run();
    assertThat(run.between(0, 1)).isEqualTo(war);
  }

  /** LDGSTS: 13 and 39 cycles whatever its width; the line is in L1 from the first one on. */
  @ParameterizedTest
  @ValueSource(strings = {"", ".64", ".128"})
  void aCopysSourcesAreFreeAndItsDataThereAfter(String width) throws IOException {
    String copy = "LDGSTS.E" + width + " [R3], desc[UR4][R18.64]";
    Program.Run run =
        Program.of(
                "S02 " + copy,
                "S02 W0 LDGDEPBAR",
                "S05 B01 NOP",
                "S01 R1 " + copy,
                "S01 W0 LDGDEPBAR",
                "S02 NOP",
                "S01 B02 NOP",
                "S01 B01 NOP",
                "EXIT")
            .on("rtx3070")
            .run();
    assertThat(run.between(3, 6)).as("sources").isEqualTo(13);
    assertThat(run.between(3, 7)).as("data").isEqualTo(39);
  }

  /**
   * What the profiler counts as bank conflicts: words of a bank beyond the first, 141,156 and
   * 30,228 in the suite's histogram and smem_atomic. Lanes that name one word are none, though
   * their atomics follow each other, but where it is enough to count the lanes.
   */
  @ParameterizedTest
  @CsvSource({
    "'LDS R4, [R2]',8,1,0",
    "'STS [R2], R4',128,31,0",
    "'ATOMS.POPC.INC.32 RZ, [R2]',4,0,0",
    "'ATOMS.POPC.INC.32 RZ, [R2]',0,0,1",
    "'ATOMS.POPC.INC.32 RZ, [R2]',128,31,0",
    "'ATOMS.ADD R4, [R2], R3',0,0,31",
    "'ATOMS.ADD R4, [R2], R3',128,31,0",
    "'STSM.16.MT88 [R2], R4',144,0,0"
  })
  void conflictsAreWordsOfOneBank(String access, long step, long conflicts, long repeats)
      throws IOException {
    Program.Run run = Program.of("S02 W0 " + access, "S01 B01 EXIT").laneStep(step).run();
    assertThat(run.count("l1.sharedConflicts")).isEqualTo(conflicts);
    assertThat(run.count("l1.sharedRepeats")).isEqualTo(repeats);
  }
}
