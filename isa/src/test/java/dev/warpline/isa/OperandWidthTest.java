package dev.warpline.isa;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperandWidthTest {
  @ParameterizedTest
  @CsvSource({
    "LDG.E.SYS, 4, 4",
    "LDG.E.64.SYS, 8, 8",
    "LDG.E.128, 16, 16",
    "LDG.E.U8, 1, 1",
    "LDG.E.U16, 2, 2",
    "LDG.E.S8, 4, 1",
    "LDG.E.S16, 4, 2",
    "LDSM.16.M88.4, 2, 16",
    "LDSM.16.MT88.2, 2, 8",
    "LDSM.16.M88, 2, 4",
    "STSM.16.MT88.4, 2, 16",
    "ATOMG.E.ADD.F32, 4, 4",
    "ATOMG.E.ADD.F64.RN, 4, 8",
    "RED.E.ADD.F16x2, 4, 4",
    "RED.E.ADD.BF16_V2, 4, 4",
    "ATOMG.E.CAS.64, 8, 8",
    "LDGSTS.E.BYPASS.128, 16, 16",
    "LDG.E.LTC128B.128.CONSTANT, 16, 16",
    "LDS, 4, 4",
    "LDC.64, 8, 8"
  })
  void theWidthOfAnAccess(String mnemonic, int accelSim, int hardware) {
    assertThat(AccessWidth.accelSim(mnemonic)).isEqualTo(accelSim);
    assertThat(AccessWidth.bytes(mnemonic)).isEqualTo(hardware);
  }

  @ParameterizedTest
  @CsvSource({
    // mnemonic, registers of D, of the three sources
    "LDG.E, 1, 2, 1, 1",
    "LDG.E.128, 4, 2, 1, 1",
    "LDS.64, 2, 1, 1, 1",
    "STG.E.64, 2, 2, 2, 2",
    "STS.128, 4, 1, 4, 4",
    "LDGSTS.E.BYPASS.128, 4, 1, 2, 1",
    "ATOMG.E.CAS.64, 2, 2, 2, 2",
    "FFMA, 1, 1, 1, 1",
    "IMAD.WIDE.U32, 2, 1, 1, 2",
    "DFMA, 2, 2, 2, 2",
    "CS2R, 2, 1, 1, 1",
    "CS2R.32, 1, 1, 1, 1",
    "F2F.F64.F32, 2, 1, 1, 1",
    "F2F.F32.F64, 1, 2, 2, 2",
    "I2F.F64, 2, 1, 1, 1",
    "I2F.F64.S64, 2, 2, 2, 2",
    "I2F.U64, 1, 2, 2, 2",
    "F2I.U64.TRUNC, 2, 1, 1, 1",
    "F2I.F64.TRUNC, 1, 2, 2, 2",
    "F2I.S64.F64.TRUNC, 2, 2, 2, 2",
    "FRND.F64.FLOOR, 2, 2, 2, 2",
    "HMMA.16816.F32, 4, 4, 2, 4",
    "HMMA.16816.F32.BF16, 4, 4, 2, 4",
    "HMMA.16816.F16, 2, 4, 2, 2",
    "HMMA.1688.F32, 4, 2, 1, 4",
    "HMMA.1688.F32.TF32, 4, 4, 2, 4",
    "HMMA.SP.16832.F32, 4, 4, 4, 4",
    "HMMA.884.F32.F32.STEP0, 2, 2, 2, 2",
    "IMMA.16832.S8.S8, 4, 4, 2, 4",
    "IMMA.8816.S8.S8, 2, 1, 1, 2",
    "BMMA.88128.XOR.POPC, 2, 1, 1, 2",
    "DMMA.8x8x4, 4, 2, 2, 4",
    "DMMA.884, 4, 2, 2, 4",
    "HGMMA.64x64x16.F32, 32, 4, 32, 32",
    "HGMMA.64x256x16.F16, 64, 4, 64, 64"
  })
  void anOperandCoversAGroupOfRegisters(String mnemonic, int d, int a, int b, int c) {
    Instruction instruction = instruction(mnemonic);
    assertThat(RegisterGroups.destination(instruction)).isEqualTo(d);
    assertThat(RegisterGroups.source(instruction, 0)).isEqualTo(a);
    assertThat(RegisterGroups.source(instruction, 1)).isEqualTo(b);
    assertThat(RegisterGroups.source(instruction, 2)).isEqualTo(c);
  }

  @Test
  void aWarpgroupProductWithAInSharedMemoryNamesOnlyItsAccumulator() {
    Instruction product = instruction("HGMMA.64x64x16.F32", 24);
    assertThat(RegisterGroups.source(product, 0)).isEqualTo(32);
  }

  @Test
  void theAddendOfAWideProductIsItsLastRegister() {
    Instruction timesImmediate = instruction("IMAD.WIDE", 7, 4);
    assertThat(RegisterGroups.source(timesImmediate, 0)).isEqualTo(1);
    assertThat(RegisterGroups.source(timesImmediate, 1)).isEqualTo(2);
  }

  @Test
  void aMatrixProductDoesMTimesNTimesKMultiplyAdds() {
    assertThat(MatrixShape.of("HMMA.16816.F32").multiplyAdds()).isEqualTo(2048);
    assertThat(MatrixShape.of("IMMA.16832.S8.S8").multiplyAdds()).isEqualTo(4096);
    assertThat(MatrixShape.of("DMMA.16x8x16").multiplyAdds()).isEqualTo(2048);
  }

  private static Instruction instruction(String mnemonic, int... sources) {
    return new Instruction(
        0,
        0,
        null,
        mnemonic,
        OpcodeTable.forBinaryVersion(90).lookup(mnemonic),
        new int[] {0},
        sources.length == 0 ? new int[] {1, 2, 3} : sources,
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
