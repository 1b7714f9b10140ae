package dev.warpline.nvidia.emulate;

import dev.warpline.isa.SassOperand.Kind;
import dev.warpline.nvidia.emulate.EncodedTensorMap.Element;
import dev.warpline.trace.WarpTrace;
import java.util.List;

/**
 * UBLKCP, UBLKRED, UBLKPF: bytes that lie together, between global and shared memory or from block
 * to block; done at once. The first bracket is the destination (with the mbarrier in the next
 * register where it is shared memory), the second the source; the last register counts in 16 bytes,
 * and has the blocks of a multicast above.
 */
final class BulkCopy implements RecordedOperation {
  private final boolean toShared;
  private final boolean fromShared;
  private final boolean prefetch;
  private final boolean multicast;
  private final Reduction reduction;
  private final int to;
  private final int from;
  private final int count;
  private final Sectors sectors = new Sectors();
  private int mbarrier;
  private int targets;
  private int bytes;

  BulkCopy(SassInstruction instruction) {
    instruction.allow(
        "S",
        "G",
        "L2",
        "MULTICAST",
        "ADD",
        "MIN",
        "MAX",
        "INC",
        "DEC",
        "AND",
        "OR",
        "XOR",
        "U32",
        "S32",
        "U64",
        "S64",
        "F16",
        "BF16",
        "F32",
        "F64",
        "RN");
    prefetch = instruction.mnemonic().equals("UBLKPF");
    multicast = instruction.has("MULTICAST");
    List<Operand> memory = instruction.of(Kind.MEMORY);
    List<Operand> registers = instruction.of(Kind.REGISTER);
    if (memory.size() < (prefetch ? 1 : 2) || registers.isEmpty()) {
      throw instruction.unsupported("expected addresses in brackets and a size");
    }
    toShared = !prefetch && instruction.modifiers().get(0).equals("S");
    fromShared = !prefetch && instruction.modifiers().get(1).equals("S");
    to = memory.get(0).second();
    from = prefetch ? to : memory.get(1).second();
    count = registers.get(0).index();
    String type = instruction.oneOf("U32", "U32", "S32", "U64", "S64", "F16", "BF16", "F32", "F64");
    String function = instruction.oneOf("", "ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR");
    reduction = function.isEmpty() ? null : new Reduction(function, Element.valueOf(type));
  }

  private static int uniform(Warp warp, int register) {
    return warp.registers[register][0];
  }

  private static long address(Warp warp, int register) {
    return Words64.join(uniform(warp, register), uniform(warp, register + 1));
  }

  @Override
  public void execute(Warp warp, int mask) {
    int size = uniform(warp, count);
    bytes = (size & 0xffff) << 4;
    targets = multicast ? size & 0xffff0000 : 0;
    sectors.begin();
    mbarrier = toShared ? uniform(warp, to + 1) : 0;
    if (!fromShared) {
      sectors.add(address(warp, from), bytes);
    } else if (!toShared) {
      sectors.add(address(warp, to), bytes);
    }
    if (prefetch) {
      return;
    }
    byte[] content = new byte[bytes];
    if (fromShared) {
      int at = uniform(warp, from) & 0xffffff;
      System.arraycopy(warp.block.shared().at(at, bytes), at, content, 0, bytes);
    } else {
      warp.block.memory().read(address(warp, from), content, 0, bytes);
    }
    if (!toShared) {
      if (reduction != null) {
        byte[] old = new byte[bytes];
        warp.block.memory().read(address(warp, to), old, 0, bytes);
        reduction.apply(old, 0, content, 0, bytes);
        content = old;
      }
      warp.block.memory().write(address(warp, to), content, 0, bytes);
      return;
    }
    int at = uniform(warp, to);
    BlockCluster cluster = warp.block.cluster();
    if (targets == 0) {
      put(cluster.owner(warp.block, at), at & 0xffffff, content);
    } else {
      for (int rest = targets >>> 16; rest != 0; rest &= rest - 1) {
        put(cluster.block(Integer.numberOfTrailingZeros(rest)), at & 0xffffff, content);
      }
    }
    Bulk.complete(warp, mbarrier, targets, bytes);
  }

  private void put(Block block, int at, byte[] content) {
    byte[] shared = block.shared().at(at, bytes);
    if (reduction == null) {
      System.arraycopy(content, 0, shared, at, bytes);
    } else {
      reduction.apply(shared, at, content, 0, bytes);
    }
  }

  @Override
  public void record(WarpTrace trace, int mask) {
    if (mask != 0) {
      trace.bulk(Words64.unsigned(mbarrier), Words64.unsigned(targets), bytes, 0);
      sectors.record(trace);
    }
  }
}
