package dev.warpline.trace;

import dev.warpline.trace.Problem.Skipped;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads the {@code -key = value} lines of a kernel trace, up to the first line that begins with
 * {@code #} (or with anything else but a dash).
 */
final class HeaderReader {
  private static final Set<Integer> KNOWN_BINARY_VERSIONS =
      Set.of(
          35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 101, 103, 120, 121);

  private final String file;
  private final Diagnostics diagnostics;
  private final Map<String, Value> values = new LinkedHashMap<>();

  private record Value(String text, long line, int column) {}

  HeaderReader(String file, Diagnostics diagnostics) {
    this.file = file;
    this.diagnostics = diagnostics;
  }

  /** Reads the header; the reader stands at the last header line afterwards. */
  KernelHeader read(LineReader lines) throws IOException {
    while (next(lines)) {
      if (lines.start() == lines.end()) {
        continue;
      }
      if (lines.bytes()[lines.start()] != '-') {
        lines.again();
        break;
      }
      add(lines.text(), lines.number());
    }
    return header();
  }

  private boolean next(LineReader lines) throws TraceFormatException {
    try {
      return lines.next();
    } catch (IOException e) {
      throw new TraceFormatException(lines.damage(file, e, Skipped.KERNEL));
    }
  }

  /** Reads header lines from text (the binary container keeps them so). */
  KernelHeader read(String text) throws IOException {
    long number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      if (line.startsWith("-")) {
        add(line.stripTrailing(), number);
      }
    }
    return header();
  }

  private void add(String line, long number) throws IOException {
    int equals = line.indexOf('=');
    if (equals < 0) {
      diagnostics.report(
          new Problem(
              file,
              number,
              1,
              Quote.of(line),
              "a header line such as \"-nregs = 32\"",
              Skipped.NOTHING));
      return;
    }
    String rest = line.substring(equals + 1);
    int blanks = rest.length() - rest.stripLeading().length();
    values.put(
        line.substring(1, equals).strip(), new Value(rest.strip(), number, equals + 2 + blanks));
  }

  private KernelHeader header() throws IOException {
    for (String key : List.of("kernel name", "shmem", "nregs")) {
      if (!values.containsKey(key)) {
        diagnostics.report(
            new Problem(
                file, 0, 0, "no header line -" + key, "\"-" + key + " = ...\"", Skipped.NOTHING));
      }
    }
    String name = text("kernel name", "unknown");
    int id = (int) number("kernel id", 0);
    Dim3 grid = extent("grid dim", null);
    Dim3 block = extent("block dim", null);
    int shared = (int) number("shmem", 0);
    int registers = (int) number("nregs", 0);
    Value binaryValue = values.get("binary version");
    long binaryLine = binaryValue == null ? 0 : binaryValue.line;
    int binary = (int) number("binary version", 0);
    if (!KNOWN_BINARY_VERSIONS.contains(binary)) {
      diagnostics.report(
          new Problem(
              file,
              binaryLine,
              1,
              "binary version " + binary,
              "one of "
                  + KNOWN_BINARY_VERSIONS.stream()
                      .sorted()
                      .map(String::valueOf)
                      .collect(Collectors.joining(" "))
                  + " (the opcodes of the nearest older one are used)",
              Skipped.NOTHING));
    }
    long stream = number("cuda stream id", 0);
    long sharedBase = number("shmem base_addr", 0);
    long localBase = number("local mem base_addr", 0);
    String nvbit = text("nvbit version", "");
    int tracer = tracerVersion();
    boolean lineInfo = number("enable lineinfo", 0) != 0;
    Dim3 cluster = extent("cluster dim", Dim3.ONE);
    if (block.count() > 1024) {
      throw bad("block dim", block.toString(), "at most 1024 threads");
    }
    Map<String, String> extra = new LinkedHashMap<>();
    values.forEach((key, value) -> extra.put(key, value.text));
    return new KernelHeader(
        name,
        id,
        grid,
        block,
        shared,
        registers,
        binary,
        stream,
        sharedBase,
        localBase,
        nvbit,
        tracer,
        lineInfo,
        cluster,
        extra);
  }

  private String text(String key, String absent) {
    Value value = values.remove(key);
    return value == null ? absent : value.text;
  }

  private int tracerVersion() throws IOException {
    Value value = values.remove("accelsim tracer version");
    if (value == null) {
      return 0;
    }
    // Old tracers wrote 1.2; the number before the point decides the grammar.
    int point = value.text.indexOf('.');
    String major = point < 0 ? value.text : value.text.substring(0, point);
    if (major.matches("[0-6]")) {
      return major.charAt(0) - '0';
    }
    throw bad(value, "-accelsim tracer version", "a version from 0 to 6");
  }

  private long number(String key, long absent) throws IOException {
    Value value = values.remove(key);
    if (value == null) {
      return absent;
    }
    try {
      return value.text.startsWith("0x")
          ? Long.parseUnsignedLong(value.text.substring(2), 16)
          : value.text.startsWith("-")
              ? Long.parseLong(value.text)
              : Long.parseUnsignedLong(value.text);
    } catch (NumberFormatException e) {
      diagnostics.report(problem(value, "a number for -" + key, Skipped.NOTHING));
      return absent;
    }
  }

  private Dim3 extent(String key, Dim3 absent) throws IOException {
    Value value = values.remove(key);
    if (value == null) {
      if (absent == null) {
        throw bad(key, "no such header line", "\"-" + key + " = (x,y,z)\"");
      }
      return absent;
    }
    String[] parts = value.text.replaceAll("[()\\s]", "").split(",", -1);
    try {
      if (parts.length == 3) {
        Dim3 extent =
            new Dim3(
                Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
        if (extent.x() > 0 && extent.y() > 0 && extent.z() > 0) {
          return extent;
        }
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw bad(value, "-" + key, "(x,y,z) with three positive numbers");
  }

  /** A header problem that leaves nothing to read. */
  private TraceFormatException bad(String key, String found, String expected) {
    return new TraceFormatException(
        new Problem(file, 0, 0, found, expected + " for -" + key, Skipped.KERNEL));
  }

  private TraceFormatException bad(Value value, String key, String expected) {
    return new TraceFormatException(problem(value, expected + " for " + key, Skipped.KERNEL));
  }

  private Problem problem(Value value, String expected, Skipped skipped) {
    return new Problem(file, value.line, value.column, Quote.of(value.text), expected, skipped);
  }
}
