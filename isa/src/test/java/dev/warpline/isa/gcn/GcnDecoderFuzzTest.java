package dev.warpline.isa.gcn;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;

/** Any words give an instruction with text, or a GcnDecodeException; nothing else. */
class GcnDecoderFuzzTest {
  @Property(tries = 20_000, seed = "1")
  void anyWordsDecodeOrAreRejected(
      @ForAll GcnTarget target, @ForAll @Size(min = 1, max = 3) int[] words) {
    try {
      GcnInstruction instruction = GcnDecoder.decode(target, words, 0);
      assertThat(instruction.size).isIn(4, 8, 12).isLessThanOrEqualTo(4 * words.length);
      assertThat(instruction.toString()).startsWith(instruction.name);
    } catch (GcnDecodeException e) {
      assertThat(e).hasMessageContaining(target.processor());
    }
  }

  @org.junit.jupiter.api.Test
  void aReservedTreatmentOfUnusedBitsIsRejected() {
    org.assertj.core.api.Assertions.assertThatThrownBy(
            () -> GcnDecoder.decode(GcnTarget.GFX900, new int[] {5881, 6144}, 0))
        .isInstanceOf(GcnDecodeException.class)
        .hasMessageContaining("treatment 3 of unused destination bits is reserved");
  }

  /** The decoder sees every word after every opcode of the long formats. */
  @Property(tries = 20_000, seed = "1")
  void anyOperandsOfAnyOpcodeDecodeOrAreRejected(
      @ForAll GcnTarget target, @ForAll int row, @ForAll int low, @ForAll int second) {
    var encodings = GcnOpcodeTable.standard().encodings();
    GcnEncoding encoding = encodings.get(Math.floorMod(row, encodings.size()));
    int first = firstWord(encoding, low);
    int[] words = {first, second, second};
    try {
      assertThat(GcnDecoder.decode(target, words, 0).toString()).isNotEmpty();
    } catch (GcnDecodeException e) {
      assertThat(e).hasMessageContaining("0x");
    }
  }

  private static int firstWord(GcnEncoding encoding, int random) {
    int n = encoding.number();
    return switch (encoding.format()) {
      case SOP2 -> 0x80000000 | n << 23 | random & 0x7fffff;
      case SOPK -> 0xb0000000 | n << 23 | random & 0x7fffff;
      case SOP1 -> 0xbe800000 | n << 8 | random & 0x7f00ff;
      case SOPC -> 0xbf000000 | n << 16 | random & 0xffff;
      case SOPP -> 0xbf800000 | n << 16 | random & 0xffff;
      case SMEM -> 0xc0000000 | n << 18 | random & 0x3ffff;
      case VOP2 -> n << 25 | random & 0x1ffffff;
      case VOP1 -> 0x7e000000 | n << 9 | random & 0x1fe01ff;
      case VOPC -> 0x7c000000 | n << 17 | random & 0x1ffff;
      case VOP3 -> 0xd0000000 | n << 16 | random & 0xffff;
      case VOP3P -> 0xd3800000 | n << 16 | random & 0xffff;
      case DS -> 0xd8000000 | n << 17 | random & 0x201ffff;
      case FLAT -> 0xdc000000 | n << 18 | random & 0x2033fff;
      case SCRATCH -> 0xdc004000 | n << 18 | random & 0x2033fff;
      case GLOBAL -> 0xdc008000 | n << 18 | random & 0x2033fff;
      case MUBUF -> 0xe0000000 | n << 18 | random & 0x203ffff;
      case MTBUF -> 0xe8000000 | n << 15 | random & 0x3f87fff;
      case MIMG -> 0xf0000000 | n << 18 | random & 0x203ffff;
    };
  }
}
