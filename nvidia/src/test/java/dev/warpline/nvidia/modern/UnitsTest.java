package dev.warpline.nvidia.modern;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How fast a sub-core repeats an instruction. */
class UnitsTest {
  @ParameterizedTest
  @CsvSource({
    "h200,'FFMA R1, R2, R3, R3',1",
    "h200,'IADD3 R1, R2, R3, RZ',2",
    "h200,'IMAD R1, R2, R3, R3',2",
    "h200,'IMAD.WIDE R4, R2, R3, R6',4",
    "h200,'VIADD R1, R2, 0x1',2",
    "h200,'DFMA R4, R6, R8, R10',3",
    "h200,'MUFU.RSQ R1, R2',8",
    "h200,'HMMA.16816.F32 R8, R4, R6, R8',6",
    "h200,'HMMA.1688.F32 R8, R4, R6, R8',4",
    "rtx3070,'FFMA R1, R2, R3, R3',1",
    "a100,'FFMA R1, R2, R3, R3',2"
  })
  void aUnitTakesAnInstructionEverySoManyCycles(String gpu, String instruction, long cycles)
      throws IOException {
    Program.Run run = Program.repeated("S01 " + instruction, 60).then("EXIT").on(gpu).run();
    assertThat(run.between(30, 50)).isEqualTo(20 * cycles);
  }

  /** Four sub-cores with a warp each: two cycles of the SM for every instruction. */
  @ParameterizedTest
  @ValueSource(strings = {"LDC R4, c[0x0][0x210]", "S2UR UR4, SR_CTAID.X", "S2R R4, SR_TID.X"})
  void constantsAndSpecialRegistersComeEveryTwoCycles(String instruction) throws IOException {
    Program.Run run =
        Program.repeated("S01 W0 " + instruction, 60).then("B01 EXIT").warps(4).on("h200").run();
    assertThat(run.between(30, 50)).isEqualTo(20 * 8);
  }

  @Test
  void aSpecialFunctionHoldsUpMultiplyAddsAlone() throws IOException {
    Program.Run run =
        Program.of("S01 W0 MUFU.RSQ R1, R2", "S01 IADD3 R3, R4, R5, R6", "S01 FADD R7, R8, R9")
            .then("B01 EXIT")
            .on("h200")
            .run();
    assertThat(run.between(0, 1)).isEqualTo(1);
    assertThat(run.between(0, 2)).isEqualTo(3);
  }
}
