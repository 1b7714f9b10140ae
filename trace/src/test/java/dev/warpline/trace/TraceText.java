package dev.warpline.trace;

import java.io.IOException;
import java.util.Map;
import java.util.Random;

/** Texts of traces for tests. */
final class TraceText {
  private TraceText() {}

  /** A header of a version, for a grid of (4,1,1) blocks of 64 threads. */
  static String header(int version) {
    return header(version, "(4,1,1)", false);
  }

  static String header(int version, String grid, boolean lineInfo) {
    return "-kernel name = _Z3addPfi\n"
        + "-kernel id = 1\n"
        + ("-grid dim = " + grid + "\n")
        + "-block dim = (64,1,1)\n"
        + "-shmem = 128\n"
        + "-nregs = 16\n"
        + ("-binary version = " + (version == 6 ? 90 : 86) + "\n")
        + "-cuda stream id = 0\n"
        + "-shmem base_addr = 0x00007f2c00000000\n"
        + "-local mem base_addr = 0x00007f2b85000000\n"
        + "-nvbit version = 1.5.5\n"
        + (version == 0 ? "" : "-accelsim tracer version = " + version + "\n")
        + (lineInfo ? "-enable lineinfo = 1\n" : "")
        + "\n#traces format = PC mask dest_num [reg_dests] opcode\n\n";
  }

  static String block(int x, String body) {
    return "#BEGIN_TB\n\nthread block = " + x + ",0,0\n\n" + body + "\n#END_TB\n\n";
  }

  static String warp(int warp, String... lines) {
    return "warp = "
        + warp
        + "\ninsts = "
        + lines.length
        + "\n"
        + String.join(" \n", lines)
        + (lines.length == 0 ? "\n" : " \n\n");
  }

  /** A kernel of version 5 from blocks. */
  static String kernel(String... blocks) {
    return header(5) + String.join("", blocks);
  }

  static KernelTrace open(String text, Diagnostics diagnostics) throws IOException {
    return open("kernel-1.traceg", text, diagnostics);
  }

  static KernelTrace open(String name, String text, Diagnostics diagnostics) throws IOException {
    return open(new MemoryFiles(Map.of(name, text)), name, diagnostics);
  }

  static KernelTrace open(MemoryFiles files, String name, Diagnostics diagnostics)
      throws IOException {
    return new FileTraceSet(
            "test", files, java.util.List.of(new TraceCommand.Launch(0, name)), diagnostics)
        .open(new TraceCommand.Launch(0, name));
  }

  /** A random but well-formed kernel of a version, with everything that the version can say. */
  static String random(long seed, int version) {
    Random random = new Random(seed);
    boolean lineInfo = version >= 4 && random.nextInt(4) == 0;
    int blocks = 1 + random.nextInt(6);
    StringBuilder text = new StringBuilder(header(version, "(" + blocks + ",1,1)", lineInfo));
    long base = 0x7f00_0000_0000L + random.nextInt(1 << 20) * 256L;
    long loopSeed = random.nextLong();
    for (int x = 0; x < blocks; x++) {
      StringBuilder body = new StringBuilder();
      if (version == 6 && random.nextBoolean()) {
        body.append("cluster id = 0,0,0\ncluster cta = 1,0,0\ncluster rank = 1\n");
      }
      for (int warp = 0; warp < 2; warp++) {
        if (warp > 0 && random.nextInt(6) == 0) {
          continue;
        }
        // Warps mostly take the same path, as real ones do.
        Random path = random.nextInt(4) == 0 ? random : new Random(loopSeed);
        int count = 1 + path.nextInt(29);
        String[] lines = new String[count];
        String prefix = version < 3 ? x + " 0 0 " + warp + " " : "";
        for (int i = 0; i < count; i++) {
          long address = base + x * 4096L + warp * 128L + i * 32L;
          lines[i] =
              prefix + (lineInfo ? path.nextInt(99) + " " : "") + line(path, version, i, address);
        }
        body.append(warp(warp, lines));
      }
      text.append(block(x, body.toString()));
    }
    return text.toString();
  }

  private static String line(Random random, int version, int i, long address) {
    int mask = random.nextInt(3) == 0 ? random.nextInt() : -1;
    int kind = random.nextInt(version == 6 ? 9 : 6);
    int pc = 16 * (i % 12) + 192 * kind;
    String start = String.format("%04x %08x ", pc, mask);
    String tail = version == 6 ? " 7 0 NoVal" : version >= 4 ? " -7" : "";
    String stride = "1 0x" + Long.toHexString(address) + " " + (random.nextInt(9) - 4);
    int contiguous = 0x00ffff00;
    return switch (kind) {
      case 0 -> start + "1 R4 IADD3 2 R2 R255 0" + tail;
      case 1 -> start + "0 EXIT 0 0" + tail;
      case 2 ->
          String.format("%04x %08x ", pc, contiguous) + "1 R4 LDG.E.64 1 R2 8 " + stride + tail;
      case 3 -> start + "0 STG.E 2 R6 R4 4 " + list(random, version, mask, address) + tail;
      case 4 -> start + "1 R3 LDS 1 R2 4 " + list(random, 0, mask, address & 0xffff) + tail;
      case 5 -> start + "1 R9 IMAD 5 R1 R2 R3 R4 R5 0" + tail;
      case 6 ->
          start
              + "0 UTMALDG.2D 0 32 0x400 "
              + (random.nextBoolean() ? "1 0x3" : "0")
              + " 256 32 4 0x"
              + Long.toHexString(address)
              + " 4 32 32 "
              + random.nextInt(999)
              + tail;
      case 7 ->
          start
              + "0 SYNCS.ARRIVE.TRANS64 1 UR4 8 1 0x408 0 0 0 Val 1 0x"
              + Integer.toHexString(random.nextInt(4))
              + " 1 0x20";
      default -> start + "1 R24 HGMMA.64x64x16.F32.BF16 1 R24 " + (i & 1) + " 0" + tail;
    };
  }

  private static String list(Random random, int version, int mask, long address) {
    StringBuilder text = new StringBuilder();
    int lanes = Integer.bitCount(mask);
    if (version >= 3) {
      text.append("2 0x").append(Long.toHexString(address));
      for (int lane = 1; lane < lanes; lane++) {
        text.append(' ').append(random.nextInt(4000) - 2000);
      }
    } else {
      text.append("0");
      for (int lane = 0; lane < lanes; lane++) {
        text.append(String.format(" 0x%016x", address + random.nextInt(4000)));
      }
    }
    return text.toString();
  }
}
