package dev.warpline.trace.inspect;

import dev.warpline.isa.CodeTable;
import dev.warpline.isa.Instruction;
import dev.warpline.isa.MemorySpace;
import dev.warpline.isa.Pipe;
import dev.warpline.trace.BlockTrace;
import dev.warpline.trace.KernelHeader;
import dev.warpline.trace.KernelTrace;
import dev.warpline.trace.Payload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;

/** Counts what is inside a kernel's trace, in one pass. */
public final class Inspector {
  private static final int SECTOR_SHIFT = 5;

  /** Size of the generic-address windows of shared and local memory. */
  private static final long WINDOW_BYTES = 1 << 24;

  private final KernelTrace kernel;
  private final KernelHeader header;
  private final CodeTable code;

  private long[] executed = new long[256];
  private long[] lanes = new long[256];
  private int[] widths = new int[256];
  private MemorySpace[] rowSpaces = new MemorySpace[256];
  private int knownRows;

  private final long[] requests = new long[MemorySpace.values().length];
  private final long[] sectors = new long[MemorySpace.values().length];
  private final SectorSet[] touched = new SectorSet[MemorySpace.values().length];

  private final long[] addresses = new long[32];
  private final long[] seen = new long[64 * 4];

  private Inspector(KernelTrace kernel) {
    this.kernel = kernel;
    this.header = kernel.header();
    this.code = kernel.code();
    Arrays.setAll(touched, i -> new SectorSet());
  }

  /**
   * Reads all of a kernel.
   *
   * @param progress told the number of blocks read so far
   */
  public static KernelSummary inspect(KernelTrace kernel, LongConsumer progress)
      throws IOException {
    return new Inspector(kernel).run(progress);
  }

  private KernelSummary run(LongConsumer progress) throws IOException {
    BlockTrace block = new BlockTrace();
    long blocks = 0;
    long warps = 0;
    for (long id = 0; id < header.grid().count(); id++) {
      if (kernel.readBlock(id, block)) {
        blocks++;
        learnRows();
        for (int warp = 0; warp < block.warps(); warp++) {
          warps += block.count(warp) > 0 ? 1 : 0;
        }
        count(block);
      }
      progress.accept(id + 1);
    }
    return summary(blocks, warps);
  }

  private void count(BlockTrace block) {
    int instructions = block.instructions();
    for (int i = 0; i < instructions; i++) {
      int row = block.row(i);
      int mask = block.mask(i);
      executed[row]++;
      lanes[row] += Integer.bitCount(mask);
      int payload = block.payload(i);
      if (payload >= 0 && mask != 0) {
        access(block.data(), payload, row, mask);
      }
    }
  }

  private void access(long[] data, int payload, int row, int mask) {
    MemorySpace space = rowSpaces[row];
    if (space == MemorySpace.NONE) {
      return;
    }
    int at = payload;
    while (at >= 0) {
      switch (Payload.kind(data, at)) {
        case Payload.STRIDE, Payload.LIST -> lanes(data, at, row, mask, space);
        case Payload.BULK -> bulk(data, at);
        default -> {}
      }
      at = Payload.next(data, at);
      // The second addresses of an instruction are the shared ones of a copy to shared memory.
      space = MemorySpace.SHARED;
    }
  }

  private void lanes(long[] data, int at, int row, int mask, MemorySpace rowSpace) {
    Payload.addresses(data, at, mask, addresses);
    MemorySpace space = rowSpace;
    if (space == MemorySpace.GENERIC) {
      space = window(addresses[Integer.numberOfTrailingZeros(mask)]);
    }
    SectorSet set = touched[space.ordinal()];
    int last = widths[row] - 1;
    int found = 0;
    for (int m = mask; m != 0; m &= m - 1) {
      long address = addresses[Integer.numberOfTrailingZeros(m)];
      long end = address + last >>> SECTOR_SHIFT;
      for (long sector = address >>> SECTOR_SHIFT; sector <= end; sector++) {
        if (!seen(sector, found)) {
          seen[found++] = sector;
          set.add(sector << SECTOR_SHIFT);
        }
      }
    }
    requests[space.ordinal()]++;
    sectors[space.ordinal()] += found;
  }

  /** Whether a sector is among those of this request, the latest looked at first. */
  private boolean seen(long sector, int found) {
    for (int i = found - 1; i >= 0; i--) {
      if (seen[i] == sector) {
        return true;
      }
    }
    return false;
  }

  private MemorySpace window(long address) {
    if (inWindow(address, header.sharedBase())) {
      return MemorySpace.SHARED;
    }
    return inWindow(address, header.localBase()) ? MemorySpace.LOCAL : MemorySpace.GLOBAL;
  }

  private static boolean inWindow(long address, long base) {
    return base != 0 && Long.compareUnsigned(address - base, WINDOW_BYTES) < 0;
  }

  private void bulk(long[] data, int at) {
    int global = MemorySpace.GLOBAL.ordinal();
    int end = at + Payload.length(data, at);
    requests[global]++;
    for (int run = at + 5; run < end; run += 3) {
      sectors[global] += data[run + 2];
      for (long i = 0; i < data[run + 2]; i++) {
        touched[global].add(data[run] + i * data[run + 1]);
      }
    }
  }

  private void learnRows() {
    int rows = code.size();
    if (rows > executed.length) {
      int longer = Math.max(rows, executed.length * 2);
      executed = Arrays.copyOf(executed, longer);
      lanes = Arrays.copyOf(lanes, longer);
      widths = Arrays.copyOf(widths, longer);
      rowSpaces = Arrays.copyOf(rowSpaces, longer);
    }
    for (; knownRows < rows; knownRows++) {
      Instruction instruction = code.get(knownRows);
      widths[knownRows] = Math.min(128, instruction.accessBytes());
      rowSpaces[knownRows] = instruction.opcode().space();
    }
  }

  private KernelSummary summary(long blocks, long warps) {
    Map<Pipe, Long> pipes = new EnumMap<>(Pipe.class);
    Map<String, Long> opcodes = new HashMap<>();
    Map<String, Long> unknown = new HashMap<>();
    long warpInstructions = 0;
    long threadInstructions = 0;
    boolean words = false;
    boolean listing = false;
    for (int row = 0; row < knownRows; row++) {
      Instruction instruction = code.get(row);
      warpInstructions += executed[row];
      threadInstructions += lanes[row];
      pipes.merge(instruction.opcode().pipe(), executed[row], Long::sum);
      String name = instruction.opcode().name();
      opcodes.merge(name, executed[row], Long::sum);
      if (!instruction.opcode().known()) {
        unknown.merge(name, executed[row], Long::sum);
      }
      words |= instruction.low() != 0 || instruction.high() != 0;
      listing |= instruction.disassembly() != null;
    }
    List<SpaceUse> spaces = new ArrayList<>();
    for (MemorySpace space : MemorySpace.values()) {
      int i = space.ordinal();
      if (requests[i] > 0) {
        spaces.add(new SpaceUse(space, requests[i], sectors[i], touched[i].size() * 32));
      }
    }
    return new KernelSummary(
        header,
        blocks,
        warps,
        warpInstructions,
        threadInstructions,
        knownRows,
        mostFirst(pipes),
        spaces,
        mostFirst(opcodes),
        mostFirst(unknown),
        words,
        kernel.hasControlBits(),
        listing);
  }

  private static <K extends Comparable<K>> Map<K, Long> mostFirst(Map<K, Long> counts) {
    Map<K, Long> sorted = new LinkedHashMap<>();
    counts.entrySet().stream()
        .filter(entry -> entry.getValue() > 0)
        .sorted(
            Map.Entry.<K, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
    return sorted;
  }
}
