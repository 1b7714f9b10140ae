package dev.warpline.nvidia.emulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What instructions compute. */
class ArithmeticTest {
  /** R2 after an instruction on R0 and R1. */
  private static int result(String instruction, int a, int b) throws EmulationException {
    return new Lab()
        .run(
            String.format("MOV R0, 0x%x", a),
            String.format("MOV R1, 0x%x", b),
            "MOV R4, 0x5",
            instruction)
        .register(2, 7);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "IADD3 R2, R0, -R1, R4            | 12 | 7 | 10",
        "IMAD R2, R0, R1, R4              | 12 | 7 | 89",
        "IMAD.MOV.U32 R2, RZ, RZ, R1      | 12 | 7 | 7",
        "IMAD.HI.U32 R2, R0, R1, RZ       | -1 | 8 | 7",
        "LEA R2, R0, R1, 0x3              | 5  | 7 | 47",
        "LEA.HI R2, R0, R1, RZ, 0x4       | -1 | 7 | 22",
        "LOP3.LUT R2, R0, R1, R4, 0x96, !PT | 12 | 7 | 14",
        "LOP3.LUT R2, R0, 0xc, RZ, 0xc0, !PT | 10 | 0 | 8",
        "SHF.R.S32.HI R2, RZ, 0x1f, R0    | -9 | 0 | -1",
        "SHF.R.U32.HI R2, RZ, R1, R0      | -1 | 28 | 15",
        "SHF.L.U32 R2, R0, R1, RZ         | 3  | 40 | 0",
        "SHF.L.W.U32.HI R2, R0, 0x8, R0   | 0x12345678 | 0 | 0x34567812",
        "SHF.R.W.U32 R2, R0, 0x8, R1      | 0x12345678 | 0xab | 0xab123456",
        "PRMT R2, R0, 0x5410, R1          | 0x11112222 | 0x33334444 | 0x44442222",
        "PRMT R2, R0, 0x8880, R1          | 0x80 | 0 | 0xffffff80",
        "SGXT R2, R0, 0x4                 | 15 | 0 | -1",
        "SGXT.U32 R2, R0, 0x4             | 31 | 0 | 15",
        "BMSK R2, R0, R1                  | 4  | 3 | 112",
        "POPC R2, R0                      | 255 | 0 | 8",
        "BREV R2, R0                      | 1  | 0 | 0x80000000",
        "FLO.U32 R2, R0                   | 256 | 0 | 8",
        "FLO.U32.SH R2, R0                | 256 | 0 | 23",
        "FLO.U32 R2, R0                   | 0  | 0 | -1",
        "IABS R2, R0                      | -5 | 0 | 5",
        "VIMNMX R2, R0, R1, PT            | -5 | 3 | -5",
        "VIMNMX.U32 R2, R0, R1, PT        | -5 | 3 | 3",
        "VIMNMX3 R2, R0, R1, R4, !PT      | 9  | 3 | 9",
        "VIADDMNMX R2, R0, R1, R4, !PT    | -9 | 3 | 5",
        "IDP.4A.S8.S8 R2, R0, R1, R4      | 0x01ff0203 | 0x01010101 | 10",
        "SEL R2, R0, R1, !PT              | 3  | 4 | 4",
        "I2FP.F32.S32 R2, R0              | -2 | 0 | 0xc0000000",
        "F2I.TRUNC.NTZ R2, R0             | 0xc0200000 | 0 | -2",
        "F2I.NTZ R2, R0                   | 0x40200000 | 0 | 2",
        "F2I.U32.TRUNC.NTZ R2, R0         | 0xc0200000 | 0 | 0",
        "F2I.NTZ R2, R0                   | 0x7fc00000 | 0 | 0",
        "FRND.FLOOR R2, R0                | 0xc0200000 | 0 | 0xc0400000",
        "F2FP.F16.F32.PACK_AB R2, R0, R1  | 0x3f800000 | 0x40000000 | 0x3c004000",
        "F2FP.BF16.F32.PACK_AB R2, R0, R1 | 0x3f800000 | 0x3f80ffff | 0x3f803f81",
        "FMUL.D2 R2, R0, R1               | 0x40000000 | 0x40400000 | 0x40400000",
        "FADD.SAT R2, R0, R1              | 0x40000000 | 0x40400000 | 0x3f800000",
        "FMNMX R2, R0, R1, PT             | 0x7fc00000 | 0x40400000 | 0x40400000",
        "FADD.FTZ R2, R0, RZ              | 0x00000001 | 0 | 0",
        "HADD2 R2, R0, R1                 | 0x3c003c00 | 0x40003c00 | 0x42004000",
        "HFMA2 R2, R0.H0_H0, R1, 1, 2     | 0x00003c00 | 0x40003c00 | 0x42004200",
        "HFMA2.MMA R2, -RZ, RZ, 1.875, 5.9604644775390625e-08 | 0 | 0 | 0x3f800001",
        "HADD2.F32 R2, -RZ, R0.H1_H1      | 0x3c000000 | 0 | 0x3f800000",
        "HMNMX2 R2, R0, R1, PT            | 0x3c004000 | 0x40003c00 | 0x3c003c00",
        "MUFU.RCP R2, R0                  | 0x40000000 | 0 | 0x3f000000",
        "MUFU.EX2 R2, R0                  | 0x40400000 | 0 | 0x41000000",
        "MUFU.SIN R2, R0                  | 0x3e800000 | 0 | 0x3f800000",
      })
  void anInstructionComputes(String instruction, String a, String b, String expected)
      throws EmulationException {
    int result = result(instruction, Long.decode(a).intValue(), Long.decode(b).intValue());

    assertThat(Integer.toHexString(result))
        .isEqualTo(Integer.toHexString(Long.decode(expected).intValue()));
  }

  @Property(tries = 200)
  void sumsOfPairsCarry(@ForAll long a, @ForAll long b) throws EmulationException {
    Lab lab =
        new Lab()
            .run(
                String.format("MOV R0, 0x%x", (int) a),
                String.format("MOV R1, 0x%x", (int) (a >>> 32)),
                String.format("MOV R2, 0x%x", (int) b),
                String.format("MOV R3, 0x%x", (int) (b >>> 32)),
                "IADD3 R4, P0, R0, R2, RZ",
                "IADD3.X R5, R1, R3, RZ, P0, !PT",
                "IADD3 R6, P1, R0, -R2, RZ",
                "IADD3.X R7, R1, ~R3, RZ, P1, !PT",
                "ISETP.LT.U32.AND P2, PT, R0, R2, PT",
                "ISETP.LT.AND.EX P2, PT, R1, R3, PT, P2");

    assertThat(lab.pair(4, 3)).isEqualTo(a + b);
    assertThat(lab.pair(6, 3)).isEqualTo(a - b);
    assertThat(lab.predicate(2) != 0).isEqualTo(a < b);
  }

  @Property(tries = 200)
  void wideProductsAreExact(@ForAll int a, @ForAll int b, @ForAll long c)
      throws EmulationException {
    Lab lab =
        new Lab()
            .run(
                String.format("MOV R0, 0x%x", a),
                String.format("MOV R1, 0x%x", b),
                String.format("MOV R2, 0x%x", (int) c),
                String.format("MOV R3, 0x%x", (int) (c >>> 32)),
                "IMAD.WIDE R4, R0, R1, R2",
                "IMAD.WIDE.U32 R6, R0, R1, R2",
                "LEA R8, P0, R0, R2, 0x2",
                "SHF.R.S32.HI R10, RZ, 0x1f, R0",
                "LEA.HI.X R9, R0, R3, R10, 0x2, P0",
                "LEA R12, P1, -R0, R2, 0x2",
                "SHF.L.U64.HI R11, R0, 0x2, RZ",
                "IADD3.X R13, ~R11, R3, RZ, P1, !PT");

    assertThat(lab.pair(4, 0)).isEqualTo((long) a * b + c);
    assertThat(lab.pair(6, 0)).isEqualTo(Integer.toUnsignedLong(a) * Integer.toUnsignedLong(b) + c);
    assertThat(lab.pair(8, 0)).isEqualTo(((long) a << 2) + c);
    assertThat(lab.pair(12, 0)).isEqualTo(c - (Integer.toUnsignedLong(a) << 2));
  }

  @Property(tries = 300)
  void directedRoundingEnclosesTheExactResult(@ForAll float a, @ForAll float b, @ForAll float c) {
    float down = Real.fma(a, b, c, Real.Rounding.DOWN);
    float up = Real.fma(a, b, c, Real.Rounding.UP);
    float zero = Real.fma(a, b, c, Real.Rounding.ZERO);
    if (Float.isInfinite(down) || Float.isInfinite(up) || Float.isNaN(down)) {
      return;
    }
    BigDecimal exact = new BigDecimal(a).multiply(new BigDecimal(b)).add(new BigDecimal(c));

    assertThat(new BigDecimal(down)).isLessThanOrEqualTo(exact);
    assertThat(new BigDecimal(up)).isGreaterThanOrEqualTo(exact);
    assertThat(up).isBetween(down, Math.nextUp(down));
    assertThat(new BigDecimal(zero).abs()).isLessThanOrEqualTo(exact.abs());
  }

  @Property
  void halvesSurviveTheWayThroughFloats(@ForAll short bits) {
    float value = Real.fromHalf(bits & 0xffff);
    if (!Float.isNaN(value)) {
      assertThat((short) Real.toHalf(value)).isEqualTo(bits);
    }
  }

  @Test
  void doublesArePairsOfRegisters() throws EmulationException {
    Lab lab =
        new Lab()
            .run(
                "MOV R0, RZ",
                "MOV R1, 0x40080000",
                "DADD R2, R0, 1.5",
                "DFMA R4, R0, R2, -R0",
                "DSETP.GT.AND P0, PT, R4, R2, PT",
                "MUFU.RCP64H R7, R1",
                "F2F.F32.F64 R8, R4",
                "I2F.F64 R10, -R5");

    assertThat(Double.longBitsToDouble(lab.pair(2, 0))).isEqualTo(4.5);
    assertThat(Double.longBitsToDouble(lab.pair(4, 0))).isEqualTo(10.5);
    assertThat(lab.predicate(0)).isEqualTo(-1);
    assertThat(lab.register(7, 0)).isEqualTo(0x3fd55555);
    assertThat(lab.real(8, 0)).isEqualTo(10.5f);
  }

  @Test
  void aUniformInstructionComputesOneValueForAllLanes() throws EmulationException {
    Lab lab =
        new Lab()
            .run(
                "UMOV UR4, 0x400",
                "ULEA UR5, UR4, 0x7, 0x2",
                "UISETP.GE.U32.AND UP0, UPT, UR5, 0x1000, UPT",
                "USEL UR6, UR4, URZ, UP0",
                "S2R R0, SR_LANEID",
                "IADD3 R1, R0, UR6, RZ");

    assertThat(lab.uniform(5)).isEqualTo(0x1007);
    assertThat(lab.register(1, 9)).isEqualTo(0x409);
  }

  @Test
  void predicatesCombineByTables() throws EmulationException {
    Lab lab =
        new Lab()
            .run(
                "S2R R0, SR_LANEID",
                "ISETP.LT.AND P0, P1, R0, 0x8, PT",
                "ISETP.GT.OR P2, PT, R0, 0x1d, P0",
                "PLOP3.LUT P3, P4, P0, P2, PT, 0x80, 0x2a",
                "P2R R1, PR, RZ, 0x7f",
                "R2P PR, R1, 0x1");

    assertThat(lab.predicate(0)).isEqualTo(0xff);
    assertThat(lab.predicate(1)).isEqualTo(0xffffff00);
    assertThat(lab.predicate(2)).isEqualTo(0xc00000ff);
    assertThat(lab.predicate(3)).isEqualTo(0xff);
    assertThat(lab.register(1, 0) & 0xf).isEqualTo(0b1101);
  }

  @Test
  void matrixProductsAddRowsTimesColumns() throws EmulationException {
    Lab lab =
        new Lab()
            .run(
                "S2R R20, SR_LANEID",
                // All of A is 1, all of B is 2: every element of the product is 32, plus C.
                "MOV R0, 0x3c003c00",
                "MOV R1, R0",
                "MOV R2, R0",
                "MOV R3, R0",
                "MOV R4, 0x40004000",
                "MOV R5, R4",
                "I2FP.F32.S32 R8, R20",
                "HMMA.16816.F32 R12, R0, R4, R8");

    assertThat(lab.real(12, 5)).isEqualTo(37f);
    assertThat(lab.real(13, 5)).isEqualTo(32f);
  }
}
