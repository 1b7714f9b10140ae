package dev.warpline.nvidia.modern.echo;

import dev.warpline.isa.CodeTable;
import dev.warpline.isa.MemorySpace;
import dev.warpline.isa.Opcode;
import dev.warpline.trace.BlockTrace;
import java.util.Arrays;

/** Which instructions of a kernel go past the SM. */
final class GlobalRows {
  private final CodeTable code;
  private boolean[] global = new boolean[0];

  GlobalRows(CodeTable code) {
    this.code = code;
  }

  /** The next dynamic instruction from an index on that does, or the end. */
  int next(BlockTrace block, int from, int end) {
    for (int i = from; i < end; i++) {
      if (block.payload(i) != BlockTrace.NO_PAYLOAD && isGlobal(block.row(i))) {
        return i;
      }
    }
    return end;
  }

  private boolean isGlobal(int row) {
    if (row >= global.length) {
      int known = global.length;
      global = Arrays.copyOf(global, code.size());
      for (int i = known; i < global.length; i++) {
        Opcode opcode = code.get(i).opcode();
        global[i] =
            opcode.isMemory()
                && opcode.space() != MemorySpace.SHARED
                && opcode.space() != MemorySpace.LOCAL
                && opcode.space() != MemorySpace.CONSTANT;
      }
    }
    return global[row];
  }
}
