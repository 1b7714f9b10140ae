package dev.warpline.amd.hsa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.amd.code.CodeObject;
import dev.warpline.amd.code.KernargSegment;
import dev.warpline.amd.code.Kernel;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.gpu.Binder;
import dev.warpline.engine.gpu.ClockSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Queues, packets and signals, on gem5's machine at 1 GHz: 4.4 us per packet of a queue. */
class QueueTest {
  private static final Path SAMPLES = Path.of("..", "examples", "amd", "co");
  private static final int PACKET_NS = 4400;
  private static final int N = 256;

  private HsaDevice device;
  private LoadedCode code;
  private Kernel kernel;
  private long input;
  private final List<Long> outputs = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    device = new HsaDevice(AmdSpec.gem5(), ClockSpec.all(1000), 1);
    code = device.load(CodeObject.read(SAMPLES.resolve("stream.gfx900.co")));
    kernel = code.kernel("relu");
    input = device.memory().allocate(4 * N);
    for (int i = 0; i < N; i++) {
      device.memory().writeInt(input + 4L * i, Float.floatToIntBits(i + 1));
    }
  }

  @AfterEach
  void stop() {
    device.close();
  }

  private void launch(HsaQueue queue, Signal done, boolean barrier) {
    long output = device.memory().allocate(4 * N);
    outputs.add(output);
    KernargSegment arguments = new KernargSegment(kernel).set(0, input).set(1, output).set(2, N);
    device.dispatch(
        queue,
        code,
        kernel,
        new int[] {N, 1, 1},
        new int[] {64, 1, 1},
        arguments,
        done,
        barrier,
        FenceScope.AGENT,
        FenceScope.AGENT);
  }

  private void launchSlow(HsaQueue queue, Signal slow) throws Exception {
    Kernel strided = code.kernel("strided_sum");
    long data = device.memory().allocate(4 * 64 * 1024);
    long sums = device.memory().allocate(4 * 1024);
    KernargSegment arguments =
        new KernargSegment(strided).set(0, data).set(1, sums).set(2, 32).set(3, 200);
    device.dispatch(
        queue,
        code,
        strided,
        new int[] {64, 1, 1},
        new int[] {64, 1, 1},
        arguments,
        slow,
        false,
        FenceScope.AGENT,
        FenceScope.AGENT);
  }

  private void allOutputsAreThere() {
    for (long output : outputs) {
      assertThat(device.memory().copyOut(output, 4 * N))
          .isEqualTo(device.memory().copyOut(input, 4 * N));
    }
  }

  @Test
  void aQueueOfFourPacketsWrapsAround() {
    HsaQueue queue = device.createQueue(4);
    for (int i = 0; i < 11; i++) {
      launch(queue, null, true);
    }
    device.drain();
    allOutputsAreThere();
    assertThat(queue.readIndex()).isEqualTo(11);
    assertThat(queue.writeIndex()).isEqualTo(11);
    for (int i = 0; i < 4; i++) {
      assertThat(device.memory().readShort(queue.slot(i)) & 0xff).isEqualTo(AqlPacket.INVALID);
    }
  }

  @Test
  void theFirstPacketIsTakenAfterThePacketDelay() {
    Signal done = device.createSignal(1);
    launch(device.createQueue(4), done, true);
    device.waitFor(done);
    assertThat(done.value()).isZero();
    assertThat(done.startNanos()).isEqualTo(PACKET_NS);
    assertThat(done.endNanos()).isGreaterThan(PACKET_NS + 500);
    KernelResult result = device.results().get(0);
    assertThat(done.endNanos() - done.startNanos())
        .as("first the packet and the descriptor are read")
        .isBetween(result.cycles() + 200, result.cycles() + 800);
  }

  @Test
  void aBarrierBitWaitsForAllEarlierPackets() {
    HsaQueue queue = device.createQueue(8);
    Signal first = device.createSignal(1);
    Signal second = device.createSignal(1);
    launch(queue, first, false);
    launch(queue, second, true);
    device.drain();
    assertThat(second.startNanos()).isGreaterThanOrEqualTo(first.endNanos());
    allOutputsAreThere();
  }

  @Test
  void withoutBarrierBitKernelsOfAQueueOverlap() throws Exception {
    HsaQueue queue = device.createQueue(8);
    Signal slow = device.createSignal(1);
    Signal fast = device.createSignal(1);
    launchSlow(queue, slow);
    launch(queue, fast, false);
    device.waitFor(fast);
    assertThat(slow.isComplete()).as("packets complete out of order").isFalse();
    assertThat(queue.readIndex()).as("but retire in order").isZero();
    device.drain();
    assertThat(queue.readIndex()).isEqualTo(2);
    assertThat(fast.endNanos()).isLessThan(slow.endNanos());
    assertThat(device.results().get(0).warnings()).isNotEmpty();
  }

  @Test
  void barrierAndWaitsForFiveSignals() {
    HsaQueue waiting = device.createQueue(8);
    HsaQueue working = device.createQueue(8);
    long[] signals = new long[5];
    for (int i = 0; i < 5; i++) {
      Signal done = device.createSignal(1);
      signals[i] = done.address();
      launch(working, done, true);
    }
    Signal all = device.createSignal(1);
    Signal after = device.createSignal(1);
    device.submit(waiting, new AqlPacket.Barrier(false, false, signals, all.address()));
    launch(waiting, after, true);
    device.drain();
    long last = new Signal(device.memory(), signals[4]).endNanos();
    assertThat(all.endNanos()).isEqualTo(last);
    assertThat(after.startNanos()).isGreaterThanOrEqualTo(last);
  }

  @Test
  void barrierOrWaitsForOneOfItsSignals() {
    HsaQueue waiting = device.createQueue(8);
    HsaQueue working = device.createQueue(8);
    Signal never = device.createSignal(1);
    Signal done = device.createSignal(1);
    Signal any = device.createSignal(1);
    launch(working, done, true);
    device.submit(
        waiting,
        new AqlPacket.Barrier(
            false, true, new long[] {never.address(), done.address()}, any.address()));
    device.drain();
    assertThat(any.endNanos()).isEqualTo(done.endNanos());
  }

  @Test
  void aBarrierNobodyCompletesIsReportedWithItsSignal() {
    HsaQueue queue = device.createQueue(8);
    Signal never = device.createSignal(1);
    device.submit(queue, new AqlPacket.Barrier(false, false, new long[] {never.address()}, 0));
    assertThatThrownBy(() -> device.drain())
        .isInstanceOf(HsaStopped.class)
        .hasMessageContaining(String.format("waits for signals 0x%x", never.address()));
  }

  @Test
  void theHostCanCompleteABarriersSignal() {
    HsaQueue queue = device.createQueue(8);
    Signal host = device.createSignal(1);
    device.submit(queue, new AqlPacket.Barrier(false, false, new long[] {host.address()}, 0));
    assertThatThrownBy(() -> device.drain()).isInstanceOf(HsaStopped.class);
    host.set(0);
    device.drain();
    assertThat(queue.readIndex()).isEqualTo(1);
  }

  @Test
  void twoQueuesRunSideBySide() {
    Signal a = device.createSignal(1);
    Signal b = device.createSignal(1);
    launch(device.createQueue(4), a, true);
    launch(device.createQueue(4), b, true);
    device.drain();
    assertThat(a.startNanos()).isEqualTo(PACKET_NS);
    assertThat(b.startNanos()).isEqualTo(PACKET_NS);
    allOutputsAreThere();
  }

  @Test
  void moreQueuesThanSlotsTakeTurns() {
    List<Signal> signals = new ArrayList<>();
    for (int i = 0; i < 13; i++) {
      Signal done = device.createSignal(1);
      signals.add(done);
      launch(device.createQueue(4), done, true);
    }
    device.drain();
    allOutputsAreThere();
    for (int i = 0; i < 13; i++) {
      assertThat(signals.get(i).startNanos())
          .as("queue %d", i)
          .isEqualTo(i < 10 ? PACKET_NS : 100_000 + PACKET_NS);
    }
  }

  @Test
  void onlySoManyPacketsOfAQueueAreInFlight() throws Exception {
    device.close();
    AmdSpec spec = Binder.read(AmdSpec.class, "packetProcessor: {bufferedPackets: 1}", "a GPU");
    device = new HsaDevice(spec, ClockSpec.all(1000), 1);
    code = device.load(CodeObject.read(SAMPLES.resolve("stream.gfx900.co")));
    kernel = code.kernel("relu");
    input = device.memory().allocate(4 * N);
    HsaQueue queue = device.createQueue(8);
    Signal slow = device.createSignal(1);
    Signal next = device.createSignal(1);
    launchSlow(queue, slow);
    launch(queue, next, false);
    device.drain();
    assertThat(next.startNanos()).isGreaterThanOrEqualTo(slow.endNanos());
  }

  @Test
  void agentAndVendorPacketsComplete() {
    HsaQueue queue = device.createQueue(8);
    Signal kernelDone = device.createSignal(1);
    Signal asked = device.createSignal(1);
    Signal vendor = device.createSignal(1);
    long answer = device.memory().allocate(8);
    launch(queue, kernelDone, true);
    device.submit(
        queue,
        new AqlPacket.AgentDispatch(
            true, AqlPacket.AgentDispatch.SIGNAL_OF_TASK, answer, 0, asked.address()));
    device.submit(queue, new AqlPacket.Vendor(false, 0, vendor.address()));
    device.drain();
    assertThat(device.memory().readLong(answer)).isEqualTo(kernelDone.address());
    assertThat(asked.isComplete()).isTrue();
    assertThat(vendor.isComplete()).isTrue();
  }

  @Test
  void aTaskRunsBetweenThePacketsBeforeAndAfterItAndTakesItsTime() {
    HsaQueue queue = device.createQueue(8);
    Signal before = device.createSignal(1);
    Signal task = device.createSignal(1);
    Signal after = device.createSignal(1);
    launch(queue, before, true);
    device.submit(
        queue,
        nanos -> {
          assertThat(before.isComplete()).isTrue();
          device.memory().fill(outputs.get(0), 4 * N, 0);
          return nanos + 1000;
        },
        task);
    launch(queue, after, true);
    device.drain();
    assertThat(device.memory().readInt(outputs.get(0))).isZero();
    assertThat(task.endNanos() - task.startNanos()).isEqualTo(1000);
    assertThat(after.startNanos()).isGreaterThanOrEqualTo(task.endNanos());
  }

  @Test
  void anInvalidPacketStopsTheQueueUntilItIsThere() {
    HsaQueue queue = device.createQueue(4);
    launch(queue, null, true);
    long slot = queue.slot(0);
    int header = device.memory().readShort(slot);
    device.memory().writeShort(slot, AqlPacket.INVALID);
    assertThatThrownBy(() -> device.drain()).isInstanceOf(HsaStopped.class);
    device.memory().writeShort(slot, header);
    device.ring(queue, 0);
    device.drain();
    allOutputsAreThere();
  }

  @Test
  void aGroupThatDoesNotFitIsRefused() {
    HsaQueue queue = device.createQueue(4);
    KernargSegment arguments =
        new KernargSegment(kernel).set(0, input).set(1, input).set(2, N).addDynamicLds(70_000);
    device.dispatch(
        queue, code, kernel, new int[] {64, 1, 1}, new int[] {64, 1, 1}, arguments, null);
    assertThatThrownBy(() -> device.drain())
        .isInstanceOf(HsaException.class)
        .hasMessageContaining("70000 bytes of LDS");
  }

  @Test
  void anUnknownKernelObjectIsRefused() {
    HsaQueue queue = device.createQueue(4);
    device.submit(
        queue,
        new AqlPacket.KernelDispatch(
            false,
            FenceScope.NONE,
            FenceScope.NONE,
            new int[] {64, 1, 1},
            new int[] {64, 1, 1},
            0,
            0,
            0x1234,
            0,
            0));
    assertThatThrownBy(() -> device.drain())
        .isInstanceOf(HsaException.class)
        .hasMessageContaining("kernel object 0x1234");
  }

  @Test
  void kernelsThatRunAtTheSameTimeHaveTheirOwnCounters() throws Exception {
    launch(device.createQueue(8), null, true);
    device.drain();
    KernelResult alone = device.results().get(0);
    Signal slow = device.createSignal(1);
    launchSlow(device.createQueue(8), slow);
    device.drain();
    KernelResult slowAlone = device.results().get(1);
    launchSlow(device.createQueue(8), null);
    launch(device.createQueue(8), null, true);
    device.drain();
    List<KernelResult> both = device.results().subList(2, 4);
    KernelResult small =
        both.stream().filter(k -> k.name().equals("relu")).findFirst().orElseThrow();
    KernelResult large =
        both.stream().filter(k -> !k.name().equals("relu")).findFirst().orElseThrow();
    assertThat(small.start()).isLessThan(large.end());
    assertThat(large.start()).isLessThan(small.end());
    assertThat(small.warpInstructions()).isEqualTo(alone.warpInstructions());
    assertThat(large.warpInstructions()).isEqualTo(slowAlone.warpInstructions());
    assertThat(small.threadInstructions()).isEqualTo(alone.threadInstructions());
    assertThat(large.threadInstructions()).isEqualTo(slowAlone.threadInstructions());
    for (KernelResult kernel : both) {
      assertThat(kernel.stalls()).containsEntry("selected", kernel.warpInstructions());
      assertThat(kernel.stalls().values().stream().mapToLong(Long::longValue).sum())
          .isEqualTo(kernel.statistics().get("cu.waveCycles").longValue());
      assertThat(kernel.warnings()).singleElement().asString().contains("each kernel's own");
      assertThat(kernel.profile()).as("nobody asked for it").isNull();
    }
    assertThat(small.statistics().get("cu.wavesCompleted")).isEqualTo(4L);
    assertThat(large.statistics().get("cu.wavesCompleted")).isEqualTo(1L);
  }
}
