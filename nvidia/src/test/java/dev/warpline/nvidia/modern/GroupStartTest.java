package dev.warpline.nvidia.modern;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * First instructions of the warps of an SM, as {@code startup.cu} found them on an H200: sub-cores
 * ask their GPC's cache for the first line, and for those after it, through one port.
 */
class GroupStartTest {
  /** Cycles between the first instructions of an SM's first and last sub-core. */
  private static long spread(int smsOfTheGpc) throws IOException {
    Program.Run run = Program.of("S01 NOP", "EXIT").warps(4).cold().inGpcOf(smsOfTheGpc).run();
    return run.first(3) - run.first(0);
  }

  @Test
  void aloneTheFourSubCoresOfAnSmStartWithinEightCycles() throws IOException {
    assertThat(spread(1)).isBetween(6L, 9L);
  }

  /** The H200 takes 17 to 20. */
  @Test
  void inAGpcOfTwoTheyStartWithinTwiceThat() throws IOException {
    assertThat(spread(2)).isBetween(9L, 20L);
  }

  @Test
  void inAGpcOfSixteenTheyStartWithin107To139Cycles() throws IOException {
    assertThat(spread(16)).isBetween(105L, 139L);
  }
}
