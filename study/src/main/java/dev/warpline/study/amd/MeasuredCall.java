package dev.warpline.study.amd;

import dev.warpline.amd.code.CodeObject;
import dev.warpline.amd.code.KernargSegment;
import dev.warpline.amd.code.Kernel;
import dev.warpline.amd.hsa.AqlPacket;
import dev.warpline.amd.hsa.FenceScope;
import dev.warpline.amd.hsa.HsaDevice;
import dev.warpline.amd.hsa.HsaQueue;
import dev.warpline.amd.hsa.LoadedCode;
import dev.warpline.amd.hsa.Signal;
import dev.warpline.engine.gpu.AmdSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;

/**
 * Buffers and launches of one measured call. It is run until the device is warm; then times are
 * taken between two markers, as between two hipEvents, and the least of them counts.
 */
final class MeasuredCall {
  private static final int QUEUE_SIZE = 1024;

  private static final int MOST_WARM_UPS = 50;

  /** A call that takes long does not notice what is cold: no more warm-ups after this time. */
  private static final long WARM_UP_NANOS = 1_000_000;

  /** The measured time is the least of 51; here they differ little, and long ones not at all. */
  private static final int MEASURED_CALLS = 4;

  private static final double SHORT_NANOS = 25_000;

  private record Launch(Kernel kernel, int[] grid, int[] group, Object[] arguments) {
    int groups() {
      return grid[0] / group[0] * (grid[1] / group[1]);
    }
  }

  /** Stands between launches where the host waits. */
  private static final Launch SYNC = new Launch(null, null, null, null);

  /** A {@code __local} argument. */
  record LdsShare(int bytes) {}

  private final HsaDevice device;
  private final AmdSpec spec;
  private final LoadedCode code;
  private final List<Launch> launches = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom(1);
  private HostTimes.Work work = HostTimes.Work.NONE;
  private Runnable reset = () -> {};

  MeasuredCall(HsaDevice device, AmdSpec spec, Path codeFolder, String source) throws IOException {
    this.device = device;
    this.spec = spec;
    Path file = codeFolder.resolve(source + "." + device.target().processor() + ".co");
    code = device.load(CodeObject.read(file, Optional.of(device.target())));
  }

  long zeros(long bytes) {
    return device.memory().allocate(bytes);
  }

  long floats(long count) {
    long address = zeros(4 * count);
    for (long i = 0; i < count; i++) {
      device.memory().writeInt(address + 4 * i, Float.floatToRawIntBits(random.nextInt(1000)));
    }
    return address;
  }

  long ints(long count, int below) {
    long address = zeros(4 * count);
    for (long i = 0; i < count; i++) {
      device.memory().writeInt(address + 4 * i, random.nextInt(below));
    }
    return address;
  }

  /** Integers by their index. */
  long fill(long count, IntUnaryOperator value) {
    long address = zeros(4 * count);
    write(address, count, value);
    return address;
  }

  /** Overwrites integers by their index. */
  void write(long address, long count, IntUnaryOperator value) {
    for (int i = 0; i < count; i++) {
      device.memory().writeInt(address + 4L * i, value.applyAsInt(i));
    }
  }

  /** An argument that is a share of the LDS. */
  static LdsShare lds(int bytes) {
    return new LdsShare(bytes);
  }

  /** The call copies this many bytes from or to the host, and the host waits for that. */
  void copy(long bytes) {
    work = work.withCopy(bytes);
  }

  /** The host waits until everything launched so far is done. */
  void sync() {
    work = work.withSync();
    launches.add(SYNC);
  }

  /** What the host does to memory before each call. */
  void before(Runnable reset) {
    this.reset = reset;
  }

  MeasuredCall launch(String kernel, int grid, int group, Object... arguments) throws IOException {
    return launch2d(kernel, grid, 1, group, 1, arguments);
  }

  MeasuredCall launch2d(
      String kernel, int gridX, int gridY, int groupX, int groupY, Object... arguments)
      throws IOException {
    int[] group = {groupX, groupY, 1};
    int[] grid = {roundUp(gridX, groupX), roundUp(gridY, groupY), 1};
    launches.add(new Launch(code.kernel(kernel), grid, group, arguments));
    work = work.withLaunch();
    return this;
  }

  private static int roundUp(int size, int group) {
    return (size + group - 1) / group * group;
  }

  /** What it asks of the host. */
  HostTimes.Work work() {
    return work;
  }

  /**
   * Runs everything until every compute unit is warm; milliseconds of the shortest of a few calls
   * after that. Packets and arguments lie in other lines of memory in each.
   */
  double milliseconds() {
    HsaQueue queue = device.createQueue(QUEUE_SIZE);
    int needed = warmUps();
    for (int n = 0; n < needed && (n == 0 || device.nanos() < WARM_UP_NANOS); n++) {
      call(queue);
    }
    double least = call(queue);
    for (int n = 1; n < MEASURED_CALLS && least < SHORT_NANOS; n++) {
      least = Math.min(least, call(queue));
    }
    return least / 1e6;
  }

  /** One call; nanoseconds between the markers around it. */
  private double call(HsaQueue queue) {
    reset.run();
    Signal before = device.createSignal(1);
    Signal after = device.createSignal(1);
    device.submit(queue, new AqlPacket.Barrier(true, false, new long[0], before.address()));
    launchAll(queue);
    device.submit(queue, new AqlPacket.Barrier(true, false, new long[0], after.address()));
    device.waitFor(after);
    return after.endNanos() - before.endNanos();
  }

  /**
   * Calls until each kernel has been on every compute unit, whose instruction cache and TLB know it
   * then. The measured time is the least of 51 calls.
   */
  private int warmUps() {
    Map<String, Integer> groups = new HashMap<>();
    for (Launch launch : launches) {
      if (launch == SYNC) {
        continue;
      }
      groups.merge(launch.kernel.name(), launch.groups(), Integer::sum);
    }
    // Groups are dealt to the dies in turn, and there to the compute units.
    int perDie = Math.max(1, Collections.min(groups.values()) / spec.dies());
    int units = (spec.computeUnits() + spec.dies() - 1) / spec.dies();
    return Math.min(MOST_WARM_UPS, (units + perDie - 1) / perDie);
  }

  private void launchAll(HsaQueue queue) {
    for (Launch launch : launches) {
      if (launch == SYNC) {
        device.drain();
        continue;
      }
      KernargSegment segment = new KernargSegment(launch.kernel);
      for (int i = 0; i < launch.arguments.length; i++) {
        Object value = launch.arguments[i];
        if (value instanceof Float number) {
          segment.set(i, number);
        } else if (value instanceof LdsShare share) {
          segment.setLocal(i, share.bytes);
        } else {
          segment.set(i, ((Number) value).longValue());
        }
      }
      device.dispatch(
          queue,
          code,
          launch.kernel,
          launch.grid,
          launch.group,
          segment,
          null,
          true,
          FenceScope.AGENT,
          FenceScope.AGENT);
    }
  }
}
