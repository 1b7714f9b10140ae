package dev.warpline.nvidia.program;

import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.Yaml;
import dev.warpline.trace.program.Stream;
import dev.warpline.trace.program.StreamOperation;
import dev.warpline.trace.program.StreamProgram;
import dev.warpline.trace.program.StreamTask;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a hand-written program: docs/programs.md. Traces are named relative to the file. */
public final class ProgramFile {
  private static final Pattern AMOUNT = Pattern.compile("([0-9.]+)\\s*([A-Za-z]*)");

  /** At the beginning of a line, which is the top of the file. */
  private static final Pattern OWN_FIELD = Pattern.compile("(program|kernels|do)\\s*:");

  /** More operations than any report could show. */
  private static final int MOST = 5_000_000;

  private static final Map<String, Double> SIZES =
      Map.of(
          "", 1.0, "B", 1.0, "kB", 1e3, "MB", 1e6, "GB", 1e9, "KiB", 1024.0, "MiB", 0x1p20, "GiB",
          0x1p30);

  private static final Map<String, Double> TIMES =
      Map.of("ns", 1.0, "us", 1e3, "ms", 1e6, "s", 1e9);

  /** What an entry of {@code do} can be. */
  private static final Set<String> KINDS =
      Set.of("launch", "copy", "fill", "record", "wait", "synchronize", "graph", "host", "repeat");

  /**
   * A kernel by its name in the file.
   *
   * @param number of the launch in its trace, from 1
   */
  record Kernel(String name, Path trace, int number, String place) {}

  private final Path file;
  private final Map<String, Kernel> kernels = new LinkedHashMap<>();
  private final Map<String, Stream> streams = new LinkedHashMap<>();
  private final Map<String, Integer> events = new LinkedHashMap<>();
  private final List<StreamOperation> operations = new ArrayList<>();

  /** The kernel of every launch, in order. */
  private final List<Kernel> launches = new ArrayList<>();

  private int numbers;
  private double hostNs;

  private ProgramFile(Path file) {
    this.file = file;
  }

  /** Whether a file is one: YAML with a field that other files do not have. */
  public static boolean isProgram(Path path) {
    String name = path.toString().toLowerCase(Locale.ROOT);
    if (!name.endsWith(".yaml") && !name.endsWith(".yml") || !Files.isRegularFile(path)) {
      return false;
    }
    try (java.util.stream.Stream<String> lines = Files.lines(path)) {
      return lines.anyMatch(line -> OWN_FIELD.matcher(line).lookingAt());
    } catch (IOException | java.io.UncheckedIOException e) {
      return false;
    }
  }

  /** Reads a file; its traces are opened when they are needed. */
  public static ProgramTraceSet open(Path path, dev.warpline.trace.Diagnostics diagnostics)
      throws IOException {
    ProgramFile file = new ProgramFile(path);
    StreamProgram program = file.read(Yaml.parse(Files.readString(path), path.toString()));
    return new ProgramTraceSet(path, program, file.launches, diagnostics);
  }

  private StreamProgram read(Yaml tree) throws IOException {
    Yaml.Mapping all = mapping(tree, Set.of("program", "kernels", "streams", "do"));
    for (Map.Entry<String, Yaml> entry :
        mapping(required(all, "kernels"), null).values().entrySet()) {
      kernels.put(entry.getKey(), kernel(entry.getKey(), entry.getValue()));
    }
    streams.put("default", new Stream(Stream.DEFAULT, "default", 0, true));
    if (all.values().containsKey("streams")) {
      for (Map.Entry<String, Yaml> entry :
          mapping(all.values().get("streams"), null).values().entrySet()) {
        Yaml.Mapping one = mapping(entry.getValue(), Set.of("priority", "blocking", "sms"));
        int number = entry.getKey().equals("default") ? Stream.DEFAULT : streams.size();
        streams.put(
            entry.getKey(),
            new Stream(
                number,
                entry.getKey(),
                (int) number(one, "priority", 0, -1000, 1000),
                flag(one, "blocking", true),
                sms(one)));
      }
    }
    doAll(required(all, "do"));
    return StreamProgram.of(file.toString(), true, List.copyOf(streams.values()), operations);
  }

  private static String sms(Yaml.Mapping stream) throws DescriptionException {
    Yaml value = stream.values().get("sms");
    if (value == null) {
      return "";
    }
    try {
      SmPartitions.check(text(value));
    } catch (DescriptionException e) {
      throw new DescriptionException(value.place() + ": " + e.getMessage());
    }
    return text(value);
  }

  private Kernel kernel(String name, Yaml value) throws DescriptionException {
    if (value instanceof Yaml.Scalar trace) {
      return new Kernel(name, beside(trace.text()), 1, value.place());
    }
    Yaml.Mapping one = mapping(value, Set.of("trace", "kernel"));
    return new Kernel(
        name,
        beside(text(required(one, "trace"))),
        (int) number(one, "kernel", 1, 1, MOST),
        value.place());
  }

  private Path beside(String trace) {
    return file.toAbsolutePath().getParent().resolve(trace);
  }

  private void doAll(Yaml list) throws DescriptionException {
    if (!(list instanceof Yaml.Sequence all)) {
      throw bad(list, "something else", "a list of what to do");
    }
    for (Yaml item : all.items()) {
      operation(item);
    }
  }

  private void operation(Yaml item) throws DescriptionException {
    Yaml.Mapping one = mapping(item, null);
    List<String> kinds = one.values().keySet().stream().filter(KINDS::contains).toList();
    boolean repeated = kinds.contains("repeat") && kinds.size() == 2;
    String kind = repeated ? other(kinds) : kinds.size() == 1 ? kinds.get(0) : null;
    if (kind == null) {
      throw bad(
          item,
          kinds.isEmpty() ? String.join(", ", one.values().keySet()) : String.join(" and ", kinds),
          "one of launch, copy, fill, record, wait, synchronize, graph, host, or repeat with do");
    }
    long times = kinds.contains("repeat") ? (long) number(one, "repeat", 1, 0, MOST) : 1;
    for (long i = 0; i < times; i++) {
      if (operations.size() > MOST) {
        throw bad(item, "more than " + MOST + " operations", "fewer");
      }
      if (kind.equals("repeat")) {
        only(one, Set.of("repeat", "do"));
        doAll(required(one, "do"));
      } else {
        single(kind, one);
      }
    }
  }

  private static String other(List<String> kinds) {
    return kinds.get(0).equals("repeat") ? kinds.get(1) : kinds.get(0);
  }

  private void single(String kind, Yaml.Mapping one) throws DescriptionException {
    Yaml value = one.values().get(kind);
    switch (kind) {
      case "host" -> {
        only(one, Set.of("host", "repeat"));
        hostNs += amount(value, TIMES, "a time such as 20 us");
      }
      case "launch", "copy", "fill" -> add(one, task(kind, one, Set.of("stream", "repeat")));
      case "record" -> {
        only(one, Set.of("record", "stream", "timing", "repeat"));
        events.putIfAbsent(text(value), events.size() + 1);
        add(one, new StreamTask.RecordEvent(events.get(text(value)), flag(one, "timing", false)));
      }
      case "wait" -> {
        only(one, Set.of("wait", "stream", "repeat"));
        add(one, new StreamTask.WaitEvent(event(value)));
      }
      case "synchronize" -> {
        only(one, Set.of("synchronize", "repeat"));
        String what = text(value);
        if (what.equals("device")) {
          add(one, new StreamTask.Synchronize(StreamTask.Scope.DEVICE, 0));
        } else if (streams.containsKey(what)) {
          operations.add(
              new StreamOperation(
                  ++numbers,
                  line(one),
                  streams.get(what).number(),
                  new StreamTask.Synchronize(StreamTask.Scope.STREAM, 0),
                  took(),
                  StreamOperation.AS_DESCRIBED));
        } else {
          add(one, new StreamTask.Synchronize(StreamTask.Scope.EVENT, event(value)));
        }
      }
      default -> {
        only(one, Set.of("graph", "stream", "repeat"));
        int number = ++numbers;
        StreamTask.Graph graph = graph(value);
        operations.add(
            new StreamOperation(
                number, line(one), stream(one), graph, took(), StreamOperation.AS_DESCRIBED));
      }
    }
  }

  private void add(Yaml.Mapping one, StreamTask task) throws DescriptionException {
    operations.add(
        new StreamOperation(
            ++numbers, line(one), stream(one), task, took(), StreamOperation.AS_DESCRIBED));
  }

  private double took() {
    double own = hostNs;
    hostNs = 0;
    return own;
  }

  private int event(Yaml value) throws DescriptionException {
    Integer event = events.get(text(value));
    if (event == null) {
      throw bad(value, "event " + text(value), "an event that was recorded before");
    }
    return event;
  }

  private int stream(Yaml.Mapping one) throws DescriptionException {
    Yaml value = one.values().get("stream");
    if (value == null) {
      return Stream.DEFAULT;
    }
    Stream stream = streams.get(text(value));
    if (stream == null) {
      throw bad(
          value,
          "stream " + text(value),
          "one of the streams " + String.join(", ", streams.keySet()));
    }
    return stream.number();
  }

  private StreamTask task(String kind, Yaml.Mapping one, Set<String> more)
      throws DescriptionException {
    Set<String> allowed = new java.util.HashSet<>(more);
    Yaml value = one.values().get(kind);
    switch (kind) {
      case "launch" -> {
        allowed.addAll(Set.of("launch", "cooperative", "programmatic"));
        only(one, allowed);
        Kernel kernel = kernels.get(text(value));
        if (kernel == null) {
          throw bad(
              value,
              "kernel " + text(value),
              "one of the kernels " + String.join(", ", kernels.keySet()));
        }
        launches.add(kernel);
        return new StreamTask.Launch(
            launches.size() - 1,
            kernel.name(),
            flag(one, "cooperative", false),
            flag(one, "programmatic", false),
            0);
      }
      case "copy" -> {
        allowed.addAll(Set.of("copy", "bytes", "pinned", "async"));
        only(one, allowed);
        StreamTask.Way way =
            switch (text(value)) {
              case "toDevice" -> StreamTask.Way.TO_DEVICE;
              case "toHost" -> StreamTask.Way.TO_HOST;
              case "onDevice" -> StreamTask.Way.ON_DEVICE;
              default -> throw bad(value, text(value), "one of toDevice, toHost, onDevice");
            };
        return new StreamTask.Copy(
            way, bytes(one), flag(one, "async", true), flag(one, "pinned", true));
      }
      default -> {
        allowed.add("fill");
        only(one, allowed);
        return new StreamTask.Fill((long) amount(value, SIZES, "a size such as 4 MiB"));
      }
    }
  }

  private long bytes(Yaml.Mapping one) throws DescriptionException {
    return (long) amount(required(one, "bytes"), SIZES, "a size such as 4 MiB");
  }

  private StreamTask.Graph graph(Yaml list) throws DescriptionException {
    if (!(list instanceof Yaml.Sequence all)) {
      throw bad(list, "something else", "a list of nodes");
    }
    Map<String, Integer> names = new LinkedHashMap<>();
    for (Yaml item : all.items()) {
      Yaml node = mapping(item, null).values().get("node");
      if (node != null && names.put(text(node), names.size()) != null) {
        throw bad(node, "node " + text(node) + " a second time", "each node once");
      }
      names.putIfAbsent(node == null ? "#" + names.size() : text(node), names.size());
    }
    List<StreamTask.Node> nodes = new ArrayList<>();
    for (Yaml item : all.items()) {
      Yaml.Mapping one = mapping(item, null);
      List<String> kinds =
          one.values().keySet().stream()
              .filter(key -> Set.of("launch", "copy", "fill").contains(key))
              .toList();
      if (kinds.size() != 1) {
        throw bad(item, String.join(", ", one.values().keySet()), "one of launch, copy, fill");
      }
      List<Integer> after = new ArrayList<>();
      if (one.values().get("after") instanceof Yaml.Sequence some) {
        for (Yaml name : some.items()) {
          after.add(node(names, name));
        }
      } else if (one.values().get("after") != null) {
        after.add(node(names, one.values().get("after")));
      }
      nodes.add(
          new StreamTask.Node(
              ++numbers,
              line(one),
              nodes.size(),
              List.copyOf(names.keySet()).get(nodes.size()),
              after,
              task(kinds.get(0), one, Set.of("node", "after"))));
    }
    return new StreamTask.Graph(nodes);
  }

  private static int node(Map<String, Integer> names, Yaml name) throws DescriptionException {
    Integer node = names.get(text(name));
    if (node == null) {
      throw bad(
          name, "node " + text(name), "one of the nodes " + String.join(", ", names.keySet()));
    }
    return node;
  }

  private static int line(Yaml at) {
    String[] place = at.place().split(":");
    return Integer.parseInt(place[place.length - 2]);
  }

  private static Yaml required(Yaml.Mapping one, String key) throws DescriptionException {
    Yaml value = one.values().get(key);
    if (value == null) {
      throw bad(one, "no " + key, key);
    }
    return value;
  }

  private static Yaml.Mapping mapping(Yaml value, Set<String> allowed) throws DescriptionException {
    if (!(value instanceof Yaml.Mapping one)) {
      throw bad(value, "a plain value or a list", "named values");
    }
    if (allowed != null) {
      only(one, allowed);
    }
    return one;
  }

  private static void only(Yaml.Mapping one, Set<String> allowed) throws DescriptionException {
    for (String key : one.values().keySet()) {
      if (!allowed.contains(key)) {
        throw new DescriptionException(
            one.keys().get(key)
                + ": found "
                + key
                + ", expected one of "
                + String.join(", ", new java.util.TreeSet<>(allowed)));
      }
    }
  }

  private static String text(Yaml value) throws DescriptionException {
    if (!(value instanceof Yaml.Scalar scalar)) {
      throw bad(value, "a structure", "a name or a number");
    }
    return scalar.text();
  }

  private static boolean flag(Yaml.Mapping one, String key, boolean standard)
      throws DescriptionException {
    Yaml value = one.values().get(key);
    if (value == null) {
      return standard;
    }
    if (!Set.of("true", "false").contains(text(value))) {
      throw bad(value, text(value), "true or false");
    }
    return text(value).equals("true");
  }

  private static double number(
      Yaml.Mapping one, String key, double standard, double least, double most)
      throws DescriptionException {
    Yaml value = one.values().get(key);
    if (value == null) {
      return standard;
    }
    String expected = String.format(Locale.ROOT, "a whole number from %.0f to %.0f", least, most);
    try {
      long number = Long.parseLong(text(value));
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw bad(value, text(value), expected);
    }
    throw bad(value, text(value), expected);
  }

  private static double amount(Yaml value, Map<String, Double> units, String expected)
      throws DescriptionException {
    Matcher matcher = AMOUNT.matcher(text(value));
    Double unit = matcher.matches() ? units.get(matcher.group(2)) : null;
    if (unit == null) {
      throw bad(value, text(value), expected);
    }
    try {
      return Double.parseDouble(matcher.group(1)) * unit;
    } catch (NumberFormatException e) {
      throw bad(value, text(value), expected);
    }
  }

  private static DescriptionException bad(Yaml at, String found, String expected) {
    return new DescriptionException(at.place() + ": found " + found + ", expected " + expected);
  }
}
