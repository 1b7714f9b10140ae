package dev.warpline.amd.cu;

import dev.warpline.isa.gcn.GcnInstruction;
import dev.warpline.isa.gcn.GcnTarget;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long MFMA instructions occupy a SIMD's matrix core: 4 cycles per pass. 32x32 results take 16
 * passes, 16x16 8, 4x4 2; gfx942 needs half of that for its single-block instructions on types
 * narrower than f32.
 */
final class MatrixCore {
  private static final Pattern SHAPE = Pattern.compile("_(\\d+)x\\d+x\\d+_?(\\d+b_)?");

  private MatrixCore() {}

  static int cycles(GcnInstruction instruction) {
    String mnemonic = instruction.opcode.mnemonic();
    Matcher shape = SHAPE.matcher(mnemonic);
    if (!shape.find()) {
      throw new IllegalArgumentException("no matrix shape in " + mnemonic);
    }
    int rows = Integer.parseInt(shape.group(1));
    if (mnemonic.endsWith("f64")) {
      return rows == 16 ? 32 : 16;
    }
    int cycles = rows == 32 ? 64 : rows == 16 ? 32 : 8;
    boolean narrow = !mnemonic.endsWith("f32") || mnemonic.endsWith("xf32");
    boolean oneBlock = shape.group(2) == null && rows != 4;
    return instruction.target == GcnTarget.GFX942 && narrow && oneBlock ? cycles / 2 : cycles;
  }
}
