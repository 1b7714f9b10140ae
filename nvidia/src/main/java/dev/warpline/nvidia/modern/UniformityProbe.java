package dev.warpline.nvidia.modern;

import dev.warpline.isa.CodeTable;
import dev.warpline.isa.Instruction;
import dev.warpline.isa.RegisterGroups;
import dev.warpline.trace.BlockTrace;
import java.util.Arrays;

/**
 * Finds constant loads whose index differs between lanes. Traces do not say the addresses of LDC,
 * but it costs a pass per lane if they differ; so the first warp's registers are followed through
 * its trace: what comes from a thread's number, a lane exchange or a varying address varies.
 */
final class UniformityProbe {
  private static final int RZ = 255;

  private UniformityProbe() {}

  static void mark(CodeRows code, CodeTable table, BlockTrace block) {
    boolean[] varies = new boolean[256];
    int end = block.start(0) + block.count(0);
    for (int i = block.start(0); i < end; i++) {
      int row = block.row(i);
      Instruction in = table.get(row);
      boolean varying = source(in);
      for (int k = 0; k < in.sources().length && !varying; k++) {
        int words = RegisterGroups.source(in, k);
        int first = in.sources()[k];
        for (int r = first; r < first + words && r < RZ; r++) {
          varying |= varies[r];
        }
      }
      if (code.action[row] == CodeRows.CONSTANT_LOAD) {
        int index = Operands.indexRegister(in.disassembly());
        varying |= index >= 0 && index < RZ && varies[index];
        code.varyingAddress[row] |= varying;
      }
      for (int first : in.destinations()) {
        if (first < RZ) {
          int last = Math.min(RZ, first + RegisterGroups.destination(in));
          Arrays.fill(varies, first, last, varying);
        }
      }
    }
  }

  /** Whether an instruction's result differs between lanes by itself. */
  private static boolean source(Instruction in) {
    String name = in.opcode().name();
    if (name.equals("S2R")) {
      String text = in.disassembly();
      return text == null || text.contains("SR_TID") || text.contains("SR_LANEID");
    }
    return name.equals("SHFL") || name.equals("MATCH");
  }
}
