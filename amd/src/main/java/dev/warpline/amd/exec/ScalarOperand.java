package dev.warpline.amd.exec;

import dev.warpline.isa.gcn.GcnOperand;

/**
 * Reads scalar operands that are not constants: registers, and the codes that stand for a condition
 * or an aperture.
 */
final class ScalarOperand {
  private ScalarOperand() {}

  static int read32(WaveState w, int code) {
    if (code < 128) {
      return w.sgpr[code];
    }
    return special(w, code) ? 1 : code <= 238 ? (int) (Apertures.register(code) >>> 32) : 0;
  }

  static long read64(WaveState w, int code) {
    if (code < 128) {
      return w.pair(code);
    }
    return special(w, code) ? 1 : code <= 238 ? Apertures.register(code) : 0;
  }

  private static boolean special(WaveState w, int code) {
    return switch (code) {
      case GcnOperand.VCCZ -> w.vcc() == 0;
      case GcnOperand.EXECZ -> w.exec() == 0;
      case GcnOperand.SCC -> w.scc;
      default -> false;
    };
  }
}
