package dev.warpline.nvidia.modern;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  /** Distances of two instructions, by the published tables; the first is of variable latency. */
  @ParameterizedTest
  @CsvSource({
    "'STG.E [R2.64], R4','FADD R4, R6, R6',14",
    "'STG.E.128 [R2.64], R4','FADD R7, R6, R6',20",
    "'STS.128 [R2], R4','FADD R4, R6, R6',18",
    "'LDG.E R8, [R2.64]','IADD3 R2, R6, R6, RZ',11",
    "'LDS R8, [R2]','IADD3 R2, R6, R6, RZ',9",
    "'STS [R2], R4','FADD R9, R6, R6',1",
    "'S2UR UR4, SR_CTAID.X','UIADD3 UR4, UR5, UR6, URZ',35",
    "'S2R R4, SR_TID.X','IADD3 R4, R6, R6, RZ',35"
  })
  void aScoreboardHoldsAWriterUntilTheRegisterIsReadAndWritten(
      String first, String second, long cycles) throws IOException {
    Program.Run run =
        Program.of(first, second, "EXIT")
            .on("rtx3070")
            .set("modern.units.specialRegisterCycles=35")
            .withoutControlBits()
            .run();
    assertThat(run.between(0, 1)).isEqualTo(cycles);
  }

  /** Registers of every other kind: who reads decides how long it takes. */
  @ParameterizedTest
  @CsvSource({
    "'ISETP.GE.AND P0, PT, R2, R3, PT','SEL R4, R5, R6, P0',4",
    "'ISETP.GE.AND P0, PT, R2, R3, PT','@P0 FADD R4, R5, R6',13",
    "'ISETP.GE.AND P0, PT, R2, R3, PT','@P1 FADD R4, R5, R6',1",
    "'UIADD3 UR4, UR5, UR6, URZ','UIADD3 UR7, UR4, UR6, URZ',4",
    "'UIADD3 UR4, UR5, UR6, URZ','IADD3 R4, R5, UR4, RZ',6",
    "'UIADD3 UR4, UR5, UR6, URZ','LDG.E R4, desc[UR8][UR4.64]',9",
    "'S2UR UR4, SR_CTAID.X','IADD3 R4, R5, UR4, RZ',35",
    "'UISETP.GE.AND UP0, UPT, UR2, UR3, UPT','USEL UR4, UR5, UR6, UP0',4",
    "'UISETP.GE.AND UP0, UPT, UR2, UR3, UPT','USEL UR4, UR5, UR6, UP1',2",
    "'BMOV.32 B1, R2','BMOV.32 R4, B1',4",
    "'BMOV.32 B1, R2','BMOV.32 R4, B2',1"
  })
  void registersOfEveryKindHaveDependences(String first, String second, long cycles)
      throws IOException {
    Program.Run run = Program.of(first, second, "EXIT").on("rtx3070").withoutControlBits().run();
    assertThat(run.between(0, 1)).isEqualTo(cycles);
  }

  /** Ten loads through one address register: one, three, or any number of readers at a time. */
  @Test
  void aRegisterHasOnlySoManyReaders() throws IOException {
    long one = tenLoads(1);
    long three = tenLoads(3);
    long any = tenLoads(0);
    assertThat(one).isGreaterThan(three);
    assertThat(three).isGreaterThan(any);
    assertThat(tenLoads(63)).isEqualTo(any);
  }

  private static long tenLoads(int readers) throws IOException {
    String[] lines = new String[11];
    Arrays.setAll(lines, i -> i == 10 ? "EXIT" : "LDS R" + (8 + i) + ", [R2]");
    Program.Run run =
        Program.of(lines).set("modern.issue.readers=" + readers).withoutControlBits().run();
    return run.between(0, 9);
  }

  @Test
  void scoreboardsAndControlBitsAgreeWithinAFewPercent() throws IOException {
    List<Long> controlled = program().run().issues(0);
    List<Long> tracked = program().withoutControlBits().run().issues(0);
    double last = controlled.get(5);
    assertThat((double) tracked.get(5)).isBetween(0.8 * last, 1.2 * last);
  }
}
