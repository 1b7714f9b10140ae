package dev.warpline.isa;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegisterUseTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FFMA R4, R2.reuse, c[0x0][0x160], R5 | R2 R5 | R4",
        "@!P1 FADD R4, -R2, ~R3 | R2 R3 P1 | R4",
        "IADD3 R4, P0, R2, UR6, RZ | R2 UR6 | R4 P0",
        "IADD3.X R5, R3, UR7, RZ, P0, !PT | R3 UR7 P0 | R5",
        "ISETP.GE.U32.AND.EX P0, PT, R3, RZ, PT, P2 | R3 P2 | P0",
        "PLOP3.LUT P0, PT, P1, P2, PT, 0x80, 0x0 | P1 P2 | P0",
        "LOP3.LUT P0, RZ, R7, 0x1, RZ, 0xc0, !PT | R7 | P0",
        "LOP3.LUT P0, R6, R7, 0x1, RZ, 0xc0, !PT | R7 | R6 P0",
        "SEL R4, RZ, 0x1, !P3 | P3 | R4",
        "SHFL.IDX P2, R4, R2, RZ, 0x1f | R2 | R4 P2",
        "VOTE.ANY R4, PT, !P1 | P1 | R4",
        "VOTEU.ANY UR4, UPT, PT | - | UR4",
        "ELECT P6, URZ, PT | - | P6",
        "R2P PR, R0, 0x7f | R0 | P0 P1 P2 P3 P4 P5 P6",
        "P2R R3, PR, RZ, 0x7f | P0 P1 P2 P3 P4 P5 P6 | R3",
        "S2UR UR4, SR_CTAID.X | - | UR4",
        "R2UR UR4, R9 | R9 | UR4",
        "ULDC.64 UR4, c[0x0][0x118] | - | UR4 UR5",
        "ULDC UR4, c[0x3][UR5+0x8] | UR5 | UR4",
        "LDC R4, c[0x3][R5+0x8] | R5 | R4",
        "UIADD3.X UR4, URZ, UR5, URZ, UP0, !UPT | UR5 UP0 | UR4",
        "UISETP.NE.AND UP0, UPT, UR4, URZ, UPT | UR4 | UP0",
        "UIMAD.WIDE.U32 UR4, UR6, UR7, UR8 | UR6 UR7 UR8 UR9 | UR4 UR5",
        "LDG.E.128 R4, desc[UR6][R2.64+0x10] | R2 R3 UR6 UR7 | R4 R5 R6 R7",
        "STG.E.64 desc[UR6][R2.64], R8 | R2 R3 R8 R9 UR6 UR7 | -",
        "STS.128 [R2+UR4], R8 | R2 R8 R9 R10 R11 UR4 | -",
        "ATOMG.E.ADD.STRONG.GPU PT, R4, desc[UR6][R2.64], R8 | R2 R3 R8 UR6 UR7 | R4",
        "REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R5 | R2 R3 R5 UR4 UR5 | -",
        "LDGSTS.E.BYPASS.128 [R5], desc[UR4][R2.64], P0 | R2 R3 R5 UR4 UR5 P0 | -",
        "DFMA R2, R4, UR6, R8 | R4 R5 R8 R9 UR6 UR7 | R2 R3",
        "BSSY B0, 0x120 | - | B0",
        "BSYNC B0 | B0 | -",
        "BRA P1, 0x120 | P1 | -",
        "@P0 EXIT | P0 | -",
        "SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [R4+UR6], R2 | R2 R4 UR6 | P0",
        "SYNCS.EXCH.64 URZ, [UR6], UR4 | UR4 UR5 UR6 | -",
        "UTMALDG.2D [UR8], [UR4] | UR4 UR5 UR8 UR9 | -",
        "HMMA.1688.F32 R4, R8, R10, R4 | R4 R5 R6 R7 R8 R9 R10 | R4 R5 R6 R7"
      })
  void aListedInstructionUsesRegistersOfEveryKind(String listing, String reads, String writes) {
    Instruction instruction = instruction(listing, listing);
    assertThat(names(instruction.reads())).isEqualTo(reads);
    assertThat(names(instruction.writes())).isEqualTo(writes);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "IADD3 R4, P0, R2, UR6, RZ | R2 | R4",
        "SHFL.IDX P2, R4, R2, RZ, 0x1f | R2 | R4",
        "ISETP.NE.AND P3, PT, R2, RZ, PT | R2 | PT",
        "@P3 BRA 0x120 | PT | -",
        "UISETP.NE.AND UP0, UPT, UR4, URZ, UPT | - | UPT",
        "LDG.E.64 R4, desc[UR6][R2.64] | R2 R3 | R4 R5"
      })
  void aBareTraceTellsRegularRegistersAndWhoComparesAndBranches(
      String listing, String reads, String writes) {
    Instruction instruction = instruction(listing, null);
    assertThat(names(instruction.reads())).isEqualTo(reads);
    assertThat(names(instruction.writes())).isEqualTo(writes);
  }

  private static String names(int[] registers) {
    return registers.length == 0
        ? "-"
        : Arrays.stream(registers).mapToObj(Registers::name).collect(Collectors.joining(" "));
  }

  private static Instruction instruction(String listing, String disassembly) {
    Instruction listed = Instruction.listed(0, 0, listing, OpcodeTable.forBinaryVersion(90));
    return disassembly != null
        ? listed
        : new Instruction(
            0,
            0,
            null,
            listed.text(),
            listed.opcode(),
            listed.destinations(),
            listed.sources(),
            0,
            0,
            0,
            false,
            ControlBits.ABSENT,
            0,
            0,
            null,
            null);
  }
}
