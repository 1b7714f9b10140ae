package dev.warpline.nvidia.effects;

import dev.warpline.isa.ControlBits;
import dev.warpline.trace.KernelBuilder;
import dev.warpline.trace.MemoryTrace;
import dev.warpline.trace.TraceSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A small program that a change of a field acts on, written in {@code kernels.txt}: a head of
 * {@code name number} lines, then instructions as a listing shows them, with their control bits in
 * front and their addresses behind:
 *
 * <pre>
 *   S02 W0 B01 LDG.E R4, [R2.64] @ 0x7f0000000000 lane 4 warp 128 block 4096 step 65536
 * </pre>
 *
 * stall, yield if Y stands there, write and read barrier, wait mask in hex; what is left out is
 * none. An address grows with the lane, the warp, the block and the turn of the loop around it.
 * {@code repeat N} and {@code end} make a loop; {@code fill N} is a line so many times; {@code only
 * BLOCK WARP} makes the lines behind it those of one warp; a line that begins with {@code =} is a
 * trace's own, without its PC.
 */
final class EffectKernel {
  private static final Pattern LINE =
      Pattern.compile("(?:S(\\d+) )?(Y )?(?:W(\\d) )?(?:R(\\d) )?(?:B([0-9a-f]+) )?(.*)");
  private static final Pattern REGISTER = Pattern.compile("(?<!U)\\bR(\\d+|Z)");

  private final Map<String, Long> head = new LinkedHashMap<>();
  private final List<String> lines = new ArrayList<>();
  private final List<long[]> copies = new ArrayList<>();

  /** One instruction to be put into traces. */
  private record Step(int pc, String line, int turn) {}

  /** All kernels of a file by name. */
  static Map<String, EffectKernel> read(String text) {
    Map<String, EffectKernel> all = new LinkedHashMap<>();
    EffectKernel kernel = null;
    for (String raw : text.split("\n")) {
      String line = raw.strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      String[] words = line.split(" +");
      if (words[0].equals("kernel")) {
        kernel = new EffectKernel();
        all.put(words[1], kernel);
      } else if (words[0].equals("copy")) {
        kernel.copies.add(new long[] {Long.decode(words[1]), Long.decode(words[2])});
      } else if (kernel.lines.isEmpty() && line.matches("(?!repeat)[a-z]+ \\d+")) {
        kernel.head.put(words[0], Long.decode(words[1]));
      } else if (words[0].equals("fill")) {
        String same = line.substring(line.indexOf(words[1]) + words[1].length() + 1);
        kernel.lines.addAll(Collections.nCopies(Integer.parseInt(words[1]), same));
      } else {
        kernel.lines.add(line);
      }
    }
    return all;
  }

  private int number(String name, int otherwise) {
    return head.getOrDefault(name, (long) otherwise).intValue();
  }

  /** The program as a trace. */
  TraceSet trace() {
    MemoryTrace trace = new MemoryTrace("effects");
    copies.forEach(copy -> trace.copy(copy[0], copy[1]));
    int streams = number("streams", 1);
    for (int launch = 0; launch < number("launches", streams); launch++) {
      trace.launch(kernel(launch % streams).build());
    }
    return trace;
  }

  private KernelBuilder kernel(int stream) {
    int blocks = number("grid", 1);
    int threads = number("block", 32);
    KernelBuilder builder =
        new KernelBuilder("effects")
                .grid(blocks, 1, 1)
                .block(threads, 1, 1)
                .cluster(number("cluster", 1), 1, 1)
                .sharedBytes(number("shared", 0))
                .registers(number("registers", 32))
                .tracerVersion(number("tracer", 5))
                .windows(0x7f00_0000_0000L, 0x7f80_0000_0000L)
                .stream(stream);
    for (int block = 0; block < blocks; block++) {
      for (int warp = 0; warp < (threads + 31) / 32; warp++) {
        builder.warp(block, warp);
        for (Step step : steps(block, warp)) {
          add(builder, step, block, warp);
        }
      }
    }
    return builder;
  }

  /** The instructions of a warp in the order it executes them. */
  private List<Step> steps(int block, int warp) {
    List<Step> steps = new ArrayList<>();
    int pc = 0;
    boolean mine = true;
    for (int i = 0; i < lines.size(); i++) {
      String[] words = lines.get(i).split(" ");
      if (words[0].equals("only")) {
        mine = Integer.parseInt(words[1]) == block && Integer.parseInt(words[2]) == warp;
      } else if (words[0].equals("at")) {
        pc = Integer.decode(words[1]);
      } else if (words[0].equals("repeat")) {
        int first = i + 1;
        while (!lines.get(i).equals("end")) {
          i++;
        }
        for (int turn = 0; mine && turn < Integer.parseInt(words[1]); turn++) {
          for (int k = first; k < i; k++) {
            steps.add(new Step(pc + 16 * (k - first), lines.get(k), turn));
          }
        }
        pc += 16 * (i - first);
      } else {
        if (mine) {
          steps.add(new Step(pc, lines.get(i), 0));
        }
        pc += 16;
      }
    }
    return steps;
  }

  private static void add(KernelBuilder builder, Step step, int block, int warp) {
    if (step.line().startsWith("=")) {
      builder.line(String.format("%04x %s", step.pc(), step.line().substring(1).strip()));
      return;
    }
    String[] parts = step.line().split(" @ ");
    Matcher m = LINE.matcher(parts[0]);
    if (!m.matches()) {
      throw new IllegalArgumentException(step.line());
    }
    String text = m.group(6);
    int control =
        ControlBits.of(
            m.group(1) == null ? 1 : Integer.parseInt(m.group(1)),
            m.group(2) != null,
            m.group(3) == null ? ControlBits.NO_BARRIER : Integer.parseInt(m.group(3)),
            m.group(4) == null ? ControlBits.NO_BARRIER : Integer.parseInt(m.group(4)),
            m.group(5) == null ? 0 : Integer.parseInt(m.group(5), 16),
            reuse(text));
    String registers = registers(step.pc(), text);
    String opcode = text.startsWith("@") ? text.split(" ")[1] : text.split(" ")[0];
    int width = opcode.contains(".128") ? 16 : opcode.contains(".64") ? 8 : 4;
    if (opcode.startsWith("LDGSTS")) {
      builder.line(registers + width + " 1 " + hex(0x400 + 128L * warp) + " " + width + " 0");
    }
    String memory =
        parts.length == 1 ? "0 0" : width + " 1 " + address(parts[1], step, block, warp) + " 0";
    builder.line(registers + memory, control, text);
  }

  private static String hex(long address) {
    return "0x" + Long.toHexString(address);
  }

  private static String address(String text, Step step, int block, int warp) {
    String[] words = text.strip().split(" +");
    long base = Long.decode(words[0]);
    long lane = 0;
    for (int i = 1; i < words.length; i += 2) {
      long by = Long.decode(words[i + 1]);
      switch (words[i]) {
        case "lane" -> lane = by;
        case "warp" -> base += by * warp;
        case "block" -> base += by * block;
        case "step" -> base += by * step.turn();
        default -> throw new IllegalArgumentException(text);
      }
    }
    return hex(base) + " " + lane;
  }

  /** Reuse bits by source position, from the listing's suffixes. */
  private static int reuse(String text) {
    String[] operands = text.substring(text.indexOf(' ') + 1).split(",");
    int bits = 0;
    for (int i = 1; i < operands.length && i < 4; i++) {
      if (operands[i].contains(".reuse")) {
        bits |= 1 << i - 1;
      }
    }
    return bits;
  }

  /** PC, mask, destinations, opcode and sources as a trace has them. */
  private static String registers(int pc, String text) {
    String plain = text.startsWith("@") ? text.substring(text.indexOf(' ') + 1) : text;
    int space = plain.indexOf(' ');
    String opcode = space < 0 ? plain : plain.substring(0, space);
    String[] operands = (space < 0 ? "" : plain.substring(space + 1)).split(",");
    boolean stores =
        opcode.startsWith("ST") || opcode.startsWith("RED") || opcode.startsWith("LDGSTS");
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
    StringBuilder out = new StringBuilder();
    out.append(String.format(Locale.ROOT, "%04x ffffffff %d ", pc, destinations.size()));
    destinations.forEach(r -> out.append(r).append(' '));
    out.append(opcode).append(' ').append(sources.size()).append(' ');
    sources.forEach(r -> out.append(r).append(' '));
    return out.toString();
  }
}
