package dev.warpline.amd.exec;

import dev.warpline.isa.gcn.GcnInstruction;

/**
 * Data-parallel primitives: from which lane each lane takes its first operand, and which lanes are
 * written.
 */
final class Dpp {
  private static final int RESERVED = -2;

  private final byte[] source = new byte[64];
  private final long written;
  private final boolean zeroInvalid;

  Dpp(GcnInstruction instruction) {
    long mask = 0;
    for (int lane = 0; lane < 64; lane++) {
      source[lane] = (byte) sourceLane(instruction.dppControl, lane);
      boolean row = (instruction.dppRowMask >>> lane / 16 & 1) != 0;
      boolean bank = (instruction.dppBankMask >>> lane % 16 / 4 & 1) != 0;
      if (row && bank) {
        mask |= 1L << lane;
      }
    }
    written = mask;
    zeroInvalid = instruction.dppBoundControl;
  }

  /** Whether dpp_ctrl has a meaning. */
  static boolean isDefined(int control) {
    return sourceLane(control, 0) != RESERVED;
  }

  /** The lane to read, or -1 if it lies outside of the row or wave. */
  int source(int lane) {
    return source[lane];
  }

  /**
   * The lanes written: enabled by row and bank mask and, unless bound_ctrl gives zeros, with an
   * active source lane.
   */
  long written(long exec) {
    if (zeroInvalid) {
      return written;
    }
    long valid = 0;
    for (int lane = 0; lane < 64; lane++) {
      if (source[lane] >= 0 && (exec >>> source[lane] & 1) != 0) {
        valid |= 1L << lane;
      }
    }
    return written & valid;
  }

  private static int sourceLane(int control, int lane) {
    int row = lane & ~15;
    int inRow = lane & 15;
    int amount = control & 15;
    if (control < 0x100) {
      return lane & ~3 | control >>> 2 * (lane & 3) & 3;
    }
    return switch (control >> 4) {
      case 0x10 -> inRow + amount < 16 ? lane + amount : -1; // row_shl
      case 0x11 -> inRow >= amount ? lane - amount : -1; // row_shr
      case 0x12 -> row | inRow - amount & 15; // row_ror
      case 0x15 -> row | amount; // row_newbcast
      default ->
          switch (control) {
            case 0x130 -> lane < 63 ? lane + 1 : -1; // wave_shl
            case 0x134 -> lane + 1 & 63; // wave_rol
            case 0x138 -> lane - 1; // wave_shr
            case 0x13c -> lane - 1 & 63; // wave_ror
            case 0x140 -> row | 15 - inRow; // row_mirror
            case 0x141 -> lane & ~7 | 7 - (lane & 7); // row_half_mirror
            case 0x142 -> lane >= 16 ? row - 1 : -1; // row_bcast15: last lane of the row before
            case 0x143 -> lane >= 32 ? 31 : -1; // row_bcast31
            default -> RESERVED;
          };
    };
  }
}
