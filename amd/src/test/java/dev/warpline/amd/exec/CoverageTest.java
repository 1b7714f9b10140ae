package dev.warpline.amd.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.isa.gcn.GcnDecodeException;
import dev.warpline.isa.gcn.GcnDecoder;
import dev.warpline.isa.gcn.GcnFormat;
import dev.warpline.isa.gcn.GcnInstruction;
import dev.warpline.isa.gcn.GcnTarget;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Which opcodes of the table have semantics. */
class CoverageTest {
  /**
   * Opcodes without semantics: graphics, traps and debugging, GDS and GWS, typed buffers,
   * stochastic rounding.
   */
  private static final String UNIMPLEMENTED =
      "(image_.*|tbuffer_.*|buffer_(load|store)_format.*|v_interp_.*|v_screen_partition.*|ds_gws_sema.*|ds_.*_src2_.*"
          + "|ds_(append|consume|condxchg32_rtn_b64)|s_scratch_.*|s_(rfe|cbranch_[gi]_fork|cbranch_join|setvskip).*"
          + "|v_cvt_sr_.*|v_mqsad_u32_u8|v_cvt_pkaccum_u8_f32|buffer_store_lds_dword)";

  @Test
  void everyOpcodeHasSemanticsOrIsListedAsHavingNone() {
    Set<String> missing = new TreeSet<>();
    Set<String> implemented = new TreeSet<>();
    for (GcnTarget target : GcnTarget.values()) {
      for (GcnFormat format : GcnFormat.values()) {
        for (int number = 0; number < 1024; number++) {
          GcnInstruction instruction = decode(target, format, number);
          if (instruction != null) {
            Set<String> names = Semantics.isImplemented(instruction) ? implemented : missing;
            names.add(instruction.opcode.mnemonic());
          }
        }
      }
    }
    assertThat(missing).allMatch(name -> name.matches(UNIMPLEMENTED));
    assertThat(implemented).noneMatch(name -> name.matches(UNIMPLEMENTED));
    assertThat(implemented.size()).isGreaterThan(1000);
    assertThat(missing.stream().map(n -> n.split("_")[0]).collect(Collectors.toSet()))
        .as("kinds of opcodes that are missing")
        .isSubsetOf("image", "tbuffer", "buffer", "v", "ds", "s");
  }

  /** The opcode with plain register operands, or null if there is none. */
  private static GcnInstruction decode(GcnTarget target, GcnFormat format, int number) {
    int word =
        switch (format) {
          case SOP2 -> fits(number, 7) ? 0x80000000 | number << 23 : 0;
          case SOPK -> fits(number, 5) ? 0xb0000000 | number << 23 : 0;
          case SOP1 -> fits(number, 8) ? 0xbe800000 | number << 8 : 0;
          case SOPC -> fits(number, 7) ? 0xbf000000 | number << 16 : 0;
          case SOPP -> fits(number, 7) ? 0xbf800000 | number << 16 : 0;
          case SMEM -> fits(number, 8) ? 0xc0020000 | number << 18 : 0;
          case VOP2 -> fits(number, 6) ? number << 25 | 0x100 : 0;
          case VOP1 -> fits(number, 8) ? 0x7e000000 | number << 9 | 0x100 : 0;
          case VOPC -> fits(number, 8) ? 0x7c000000 | number << 17 | 0x100 : 0;
          case VOP3 -> 0xd0000000 | number << 16;
          case VOP3P -> fits(number, 7) ? 0xd3800000 | number << 16 : 0;
          case DS -> fits(number, 8) ? 0xd8000000 | number << 17 : 0;
          case FLAT -> fits(number, 7) ? 0xdc000000 | number << 18 : 0;
          case SCRATCH -> fits(number, 7) ? 0xdc004000 | number << 18 : 0;
          case GLOBAL -> fits(number, 7) ? 0xdc008000 | number << 18 : 0;
          case MUBUF -> fits(number, 7) ? 0xe0000000 | number << 18 : 0;
          case MTBUF -> fits(number, 4) ? 0xe8000000 | number << 15 : 0;
          case MIMG -> fits(number, 7) ? 0xf0000000 | number << 18 : 0;
        };
    if (word == 0) {
      return null;
    }
    // the second word names v0 where it holds sources
    boolean vectorSources = format == GcnFormat.VOP3 || format == GcnFormat.VOP3P;
    int second =
        vectorSources
            ? 0x100 | 0x100 << 9 | 0x100 << 18
            : format == GcnFormat.SMEM ? 0 : 0x007f0000;
    try {
      GcnInstruction instruction = GcnDecoder.decode(target, new int[] {word, second, 0}, 0);
      return instruction.format == format ? instruction : null;
    } catch (GcnDecodeException e) {
      return null;
    }
  }

  private static boolean fits(int number, int bits) {
    return number < 1 << bits;
  }
}
