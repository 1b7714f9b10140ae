package dev.warpline.isa;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ControlBitsTest {
  @ParameterizedTest(name = "{1} on sm_{0}")
  @CsvSource({
    // architecture, instruction, high word, stall, yield, write and read barrier, wait mask, reuse
    "75,  S2R,                    000e220000002100,  1, false, 0, 7, 0, 0",
    "75,  LDG,                    0000a200001ee900,  1, false, 2, 0, 0, 0",
    "75,  ISETP,                  000fd80003f06270, 12, true,  7, 7, 0, 0",
    "75,  IADD3,                  040fe20007ffe0ff,  1, false, 7, 7, 0, 1",
    "75,  STS,                    004fe80000004800,  4, false, 7, 7, 4, 0",
    "86,  ISETP,                  000fda0003f06270, 13, true,  7, 7, 0, 0",
    "86,  STS,                    0041e80000004800,  4, false, 7, 0, 4, 0",
    "86,  FFMA,                   001fc600000000ff,  3, true,  7, 7, 1, 0",
    "86,  BRA self,               000fc0000383ffff,  0, true,  7, 7, 0, 0",
    "90,  LDG,                    000ea2000c1e1900,  1, false, 2, 7, 0, 0",
    "90,  HGMMA (no gsb),         000fe80008701818,  4, false, 7, 7, 0, 0",
    "90,  HGMMA (gsb0),           000fe60008001818,  3, false, 7, 7, 0, 0",
    "90,  WARPGROUP.DEPBAR,       000fe40000010000,  2, false, 7, 7, 0, 0",
    "90,  SYNCS.PHASECHK.TRYWAIT, 000e240008000145,  2, false, 0, 7, 0, 0",
    "90,  UBLKCP,                 0003d80008000208, 12, true,  7, 1, 0, 0",
    "90,  R2UR,                   000fda00000e0000, 13, true,  7, 7, 0, 0",
    "120, LDCU,                   000e620008000a00,  1, false, 1, 7, 0, 0",
    "120, LDG,                    0020a2000c1e1900,  1, false, 2, 0, 2, 0",
    "0,   EXIT,                   000fea0003800000,  5, false, 7, 7, 0, 0",
    "0,   NOP pad,                000fc00000000000,  0, true,  7, 7, 0, 0"
  })
  void controlBitsAreBits41To61OfTheHighWord(
      int architecture,
      String instruction,
      String high,
      int stall,
      boolean yields,
      int writeBarrier,
      int readBarrier,
      int waitMask,
      int reuse) {
    int control = ControlBits.fromHighWord(Long.parseUnsignedLong(high, 16));
    assertThat(ControlBits.stall(control)).isEqualTo(stall);
    assertThat(ControlBits.yields(control)).isEqualTo(yields);
    assertThat(ControlBits.writeBarrier(control)).isEqualTo(writeBarrier);
    assertThat(ControlBits.readBarrier(control)).isEqualTo(readBarrier);
    assertThat(ControlBits.waitMask(control)).isEqualTo(waitMask);
    assertThat(ControlBits.reuse(control)).isEqualTo(reuse);
  }

  @Property
  void controlBitsAreTheirFields(@ForAll @IntRange(min = 0, max = 0x1fffff) int control) {
    assertThat(
            ControlBits.of(
                ControlBits.stall(control),
                ControlBits.yields(control),
                ControlBits.writeBarrier(control),
                ControlBits.readBarrier(control),
                ControlBits.waitMask(control),
                ControlBits.reuse(control)))
        .isEqualTo(control);
  }
}
