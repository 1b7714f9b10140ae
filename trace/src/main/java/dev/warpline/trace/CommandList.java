package dev.warpline.trace;

import dev.warpline.trace.Problem.Skipped;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads a {@code kernelslist.g}. */
final class CommandList {
  private CommandList() {}

  static List<TraceCommand> read(String file, byte[] content, Diagnostics diagnostics)
      throws IOException {
    List<TraceCommand> commands = new ArrayList<>();
    int launches = 0;
    int number = 0;
    for (String raw : new String(content, StandardCharsets.UTF_8).split("\n", -1)) {
      number++;
      String line = raw.strip();
      if (line.isEmpty()) {
        continue;
      }
      if (line.startsWith("MemcpyHtoD")) {
        TraceCommand copy = copy(line);
        if (copy != null) {
          commands.add(copy);
        } else {
          diagnostics.report(
              new Problem(
                  file,
                  number,
                  1,
                  Quote.of(line),
                  "MemcpyHtoD,<hexadecimal address>,<decimal bytes>",
                  Skipped.COMMAND));
        }
      } else if (line.startsWith("kernel")) {
        commands.add(new TraceCommand.Launch(launches++, line));
      } else {
        commands.add(new TraceCommand.Other(number, line));
        if (!line.startsWith("Memcpy")) {
          diagnostics.warn(
              file + ":" + number + ": unknown command " + Quote.of(line) + " ignored");
        }
      }
    }
    return commands;
  }

  private static TraceCommand copy(String line) {
    String[] fields = line.split(",", -1);
    if (fields.length != 3) {
      return null;
    }
    String address = fields[1].strip();
    try {
      return new TraceCommand.MemcpyHtoD(
          Long.parseUnsignedLong(address.startsWith("0x") ? address.substring(2) : address, 16),
          Long.parseLong(fields[2].strip()));
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
