package dev.warpline.amd.hsa;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.amd.code.CodeObject;
import dev.warpline.amd.code.KernargSegment;
import dev.warpline.amd.code.Kernel;
import dev.warpline.engine.Activity;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.gpu.Binder;
import dev.warpline.engine.gpu.ClockSpec;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Copies and fills through queues, on gem5's machine at 1 GHz: a nanosecond is a cycle. */
class TransferTest {
  private static final int PACKET = 4400;

  private static HsaDevice device(String transfers) throws Exception {
    AmdSpec spec =
        Binder.read(AmdSpec.class, "transfers: {" + transfers + "}", "transfers of a test");
    return new HsaDevice(spec, ClockSpec.all(1000), 1);
  }

  /** Cycles of one transfer of this many bytes. */
  private static long cycles(String transfers, Activity.Kind kind, int bytes, boolean pinned)
      throws Exception {
    try (HsaDevice device = device(transfers)) {
      device.transfer(
          device.createQueue(4), new Transfer(kind, "x", bytes, pinned, () -> {}), null);
      device.drain();
      return device.activities().get(0).cycles();
    }
  }

  @Test
  void aCopyFromTheHostIsStagedWhenSmallAndPinnedWhenLarge() throws Exception {
    String numbers =
        "stagedBytes: 1000, stagedNs: 10, stagedGigabytes: 2, pinNs: 30, hostGigabytes: 4";
    for (Activity.Kind kind : List.of(Activity.Kind.TO_DEVICE, Activity.Kind.TO_HOST)) {
      assertThat(cycles(numbers, kind, 1000, false)).isEqualTo(10 + 1000 / 2);
      assertThat(cycles(numbers, kind, 2000, false)).isEqualTo(30 + 2000 / 4);
      assertThat(cycles(numbers, kind, 1000, true)).as("nothing to stage").isEqualTo(10 + 250);
    }
  }

  @Test
  void aCopyOnTheGpuAndAFillHaveTheirOwnRate() throws Exception {
    String numbers = "deviceStartNs: 7, deviceGigabytes: 8";
    assertThat(cycles(numbers, Activity.Kind.ON_DEVICE, 800, false)).isEqualTo(107);
    assertThat(cycles(numbers, Activity.Kind.FILL, 800, false)).isEqualTo(107);
  }

  @Test
  void asManyCopiesRunAtATimeAsThereAreEngines() throws Exception {
    for (int engines = 1; engines <= 3; engines++) {
      try (HsaDevice device =
          device("engines: " + engines + ", deviceStartNs: 0, deviceGigabytes: 1")) {
        for (int queue = 0; queue < 3; queue++) {
          device.transfer(
              device.createQueue(4),
              new Transfer(Activity.Kind.FILL, "x", 6000, false, () -> {}),
              null);
        }
        device.drain();
        assertThat(Activity.busyCycles(device.activities()))
            .as(engines + " engines")
            .isEqualTo(6000L * (engines == 1 ? 3 : engines == 2 ? 2 : 1));
      }
    }
  }

  @Test
  void dataMoveAtTheEndInTheOrderOfTheQueue() throws Exception {
    try (HsaDevice device = device("")) {
      long a = device.memory().allocate(8);
      long b = device.memory().allocate(8);
      byte[] back = new byte[8];
      HsaQueue queue = device.createQueue(8);
      byte[] source = {1, 2, 3, 4, 5, 6, 7, 8};
      device.transfer(queue, Transfer.toDevice("a", device.memory(), a, source), null);
      device.transfer(queue, Transfer.onDevice("b", device.memory(), a, b, 8), null);
      device.transfer(queue, Transfer.fill("b", device.memory(), b, 4, 9), null);
      Signal done = device.createSignal(1);
      device.transfer(queue, Transfer.toHost("b", device.memory(), b, back), done);
      assertThat(device.memory().readLong(a)).as("nothing moves before time passes").isZero();
      device.waitFor(done);
      assertThat(back).containsExactly(9, 9, 9, 9, 5, 6, 7, 8);
      assertThat(device.activities())
          .extracting(Activity::kind)
          .containsExactly(
              Activity.Kind.TO_DEVICE,
              Activity.Kind.ON_DEVICE,
              Activity.Kind.FILL,
              Activity.Kind.TO_HOST);
      assertThat(done.endNanos()).isEqualTo(device.activities().get(3).complete());
    }
  }

  @Test
  void aKernelsTimesFollowEachOtherFromDoorbellToCompletion() throws Exception {
    AmdSpec spec =
        Binder.read(
            AmdSpec.class,
            "{packetProcessor: {launchNs: 300, completeNs: 500}}",
            "times of a launch");
    try (HsaDevice device = new HsaDevice(spec, ClockSpec.all(1000), 1)) {
      LoadedCode code =
          device.load(CodeObject.read(Path.of("..", "examples", "amd", "co", "stream.gfx900.co")));
      Kernel kernel = code.kernel("relu");
      long data = device.memory().allocate(256);
      KernargSegment arguments = new KernargSegment(kernel).set(0, data).set(1, data).set(2, 64);
      int[] size = {64, 1, 1};
      device.dispatch(device.createQueue(4), code, kernel, size, size, arguments, null);
      device.drain();
      Activity launch = device.activities().get(0);
      assertThat(launch.kind()).isEqualTo(Activity.Kind.KERNEL);
      assertThat(launch.kernel()).isEqualTo(1);
      assertThat(launch.name()).isEqualTo("relu");
      assertThat(launch.submitted()).isZero();
      assertThat(launch.taken()).isEqualTo(PACKET);
      assertThat(launch.start()).isBetween(PACKET + 500L, PACKET + 1100L);
      assertThat(launch.cycles()).isEqualTo(device.results().get(0).cycles());
      assertThat(launch.complete()).isEqualTo(launch.end() + 500);
    }
  }

  @Test
  void workThatOverlapsCountsOnce() {
    assertThat(
            Activity.busyCycles(
                List.of(work(10, 20), work(15, 30), work(16, 18), work(40, 45), work(5, 6))))
        .isEqualTo(1 + 20 + 5);
  }

  private static Activity work(long from, long until) {
    return new Activity(Activity.Kind.KERNEL, 1, "k", 0, 0, 0, 0, from, until, until);
  }
}
