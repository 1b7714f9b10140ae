package dev.warpline.trace;

import dev.warpline.trace.Problem.Skipped;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Reads a {@code kernelslist.g}. */
final class CommandList {
  private static final int ELF = 0x7f454c46;

  /** More memory than any GPU has. */
  private static final long MOST_COPY_BYTES = 1L << 40;

  private static final String EXPECTED = "a kernel list: text with lines such as kernel-1.traceg";

  /** A word and perhaps fields after commas, as tracers write what the simulator has no use for. */
  private static final Pattern COMMAND = Pattern.compile("[A-Za-z]\\w*(,.*)?");

  private final String file;
  private final Diagnostics diagnostics;
  private final List<TraceCommand> commands = new ArrayList<>();
  private int launches;

  /** Lines that are not simulated, by command: where the first stands, and how many there are. */
  private final Map<String, int[]> others = new LinkedHashMap<>();

  private CommandList(String file, Diagnostics diagnostics) {
    this.file = file;
    this.diagnostics = diagnostics;
  }

  static List<TraceCommand> read(String file, byte[] content, Diagnostics diagnostics)
      throws IOException {
    CommandList list = new CommandList(file, diagnostics);
    list.refuseOtherFiles(content);
    int number = 0;
    for (String raw : text(content).split("\n", -1)) {
      number++;
      String line = raw.strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        list.line(line, number);
      }
    }
    list.warnOfOthers();
    if (list.launches == 0) {
      throw list.bad(0, "no kernel" + list.rejected(), EXPECTED);
    }
    return list.commands;
  }

  private static String text(byte[] content) {
    String text = new String(content, StandardCharsets.UTF_8);
    return text.startsWith("\ufeff") ? text.substring(1) : text;
  }

  /** Any file may be given as a list, so say what it is instead of what each line is not. */
  private void refuseOtherFiles(byte[] content) throws TraceFormatException {
    if (content.length >= 4 && java.nio.ByteBuffer.wrap(content).getInt(0) == ELF) {
      throw bad(0, "an ELF file (a program or a cubin)", EXPECTED);
    }
    int some = Math.min(content.length, 4096);
    for (int i = 0; i < some; i++) {
      if (content[i] == 0) {
        throw bad(0, "binary data (a zero at byte " + i + ")", EXPECTED);
      }
    }
    String start = text(content).stripLeading();
    if (start.startsWith("{") || start.startsWith("[")) {
      throw bad(0, "JSON", EXPECTED);
    }
  }

  private void line(String line, int number) throws IOException {
    if (line.startsWith("MemcpyHtoD")) {
      TraceCommand copy = copy(line);
      if (copy != null) {
        commands.add(copy);
      } else {
        report(number, line, "MemcpyHtoD,<hexadecimal address>,<decimal bytes>");
      }
    } else if (isLaunch(line)) {
      commands.add(new TraceCommand.Launch(launches++, inside(line, number)));
    } else {
      commands.add(new TraceCommand.Other(number, line));
      if (COMMAND.matcher(line).matches()) {
        others.computeIfAbsent(line.split(",", 2)[0], key -> new int[] {number, 0})[1]++;
      } else {
        report(number, line, "a kernel's file or a command such as MemcpyHtoD");
      }
    }
  }

  /** Whether a line names a kernel's file: by its beginning, as in Accel-Sim, or by its suffix. */
  private static boolean isLaunch(String line) {
    String name = line.substring(line.lastIndexOf('/') + 1);
    return line.startsWith("kernel") || name.startsWith("kernel") || Traces.isKernel(name);
  }

  /** A list reaches the files of its own folder, and no other. */
  private String inside(String line, int number) throws TraceFormatException {
    String path = line.replace('\\', '/');
    boolean outside = path.startsWith("/") || path.matches("[A-Za-z]:.*");
    StringBuilder clean = new StringBuilder();
    for (String part : path.split("/", -1)) {
      outside |= part.equals("..");
      if (!part.equals(".") && !part.isEmpty()) {
        clean.append(clean.length() == 0 ? "" : "/").append(part);
      }
    }
    if (outside) {
      throw bad(number, Quote.of(line), "a file in the folder of the list, without / or .. before");
    }
    return clean.toString();
  }

  private static TraceCommand copy(String line) {
    String[] fields = line.split(",", -1);
    if (fields.length != 3 || !fields[0].strip().equals("MemcpyHtoD")) {
      return null;
    }
    String hex = fields[1].strip();
    try {
      long address = Long.parseUnsignedLong(hex.startsWith("0x") ? hex.substring(2) : hex, 16);
      long bytes = Long.parseLong(fields[2].strip());
      return bytes < 0 || bytes > MOST_COPY_BYTES
          ? null
          : new TraceCommand.MemcpyHtoD(address, bytes);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private void warnOfOthers() {
    others.forEach(
        (command, seen) ->
            diagnostics.warn(
                file
                    + ":"
                    + seen[0]
                    + ": "
                    + command
                    + " is not simulated"
                    + (seen[1] > 1 ? " (" + seen[1] + " such lines)" : "")));
  }

  /** The first line that was left out, where nothing else is left. */
  private String rejected() {
    List<Problem> problems = diagnostics.problems();
    return problems.isEmpty()
        ? ""
        : ", on line " + problems.get(0).line() + " " + problems.get(0).found();
  }

  private void report(int number, String line, String expected) throws TraceFormatException {
    diagnostics.report(new Problem(file, number, 1, Quote.of(line), expected, Skipped.COMMAND));
  }

  private TraceFormatException bad(int line, String found, String expected) {
    return new TraceFormatException(
        new Problem(file, line, line == 0 ? 0 : 1, found, expected, Skipped.KERNEL));
  }
}
