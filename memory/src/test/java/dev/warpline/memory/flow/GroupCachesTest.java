package dev.warpline.memory.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.gpu.Topology;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lines of code and constants that the SMs of an H200 ask of their GPCs' caches. */
class GroupCachesTest {
  private static final int WAY = 102;

  /** From a GPC's cache to L2 and back. */
  private static final int TO_L2 = 149;

  private static final long CODE = 1L << 48;

  private Topology topology;
  private FlowMemory memory;
  private GroupCaches caches;
  private final Requests[] sms = new Requests[132];

  @BeforeEach
  void start() throws IOException {
    start(List.of());
  }

  private void start(List<String> more) throws IOException {
    List<String> settings = new ArrayList<>(more);
    settings.add("flowMemory.dramLateEveryNs=0");
    GpuDescription gpu = Gpus.load("h200", settings);
    topology = Topology.of(gpu);
    memory = new FlowMemory(gpu.flowMemory(), gpu.clocks(), topology);
    memory.startKernel(true);
    caches = new GroupCaches(gpu.modern(), topology, memory);
    caches.startKernel(true);
    Arrays.setAll(sms, Requests::new);
  }

  private void ask(int sm, long time, long address, int count) {
    sms[sm].addLine(time, address, count, WAY, Requests.INSTRUCTIONS, 7);
  }

  /** Cycles until each reply of an SM, asked at a time. */
  private List<Long> answers(int sm, long time) {
    caches.serve(sms, sms.length);
    List<Long> waits = new ArrayList<>();
    for (int i = 0; i < sms[sm].lineReplies().count(); i++) {
      waits.add(sms[sm].lineReplies().time(i) - time);
    }
    sms[sm].lineReplies().clear();
    return waits;
  }

  private long statistic(String name) {
    return memory.statistics().get(name).longValue();
  }

  @Test
  void whatALaunchBroughtIsThereWhenItIsAskedForAndKeepsTheClientsNumber() {
    ask(0, 2000, CODE, Requests.LAUNCHED);
    caches.serve(sms, sms.length);
    assertThat(sms[0].lineReplies().time(0)).isEqualTo(2000 + WAY);
    assertThat(sms[0].lineReplies().client(0)).isEqualTo(Requests.INSTRUCTIONS);
    assertThat(sms[0].lineReplies().number(0)).isEqualTo(7);
  }

  @Test
  void theSmsOfAGpcGetALineEachCycleAndThoseOfAnotherDoNotWaitForThem() {
    List<Integer> gpc = topology.groups().get(0);
    for (int sm : gpc) {
      for (int i = 0; i < 4; i++) {
        ask(sm, 2000, CODE, Requests.LAUNCHED);
      }
    }
    int elsewhere = topology.groups().get(1).get(0);
    ask(elsewhere, 2000, CODE, Requests.LAUNCHED);
    assertThat(answers(elsewhere, 2000)).containsExactly((long) WAY);
    long last = 0;
    for (int sm : gpc) {
      last = Math.max(last, answers(sm, 2000).get(3));
    }
    // Time is reserved in pieces of 16 cycles.
    assertThat(last - WAY).isBetween(4L * gpc.size() - 17, 4L * gpc.size());
  }

  @Test
  void aLineThatWasPushedOutComesFromL2() throws IOException {
    start(List.of("modern.supply.l15Lines=1", "flowMemory.positionSpread=0"));
    ask(0, 2000, CODE, Requests.LAUNCHED);
    ask(0, 3000, CODE + 128, Requests.LAUNCHED);
    ask(0, 4000, CODE, Requests.LAUNCHED);
    long again = answers(0, 4000).get(2);
    // 45 cycles a line with six lines ahead, and 267 for a jump, were measured.
    assertThat(again).isBetween(WAY + TO_L2 + 19L, WAY + TO_L2 + 25L);
  }

  @Test
  void constantsOfAProgramWaitInDeviceMemoryAndComeInLargerPieces() {
    ask(0, 2000, CODE, 2);
    assertThat(answers(0, 2000).get(0)).isGreaterThan(WAY + TO_L2 + 250L);
    assertThat(statistic("dram.bytesRead")).isEqualTo(1536 + 2 * 128);
    ask(0, 9000, CODE, 2);
    assertThat(answers(0, 9000)).containsExactly((long) WAY);
  }

  @Test
  void codeStaysFromLaunchToLaunchAndConstantsComeAnew() {
    long table = GroupCaches.CONSTANTS + (3L << 22);
    for (boolean cold : new boolean[] {false, true}) {
      ask(0, 9000, CODE, 1);
      ask(0, 9000, table, 1);
      caches.serve(sms, sms.length);
      sms[0].lineReplies().clear();
      caches.startKernel(cold);
      ask(0, 2000, CODE, 1);
      assertThat(answers(0, 2000).get(0) == WAY).isEqualTo(!cold);
      ask(0, 5000, table, 1);
      assertThat(answers(0, 5000).get(0)).isGreaterThan(WAY + TO_L2 - 30L);
    }
  }

  @Test
  void aLaunchAndItsCodeAreReadFromDeviceMemoryOnce() {
    assertThat(statistic("dram.bytesRead")).isEqualTo(1536);
    for (List<Integer> gpc : topology.groups()) {
      ask(gpc.get(0), 2000, CODE, Requests.LAUNCHED);
    }
    caches.serve(sms, sms.length);
    assertThat(statistic("dram.bytesRead")).isEqualTo(1536 + 128);
    assertThat(caches.statistics().get("l15.fills").longValue())
        .isEqualTo(topology.groups().size());
    assertThat(statistic("l2.smReadSectors")).isZero();
  }
}
