package dev.warpline.web.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.profile.KernelProfile.Line;
import dev.warpline.engine.profile.LaneWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Instructions of two kernels are matched, and what could not be is said. */
class AlignmentTest {
  private static final List<Line> BEFORE =
      code("LDC R1, c[0x0][0x28]", "LDG.E R2, [R4]", "FFMA R5, R2, R2, R5", "STG.E [R6], R5");

  @Test
  void theSameCodeIsMatchedByPcEvenWhereALineDidNotRun() {
    List<Line> half = List.of(BEFORE.get(0), BEFORE.get(3));
    Alignment alignment = Alignment.of(BEFORE, half);
    assertThat(alignment.first()).containsExactly(0, 3);
    assertThat(alignment.matching().how()).contains("by PC");
    assertThat(alignment.matching().onlyFirst()).isEqualTo(2);
    assertThat(alignment.matching().onlySecond()).isZero();
  }

  @Test
  void aNewInstructionShiftsTheOthersWhichKeepTheirCounterparts() {
    List<Line> after =
        code(
            "LDC R1, c[0x0][0x28]",
            "S2R R0, SR_TID.X",
            "LDG.E R2, [R4]",
            "FFMA R5, R2, R2, R5",
            "STG.E [R6], R5");
    Alignment alignment = Alignment.of(BEFORE, after);
    assertThat(alignment.first()).containsExactly(0, -1, 1, 2, 3);
    assertThat(alignment.matching().onlySecond()).isEqualTo(1);
    assertThat(alignment.matching().onlyFirst()).isZero();
  }

  @Test
  void aWiderLoadIsStillTheLoadAndOtherRegistersDoNotMatter() {
    List<Line> after =
        code("LDC R1, c[0x0][0x28]", "LDG.E.128 R8, [R4]", "FFMA R9, R8, R8, R9", "EXIT");
    assertThat(Alignment.of(BEFORE, after).first()).containsExactly(0, 1, 2, -1);
  }

  @Test
  void anEqualInstructionIsPreferredToOneWithTheSameOpcode() {
    List<Line> before = code("S2R R0, SR_TID.X", "FADD R1, R2, R3", "FADD R4, R5, R6");
    List<Line> after = code("FADD R4, R5, R6", "EXIT");
    assertThat(Alignment.of(before, after).first()).containsExactly(2, -1);
  }

  @Test
  void launchesArePairedByNumberAndNameThenByNameThenByNumber() {
    List<KernelResult> first = List.of(kernel(1, "a"), kernel(2, "b"), kernel(3, "old"));
    List<KernelResult> second =
        List.of(kernel(1, "b"), kernel(2, "a"), kernel(3, "new"), kernel(4, "a"));
    Counterparts counterparts = Counterparts.of(first, second);
    assertThat(counterparts.pairs())
        .extracting(pair -> pair.first().id() + " " + pair.second().id())
        .containsExactly("2 1", "1 2", "3 3");
    assertThat(counterparts.unmatched())
        .containsExactly(
            "kernel 3 new is compared with kernel 3 old, the same launch",
            "only in the second run: kernel 4 a");
  }

  private static KernelResult kernel(int id, String name) {
    return new KernelResult(id, name, 0, 1, 1, 1, 1, "", Map.of(), Map.of(), List.of());
  }

  private static List<Line> code(String... texts) {
    List<Line> lines = new ArrayList<>();
    for (String text : texts) {
      int row = lines.size();
      lines.add(
          new Line(
              row, 16 * row, null, text, LaneWork.NONE, 1, 32, 0, 0, 0, 0, 0, 0, Map.of(), null));
    }
    return lines;
  }
}
