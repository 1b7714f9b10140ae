package dev.warpline.amd.cu;

import static dev.warpline.amd.cu.TinyGpu.repeat;
import static dev.warpline.amd.cu.TinyGpu.sAddU32;
import static dev.warpline.amd.cu.TinyGpu.vAddF32;
import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.profile.StallReason;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class WaveTimeTest {
  @Test
  void gem5sNamesAreThoseOfItsScoreboardCheckAndEachIsThere() {
    assertThat(
            Arrays.stream(StallReason.values())
                .map(StallReason::gem5)
                .filter(Objects::nonNull)
                .distinct())
        .containsExactlyInAnyOrder(
            "WFStop",
            "IBEmpty",
            "WaitCnt",
            "Sleep",
            "BarrierWait",
            "VgprBusy",
            "SgprBusy",
            "MatrixCore",
            "InstrReady");
    assertThat(Arrays.stream(Stall.values()).map(stall -> stall.reason.gem5()))
        .doesNotContainNull()
        .doesNotHaveDuplicates();
  }

  @Test
  void aWaitForAScalarRegisterIsNotOneForAVectorRegister() {
    assertThat(cyclesOf(sAddU32(1, 1, 1), StallReason.SCALAR_WAIT)).isPositive();
    assertThat(cyclesOf(sAddU32(1, 1, 1), StallReason.WAIT)).isZero();
    assertThat(cyclesOf(vAddF32(1, 1, 1), StallReason.SCALAR_WAIT)).isZero();
    assertThat(cyclesOf(vAddF32(1, 1, 1), StallReason.WAIT)).isPositive();
  }

  private static long cyclesOf(int instruction, StallReason reason) {
    try (TinyGpu gpu = new TinyGpu()) {
      gpu.cycles(repeat(instruction, 24), 0);
      return gpu.gpu().stalls()[reason.ordinal()];
    }
  }
}
