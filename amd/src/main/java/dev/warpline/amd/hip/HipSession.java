package dev.warpline.amd.hip;

import dev.warpline.amd.code.Kernel;
import dev.warpline.amd.code.KernelArgument;
import dev.warpline.amd.exec.DeviceMemory;
import dev.warpline.amd.exec.ExecutionFault;
import dev.warpline.amd.exec.MemoryFault;
import dev.warpline.amd.exec.SharedWindow;
import dev.warpline.amd.hip.HipConnection.Message;
import dev.warpline.amd.hsa.HsaDevice;
import dev.warpline.amd.hsa.HsaException;
import dev.warpline.amd.hsa.HsaStopped;
import dev.warpline.engine.Activity;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.gpu.GpuDescription;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** One program on one simulated GPU, from its first request to its last. */
final class HipSession implements AutoCloseable {
  /**
   * A program that asks nothing for so long while its streams have work may be looking at memory
   * that the GPU is to change: the simulation goes on without it.
   */
  private static final int SILENT_MILLISECONDS = 500;

  /** What is simulated before it looks whether the program has asked something. */
  private static final double SILENT_NANOS = 1000;

  private final GpuDescription gpu;
  private final RunOptions options;
  private final Progress progress;
  private final boolean functional;
  private final HipConnection connection;
  private final Consumer<String> complaints;
  private String program = "";
  private FileChannel windowFile;
  private HsaDevice device;
  private HipDevice hip;
  private HipLaunches launches;

  /** What no request can succeed after, or 0. */
  private int lost;

  private boolean wentOn;
  private boolean said;
  private HipRequest last;
  private UnfinishedSimulationException unfinished;

  HipSession(
      GpuDescription gpu,
      RunOptions options,
      Progress progress,
      boolean functional,
      HipConnection connection,
      Consumer<String> complaints) {
    this.gpu = gpu;
    this.options = options;
    this.progress = progress;
    this.functional = functional;
    this.connection = connection;
    this.complaints = complaints;
  }

  /** Answers until the program says goodbye or is gone. */
  void run() throws IOException {
    while (true) {
      Message message = next();
      if (message == null) {
        return;
      }
      last = message.request();
      if (!answer(message)) {
        said = true;
        return;
      }
    }
  }

  private Message next() throws IOException {
    if (lost == 0 && hip != null && hip.hasWork() && !connection.await(SILENT_MILLISECONDS)) {
      wentOn = true;
      try {
        while (hip.hasWork() && !connection.isWaiting()) {
          device.letTimePass(SILENT_NANOS);
        }
      } catch (HsaException | HsaStopped | ExecutionFault | MemoryFault e) {
        lose(e);
      }
    }
    return connection.receive();
  }

  /** Answers a request; false after the last. */
  private boolean answer(Message message) throws IOException {
    if (message.request() == HipRequest.HELLO) {
      hello(message);
      return true;
    }
    if (lost != 0) {
      connection.fail(lost);
      return message.request() != HipRequest.BYE;
    }
    try {
      perform(message);
    } catch (HipException e) {
      if (e.getMessage() != null) {
        complaints.accept(e.getMessage());
      }
      connection.fail(e.error());
    } catch (HsaException | HsaStopped | ExecutionFault | MemoryFault e) {
      lose(e);
      connection.fail(lost);
    } catch (UnfinishedSimulationException e) {
      unfinished = e;
      lost = HipException.LAUNCH_FAILURE;
      connection.fail(lost);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return message.request() != HipRequest.BYE;
  }

  /** The GPU cannot go on: says why, once. */
  private void lose(RuntimeException why) {
    if (why instanceof HsaStopped && launches.limit() != null) {
      unfinished = new UnfinishedSimulationException(launches.limit());
      lost = HipException.LAUNCH_FAILURE;
      return;
    }
    if (why instanceof HsaStopped) {
      unfinished = new UnfinishedSimulationException(why.getMessage());
    }
    boolean memory = why instanceof MemoryFault || why.getCause() instanceof MemoryFault;
    lost = memory ? HipException.ILLEGAL_ADDRESS : HipException.LAUNCH_FAILURE;
    complaints.accept(
        program
            + ": the GPU cannot go on ("
            + (memory ? "hipErrorIllegalAddress" : "hipErrorLaunchFailure")
            + "): "
            + why.getMessage());
  }

  private void hello(Message message) throws IOException {
    long[] words = message.words();
    program = Path.of(message.text()).getFileName().toString();
    Path file = Path.of("/proc", Long.toString(words[0]), "fd", Long.toString(words[1]));
    windowFile = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    if (words[2] != SharedWindow.BASE) {
      throw new IOException(String.format("the program's window is at 0x%x", words[2]));
    }
    SharedWindow window = new SharedWindow(windowFile, words[3]);
    AmdSpec spec = gpu.amd();
    device = new HsaDevice(spec, gpu.clocks(), options.threads(), new DeviceMemory(window));
    device.setProfile(options.profile());
    if (options.eachUnit()) {
      device.countEachUnit();
    }
    int waves = spec.computeUnits() * spec.waves().simds() * spec.waves().slotsPerSimd();
    Hostcalls hostcalls = new Hostcalls(device, waves, connection::printf, new KernelHeap(window));
    ProcessHandle process = ProcessHandle.of(words[0]).orElse(null);
    BooleanSupplier alive = () -> process != null && process.isAlive();
    launches = new HipLaunches(device, options, progress, functional, hostcalls, alive);
    device.setObserver(launches::goOn);
    hip = new HipDevice(device, window, launches);
    byte[] names = (gpu.name() + "\0" + spec.target() + "\0").getBytes(StandardCharsets.UTF_8);
    double gigabytes = spec.memory().peakGigabytes(gpu.clocks());
    long memoryKilohertz = Math.round(gpu.clocks().dramMHz() * 1000);
    connection.answer(
        0,
        names,
        window.size(),
        spec.computeUnits(),
        Math.round(gpu.clocks().coreMHz() * 1000),
        memoryKilohertz,
        Math.round(gigabytes * 8e6 / 2 / memoryKilohertz),
        spec.tcc().bytes(),
        spec.lds().bytes(),
        (long) spec.waves().simds() * spec.waves().slotsPerSimd(),
        (long) spec.waves().simds() * spec.registers().vectorRegisters() * 64,
        0);
  }

  private void perform(Message message) throws HipException, IOException {
    long[] w = message.words();
    switch (message.request()) {
      case HELLO -> throw new IllegalStateException("a second greeting");
      case BYE, SYNCHRONIZE -> {
        hip.synchronize();
        connection.answer();
      }
      case LOAD -> connection.answer(hip.load(program, message.data()));
      case UNLOAD -> {
        hip.synchronize();
        connection.answer();
      }
      case FUNCTION -> describe(hip.function(w[0], message.text()));
      case GLOBAL -> connection.answer(hip.global(w[0], message.text()));
      case LAUNCH -> {
        hip.launch(
            w[8],
            new HipDevice.Launch(
                hip.function(w[0]),
                new int[] {(int) w[1], (int) w[2], (int) w[3]},
                new int[] {(int) w[4], (int) w[5], (int) w[6]},
                (int) Math.min(w[7], Integer.MAX_VALUE / 2),
                (w[9] & 1) != 0,
                message.data()),
            w[10],
            w[11]);
        connection.answer();
      }
      case ALLOCATE -> connection.answer(hip.allocate(w[0], (int) w[1], w[2]));
      case FREE -> {
        hip.free(w[0]);
        connection.answer();
      }
      case COPY -> {
        hip.copy(w[0], w[1], w[2], w[3], w[4], w[5], w[6]);
        if (w[7] != 0) {
          hip.synchronize(w[0]);
        }
        connection.answer();
      }
      case FILL -> {
        hip.fill(w[0], w[1], w[2], w[3], (int) w[4], w[5], w[6]);
        connection.answer();
      }
      case STREAM_CREATE -> connection.answer(hip.createStream((w[0] & 1) == 0));
      case STREAM_DESTROY -> {
        hip.destroyStream(w[0]);
        connection.answer();
      }
      case STREAM_SYNCHRONIZE -> {
        hip.synchronize(w[0]);
        connection.answer();
      }
      case STREAM_QUERY -> ready(hip.query(w[0]));
      case STREAM_WAIT -> {
        hip.waitForEvent(w[0], w[1]);
        connection.answer();
      }
      case STREAM_FUNCTION -> {
        hip.call(w[0], () -> call(w[1]));
        connection.answer();
      }
      case STREAM_VALUE -> {
        hip.writeValue(w[0], w[1], w[2], (int) w[4]);
        connection.answer();
      }
      case EVENT_CREATE -> connection.answer(hip.createEvent());
      case EVENT_DESTROY -> {
        hip.destroyEvent(w[0]);
        connection.answer();
      }
      case EVENT_RECORD -> {
        hip.record(w[0], w[1]);
        connection.answer();
      }
      case EVENT_SYNCHRONIZE -> {
        hip.synchronizeEvent(w[0]);
        connection.answer();
      }
      case EVENT_QUERY -> ready(hip.queryEvent(w[0]));
      case EVENT_ELAPSED -> connection.answer(hip.elapsed(w[0], w[1]));
      case OCCUPANCY ->
          connection.answer(hip.occupancy(hip.function(w[0]), (int) w[1], (int) w[2]));
      case POINTER -> {
        HipDevice.Allocation a =
            hip.allocation(w[0]).orElseThrow(() -> new HipException(HipException.INVALID_VALUE));
        connection.answer(a.kind(), a.flags(), a.start(), a.bytes());
      }
      case MEMORY -> connection.answer(hip.freeBytes(), hip.totalBytes());
      case MISSING -> connection.answer();
    }
  }

  private void ready(boolean is) throws IOException {
    if (is) {
      connection.answer();
    } else {
      connection.fail(HipException.NOT_READY);
    }
  }

  /** A function of the program; it is called while the program waits for an answer. */
  private void call(long function) {
    try {
      connection.call(function);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void describe(int id) throws HipException, IOException {
    Kernel kernel = hip.function(id).kernel();
    List<KernelArgument> arguments = kernel.explicitArguments();
    ByteBuffer layout = ByteBuffer.allocate(8 * arguments.size()).order(ByteOrder.LITTLE_ENDIAN);
    int end = 0;
    for (KernelArgument argument : arguments) {
      layout.putInt(argument.offset()).putInt(argument.size());
      end = Math.max(end, argument.offset() + argument.size());
    }
    connection.answer(
        0,
        layout.array(),
        id,
        end,
        kernel.descriptor().groupSegmentBytes(),
        kernel.descriptor().privateSegmentBytes(),
        kernel.vgprs(),
        kernel.maxGroupSize());
  }

  /** Whether the program said goodbye. */
  boolean saidGoodbye() {
    return said;
  }

  /** Where the program stood, in words. */
  String whereItStood() {
    if (hip == null) {
      return "before its first use of HIP";
    }
    int kernels = launches.results().size();
    return String.format(
        "after %s and %d kernel%s that ended",
        last == null ? "nothing" : "a request to " + last.words(),
        kernels,
        kernels == 1 ? "" : "s");
  }

  /** What ended the simulation early, or null; the program's end is told elsewhere. */
  UnfinishedSimulationException unfinished() {
    return launches != null && launches.isAlone() ? null : unfinished;
  }

  /** Whether the simulation went on without the program, so that times depend on the host. */
  boolean wentOn() {
    return wentOn;
  }

  List<KernelResult> results() {
    return launches == null ? List.of() : List.copyOf(launches.results());
  }

  /** What the GPU did, copies too. */
  List<Activity> activities() {
    return device == null || functional ? List.of() : List.copyOf(device.activities());
  }

  long instructions() {
    return launches == null ? 0 : launches.instructions();
  }

  @Override
  public void close() throws IOException {
    if (launches != null) {
      launches.tellOfEnded();
    }
    if (device != null) {
      device.close();
    }
    if (windowFile != null) {
      windowFile.close();
    }
    connection.close();
  }
}
