package dev.warpline.nvidia.capture;

import dev.warpline.nvidia.capture.CaptureEvent.Allocate;
import dev.warpline.nvidia.capture.CaptureEvent.Changed;
import dev.warpline.nvidia.capture.CaptureEvent.Place;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Reads {@code capture.jsonl} and refuses what cannot be. */
public final class CaptureReader {
  /** Kind of memory that is a variable of a module. */
  static final String VARIABLE = "variable";

  private static final int VERSION = 1;
  private static final int MOST_LINE = 64 << 20;
  private static final int MOST_PARAMETERS = 1 << 16;
  private static final int MOST_EVENTS = 20_000_000;
  private static final int MOST = Integer.MAX_VALUE;

  /** Many more bytes than a run of pages has. */
  private static final long MOST_RUN = 1L << 30;

  private static final long MOST_ADDRESS = 1L << 57;
  private static final Set<String> KINDS =
      Set.of("device", "managed", "host", "async", "mapped", "pitch", "array", "import");

  /**
   * What the first line says.
   *
   * @param device name of the GPU
   * @param sm its compute capability, e.g. 90
   * @param sms how many SMs it has
   * @param driver version, e.g. 13000
   * @param command the program and its arguments
   */
  public record Head(String device, int sm, int sms, int driver, List<String> command) {}

  private final String file;
  private final long pageBytes;
  private final List<CaptureEvent> events = new ArrayList<>();
  private final Set<Integer> modules = new HashSet<>();
  private final Set<String> moduleFiles = new HashSet<>();

  /** All allocations so far by number, and those that live by address. */
  private final Map<Integer, Allocate> allocations = new HashMap<>();

  private final TreeMap<Long, Allocate> live = new TreeMap<>();
  private Head head;
  private long operations;
  private boolean ended;

  /**
   * The operation whose {@code wrote} may come, and the nodes of a graph that are still to come.
   */
  private final Set<Long> unwritten = new HashSet<>();

  private long graph;
  private int nodes;

  CaptureReader(CaptureFiles files, long pageBytes) {
    this.file = files.title(CaptureFiles.EVENTS);
    this.pageBytes = pageBytes;
  }

  Head head() {
    return head;
  }

  List<CaptureEvent> read(BufferedReader lines) throws IOException {
    long number = 0;
    StringBuilder text = new StringBuilder();
    while (next(lines, text, number + 1)) {
      number++;
      if (ended) {
        throw new CaptureException(file, number, "a line after the end", "nothing more");
      }
      line(new CaptureLine(file, number, text.toString()));
      if (events.size() > MOST_EVENTS) {
        throw new CaptureException(file, number, "another line", "at most " + MOST_EVENTS);
      }
    }
    if (!ended) {
      throw new CaptureException(
          file, number + 1, "the end of the file", "the line \"end\": the capture is cut off");
    }
    return events;
  }

  /** Reads a line that is not too long for memory; one that does not end is no line. */
  private boolean next(BufferedReader lines, StringBuilder into, long number) throws IOException {
    into.setLength(0);
    while (true) {
      int c = lines.read();
      if (c < 0) {
        if (into.length() > 0) {
          throw new CaptureException(
              file, number, "the end of the file inside of a line", "whole lines: it is cut off");
        }
        return false;
      }
      if (c == '\n') {
        return true;
      }
      if (into.length() == MOST_LINE) {
        throw new CaptureException(file, number, "a longer line", "at most " + MOST_LINE);
      }
      into.append((char) c);
    }
  }

  private void line(CaptureLine in) throws CaptureException {
    String event = in.text("event");
    if (head == null) {
      if (!event.equals("capture")) {
        throw in.bad("the event \"" + event + "\"", "\"capture\" on the first line");
      }
      head(in);
      return;
    }
    switch (event) {
      case "module" -> module(in);
      case "allocate" -> events.add(allocate(in));
      case "global" -> global(in);
      case "free" -> free(in);
      case "stream" -> stream(in);
      case "pages" -> pages(in);
      case "launch" -> launch(in);
      case "wrote" -> wrote(in);
      case "copy" -> copy(in);
      case "set" -> set(in);
      case "record", "wait", "synchronize" -> order(in, event);
      case "graph" -> graph(in);
      case "refused" ->
          events.add(
              new CaptureEvent.Refused(
                  in.line(), in.number("n", 0, 0, MOST), in.text("kernel"), in.text("reason")));
      case "tensormap" -> in.bytes("map", 128);
      case "end" -> {
        ended = true;
        long said = in.number("operations", 0, Long.MAX_VALUE);
        if (said != operations) {
          throw in.bad(said + " operations", operations + ", as many as there are");
        }
      }
      default -> throw in.bad("the event \"" + event + "\"", "one of version " + VERSION);
    }
  }

  private void head(CaptureLine in) throws CaptureException {
    long version = in.number("version", 0, Long.MAX_VALUE);
    if (version != VERSION) {
      throw in.bad("version " + version, "version " + VERSION);
    }
    head =
        new Head(
            in.text("device"),
            in.integer("sm", 1, 999),
            in.integer("sms", 1, 100_000),
            in.integer("driver", 0, MOST),
            in.texts("command"));
  }

  private void module(CaptureLine in) throws CaptureException {
    int number = in.integer("module", 1, MOST);
    if (!modules.add(number)) {
      throw in.bad("module " + number + " again", "each module once");
    }
    String name = in.text("file");
    boolean part = CaptureFiles.isPart(name) && name.endsWith(".cubin");
    if (!part || !moduleFiles.add(name)) {
      throw in.bad(
          "the file \"" + name + "\"",
          "modules/N.cubin inside of the capture, another one for each module");
    }
    events.add(
        new CaptureEvent.Module(
            in.line(), number, name, in.number("bytes", 1, MOST_RUN), in.hex("sum")));
  }

  private Allocate allocate(CaptureLine in) throws CaptureException {
    int number = in.integer("allocation", 1, MOST);
    long address = in.hex("address");
    long bytes = in.number("bytes", 1, MOST_ADDRESS);
    if (address <= 0 || address > MOST_ADDRESS - bytes) {
      throw in.bad(
          String.format("0x%x with %d bytes", address, bytes), "an address of up to 57 bits");
    }
    String kind = in.has("kind") ? in.text("kind") : VARIABLE;
    if (in.has("kind") && !KINDS.contains(kind)) {
      throw in.bad("the kind \"" + kind + "\"", "one of " + KINDS.stream().sorted().toList());
    }
    Map.Entry<Long, Allocate> before = live.lowerEntry(address + bytes);
    if (before != null && before.getValue().address() + before.getValue().bytes() > address) {
      throw in.bad(
          String.format("allocation %d at 0x%x", number, address),
          "none over allocation " + before.getValue().allocation() + ", which is not freed");
    }
    Allocate memory = new Allocate(in.line(), number, address, bytes, kind);
    if (allocations.putIfAbsent(number, memory) != null) {
      throw in.bad("allocation " + number + " again", "each number once");
    }
    live.put(address, memory);
    return memory;
  }

  private void global(CaptureLine in) throws CaptureException {
    int module = module(in, 1);
    events.add(new CaptureEvent.Global(in.line(), module, in.text("name"), allocate(in)));
  }

  private int module(CaptureLine in, int least) throws CaptureException {
    int module = in.integer("module", least, MOST);
    if (module != 0 && !modules.contains(module)) {
      throw in.bad("module " + module, "a module of a line before");
    }
    return module;
  }

  private Allocate living(CaptureLine in) throws CaptureException {
    int number = in.integer("allocation", 1, MOST);
    Allocate memory = allocations.get(number);
    if (memory == null || live.get(memory.address()) != memory) {
      throw in.bad("allocation " + number, "one that was made and not freed");
    }
    return memory;
  }

  private void free(CaptureLine in) throws CaptureException {
    Allocate memory = living(in);
    live.remove(memory.address());
    events.add(new CaptureEvent.Free(in.line(), memory.allocation()));
  }

  private void stream(CaptureLine in) throws CaptureException {
    int number = in.integer("stream", 0, MOST);
    events.add(
        new CaptureEvent.Stream(
            in.line(), number, in.integer("priority", -1000, 1000), in.truth("blocking")));
  }

  private void pages(CaptureLine in) throws CaptureException {
    Allocate memory = living(in);
    long first = in.number("first", 0, memory.pages() - 1);
    long count = in.number("count", 1, memory.pages() - first);
    long bytes = Math.min(count * Sums.PAGE, memory.bytes() - first * Sums.PAGE);
    if (bytes > MOST_RUN) {
      throw in.bad(count + " pages", "at most " + MOST_RUN / Sums.PAGE + " in a line");
    }
    String method = in.text("method");
    boolean deflated = method.equals("deflate");
    if (!deflated && !method.equals("stored")) {
      throw in.bad("the method \"" + method + "\"", "deflate or stored");
    }
    long at = in.number("at", 0, pageBytes);
    long packed = in.number("packed", 1, MOST_RUN);
    if (packed > pageBytes - at) {
      throw in.bad(
          packed + " bytes from " + at + " on", "an extent inside of pages.bin, of " + pageBytes);
    }
    if (!deflated && packed != bytes) {
      throw in.bad(packed + " bytes that are stored", bytes + " for these pages");
    }
    events.add(
        new CaptureEvent.Pages(
            in.line(), memory.allocation(), first, count, at, packed, deflated, (int) bytes));
  }

  private long operation(CaptureLine in) throws CaptureException {
    long n = in.number("n", 1, Long.MAX_VALUE);
    if (n != ++operations) {
      throw in.bad("operation " + n, operations + ", as they are counted");
    }
    return n;
  }

  private int streamOf(CaptureLine in) throws CaptureException {
    return (int) in.number("stream", 0, 0, MOST);
  }

  private Place place(CaptureLine in) throws CaptureException {
    if (!in.has("graph")) {
      return Place.NONE;
    }
    long number = in.number("graph", 1, Long.MAX_VALUE);
    if (number != graph || nodes-- == 0) {
      throw in.bad("a node of graph " + number, "one of the graph launch before, " + graph);
    }
    return new Place(number, in.integer("node", 0, MOST), in.integers("after", MOST));
  }

  private void launch(CaptureLine in) throws CaptureException {
    long n = operation(in);
    var block = in.size("block", 1024);
    if (block.count() > 1024) {
      throw in.bad("a block of " + block.count() + " threads", "at most 1024");
    }
    var grid = in.size("grid", MOST);
    if (grid.y() > 65535 || grid.z() > 65535) {
      throw in.bad("the grid " + grid, "at most 65535 blocks along y and z");
    }
    Place place = place(in);
    String skipped = in.has("skipped") ? in.text("skipped") : null;
    if (place.graph() == 0 && skipped == null) {
      unwritten.add(n);
    }
    events.add(
        new CaptureEvent.Launch(
            in.line(),
            n,
            in.text("kernel"),
            module(in, 0),
            grid,
            block,
            in.size("cluster", 16),
            in.integer("shared", 0, 1 << 20),
            in.integer("local", 0, 1 << 26),
            streamOf(in),
            in.truth("cooperative"),
            in.truth("programmatic"),
            in.bytes("parameters", MOST_PARAMETERS),
            place,
            skipped));
  }

  private void wrote(CaptureLine in) throws CaptureException {
    long n = in.number("n", 1, operations);
    if (!unwritten.remove(n)) {
      throw in.bad("what operation " + n + " wrote", "that of a launch or graph before, once");
    }
    List<Changed> changed = new ArrayList<>();
    for (CaptureLine one : in.objects("allocations")) {
      Allocate memory = living(one);
      List<long[]> pages = one.pairs("pages");
      for (long[] run : pages) {
        if (run[0] + run[1] > memory.pages()) {
          throw in.bad(
              "pages " + run[0] + " to " + (run[0] + run[1] - 1),
              "pages of allocation " + memory.allocation() + ", which has " + memory.pages());
        }
      }
      changed.add(new Changed(memory.allocation(), one.hex("sum"), pages));
    }
    events.add(new CaptureEvent.Wrote(in.line(), n, List.copyOf(changed)));
  }

  private void copy(CaptureLine in) throws CaptureException {
    events.add(
        new CaptureEvent.Copy(
            in.line(),
            operation(in),
            in.text("kind"),
            in.number("bytes", 0, MOST_ADDRESS),
            in.hex("to"),
            in.hex("from"),
            streamOf(in),
            in.truth("async"),
            in.truth("pinned"),
            in.number("rows", 1, 1, MOST),
            in.number("toPitch", 0, 0, MOST_ADDRESS),
            in.number("fromPitch", 0, 0, MOST_ADDRESS),
            in.has("replay") && in.truth("replay"),
            place(in)));
  }

  private void set(CaptureLine in) throws CaptureException {
    int width = (int) in.number("width", 1, 1, 4);
    events.add(
        new CaptureEvent.Fill(
            in.line(),
            operation(in),
            in.hex("to"),
            in.number("bytes", 0, MOST_ADDRESS),
            streamOf(in),
            (int) in.number("value", 0, 0, 0xffffffffL),
            width,
            in.number("rows", 1, 1, MOST),
            in.number("toPitch", 0, 0, MOST_ADDRESS),
            in.has("replay") && in.truth("replay"),
            place(in)));
  }

  private void order(CaptureLine in, String event) throws CaptureException {
    long n = operation(in);
    String what = event.equals("synchronize") ? event + " " + in.text("what") : event;
    events.add(
        new CaptureEvent.Order(
            in.line(), n, what, (int) in.number("id", 0, 0, MOST), streamOf(in)));
  }

  private void graph(CaptureLine in) throws CaptureException {
    long n = operation(in);
    graph = in.number("graph", 1, Long.MAX_VALUE);
    nodes = in.integer("nodes", 0, MOST);
    unwritten.add(n);
    events.add(new CaptureEvent.Graph(in.line(), n, graph, streamOf(in), nodes));
  }
}
