package dev.warpline.amd.launch;

import dev.warpline.amd.hsa.FenceScope;
import dev.warpline.engine.gpu.Binder;
import dev.warpline.engine.gpu.Field;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What a launch file says: the host's part of a program. Paths are relative to the file. */
public record LaunchFile(
    @Field(
            value = "code object; {target} stands for the GPU's instruction set, e.g. gfx942",
            optional = true)
        String code,
    @Field(value = "several code objects by name, instead of code", standard = "{}")
        Map<String, String> codes,
    @Field(value = "buffers in device memory by name", standard = "{}") Map<String, Buffer> buffers,
    @Field(value = "kernel launches, in order; short for steps that only launch", standard = "[]")
        List<KernelLaunch> launches,
    @Field(value = "what the host does, in order", standard = "[]") List<Step> steps,
    @Field(value = "what buffers must hold at the end", standard = "[]") List<Check> checks,
    @Field(value = "buffers to write to files at the end", standard = "[]") List<Output> outputs) {

  public LaunchFile {
    if ((code == null) == codes.isEmpty()) {
      throw new IllegalArgumentException(
          "code and codes: expected one of them, found " + (code == null ? "none" : "both"));
    }
    if (!launches.isEmpty() && !steps.isEmpty()) {
      throw new IllegalArgumentException("launches and steps: expected one of them, found both");
    }
  }

  /** Type of a buffer's elements. */
  public enum ElementType {
    BYTE(1),
    SHORT(2),
    HALF(2),
    INT(4),
    LONG(8),
    FLOAT(4),
    DOUBLE(8);

    private final int bytes;

    ElementType(int bytes) {
      this.bytes = bytes;
    }

    int bytes() {
      return bytes;
    }

    boolean isFloatingPoint() {
      return this == HALF || this == FLOAT || this == DOUBLE;
    }
  }

  /** A buffer; zeros unless something else is said. */
  public record Buffer(
      @Field(
              value = "size; 0: as long as the file",
              unit = "bytes",
              standard = "0",
              most = 1L << 40)
          long bytes,
      @Field(value = "contents that follow a rule", optional = true) Pattern pattern,
      @Field(value = "random contents", optional = true) RandomValues random,
      @Field(value = "these numbers, one after the other", optional = true) Values values,
      @Field(value = "contents of a file", optional = true) String file,
      @Field(value = "lies where the code has this global variable", optional = true)
          String symbol) {
    public Buffer {
      int sources = count(pattern, random, values, file);
      if (sources > 1) {
        throw new IllegalArgumentException(
            "expected at most one of pattern, random, values and file");
      }
      if (bytes == 0 && file == null && values == null) {
        throw new IllegalArgumentException("expected a size in bytes, values or a file");
      }
    }
  }

  private static int count(Object... sources) {
    return (int) Arrays.stream(sources).filter(Objects::nonNull).count();
  }

  /** Numbers that are written out. */
  public record Values(
      @Field("type of an element") ElementType type,
      @Field(value = "the numbers", least = -1e300, most = 1e300) List<Double> list) {
    public Values {
      if (list.isEmpty()) {
        throw new IllegalArgumentException("list: found no number, expected at least one");
      }
    }
  }

  /** Element i is start + step * (i mod period). */
  public record Pattern(
      @Field("type of an element") ElementType type,
      @Field(value = "first element", standard = "0", least = -1e300, most = 1e300) double start,
      @Field(value = "difference between neighbours", standard = "0", least = -1e300, most = 1e300)
          double step,
      @Field(
              value = "elements after which it begins again; 0: never",
              standard = "0",
              most = 1L << 40)
          long period) {
    double value(long index) {
      return start + step * (period == 0 ? index : index % period);
    }
  }

  /** Evenly distributed numbers, the same for the same seed. */
  public record RandomValues(
      @Field("type of an element") ElementType type,
      @Field(value = "seed", standard = "0", least = -1e300, most = 1e300) long seed,
      @Field(value = "least value", standard = "0", least = -1e300, most = 1e300) double from,
      @Field(value = "values stay below this", standard = "1", least = -1e300, most = 1e300)
          double to) {
    public RandomValues {
      if (!(from < to)) {
        throw new IllegalArgumentException("expected from < to, found " + from + " and " + to);
      }
    }
  }

  /** One kernel launch, or several alike. */
  public record KernelLaunch(
      @Field("name of the kernel, as the code object has it or as the source does") String kernel,
      @Field(value = "code object it is in, where several have one of this name", optional = true)
          String code,
      @Field("work-items along x, y, z") List<String> grid,
      @Field("work-items of a group along x, y, z") List<String> group,
      @Field(
              value =
                  "arguments in order: a buffer, a buffer and an offset (a+64), a number, a type and"
                      + " numbers (float 2), lds N",
              standard = "[]")
          List<String> arguments,
      @Field(value = "times it is launched", standard = "1", least = 1, most = 1_000_000)
          int repeat,
      @Field(
              value = "dynamic LDS without an argument",
              unit = "bytes",
              standard = "0",
              most = 1 << 24)
          int dynamicLds,
      @Field(value = "queue it goes to", standard = "0", most = 511) int queue,
      @Field(value = "does not wait for earlier packets of its queue", standard = "false")
          boolean concurrent,
      @Field(value = "reach of the fence before it starts: none, agent, system", standard = "agent")
          FenceScope acquire,
      @Field(value = "reach of the fence after it ends: none, agent, system", standard = "agent")
          FenceScope release,
      @Field(value = "signals that must be complete before", standard = "[]") List<String> after,
      @Field(value = "signals of which one must be complete before", standard = "[]")
          List<String> afterAny,
      @Field(value = "signal that it completes", optional = true) String signal) {
    public KernelLaunch {
      if (grid.isEmpty() || grid.size() > 3 || group.isEmpty() || group.size() > 3) {
        throw new IllegalArgumentException("grid and group: expected one to three numbers each");
      }
      if (signal != null && repeat > 1) {
        throw new IllegalArgumentException(
            "signal: one launch completes it, found repeat: " + repeat);
      }
    }

    Order order() {
      return new Order(queue, !concurrent, after, afterAny, signal);
    }
  }

  /** Where and when a packet is to be taken. */
  record Order(
      int queue, boolean barrier, List<String> after, List<String> afterAny, String signal) {
    static Order inOrder(int queue, List<String> after, String signal) {
      return new Order(queue, true, after, List.of(), signal);
    }

    /** The host's own look at memory: after all that the queue has. */
    static Order plain(int queue) {
      return inOrder(queue, List.of(), null);
    }
  }

  /** One thing that the host does. */
  public record Step(
      @Field(value = "launches a kernel", optional = true) KernelLaunch launch,
      @Field(value = "copies to a buffer", optional = true) Copy copy,
      @Field(value = "sets bytes of a buffer", optional = true) Fill set,
      @Field(value = "copies a buffer to a file of the host", optional = true) Read read,
      @Field(value = "copies a buffer to the host and compares it", optional = true) Check check,
      @Field(value = "lets a queue wait for signals", optional = true) Barrier barrier,
      @Field(value = "lets the host wait", optional = true) Wait waitFor,
      @Field(value = "exchanges the names of two buffers", optional = true) List<String> swap,
      @Field(value = "does steps again and again", optional = true) Loop loop) {
    public Step {
      int actions = count(launch, copy, set, read, check, barrier, waitFor, swap, loop);
      if (actions != 1) {
        throw new IllegalArgumentException(
            "expected one of launch, copy, set, read, check, barrier, waitFor, swap and loop, found "
                + actions);
      }
      if (swap != null && swap.size() != 2) {
        throw new IllegalArgumentException("swap: expected two buffers, found " + swap.size());
      }
      if (check != null && check.functional()) {
        throw new IllegalArgumentException(
            "check: functional compares at the end; it belongs under checks");
      }
    }
  }

  /** A copy to a buffer: from another one, or from the host. */
  public record Copy(
      @Field("buffer it goes to") String to,
      @Field(value = "first byte there", standard = "0") String at,
      @Field(value = "buffer it comes from", optional = true) String from,
      @Field(value = "first byte of that buffer", standard = "0") String fromAt,
      @Field(value = "contents of a file", optional = true) String file,
      @Field(value = "contents that follow a rule", optional = true) Pattern pattern,
      @Field(value = "random contents", optional = true) RandomValues random,
      @Field(value = "these numbers", optional = true) Values values,
      @Field(value = "how much; 0: all there is", unit = "bytes", standard = "0", most = 1L << 31)
          long bytes,
      @Field(value = "the host's memory is pinned", standard = "false") boolean pinned,
      @Field(value = "the host does not wait for its end", standard = "false") boolean async,
      @Field(value = "queue it goes to", standard = "0", most = 511) int queue,
      @Field(value = "signals that must be complete before", standard = "[]") List<String> after,
      @Field(value = "signal that it completes", optional = true) String signal) {
    public Copy {
      if (count(from, file, pattern, random, values) != 1) {
        throw new IllegalArgumentException(
            "expected one of from, file, pattern, random and values, found "
                + count(from, file, pattern, random, values));
      }
      if (from == null && !fromAt.equals("0")) {
        throw new IllegalArgumentException("fromAt: expected a buffer in from");
      }
      if (from != null && pinned) {
        throw new IllegalArgumentException("pinned: no memory of the host is copied from a buffer");
      }
    }

    /** The host's contents as a buffer's. */
    Buffer contents(long size) {
      return new Buffer(size, pattern, random, values, file, null);
    }
  }

  /** Sets bytes of a buffer, or elements of a type. */
  public record Fill(
      @Field("buffer") String buffer,
      @Field(value = "first byte", standard = "0") String at,
      @Field(value = "how much; 0: to its end", unit = "bytes", standard = "0", most = 1L << 40)
          long bytes,
      @Field(value = "type of an element", standard = "byte") ElementType type,
      @Field(value = "what every element becomes", least = -1e300, most = 1e300) double value,
      @Field(value = "the host waits for its end", standard = "false") boolean sync,
      @Field(value = "queue it goes to", standard = "0", most = 511) int queue,
      @Field(value = "signals that must be complete before", standard = "[]") List<String> after,
      @Field(value = "signal that it completes", optional = true) String signal) {}

  /** A copy from a buffer to the host, which writes it to a file. */
  public record Read(
      @Field("buffer") String buffer,
      @Field(value = "first byte", standard = "0") String at,
      @Field(value = "how much; 0: to its end", unit = "bytes", standard = "0", most = 1L << 31)
          long bytes,
      @Field(
              value = "file it is written to; {k} stands for the value of loop variable k",
              optional = true)
          String file,
      @Field(value = "the host's memory is pinned", standard = "false") boolean pinned,
      @Field(value = "the host does not wait for its end", standard = "false") boolean async,
      @Field(value = "queue it goes to", standard = "0", most = 511) int queue,
      @Field(value = "signals that must be complete before", standard = "[]") List<String> after,
      @Field(value = "signal that it completes", optional = true) String signal) {}

  /** A barrier packet. */
  public record Barrier(
      @Field(value = "queue whose later packets wait", standard = "0", most = 511) int queue,
      @Field(value = "signals that must be complete before", standard = "[]") List<String> after,
      @Field(value = "signals of which one must be complete before", standard = "[]")
          List<String> afterAny,
      @Field(value = "signal that it completes", optional = true) String signal) {
    Order order() {
      return new Order(queue, true, after, afterAny, signal);
    }
  }

  /** What the host waits for; nothing named: everything. */
  public record Wait(
      @Field(value = "signals", standard = "[]") List<String> signals,
      @Field(value = "queues", standard = "[]", most = 511) List<Integer> queues) {}

  /** Steps that are done again and again. */
  public record Loop(
      @Field(
              value = "how often; with until: at most, 0 for no limit",
              standard = "0",
              most = 1_000_000_000)
          long times,
      @Field(
              value = "ends when memory holds something; looked at after every round",
              optional = true)
          Condition until,
      @Field(value = "name for the number of the round in expressions", optional = true)
          String variable,
      @Field(value = "the variable in the first round", standard = "0", least = -1e18, most = 1e18)
          long from,
      @Field(value = "what is added to it per round", standard = "1", least = -1e18, most = 1e18)
          long by,
      @Field("what is done") List<Step> steps) {
    public Loop {
      if (times == 0 && until == null) {
        throw new IllegalArgumentException("expected times or until, found none");
      }
      if (variable != null && !variable.matches("[A-Za-z_]\\w*")) {
        throw new IllegalArgumentException(
            "variable: found \"" + variable + "\", expected a word, e.g. k");
      }
    }
  }

  /** A number in memory, as the host reads it. */
  public record Condition(
      @Field("buffer") String buffer,
      @Field(value = "byte it begins at", standard = "0") String at,
      @Field(value = "type of the number", standard = "int") ElementType type,
      @Field(value = "queue that it is copied through", standard = "0", most = 511) int queue,
      @Field(value = "it is this", optional = true) String equals,
      @Field(value = "it is something else", optional = true) String not,
      @Field(value = "it is less", optional = true) String below,
      @Field(value = "it is more", optional = true) String above,
      @Field(value = "it is not what it was before the loop", standard = "false") boolean changes) {
    public Condition {
      int relations = count(equals, not, below, above) + (changes ? 1 : 0);
      if (relations != 1) {
        throw new IllegalArgumentException(
            "expected one of equals, not, below, above and changes, found " + relations);
      }
    }
  }

  /** What a buffer must hold. Exactly one of pattern, file, values, equals and functional. */
  public record Check(
      @Field("buffer that is checked") String buffer,
      @Field("type of its elements") ElementType type,
      @Field(value = "a rule its elements follow", optional = true) Pattern pattern,
      @Field(value = "file with what it must hold", optional = true) String file,
      @Field(value = "what its first elements are", optional = true, least = -1e300, most = 1e300)
          List<Double> values,
      @Field(value = "buffer it must equal", optional = true) String equals,
      @Field(value = "must hold what the same steps give without timing", standard = "false")
          boolean functional,
      @Field(
              value = "relative (below 1: absolute) difference allowed",
              standard = "0",
              most = 1e300)
          double tolerance) {
    public Check {
      int sources = count(pattern, file, values, equals) + (functional ? 1 : 0);
      if (sources != 1) {
        throw new IllegalArgumentException(
            "expected one of pattern, file, values, equals and functional, found " + sources);
      }
    }
  }

  /** A buffer that is written to a file. */
  public record Output(
      @Field("buffer") String buffer, @Field("file it is written to") String file) {}

  /** The steps; launches are steps, too. */
  List<Step> program() {
    return steps.isEmpty() ? launches.stream().map(LaunchFile::step).toList() : steps;
  }

  private static Step step(KernelLaunch launch) {
    return new Step(launch, null, null, null, null, null, null, null, null);
  }

  /** Code objects by name; the only one has no name. */
  Map<String, String> codeFiles() {
    return code == null ? codes : Map.of("", code);
  }

  /** Reads a launch file. */
  public static LaunchFile read(Path path) throws IOException {
    return Binder.read(LaunchFile.class, Files.readString(path), path.toString());
  }
}
