package dev.warpline.trace;

import dev.warpline.isa.CodeTable;
import dev.warpline.isa.ControlBits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes small kernels for tests, from instruction lines as they stand in a trace:
 *
 * <pre>{@code
 * MemoryKernel kernel =
 *     new KernelBuilder("two adds")
 *         .grid(1, 1, 1)
 *         .block(32, 1, 1)
 *         .warp(0, 0)
 *         .line("0000 ffffffff 1 R1 IADD3 2 R2 R3 0 0")
 *         .line("0010 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 4 0", ControlBits.of(...))
 *         .line("0020 ffffffff 0 EXIT 0 0 0")
 *         .build();
 * }</pre>
 *
 * <p>Lines follow the grammar of tracer version 5 unless {@link #tracerVersion} says otherwise.
 */
public final class KernelBuilder {
  private final String name;
  private int id = 1;
  private Dim3 grid = Dim3.ONE;
  private Dim3 block = new Dim3(32, 1, 1);
  private Dim3 cluster = Dim3.ONE;
  private int sharedBytes;
  private int registers = 32;
  private int binaryVersion = 90;
  private int tracerVersion = 5;
  private long stream;
  private long sharedBase = 0x7f00_0000_0000L;
  private long localBase = 0x7f00_0100_0000L;

  private final Map<Long, Map<Integer, List<String>>> lines = new TreeMap<>();
  private final Map<Integer, Integer> controls = new HashMap<>();
  private final Map<Integer, String> listing = new HashMap<>();
  private List<String> current;

  public KernelBuilder(String name) {
    this.name = name;
  }

  public KernelBuilder id(int launchNumber) {
    id = launchNumber;
    return this;
  }

  public KernelBuilder grid(int x, int y, int z) {
    grid = new Dim3(x, y, z);
    return this;
  }

  public KernelBuilder block(int x, int y, int z) {
    block = new Dim3(x, y, z);
    return this;
  }

  public KernelBuilder cluster(int x, int y, int z) {
    cluster = new Dim3(x, y, z);
    return this;
  }

  public KernelBuilder sharedBytes(int bytes) {
    sharedBytes = bytes;
    return this;
  }

  public KernelBuilder registers(int perThread) {
    registers = perThread;
    return this;
  }

  public KernelBuilder binaryVersion(int sm) {
    binaryVersion = sm;
    return this;
  }

  public KernelBuilder tracerVersion(int version) {
    tracerVersion = version;
    return this;
  }

  public KernelBuilder stream(long handle) {
    stream = handle;
    return this;
  }

  /** Where generic addresses mean shared and local memory. */
  public KernelBuilder windows(long shared, long local) {
    sharedBase = shared;
    localBase = local;
    return this;
  }

  /** The lines added from now on are this warp's. */
  public KernelBuilder warp(long blockId, int warp) {
    current =
        lines
            .computeIfAbsent(blockId, key -> new TreeMap<>())
            .computeIfAbsent(warp, key -> new ArrayList<>());
    return this;
  }

  /** Adds an instruction line to the current warp (warp 0 of block 0 at first). */
  public KernelBuilder line(String line) {
    if (current == null) {
      warp(0, 0);
    }
    current.add(line);
    return this;
  }

  /** The same, with the packed control bits of its PC. */
  public KernelBuilder line(String line, int control) {
    controls.put(Integer.parseInt(line.substring(0, line.indexOf(' ')), 16), control);
    return line(line);
  }

  /** The same, with what a listing shows at its PC. */
  public KernelBuilder line(String line, int control, String disassembly) {
    listing.put(Integer.parseInt(line.substring(0, line.indexOf(' ')), 16), disassembly);
    return line(line, control);
  }

  /** Gives every warp of the grid the lines of warp 0 of block 0. */
  public KernelBuilder everyWarpTheSame() {
    List<String> model = List.copyOf(lines.get(0L).get(0));
    KernelHeader header = header();
    for (long blockId = 0; blockId < grid.count(); blockId++) {
      for (int warp = 0; warp < header.warpsPerBlock(); warp++) {
        warp(blockId, warp);
        current.clear();
        current.addAll(model);
      }
    }
    return this;
  }

  /** The kernel; a line that does not follow the grammar is an exception. */
  public MemoryKernel build() {
    KernelHeader header = header();
    CodeTable code = new CodeTable();
    Map<Long, BlockTrace> blocks = new TreeMap<>();
    try {
      BlockAssembler assembler =
          new BlockAssembler(
              name, false, header, new Controls(controls, listing), code, Diagnostics.strict());
      for (Map.Entry<Long, Map<Integer, List<String>>> entry : lines.entrySet()) {
        BlockTrace into = new BlockTrace();
        assembler.beginBlock(into, entry.getKey(), header.warpsPerBlock());
        for (Map.Entry<Integer, List<String>> warp : entry.getValue().entrySet()) {
          assembler.beginWarp(warp.getKey());
          long number = 0;
          for (String line : warp.getValue()) {
            byte[] bytes = (line.stripTrailing() + "\n").getBytes(StandardCharsets.US_ASCII);
            assembler.line(bytes, 0, bytes.length - 1, ++number);
          }
          assembler.endWarp();
        }
        blocks.put(entry.getKey(), into);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new MemoryKernel(header, code, blocks);
  }

  private KernelHeader header() {
    return new KernelHeader(
        name,
        id,
        grid,
        block,
        sharedBytes,
        registers,
        binaryVersion,
        stream,
        sharedBase,
        localBase,
        "",
        tracerVersion,
        false,
        cluster,
        Map.of());
  }

  private record Controls(Map<Integer, Integer> byPc, Map<Integer, String> listing)
      implements KernelCode {
    @Override
    public boolean has(int pc) {
      return byPc.containsKey(pc);
    }

    @Override
    public int control(int pc) {
      return byPc.getOrDefault(pc, ControlBits.ABSENT);
    }

    @Override
    public String disassembly(int pc) {
      return listing.get(pc);
    }
  }
}
