package dev.warpline.nvidia.emulate;

import dev.warpline.isa.SassOperand.Kind;
import dev.warpline.nvidia.emulate.EncodedTensorMap.Element;
import dev.warpline.trace.WarpTrace;
import java.util.List;

/**
 * STAS and REDAS: lanes store to or change the shared memory of a block of the cluster, and tell an
 * mbarrier there. A pair of registers holds both addresses.
 */
final class RemoteStore implements RecordedOperation {
  private final int address;
  private final int offset;
  private final int value;
  private final int bytes;
  private final Reduction reduction;
  private final long[] addresses = new long[Warp.LANES];

  RemoteStore(SassInstruction instruction) {
    instruction.allow(
        "32", "64", "128", "ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR", "S32", "U32",
        "S64", "U64");
    List<Operand> memory = instruction.of(Kind.MEMORY);
    List<Operand> registers = instruction.of(Kind.REGISTER);
    if (memory.size() != 1 || registers.isEmpty()) {
      throw instruction.unsupported("expected an address in brackets and a register");
    }
    address = memory.get(0).index();
    offset = (int) memory.get(0).value();
    value = registers.get(0).index();
    String type = instruction.oneOf("U32", "S32", "U32", "S64", "U64");
    bytes = instruction.has("128") ? 16 : instruction.has("64") || type.endsWith("64") ? 8 : 4;
    String function = instruction.oneOf("", "ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR");
    Element element =
        bytes == 8
            ? type.startsWith("S") ? Element.S64 : Element.U64
            : type.startsWith("S") ? Element.S32 : Element.U32;
    reduction = function.isEmpty() ? null : new Reduction(function, element);
  }

  @Override
  public void execute(Warp warp, int mask) {
    byte[] content = new byte[bytes];
    for (int m = mask; m != 0; m &= m - 1) {
      int lane = Integer.numberOfTrailingZeros(m);
      int to = warp.registers[address][lane] + offset;
      int mbarrier = warp.registers[address + 1][lane];
      addresses[lane] = Words64.unsigned(to);
      MemoryInstruction.align(to, bytes);
      for (int i = 0; i < bytes; i += 4) {
        int register = value == Warp.ZERO ? value : value + i / 4;
        Bytes.word(content, i, warp.registers[register][lane]);
      }
      Block block = warp.block.cluster().owner(warp.block, to);
      int at = to & 0xffffff;
      byte[] shared = block.shared().at(at, bytes);
      if (reduction == null) {
        System.arraycopy(content, 0, shared, at, bytes);
      } else {
        reduction.apply(shared, at, content, 0, bytes);
      }
      Mbarrier.change(block, mbarrier, 0, 0, -bytes);
    }
  }

  @Override
  public void record(WarpTrace trace, int mask) {
    trace.addresses(addresses);
  }
}
