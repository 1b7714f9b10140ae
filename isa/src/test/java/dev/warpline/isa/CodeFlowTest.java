package dev.warpline.isa;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CodeFlowTest {
  private static CodeFlow flow(String... lines) {
    CodeTable code = new CodeTable();
    for (int i = 0; i < lines.length; i++) {
      code.add(Instruction.listed(i, 16 * i, lines[i], OpcodeTable.forBinaryVersion(90)));
    }
    return new CodeFlow(code);
  }

  private static List<Integer> rows(List<CodeFlow.Source> sources) {
    return sources.stream().map(CodeFlow.Source::row).toList();
  }

  @Test
  void anInstructionWaitsForThoseThatWroteItsOperandsLast() {
    CodeFlow flow =
        flow("MOV R4, RZ", "LDG.E R6, [R2.64]", "FADD R4, R4, R5", "FADD R7, R4, R6", "EXIT");
    List<CodeFlow.Source> sources = flow.sources(3);
    assertThat(rows(sources)).as("what takes long comes first").containsExactly(1, 2);
    assertThat(sources.get(0)).isEqualTo(new CodeFlow.Source(1, 2, "R6", true));
    assertThat(sources.get(1)).isEqualTo(new CodeFlow.Source(2, 1, "R4", false));
  }

  @Test
  void aLoopBringsValuesFromItsEndToItsBeginning() {
    CodeFlow flow =
        flow("MOV R4, RZ", "FADD R4, R4, R5", "LDG.E R5, [R2.64]", "@P0 BRA 0x10", "EXIT");
    assertThat(rows(flow.sources(1)))
        .as("the load of the turn before, its own result, and the value from in front of the loop")
        .containsExactly(2, 0, 1);
  }

  @Test
  void aGuardedWriteDoesNotHideTheOneBeforeIt() {
    CodeFlow flow = flow("MOV R4, RZ", "@P0 MOV R4, R6", "FADD R7, R4, R4", "EXIT");
    assertThat(rows(flow.sources(2))).containsExactly(1, 0);
  }

  @Test
  void aRegisterIsLiveFromItsWriteToItsLastRead() {
    CodeFlow flow = flow("MOV R4, RZ", "MOV R5, RZ", "FADD R6, R4, R5", "FADD R7, R6, R6", "EXIT");
    assertThat(flow.live(0)).isZero();
    assertThat(flow.live(1)).isEqualTo(1);
    assertThat(flow.live(2)).isEqualTo(2);
    assertThat(flow.live(3)).isEqualTo(1);
    assertThat(flow.live(4)).isZero();
  }

  @Test
  void whatALoopNeedsAgainStaysLiveInIt() {
    CodeFlow flow = flow("MOV R4, RZ", "MOV R5, RZ", "FADD R5, R5, R4", "@P0 BRA 0x20", "EXIT");
    assertThat(flow.live(3)).as("R4 and R5 are needed in the next turn").isEqualTo(2);
  }
}
