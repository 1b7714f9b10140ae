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
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;

/**
 * Buffers and launches of one measured call. It is run twice on a device; the time of the second
 * run is taken between two markers, as between two hipEvents.
 */
final class MeasuredCall {
  private static final int QUEUE_SIZE = 1024;

  private record Launch(Kernel kernel, int[] grid, int[] group, Object[] arguments) {}

  /** A {@code __local} argument. */
  record LdsShare(int bytes) {}

  private final HsaDevice device;
  private final LoadedCode code;
  private final List<Launch> launches = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom(1);
  private double hostMicroseconds;

  MeasuredCall(HsaDevice device, Path codeFolder, String source) throws IOException {
    this.device = device;
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
    for (int i = 0; i < count; i++) {
      device.memory().writeInt(address + 4L * i, value.applyAsInt(i));
    }
    return address;
  }

  /** An argument that is a share of the LDS. */
  static LdsShare lds(int bytes) {
    return new LdsShare(bytes);
  }

  /** The call copies this many bytes from the host before it launches anything. */
  void copyFromHost(long bytes) {
    hostMicroseconds += HostCopy.microseconds(bytes);
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
    return this;
  }

  private static int roundUp(int size, int group) {
    return (size + group - 1) / group * group;
  }

  int launches() {
    return launches.size();
  }

  /** Runs everything twice; milliseconds of the second time. */
  double milliseconds() {
    HsaQueue queue = device.createQueue(QUEUE_SIZE);
    launchAll(queue);
    device.drain();
    Signal before = device.createSignal(1);
    Signal after = device.createSignal(1);
    device.submit(queue, new AqlPacket.Barrier(true, false, new long[0], before.address()));
    launchAll(queue);
    device.submit(queue, new AqlPacket.Barrier(true, false, new long[0], after.address()));
    device.waitFor(after);
    return (after.endNanos() - before.endNanos()) / 1e6 + hostMicroseconds / 1e3;
  }

  private void launchAll(HsaQueue queue) {
    for (int n = 0; n < launches.size(); n++) {
      Launch launch = launches.get(n);
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
      // The event after the last kernel has its time stamp before the caches are written back.
      FenceScope release = n == launches.size() - 1 ? FenceScope.NONE : FenceScope.AGENT;
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
          release);
    }
  }
}
