package dev.warpline.amd.launch;

import dev.warpline.amd.code.CodeObject;
import dev.warpline.amd.code.KernargSegment;
import dev.warpline.amd.code.Kernel;
import dev.warpline.amd.code.KernelArgument;
import dev.warpline.amd.exec.DeviceMemory;
import dev.warpline.amd.hsa.Transfer;
import dev.warpline.amd.launch.BufferContents.Placed;
import dev.warpline.amd.launch.LaunchFile.Buffer;
import dev.warpline.amd.launch.LaunchFile.Check;
import dev.warpline.amd.launch.LaunchFile.Condition;
import dev.warpline.amd.launch.LaunchFile.Copy;
import dev.warpline.amd.launch.LaunchFile.ElementType;
import dev.warpline.amd.launch.LaunchFile.Fill;
import dev.warpline.amd.launch.LaunchFile.KernelLaunch;
import dev.warpline.amd.launch.LaunchFile.Loop;
import dev.warpline.amd.launch.LaunchFile.Order;
import dev.warpline.amd.launch.LaunchFile.Read;
import dev.warpline.amd.launch.LaunchFile.Step;
import dev.warpline.engine.Activity;
import dev.warpline.engine.KernelRange;
import dev.warpline.engine.RunOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One run through the steps of a launch file, on a GPU with time or without. */
final class ProgramRun {
  private static final int MOST_GROUP = 1024;

  private final LaunchFile file;
  private final Place root;
  private final Path folder;
  private final Codes codes;
  private final LaunchDevice device;
  private final RunOptions options;
  private final Map<String, Placed> buffers = new LinkedHashMap<>();
  private final Map<String, Long> variables = new LinkedHashMap<>();
  private final List<String> failures = new ArrayList<>();
  private final Set<String> warnings = new LinkedHashSet<>();
  private final Map<Path, byte[]> written = new LinkedHashMap<>();
  private int launches;
  private boolean ended;

  /** Numbers that the program looked at, and how many of them it has seen again in a replay. */
  private final List<Double> looks = new ArrayList<>();

  private int seenAgain;

  ProgramRun(
      LaunchFile file,
      Place root,
      Path folder,
      Codes codes,
      LaunchDevice device,
      RunOptions options) {
    this.file = file;
    this.root = root;
    this.folder = folder;
    this.codes = codes;
    this.device = device;
    this.options = options;
  }

  /** Loads code and fills buffers; takes no time. */
  void prepare() throws IOException {
    Map<CodeObject, Long> bases = new LinkedHashMap<>();
    for (CodeObject object : codes.objects().values()) {
      bases.put(object, device.load(object));
    }
    for (Map.Entry<String, Buffer> entry : file.buffers().entrySet()) {
      Place place = root.field("buffers").field(entry.getKey());
      Buffer buffer = entry.getValue();
      long bytes = BufferContents.size(buffer, place, folder);
      long address =
          buffer.symbol() == null
              ? device.memory().allocate(bytes)
              : symbol(buffer.symbol(), bases, place);
      Placed placed = new Placed(address, bytes);
      BufferContents.fill(device.memory(), placed, buffer, place, folder);
      buffers.put(entry.getKey(), placed);
    }
  }

  private static long symbol(String name, Map<CodeObject, Long> bases, Place place)
      throws LaunchException {
    for (Map.Entry<CodeObject, Long> code : bases.entrySet()) {
      Optional<Long> address = code.getKey().symbolAddress(name);
      if (address.isPresent()) {
        return code.getValue() + address.get();
      }
    }
    throw place.field("symbol").found(name, "a global variable of the code");
  }

  /** Does all steps and waits for their end. */
  void run() throws IOException {
    Place place = root.field(file.steps().isEmpty() ? "launches" : "steps");
    steps(file.program(), place, file.steps().isEmpty());
    device.waitForAll(place);
  }

  private void steps(List<Step> steps, Place place, boolean plain) throws IOException {
    for (int i = 0; i < steps.size() && !ended; i++) {
      options.stop().check();
      step(steps.get(i), place.item(i), plain);
    }
  }

  private void step(Step step, Place place, boolean plain) throws IOException {
    if (step.launch() != null) {
      launch(step.launch(), plain ? place : place.field("launch"));
    } else if (step.copy() != null) {
      copy(step.copy(), place.field("copy"));
    } else if (step.set() != null) {
      set(step.set(), place.field("set"));
    } else if (step.read() != null) {
      read(step.read(), place.field("read"));
    } else if (step.check() != null) {
      check(step.check(), place.field("check"));
    } else if (step.barrier() != null) {
      device.barrier(step.barrier().order(), place.field("barrier"));
    } else if (step.waitFor() != null) {
      waitFor(step.waitFor(), place.field("waitFor"));
    } else if (step.swap() != null) {
      swap(step.swap(), place.field("swap"));
    } else {
      loop(step.loop(), place.field("loop"));
    }
  }

  private void launch(KernelLaunch launch, Place place) throws IOException {
    Codes.Found found = codes.find(launch, place);
    Kernel kernel = found.kernel();
    int[] grid = sizes(launch.grid(), Integer.MAX_VALUE, place.field("grid"));
    int[] group = sizes(launch.group(), MOST_GROUP, place.field("group"));
    long items = (long) group[0] * group[1] * group[2];
    if (items > kernel.maxGroupSize()) {
      throw place
          .field("group")
          .found(
              "groups of " + items + " work-items",
              "at most the "
                  + kernel.maxGroupSize()
                  + " kernel "
                  + kernel.name()
                  + " was compiled for");
    }
    warnOfGroupIds(kernel, grid, group, place);
    for (int r = 0; r < launch.repeat() && !ended; r++) {
      options.stop().check();
      KernargSegment arguments = arguments(kernel, launch, place);
      launches++;
      boolean chosen = options.kernels().test(launches, kernel.name());
      device.launch(
          launch.order(),
          new LaunchDevice.Launch(
              found.code(), kernel, grid, group, arguments, launch.acquire(), launch.release()),
          launches,
          chosen,
          place);
      ended = options.kernels() instanceof KernelRange range && range.isOver();
    }
  }

  /** A kernel that is not told which of several groups it is does the same in all of them. */
  private void warnOfGroupIds(Kernel kernel, int[] grid, int[] group, Place place) {
    for (int d = 0; d < 3; d++) {
      int groups = (int) ((grid[d] + (long) group[d] - 1) / group[d]);
      if (groups > 1 && !kernel.descriptor().hasGroupId(d)) {
        warnings.add(
            place.field("grid")
                + ": "
                + groups
                + " groups along "
                + "xyz".charAt(d)
                + ", but the descriptor of kernel "
                + kernel.name()
                + " does not ask for the group's number along it: all of them do the same");
      }
    }
  }

  private int[] sizes(List<String> list, long most, Place place) throws LaunchException {
    int[] sizes = {1, 1, 1};
    for (int d = 0; d < list.size(); d++) {
      long size = number(list.get(d), place.item(d));
      if (size < 1 || size > most) {
        throw place.item(d).found(String.valueOf(size), "1 to " + most);
      }
      sizes[d] = (int) size;
    }
    return sizes;
  }

  private long number(String text, Place place) throws LaunchException {
    try {
      return WholeNumber.evaluate(text, variables);
    } catch (IllegalArgumentException e) {
      throw new LaunchException(place.toString(), e);
    }
  }

  private KernargSegment arguments(Kernel kernel, KernelLaunch launch, Place place)
      throws LaunchException {
    List<KernelArgument> wanted = kernel.explicitArguments();
    Place all = place.field("arguments");
    if (wanted.size() != launch.arguments().size()) {
      throw all.found(
          launch.arguments().size() + " arguments",
          "the " + wanted.size() + " of kernel " + kernel.name());
    }
    KernargSegment segment = new KernargSegment(kernel);
    ArgumentText text = new ArgumentText(buffers, variables);
    for (int i = 0; i < wanted.size(); i++) {
      try {
        text.give(segment, i, wanted.get(i), launch.arguments().get(i).strip());
      } catch (IllegalArgumentException e) {
        throw new LaunchException(all.item(i).toString(), e);
      }
    }
    if (launch.dynamicLds() > 0) {
      segment.addDynamicLds(launch.dynamicLds());
    }
    return segment;
  }

  private Placed buffer(String name, Place place) throws LaunchException {
    Placed buffer = buffers.get(name);
    if (buffer == null) {
      throw place.found(
          "buffer " + name,
          buffers.isEmpty()
              ? "a file with buffers"
              : "one of " + String.join(", ", buffers.keySet()));
    }
    return buffer;
  }

  /** A part of a buffer: from {@code at} on, {@code bytes} or all that follow. */
  private Placed part(String name, String at, long bytes, Place place, String field, String atField)
      throws LaunchException {
    Placed whole = buffer(name, place.field(field));
    long offset = number(at, place.field(atField));
    long length = bytes == 0 ? whole.bytes() - offset : bytes;
    if (offset < 0 || length < 0 || offset > whole.bytes() - length) {
      throw place.found(
          length + " bytes at " + offset, "a part of the " + whole.bytes() + " of buffer " + name);
    }
    return new Placed(whole.address() + offset, length);
  }

  private void copy(Copy copy, Place place) throws IOException {
    Order order = Order.inOrder(copy.queue(), copy.after(), copy.signal());
    DeviceMemory memory = device.memory();
    Transfer transfer;
    if (copy.from() != null) {
      Placed from = part(copy.from(), copy.fromAt(), copy.bytes(), place, "from", "fromAt");
      Placed to = part(copy.to(), copy.at(), from.bytes(), place, "to", "at");
      transfer =
          Transfer.onDevice(
              copy.to() + " from " + copy.from(),
              memory,
              from.address(),
              to.address(),
              from.bytes());
    } else {
      long size = copy.bytes();
      if (size == 0 && copy.file() == null && copy.values() == null) {
        size = part(copy.to(), copy.at(), 0, place, "to", "at").bytes();
      }
      byte[] source = BufferContents.ofHost(copy.contents(size), place, folder);
      Placed to = part(copy.to(), copy.at(), source.length, place, "to", "at");
      transfer =
          new Transfer(
              Activity.Kind.TO_DEVICE,
              copy.to(),
              source.length,
              copy.pinned(),
              () -> memory.copyIn(to.address(), source));
    }
    device.transfer(order, transfer, !copy.async(), place);
  }

  private void set(Fill set, Place place) throws IOException {
    Placed part = part(set.buffer(), set.at(), set.bytes(), place, "buffer", "at");
    DeviceMemory memory = device.memory();
    ElementType type = set.type();
    if (part.bytes() % type.bytes() != 0) {
      throw place.found(part.bytes() + " bytes", "a multiple of the type's " + type.bytes());
    }
    Runnable move =
        () -> {
          for (long i = 0; i < part.bytes() / type.bytes(); i++) {
            BufferContents.write(memory, part.address(), type, i, set.value());
          }
        };
    device.transfer(
        Order.inOrder(set.queue(), set.after(), set.signal()),
        new Transfer(Activity.Kind.FILL, set.buffer(), part.bytes(), false, move),
        set.sync(),
        place);
  }

  private void read(Read read, Place place) throws IOException {
    Placed part = part(read.buffer(), read.at(), read.bytes(), place, "buffer", "at");
    byte[] target = new byte[(int) part.bytes()];
    device.transfer(
        Order.inOrder(read.queue(), read.after(), read.signal()),
        toHost(read.buffer(), part, target, read.pinned()),
        !read.async(),
        place);
    if (read.file() != null) {
      String name = read.file();
      for (Map.Entry<String, Long> variable : variables.entrySet()) {
        name = name.replace("{" + variable.getKey() + "}", variable.getValue().toString());
      }
      written.put(folder.resolve(name), target);
    }
  }

  private Transfer toHost(String name, Placed part, byte[] target, boolean pinned) {
    DeviceMemory memory = device.memory();
    return new Transfer(
        Activity.Kind.TO_HOST,
        name,
        target.length,
        pinned,
        () -> memory.copyOut(part.address(), target, 0, target.length));
  }

  private void check(Check check, Place place) throws IOException {
    device.waitForAll(place);
    Placed buffer = buffer(check.buffer(), place.field("buffer"));
    device.transfer(
        Order.plain(0),
        toHost(check.buffer(), buffer, new byte[(int) buffer.bytes()], false),
        true,
        place);
    String difference = device.replays() ? null : difference(check, place);
    if (difference != null) {
      failures.add(place + ": " + difference);
    }
  }

  /** What a buffer holds other than it should, or null; does not know the functional result. */
  String difference(Check check, Place place) throws IOException {
    DeviceMemory memory = device.memory();
    Placed buffer = buffer(check.buffer(), place.field("buffer"));
    if (check.pattern() != null) {
      return BufferContents.differsFromPattern(memory, buffer, check);
    }
    if (check.values() != null) {
      return BufferContents.differsFromList(memory, buffer, check);
    }
    if (check.file() != null) {
      Path path = folder.resolve(check.file());
      if (!Files.isRegularFile(path)) {
        throw place.field("file").found("no file " + path, "one with what the buffer must hold");
      }
      byte[] expected = Files.readAllBytes(path);
      DeviceMemory other = new DeviceMemory();
      long at = other.allocate(Math.max(1, expected.length));
      other.copyIn(at, expected);
      return BufferContents.differs(memory, buffer, other, new Placed(at, expected.length), check);
    }
    Placed other = buffer(check.equals(), place.field("equals"));
    return BufferContents.differs(memory, buffer, memory, other, check);
  }

  private void waitFor(LaunchFile.Wait wait, Place place) throws IOException {
    if (wait.signals().isEmpty() && wait.queues().isEmpty()) {
      device.waitForAll(place);
    }
    device.waitFor(wait.signals(), place);
    for (int queue : wait.queues()) {
      device.waitFor(queue, place);
    }
  }

  private void swap(List<String> names, Place place) throws LaunchException {
    Placed first = buffer(names.get(0), place.item(0));
    Placed second = buffer(names.get(1), place.item(1));
    buffers.put(names.get(0), second);
    buffers.put(names.get(1), first);
  }

  private void loop(Loop loop, Place place) throws IOException {
    if (loop.variable() != null
        && (variables.containsKey(loop.variable()) || buffers.containsKey(loop.variable()))) {
      throw place
          .field("variable")
          .found(loop.variable(), "a name that no buffer and no loop around has");
    }
    Condition until = loop.until();
    double before = until != null && until.changes() ? look(until, place.field("until")) : 0;
    boolean met = false;
    for (long round = 0; (loop.times() == 0 || round < loop.times()) && !met && !ended; round++) {
      if (loop.variable() != null) {
        variables.put(loop.variable(), loop.from() + round * loop.by());
      }
      steps(loop.steps(), place.field("steps"), false);
      met = until != null && !ended && holds(until, before, place.field("until"));
    }
    variables.remove(loop.variable());
    if (until != null && !met && !ended && !device.replays()) {
      failures.add(
          place.field("until") + ": did not hold after the " + loop.times() + " rounds of times");
    }
  }

  /** Copies the number to the host, as a program does that looks at it. */
  private double look(Condition condition, Place place) throws IOException {
    int bytes = condition.type().bytes();
    Placed part = part(condition.buffer(), condition.at(), bytes, place, "buffer", "at");
    device.transfer(
        Order.plain(condition.queue()),
        toHost(condition.buffer(), part, new byte[bytes], false),
        true,
        place);
    if (device.replays()) {
      return looks.get(seenAgain++);
    }
    double value = BufferContents.read(device.memory(), part.address(), condition.type(), 0);
    looks.add(value);
    return value;
  }

  private boolean holds(Condition condition, double before, Place place) throws IOException {
    double value = look(condition, place);
    if (condition.equals() != null) {
      return value == limit(condition.equals(), condition, place.field("equals"));
    }
    if (condition.not() != null) {
      return value != limit(condition.not(), condition, place.field("not"));
    }
    if (condition.below() != null) {
      return value < limit(condition.below(), condition, place.field("below"));
    }
    if (condition.above() != null) {
      return value > limit(condition.above(), condition, place.field("above"));
    }
    return value != before;
  }

  private double limit(String text, Condition condition, Place place) throws LaunchException {
    if (ValueType.isNumber(text)) {
      double number = Double.parseDouble(text.replace("inf", "Infinity").replace("nan", "NaN"));
      return condition.type() == ElementType.FLOAT ? (float) number : number;
    }
    return number(text, place);
  }

  Map<String, Placed> buffers() {
    return buffers;
  }

  /**
   * What the host has seen of the device, which a replay cannot see again.
   *
   * @param waits how often it has waited, up to now
   * @param decoded code that was decoded
   */
  record Seen(long waits, List<Double> looks, List<String> failures, List<List<Integer>> decoded) {}

  Seen seen(long waits, List<List<Integer>> decoded) {
    return new Seen(waits, List.copyOf(looks), List.copyOf(failures), decoded);
  }

  /** Begins a replay. */
  void replay(Seen before) {
    looks.addAll(before.looks());
    failures.addAll(before.failures());
  }

  /** What was read from the device. */
  Object[] read() {
    return written.values().toArray();
  }

  /** Checks of steps that failed, in words. */
  List<String> failures() {
    return failures;
  }

  /** What looks like a mistake, in words. */
  List<String> warnings() {
    return List.copyOf(warnings);
  }

  /** Files that steps want written, with their contents. */
  Map<Path, byte[]> written() {
    return written;
  }

  /** Whether it ended before its last step because all chosen kernels had run. */
  boolean ended() {
    return ended;
  }
}
