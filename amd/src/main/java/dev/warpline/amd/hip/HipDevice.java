package dev.warpline.amd.hip;

import dev.warpline.amd.code.CodeObject;
import dev.warpline.amd.code.CodeObjectException;
import dev.warpline.amd.code.KernargSegment;
import dev.warpline.amd.code.Kernel;
import dev.warpline.amd.exec.DeviceMemory;
import dev.warpline.amd.exec.SharedWindow;
import dev.warpline.amd.hsa.AqlPacket;
import dev.warpline.amd.hsa.DeviceTask;
import dev.warpline.amd.hsa.FenceScope;
import dev.warpline.amd.hsa.HsaDevice;
import dev.warpline.amd.hsa.HsaQueue;
import dev.warpline.amd.hsa.LoadedCode;
import dev.warpline.amd.hsa.Signal;
import dev.warpline.amd.hsa.Transfer;
import dev.warpline.engine.Activity.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A simulated GPU as HIP sees it: modules, memory, streams and events, each with a number by which
 * the program knows it. Everything that a stream does is a packet of a queue; simulated time passes
 * only while the program waits.
 */
final class HipDevice {
  /** Memory that the program asked for. */
  record Allocation(long start, long bytes, int kind, long flags) {
    static final int HOST = 1;

    boolean isHost() {
      return kind == HOST;
    }
  }

  /** A kernel that can be launched. */
  record Function(LoadedCode code, Kernel kernel) {}

  private static final class Stream {
    private final HsaQueue queue;
    private final boolean blocking;

    /** Complete when the stream's last work is, or null before there was any. */
    private Signal last;

    Stream(HsaQueue queue, boolean blocking) {
      this.queue = queue;
      this.blocking = blocking;
    }

    boolean isIdle() {
      return last == null || last.isComplete();
    }
  }

  /** ROCm's runtime spreads streams over so many queues. */
  private static final int STREAM_QUEUES = 4;

  private static final int QUEUE_SIZE = 1024;

  private static final long DEFAULT_STREAM = 0;

  private final HsaDevice device;
  private final SharedWindow window;
  private final HipLaunches launches;
  private final List<LoadedCode> modules = new ArrayList<>();
  private final List<Function> functions = new ArrayList<>();
  private final TreeMap<Long, Allocation> allocations = new TreeMap<>();
  private final Map<Long, Stream> streams = new HashMap<>();
  private final List<HsaQueue> queues = new ArrayList<>();

  /** By event: complete when the event has happened; null before it is recorded. */
  private final Map<Long, Signal> events = new HashMap<>();

  private long nextHandle = 1;
  private int nextQueue;

  HipDevice(HsaDevice device, SharedWindow window, HipLaunches launches) {
    this.device = device;
    this.window = window;
    this.launches = launches;
    streams.put(DEFAULT_STREAM, new Stream(device.createQueue(QUEUE_SIZE), true));
  }

  DeviceMemory memory() {
    return device.memory();
  }

  /** Whether some stream has work that is not complete. */
  boolean hasWork() {
    return streams.values().stream().anyMatch(s -> !s.isIdle());
  }

  // ---- code

  int load(String program, byte[] image) throws HipException {
    String name = program + ": code object " + (modules.size() + 1);
    try {
      CodeObject object = CodeObject.parse(name, image, Optional.of(device.target()));
      modules.add(device.load(object));
      return modules.size() - 1;
    } catch (CodeObjectException e) {
      throw new HipException(HipException.NO_BINARY, e.getMessage());
    }
  }

  private LoadedCode module(long id) throws HipException {
    if (id < 0 || id >= modules.size()) {
      throw new HipException(HipException.INVALID_HANDLE);
    }
    return modules.get((int) id);
  }

  int function(long module, String name) throws HipException {
    LoadedCode code = module(module);
    try {
      functions.add(new Function(code, code.kernel(name)));
      return functions.size() - 1;
    } catch (CodeObjectException e) {
      throw new HipException(HipException.NOT_FOUND, e.getMessage());
    }
  }

  Function function(long id) throws HipException {
    if (id < 0 || id >= functions.size()) {
      throw new HipException(HipException.INVALID_HANDLE);
    }
    return functions.get((int) id);
  }

  /** Address and bytes of a variable. */
  long[] global(long module, String name) throws HipException {
    LoadedCode code = module(module);
    CodeObject.Variable variable =
        code.object().variable(name).orElseThrow(() -> new HipException(HipException.NOT_FOUND));
    return new long[] {code.base() + variable.address(), variable.bytes()};
  }

  // ---- memory

  long allocate(long bytes, int kind, long flags) throws HipException, IOException {
    long address = bytes > window.size() ? 0 : window.allocate(bytes);
    if (address == 0) {
      throw new HipException(
          HipException.OUT_OF_MEMORY,
          String.format(
              "out of memory: %d bytes more than the %d that are taken of %d",
              bytes, window.allocatedBytes(), window.size()));
    }
    allocations.put(address, new Allocation(address, bytes, kind, flags));
    return address;
  }

  /** Waits for everything, as the program may rely on it, and gives memory back. */
  void free(long address) throws HipException {
    if (!allocations.containsKey(address)) {
      throw new HipException(HipException.INVALID_VALUE);
    }
    synchronize();
    allocations.remove(address);
    window.free(address);
  }

  /** The allocation around an address. */
  Optional<Allocation> allocation(long address) {
    Map.Entry<Long, Allocation> entry = allocations.floorEntry(address);
    return entry == null || address >= entry.getKey() + entry.getValue().bytes()
        ? Optional.empty()
        : Optional.of(entry.getValue());
  }

  private boolean isHost(long address) {
    return address == 0 || allocation(address).map(Allocation::isHost).orElse(false);
  }

  long freeBytes() {
    return window.size() - window.allocatedBytes();
  }

  long totalBytes() {
    return window.size();
  }

  /**
   * A copy of rows in a stream.
   *
   * @param to 0 where the program copies by itself, when the stream is there
   * @param from 0 likewise
   */
  void copy(long stream, long to, long toPitch, long from, long fromPitch, long width, long height)
      throws HipException {
    checkRows(to, toPitch, width, height);
    checkRows(from, fromPitch, width, height);
    Kind kind =
        isHost(to) == isHost(from) ? Kind.ON_DEVICE : isHost(to) ? Kind.TO_HOST : Kind.TO_DEVICE;
    Runnable move =
        () -> {
          for (long row = 0; row < height && to != 0 && from != 0; row++) {
            memory().copy(from + row * fromPitch, to + row * toPitch, width);
          }
        };
    transfer(stream, new Transfer(kind, kind.words(), width * height, to != 0 && from != 0, move));
  }

  private void transfer(long id, Transfer transfer) throws HipException {
    if (launches.isFunctional()) {
      enqueue(
          id,
          nanos -> {
            transfer.move().run();
            return nanos;
          });
      return;
    }
    Stream stream = stream(id);
    order(id, stream);
    stream.last = device.createSignal(1);
    device.transfer(stream.queue, transfer, stream.last);
  }

  private void checkRows(long address, long pitch, long width, long height) throws HipException {
    if (address != 0 && !memory().isMapped(address, pitch * (height - 1) + width)) {
      throw new HipException(
          HipException.INVALID_VALUE,
          String.format(
              "a copy or fill of %d bytes at 0x%x reaches past what is allocated there",
              pitch * (height - 1) + width, address));
    }
  }

  void fill(long stream, long to, long pitch, long value, int element, long count, long rows)
      throws HipException {
    checkRows(to, pitch, element * count, rows);
    Runnable move =
        () -> {
          for (long row = 0; row < rows; row++) {
            long at = to + row * pitch;
            if (element == 1) {
              memory().fill(at, count, (int) value);
            } else {
              for (long i = 0; i < count; i++) {
                write(at + i * element, value, element);
              }
            }
          }
        };
    transfer(
        stream, new Transfer(Kind.FILL, Kind.FILL.words(), element * count * rows, true, move));
  }

  private void write(long at, long value, int bytes) {
    switch (bytes) {
      case 2 -> memory().writeShort(at, (int) value);
      case 4 -> memory().writeInt(at, (int) value);
      default -> memory().writeLong(at, value);
    }
  }

  void writeValue(long stream, long address, long value, int bytes) throws HipException {
    checkRows(address, bytes, bytes, 1);
    enqueue(
        stream,
        nanos -> {
          write(address, value, bytes);
          return nanos;
        });
  }

  // ---- streams

  long createStream(boolean blocking) {
    HsaQueue queue;
    if (queues.size() < STREAM_QUEUES) {
      queue = device.createQueue(QUEUE_SIZE);
      queues.add(queue);
    } else {
      queue = queues.get(nextQueue++ % STREAM_QUEUES);
    }
    long id = nextHandle++;
    streams.put(id, new Stream(queue, blocking));
    return id;
  }

  void destroyStream(long id) throws HipException {
    await(stream(id));
    streams.remove(id);
  }

  private Stream stream(long id) throws HipException {
    Stream stream = streams.get(id);
    if (stream == null) {
      throw new HipException(HipException.INVALID_HANDLE);
    }
    return stream;
  }

  /**
   * What precedes work of a stream: the default stream waits for all others and these for it, but
   * for those that were created not to.
   */
  private void order(long id, Stream stream) {
    List<Signal> before = new ArrayList<>();
    if (id == DEFAULT_STREAM) {
      for (Stream other : streams.values()) {
        if (other != stream && other.blocking && !other.isIdle()) {
          before.add(other.last);
        }
      }
    } else if (stream.blocking && !streams.get(DEFAULT_STREAM).isIdle()) {
      before.add(streams.get(DEFAULT_STREAM).last);
    }
    await(stream, before);
  }

  private void await(Stream stream, List<Signal> signals) {
    for (int i = 0; i < signals.size(); i += AqlPacket.Barrier.MAX_SIGNALS) {
      int end = Math.min(signals.size(), i + AqlPacket.Barrier.MAX_SIGNALS);
      long[] addresses = signals.subList(i, end).stream().mapToLong(Signal::address).toArray();
      device.submit(stream.queue, new AqlPacket.Barrier(true, false, addresses, 0));
    }
  }

  /** Puts a task at the end of a stream. */
  private Signal enqueue(long id, DeviceTask task) throws HipException {
    Stream stream = stream(id);
    order(id, stream);
    stream.last = device.createSignal(1);
    device.submit(stream.queue, task, stream.last);
    return stream.last;
  }

  void synchronize(long id) throws HipException {
    await(stream(id));
  }

  private void await(Stream stream) {
    if (!stream.isIdle()) {
      device.waitFor(stream.last);
    }
  }

  /** Lets time pass until all streams are done. */
  void synchronize() {
    for (Stream stream : streams.values()) {
      await(stream);
    }
  }

  /** Whether a stream has done everything; a little time passes if not. */
  boolean query(long id) throws HipException {
    Stream stream = stream(id);
    if (!stream.isIdle()) {
      launches.letTimePass();
    }
    return stream.isIdle();
  }

  /** Calls a function of the program when the stream is there. */
  void call(long stream, Runnable function) throws HipException {
    enqueue(
        stream,
        nanos -> {
          function.run();
          return nanos;
        });
  }

  void waitForEvent(long id, long event) throws HipException {
    Signal signal = event(event);
    if (signal != null && !signal.isComplete()) {
      Stream stream = stream(id);
      await(stream, List.of(signal));
      enqueue(id, nanos -> nanos);
    }
  }

  // ---- events

  long createEvent() {
    long id = nextHandle++;
    events.put(id, null);
    return id;
  }

  private Signal event(long id) throws HipException {
    if (!events.containsKey(id)) {
      throw new HipException(HipException.INVALID_HANDLE);
    }
    return events.get(id);
  }

  void destroyEvent(long id) throws HipException {
    event(id);
    events.remove(id);
  }

  void record(long id, long stream) throws HipException {
    event(id);
    events.put(id, enqueue(stream, nanos -> nanos));
  }

  void synchronizeEvent(long id) throws HipException {
    Signal signal = event(id);
    if (signal != null && !signal.isComplete()) {
      device.waitFor(signal);
    }
  }

  boolean queryEvent(long id) throws HipException {
    Signal signal = event(id);
    if (signal != null && !signal.isComplete()) {
      launches.letTimePass();
    }
    return signal == null || signal.isComplete();
  }

  /** Nanoseconds from one event to another. */
  long elapsed(long start, long stop) throws HipException {
    Signal first = event(start);
    Signal second = event(stop);
    if (first == null || second == null) {
      throw new HipException(HipException.INVALID_HANDLE);
    }
    if (!first.isComplete() || !second.isComplete()) {
      throw new HipException(HipException.NOT_READY);
    }
    return second.endNanos() - first.endNanos();
  }

  // ---- launches

  /** A launch, as the program asks for it. */
  record Launch(
      Function function,
      int[] grid,
      int[] group,
      int dynamicLds,
      boolean cooperative,
      byte[] arguments) {}

  void launch(long streamId, Launch launch, long start, long stop) throws HipException {
    check(launch);
    if (start != 0) {
      record(start, streamId);
    }
    Stream stream = stream(streamId);
    Kernel kernel = launch.function.kernel();
    KernargSegment arguments =
        new KernargSegment(kernel).setAll(launch.arguments).addDynamicLds(launch.dynamicLds);
    launches.complete(arguments, launch);
    if (launches.isTimed(kernel)) {
      order(streamId, stream);
      stream.last = device.createSignal(1);
      device.dispatch(
          stream.queue,
          launch.function.code(),
          kernel,
          launch.grid,
          launch.group,
          arguments,
          stream.last,
          true,
          FenceScope.AGENT,
          FenceScope.AGENT);
    } else {
      int number = device.countLaunch();
      enqueue(
          streamId,
          nanos -> {
            launches.execute(number, launch, arguments);
            return nanos;
          });
    }
    if (stop != 0) {
      record(stop, streamId);
    }
  }

  private void check(Launch launch) throws HipException {
    Kernel kernel = launch.function.kernel();
    if (Hostcalls.wants(kernel, "hidden_printf_buffer")) {
      throw new HipException(
          HipException.LAUNCH_FAILURE,
          "kernel "
              + kernel.name()
              + " was compiled with -mprintf-kind=buffered; expected -mprintf-kind=hostcall");
    }
    long threads = 1;
    for (int d = 0; d < 3; d++) {
      if (launch.group[d] < 1 || launch.grid[d] < 1) {
        throw new HipException(HipException.INVALID_CONFIGURATION);
      }
      threads *= launch.group[d];
    }
    if (threads > kernel.maxGroupSize()) {
      throw new HipException(
          threads > 1024 ? HipException.INVALID_CONFIGURATION : HipException.LAUNCH_FAILURE,
          String.format(
              "kernel %s: a block of %d threads; it was compiled for at most %d",
              kernel.name(), threads, kernel.maxGroupSize()));
    }
    int fitting = occupancy(launch.function, (int) threads, launch.dynamicLds);
    if (fitting == 0) {
      throw new HipException(
          HipException.OUT_OF_RESOURCES,
          String.format(
              "kernel %s: a block of %d threads with %d bytes of LDS does not fit a compute unit",
              kernel.name(), threads, kernel.descriptor().groupSegmentBytes() + launch.dynamicLds));
    }
    if (launch.cooperative) {
      long blocks = 1;
      for (int d = 0; d < 3; d++) {
        blocks *= (launch.grid[d] + (long) launch.group[d] - 1) / launch.group[d];
      }
      if (blocks > (long) fitting * device.computeUnits()) {
        throw new HipException(HipException.COOPERATIVE_TOO_LARGE);
      }
    }
  }

  /** Blocks of a kernel that fit a compute unit. */
  int occupancy(Function function, int threads, int dynamicLds) {
    return device.occupancy(function.code(), function.kernel(), threads, dynamicLds);
  }
}
