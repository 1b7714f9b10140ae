package dev.warpline.nvidia.emulate;

import dev.warpline.isa.SassOperand.Kind;
import dev.warpline.trace.WarpTrace;
import java.util.List;

/**
 * UTMALDG, UTMASTG, UTMAREDG, UTMAPF: a box of a tensor to or from shared memory, or into L2; done
 * at once. Uniform registers hold the shared address, for loads the mbarrier, and the coordinates;
 * another pair the address of the tensor map; one more the offsets of im2col and, above, the blocks
 * that a multicast goes to.
 */
final class TensorCopy implements RecordedOperation {
  private enum Way {
    LOAD,
    STORE,
    REDUCE,
    PREFETCH
  }

  private final Way way;
  private final int rank;
  private final int place;
  private final int mapAt;
  private final int more;
  private final boolean multicast;
  private final boolean im2col;
  private final String function;
  private final byte[] object = new byte[EncodedTensorMap.BYTES];
  private EncodedTensorMap map;
  private byte[] row = new byte[0];
  private final long[] coordinates = new long[5];
  private final Sectors sectors = new Sectors();
  private int mbarrier;
  private int targets;
  private long bytes;
  private long outside;

  TensorCopy(SassInstruction instruction) {
    instruction.allow(
        "1D",
        "2D",
        "3D",
        "4D",
        "5D",
        "IM2COL",
        "MULTICAST",
        "L2",
        "ADD",
        "MIN",
        "MAX",
        "INC",
        "DEC",
        "AND",
        "OR",
        "XOR");
    way =
        switch (instruction.mnemonic()) {
          case "UTMALDG" -> Way.LOAD;
          case "UTMASTG" -> Way.STORE;
          case "UTMAREDG" -> Way.REDUCE;
          default -> Way.PREFETCH;
        };
    rank = instruction.oneOf("0", "1D", "2D", "3D", "4D", "5D").charAt(0) - '0';
    im2col = instruction.has("IM2COL");
    multicast = instruction.has("MULTICAST");
    function = instruction.oneOf("ADD", "ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR");
    List<Operand> memory = instruction.of(Kind.MEMORY);
    if (rank == 0 || memory.size() < 2 || im2col && rank < 3) {
      throw instruction.unsupported("expected dimensions and two addresses in brackets");
    }
    if (im2col && way != Way.LOAD) {
      throw instruction.unsupported("modifier .IM2COL is emulated for loads only");
    }
    place = memory.get(0).second();
    mapAt = memory.get(1).second();
    List<Operand> registers = instruction.of(Kind.REGISTER);
    more = registers.isEmpty() ? Warp.UNIFORM_ZERO : registers.get(0).index();
  }

  private static int uniform(Warp warp, int register) {
    return warp.registers[register][0];
  }

  @Override
  public void execute(Warp warp, int mask) {
    long at = Words64.join(uniform(warp, mapAt), uniform(warp, mapAt + 1));
    warp.block.read(at, object);
    map = EncodedTensorMap.decode(object);
    if (map.rank() != rank || map.isIm2col() != im2col) {
      throw new AddressFault(
          String.format("names a tensor map of %d dimensions at 0x%x", map.rank(), at));
    }
    int shared = uniform(warp, place);
    int first = way == Way.LOAD ? place + 2 : place + 1;
    for (int d = 0; d < rank; d++) {
      coordinates[d] = uniform(warp, first + d);
    }
    mbarrier = way == Way.LOAD ? uniform(warp, place + 1) : 0;
    targets = multicast ? uniform(warp, more) & 0xffff0000 : 0;
    bytes = (long) map.rows() * map.rowBytes();
    outside = 0;
    sectors.begin();
    if (row.length < map.rowBytes()) {
      row = new byte[map.rowBytes()];
    }
    if (im2col) {
      pixels(warp, shared);
    } else {
      box(warp, shared);
    }
    if (way == Way.LOAD) {
      Bulk.complete(warp, mbarrier, targets, bytes);
    }
  }

  /** Goes through the rows of a box; the second dimension runs fastest. */
  private void box(Warp warp, int shared) {
    int rows = map.rows();
    long[] point = new long[rank];
    for (int i = 0; i < rows; i++) {
      int rest = i;
      point[0] = coordinates[0];
      for (int d = 1; d < rank; d++) {
        int count = (map.box()[d] + map.steps()[d] - 1) / map.steps()[d];
        point[d] = coordinates[d] + (long) rest % count * map.steps()[d];
        rest /= count;
      }
      row(warp, point, shared + i * map.pitch());
    }
  }

  /** Goes through the pixels of an im2col box: along the tensor's inner dimensions, in bounds. */
  private void pixels(Warp warp, int shared) {
    int inner = rank - 2;
    int bits = EncodedTensorMap.bits(inner);
    int offsets = uniform(warp, more);
    long[] at = coordinates.clone();
    long[] point = new long[rank];
    for (int i = 0; i < map.pixels(); i++) {
      System.arraycopy(at, 0, point, 0, rank);
      for (int d = 0; d < inner; d++) {
        int offset = offsets >>> bits * d & (1 << bits) - 1;
        point[1 + d] += offset;
      }
      row(warp, point, shared + i * map.pitch());
      int d = 0;
      while (d < inner) {
        at[1 + d] += map.steps()[1 + d];
        if (at[1 + d] <= map.dims()[1 + d] - 1 + map.upper()[d]) {
          break;
        }
        at[1 + d] = map.lower()[d];
        d++;
      }
      if (d == inner) {
        at[rank - 1]++;
      }
    }
  }

  /** Moves one row, whose first element has a place in the tensor that may lie outside of it. */
  private void row(Warp warp, long[] point, int shared) {
    int length = map.rowBytes();
    int size = map.type().bytes;
    boolean inside = true;
    long address = map.base();
    for (int d = 0; d < rank; d++) {
      inside &= d == 0 || point[d] >= 0 && point[d] < map.dims()[d];
      address += point[d] * map.strides()[d];
    }
    long before = Math.max(0, -point[0]);
    long end = Math.min(map.box()[0], map.dims()[0] - point[0]);
    int from = inside ? (int) Math.min(map.box()[0], before) * size : length;
    int to = inside ? (int) Math.max(0, end) * size : length;
    boolean some = from < to;
    outside += some ? length - (to - from) : length;
    if (some) {
      sectors.add(address + from, to - from);
    }
    switch (way) {
      case LOAD -> {
        if (!some || to - from < length) {
          for (int i = 0; i < length; i++) {
            row[i] = (byte) (map.fill() >>> 8 * (i & 1));
          }
        }
        if (some) {
          warp.block.memory().read(address + from, row, from, to - from);
        }
        if (map.rounded()) {
          round(length);
        }
        if (targets == 0) {
          Block block = warp.block.cluster().owner(warp.block, shared);
          put(block, shared & 0xffffff, length);
        } else {
          for (int rest = targets >>> 16; rest != 0; rest &= rest - 1) {
            int rank = Integer.numberOfTrailingZeros(rest);
            put(warp.block.cluster().block(rank), shared & 0xffffff, length);
          }
        }
      }
      case STORE, REDUCE -> {
        if (!some) {
          return;
        }
        take(warp.block, shared & 0xffffff, length);
        if (way == Way.STORE) {
          warp.block.memory().write(address + from, row, from, to - from);
        } else {
          byte[] old = new byte[to - from];
          warp.block.memory().read(address + from, old, 0, old.length);
          new Reduction(function, map.type()).apply(old, 0, row, from, old.length);
          warp.block.memory().write(address + from, old, 0, old.length);
        }
      }
      default -> {
        // Nothing but the caches changes.
      }
    }
  }

  /** Rounds a row to TF32, to the nearest and ties to even. */
  private void round(int length) {
    for (int i = 0; i < length; i += 4) {
      Bytes.word(row, i, PackedConversion.nearestTensor(Bytes.word(row, i)));
    }
  }

  private void put(Block block, int shared, int length) {
    for (int i = 0; i < length; i += 16) {
      int at = map.swizzled(shared + i);
      int count = Math.min(16, length - i);
      System.arraycopy(row, i, block.shared().at(at, count), at, count);
    }
  }

  private void take(Block block, int shared, int length) {
    for (int i = 0; i < length; i += 16) {
      int at = map.swizzled(shared + i);
      int count = Math.min(16, length - i);
      System.arraycopy(block.shared().at(at, count), at, row, i, count);
    }
  }

  @Override
  public void record(WarpTrace trace, int mask) {
    if (mask != 0) {
      trace.bulk(Words64.unsigned(mbarrier), Words64.unsigned(targets), bytes, outside);
      sectors.record(trace);
    }
  }
}
