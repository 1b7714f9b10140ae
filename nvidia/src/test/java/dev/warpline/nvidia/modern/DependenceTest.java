package dev.warpline.nvidia.modern;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Kernels without control bits fall back to scoreboards. */
class DependenceTest {
  private static Program program() {
    return Program.of(
        "S02 W0 LDS R4, [R2]",
        "S04 B01 FADD R5, R4, R4",
        "S04 FADD R6, R5, R5",
        "S05 FADD R7, R6, R6",
        "S02 STS [R2], R7",
        "EXIT");
  }

  @Test
  void aScoreboardHoldsAReaderUntilTheLoadIsThere() throws IOException {
    List<Long> issues = program().withoutControlBits().run().issues(0);
    assertThat(issues.get(1)).isEqualTo(23);
    assertThat(issues.get(2) - issues.get(1)).isEqualTo(4);
  }

  @Test
  void scoreboardsAndControlBitsAgreeWithinAFewPercent() throws IOException {
    List<Long> controlled = program().run().issues(0);
    List<Long> tracked = program().withoutControlBits().run().issues(0);
    double last = controlled.get(5);
    assertThat((double) tracked.get(5)).isBetween(0.8 * last, 1.2 * last);
  }
}
