package dev.warpline.study.advice;

import dev.warpline.isa.ControlBits;
import dev.warpline.trace.KernelBuilder;
import dev.warpline.trace.MemoryTrace;
import dev.warpline.trace.TraceSet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A kernel of a few lines, made to have or not to have a cause of lost time. Lines are written like
 * a listing with their control bits in front:
 *
 * <pre>
 *   S04 W0 R1 B02 FFMA R4, R2, R3, R5
 * </pre>
 *
 * stall, write and read counter, wait mask in hex; what is left out is none. A line that was not
 * seen before lies behind all others; which warp executes what, with which lanes and at which
 * addresses, is said by a {@link Body}.
 */
final class Sketch implements Twins.Kernel {
  private static final Pattern LINE =
      Pattern.compile("(?:S(\\d+) )?(?:W(\\d) )?(?:R(\\d) )?(?:B([0-9a-f]+) )?(.*)");
  private static final Pattern REGISTER = Pattern.compile("(?<!U)\\bR(\\d+|Z)");

  private final int blocks;
  private final int warps;
  private final Body body;
  private final Map<String, Static> places = new LinkedHashMap<>();
  private int registers = 32;
  private int shared;
  private TraceSet trace;

  /** What a warp of a block executes. */
  interface Body {
    void write(Warp warp, int block, int number);
  }

  Sketch(int blocks, int warps, Body body) {
    this.blocks = blocks;
    this.warps = warps;
    this.body = body;
  }

  Sketch registers(int perThread) {
    registers = perThread;
    return this;
  }

  Sketch shared(int bytes) {
    shared = bytes;
    return this;
  }

  /** Takes the instructions of one warp. */
  final class Warp {
    private final KernelBuilder builder;

    private Warp(KernelBuilder builder) {
      this.builder = builder;
    }

    /** All lanes execute a line. */
    Warp run(String line) {
      return run(line, -1);
    }

    /** Some lanes execute a line. */
    Warp run(String line, int mask) {
      return add(line, mask, " 0 0");
    }

    /** All lanes access addresses that lie so far apart. */
    Warp access(String line, long base, long stride) {
      return add(
          line, -1, " " + width(line) + " 1 0x" + Long.toHexString(base) + " " + stride + " 0");
    }

    /** All lanes access addresses of their own. */
    Warp access(String line, IntToLongFunction address) {
      StringBuilder list = new StringBuilder(" " + width(line) + " 0");
      for (int lane = 0; lane < 32; lane++) {
        list.append(" 0x").append(Long.toHexString(address.applyAsLong(lane)));
      }
      return add(line, -1, list + " 0");
    }

    private Warp add(String line, int mask, String memory) {
      Static code = places.computeIfAbsent(line, key -> new Static(key, 16 * places.size()));
      builder.line(code.pc + hex(mask) + code.registers + memory, code.control, code.text);
      return this;
    }
  }

  /** A line of the listing. */
  private static final class Static {
    final String pc;
    final int control;
    final String text;
    final String registers;

    Static(String line, int pc) {
      // What follows a hash tells lines apart that are written alike.
      Matcher m = LINE.matcher(line.split(" #")[0]);
      if (!m.matches()) {
        throw new IllegalArgumentException(line);
      }
      this.pc = String.format("%04x ", pc);
      control =
          ControlBits.of(
              m.group(1) == null ? 1 : Integer.parseInt(m.group(1)),
              false,
              m.group(2) == null ? ControlBits.NO_BARRIER : Integer.parseInt(m.group(2)),
              m.group(3) == null ? ControlBits.NO_BARRIER : Integer.parseInt(m.group(3)),
              m.group(4) == null ? 0 : Integer.parseInt(m.group(4), 16),
              0);
      text = m.group(5);
      registers = Sketch.registers(text);
    }
  }

  private static String hex(int mask) {
    return Long.toHexString(mask & 0xffffffffL | 1L << 32).substring(1);
  }

  private static int width(String line) {
    return line.contains(".128") ? 16 : line.contains(".64 ") ? 8 : 4;
  }

  /** Destinations, opcode and sources as a trace has them. */
  private static String registers(String text) {
    int space = text.indexOf(' ');
    String opcode = space < 0 ? text : text.substring(0, space);
    String[] operands = (space < 0 ? "" : text.substring(space + 1)).split(",");
    boolean stores = opcode.startsWith("ST") || opcode.startsWith("RED");
    List<String> destinations = new ArrayList<>();
    List<String> sources = new ArrayList<>();
    for (int i = 0; i < operands.length; i++) {
      Matcher m = REGISTER.matcher(operands[i]);
      while (m.find()) {
        boolean destination = i == 0 && !stores && !operands[i].contains("[");
        String register = m.group(1).equals("Z") ? "R255" : "R" + m.group(1);
        (destination ? destinations : sources).add(register);
      }
    }
    return " "
        + destinations.size()
        + destinations.stream().reduce("", (all, one) -> all + " " + one)
        + " "
        + opcode
        + " "
        + sources.size()
        + sources.stream().reduce("", (all, one) -> all + " " + one);
  }

  @Override
  public TraceSet trace() {
    if (trace == null) {
      trace = write();
    }
    return trace;
  }

  private TraceSet write() {
    KernelBuilder builder =
        new KernelBuilder("sketch")
            .grid(blocks, 1, 1)
            .block(32 * warps, 1, 1)
            .sharedBytes(shared)
            .registers(registers)
            .windows(0x7f00_0000_0000L, 0x7f80_0000_0000L);
    for (int block = 0; block < blocks; block++) {
      for (int warp = 0; warp < warps; warp++) {
        builder.warp(block, warp);
        Warp writer = new Warp(builder);
        body.write(writer, block, warp);
        writer.run("S05 EXIT");
      }
    }
    MemoryTrace program = new MemoryTrace("sketch");
    program.launch(builder.build());
    return program;
  }
}
