package dev.warpline.trace;

import dev.warpline.trace.Problem.Skipped;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads the {@code -key = value} lines of a kernel trace, up to the first line that begins with
 * {@code #} (or with anything else but a dash).
 */
final class HeaderReader {
  private static final Set<Integer> KNOWN_BINARY_VERSIONS =
      Set.of(
          35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 101, 103, 120, 121);

  private static final String HEADER_LINE = "a header line such as \"-nregs = 32\"";

  private final String file;
  private final Diagnostics diagnostics;
  private final Map<String, Value> values = new LinkedHashMap<>();

  private record Value(String text, long line, int column) {}

  private static final long UNBOUNDED = -1;

  /** Four times the shared memory of any GPU so far. */
  private static final int MOST_SHARED_BYTES = 1 << 20;

  private static final int MOST_REGISTERS = 256;
  private static final int MOST_BINARY_VERSION = 999;
  private static final int MOST_THREADS = 1024;
  private static final int MOST_CLUSTER_BLOCKS = 32;

  private static final Dim3 MOST_GRID = new Dim3(Integer.MAX_VALUE, 65535, 65535);
  private static final Dim3 MOST_BLOCK = new Dim3(1024, 1024, 64);
  private static final Dim3 MOST_CLUSTER =
      new Dim3(MOST_CLUSTER_BLOCKS, MOST_CLUSTER_BLOCKS, MOST_CLUSTER_BLOCKS);

  /** A number at the beginning of a value; what Accel-Sim leaves unread follows. */
  private static final Pattern NUMBER = Pattern.compile("(0x[0-9a-fA-F]+|-?[0-9]+)(\\s+(.*))?");

  private static final Pattern TRACER_VERSION =
      Pattern.compile("(\\d{1,3})(\\.[\\w.]*)?(\\s+(.*))?");

  private static final Pattern EXTENT =
      Pattern.compile(
          "\\(?\\s*(-?[0-9]+)\\s*,\\s*(-?[0-9]+)\\s*,\\s*(-?[0-9]+)\\s*\\)?(\\s*(.*))?");

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
      String stripped = line.strip();
      if (stripped.startsWith("-")) {
        add(stripped, number);
      } else if (!stripped.isEmpty() && !stripped.startsWith("#")) {
        diagnostics.report(
            new Problem(file, number, 1, Quote.of(stripped), HEADER_LINE, Skipped.NOTHING));
      }
    }
    return header();
  }

  private void add(String line, long number) throws IOException {
    int equals = line.indexOf('=');
    if (equals < 0) {
      diagnostics.report(
          new Problem(file, number, 1, Quote.of(line), HEADER_LINE, Skipped.NOTHING));
      return;
    }
    String rest = line.substring(equals + 1);
    int blanks = rest.length() - rest.stripLeading().length();
    String key = line.substring(1, equals).strip();
    Value earlier = values.put(key, new Value(rest.strip(), number, equals + 2 + blanks));
    if (earlier != null) {
      diagnostics.report(
          new Problem(
              file,
              number,
              1,
              Quote.of(line) + " after line " + earlier.line + " with the same key",
              "each header line once (the last counts)",
              Skipped.NOTHING));
    }
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
    int id = (int) number("kernel id", 0, Integer.MAX_VALUE);
    Dim3 grid = extent("grid dim", null, MOST_GRID);
    Dim3 block = extent("block dim", null, MOST_BLOCK);
    int shared = (int) number("shmem", 0, MOST_SHARED_BYTES);
    int registers = (int) number("nregs", 0, MOST_REGISTERS);
    Value binaryValue = values.get("binary version");
    long binaryLine = binaryValue == null ? 0 : binaryValue.line;
    int binary = (int) number("binary version", 0, MOST_BINARY_VERSION);
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
    long stream = number("cuda stream id", 0, UNBOUNDED);
    long sharedBase = number("shmem base_addr", 0, UNBOUNDED);
    long localBase = number("local mem base_addr", 0, UNBOUNDED);
    String nvbit = text("nvbit version", "");
    int tracer = tracerVersion();
    boolean lineInfo = number("enable lineinfo", 0, 1) != 0;
    Dim3 cluster = extent("cluster dim", Dim3.ONE, MOST_CLUSTER);
    if (block.count() > MOST_THREADS) {
      throw bad("block dim", block.toString(), "at most " + MOST_THREADS + " threads");
    }
    if (cluster.count() > MOST_CLUSTER_BLOCKS) {
      throw bad("cluster dim", cluster.toString(), "at most " + MOST_CLUSTER_BLOCKS + " blocks");
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
    Matcher matcher = TRACER_VERSION.matcher(value.text);
    if (matcher.matches() && TraceDialects.of(Integer.parseInt(matcher.group(1))) != null) {
      checkRest(value, "accelsim tracer version", matcher.group(4));
      return Integer.parseInt(matcher.group(1));
    }
    throw bad(value, "-accelsim tracer version", "a version from 0 to " + TraceDialects.latest());
  }

  /**
   * The number of a header line, read as Accel-Sim does: what follows it is left unread, and named
   * unless it is a comment. One out of bounds is no number of a GPU, so nothing is left to read.
   *
   * @param most the greatest that makes sense, or {@link #UNBOUNDED} for any 64 bits
   */
  private long number(String key, long absent, long most) throws IOException {
    Value value = values.remove(key);
    if (value == null) {
      return absent;
    }
    Matcher matcher = NUMBER.matcher(value.text);
    if (!matcher.matches()) {
      diagnostics.report(problem(value, "a number for -" + key, Skipped.NOTHING));
      return absent;
    }
    checkRest(value, key, matcher.group(3));
    String text = matcher.group(1);
    long number;
    try {
      number =
          text.startsWith("0x")
              ? Long.parseUnsignedLong(text.substring(2), 16)
              : text.startsWith("-") ? Long.parseLong(text) : Long.parseUnsignedLong(text);
    } catch (NumberFormatException e) {
      throw bad(value, "-" + key, "a number of at most 64 bits");
    }
    if (most != UNBOUNDED && (number < 0 || number > most)) {
      throw bad(value, "-" + key, "a number from 0 to " + most);
    }
    return number;
  }

  private Dim3 extent(String key, Dim3 absent, Dim3 most) throws IOException {
    Value value = values.remove(key);
    if (value == null) {
      if (absent == null) {
        throw bad(key, "no such header line", "\"-" + key + " = (x,y,z)\"");
      }
      return absent;
    }
    Matcher matcher = EXTENT.matcher(value.text);
    try {
      if (matcher.matches()) {
        Dim3 extent =
            new Dim3(
                Integer.parseInt(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                Integer.parseInt(matcher.group(3)));
        if (extent.x() > 0 && extent.y() > 0 && extent.z() > 0) {
          if (extent.x() > most.x() || extent.y() > most.y() || extent.z() > most.z()) {
            throw bad(value, "-" + key, "at most " + most);
          }
          checkRest(value, key, matcher.group(5));
          return extent;
        }
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw bad(value, "-" + key, "(x,y,z) with three positive numbers");
  }

  private void checkRest(Value value, String key, String rest) throws IOException {
    if (rest != null && !rest.isEmpty() && !rest.startsWith("#")) {
      diagnostics.report(
          problem(value, "nothing but a comment after the value of -" + key, Skipped.NOTHING));
    }
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
