package dev.warpline.memory.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.gpu.FlowMemorySpec;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.gpu.Topology;
import dev.warpline.policy.hash.Mix;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The H200's memory side, seen from its SMs: latencies and rates that were measured. */
class FlowMemoryTest {
  /** Home partition 0, which SM 0 reads through: no home bit is set. */
  private static final long NEAR = 0x100;

  private static final long FAR = 0x1000;

  private FlowMemorySpec spec;
  private Topology topology;
  private FlowMemory memory;
  private final Requests[] sms = new Requests[132];

  @BeforeEach
  void start() throws IOException {
    // Without position, late banks and merging, every latency is one number.
    start(
        List.of(
            "flowMemory.positionSpread=0",
            "flowMemory.dramLateEveryNs=0",
            "flowMemory.mergedReads=1"));
  }

  private void start(List<String> settings) throws IOException {
    GpuDescription gpu = Gpus.load("h200", settings);
    spec = gpu.flowMemory();
    topology = Topology.of(gpu);
    memory = new FlowMemory(spec, gpu.clocks(), topology);
    memory.startKernel(true);
    Arrays.setAll(sms, Requests::new);
  }

  /** Lets memory answer what was asked. */
  private void serve() {
    for (Requests sm : sms) {
      sm.swap();
    }
    memory.serve(sms, sms.length);
    for (Requests sm : sms) {
      sm.swap();
    }
  }

  private long read(int sm, long time, long line, int sectors) {
    sms[sm].add(time, line, Requests.READ, sectors, 0, 0, false, Requests.LOADS, 0);
    serve();
    long reply = sms[sm].replies().time(0) - time;
    sms[sm].replies().clear();
    return reply;
  }

  @Test
  void aHitTakesTheWayThereTheSliceAndTheWayBack() {
    read(0, 0, NEAR, 1);
    long way = 91 + 58 + 91;
    assertThat(read(0, 10_000, NEAR, 1)).isBetween(way, way + 3);
  }

  @Test
  void aMissAddsDeviceMemory() {
    long miss = read(0, 0, NEAR, 1);
    long hit = read(0, 10_000, NEAR, 1);
    assertThat(miss - hit).isBetween(255L, 265L);
  }

  @Test
  void aLineOfTheOtherPartitionIsFarOnceAndNearFromThenOn() {
    read(130, 0, FAR, 1);
    long first = read(0, 10_000, FAR, 1);
    long second = read(0, 20_000, FAR, 1);
    assertThat(first - second).isBetween(178L, 184L);
  }

  @Test
  void aFarSectorComesWithTheOtherOfItsPair() {
    read(130, 0, FAR, 15);
    long far = read(0, 10_000, FAR, 1);
    assertThat(far - read(0, 20_000, FAR, 2)).isBetween(178L, 184L);
    assertThat(read(0, 30_000, FAR, 4)).isBetween(far - 2, far + 2);
  }

  @Test
  void partsOfOneLineAreWrittenOneAfterTheOther() {
    assertThat(writeParts(0)).isBetween(2400L, 2800L);
    assertThat(writeParts(128)).isLessThan(400);
  }

  /** Cycles until a thousand words are written, each a step behind the one before. */
  private long writeParts(long step) {
    memory.startKernel(true);
    for (int i = 0; i < 1000; i++) {
      long line = NEAR + i * step;
      sms[i % 132].add(i / 132, line, Requests.WRITE, 1, 1, 0, false, Requests.STORES, 1);
    }
    serve();
    for (Requests sm : sms) {
      sm.replies().clear();
    }
    return memory.storedAt();
  }

  @Test
  void deviceMemoryIsReadInPairsOfSectors() {
    long miss = read(0, 0, NEAR, 1);
    assertThat(read(0, 10_000, NEAR, 2)).isLessThan(miss - 200);
    assertThat(read(0, 20_000, NEAR, 4)).isBetween(miss - 5, miss + 5);
  }

  @Test
  void whoAsksForASectorOnItsWayWaitsForIt() {
    long first = read(0, 0, NEAR, 1);
    long second = read(1, 20, NEAR, 1);
    assertThat(second + 20).isBetween(first - 2, first + 5);
  }

  @Test
  void oneSmReceivesAtMost128BytesPerCycle() {
    for (int i = 0; i < 2000; i++) {
      read(0, 0, i * 128L, 15);
    }
    int lines = 2000;
    long last = 0;
    for (int i = 0; i < lines; i++) {
      sms[0].add(100_000 + i, i * 128L, Requests.READ, 15, 0, 0, false, Requests.LOADS, i);
    }
    serve();
    for (int i = 0; i < lines; i++) {
      last = Math.max(last, sms[0].replies().time(i));
    }
    assertThat(lines * 128.0 / (last - 100_240)).isBetween(110.0, 129.0);
  }

  @Test
  void aGroupOfSmsReceivesAtMost700BytesPerCycle() {
    List<Integer> group = topology.groups().get(1);
    for (int i = 0; i < 4000; i++) {
      read(group.get(0), 0, i * 128L, 15);
    }
    for (int i = 0; i < 4000; i++) {
      sms[group.get(i % 16)].add(
          500_000 + i / 16, i * 128L, Requests.READ, 15, 0, 0, false, Requests.LOADS, i);
    }
    serve();
    long last = 0;
    for (int sm : group) {
      for (int i = 0; i < sms[sm].replies().count(); i++) {
        last = Math.max(last, sms[sm].replies().time(i));
      }
    }
    assertThat(4000 * 128.0 / (last - 500_240)).isBetween(620.0, 710.0);
  }

  @Test
  void readsOfOneGroupThatComeTogetherReachL2Once() throws IOException {
    start(List.of("flowMemory.positionSpread=0"));
    sms[0].add(0, NEAR, Requests.READ, 15, 0, 0, false, Requests.LOADS, 0);
    sms[1].add(10, NEAR, Requests.READ, 15, 0, 0, false, Requests.LOADS, 0);
    sms[2].add(10, NEAR, Requests.READ, 15, 0, 0, false, Requests.LOADS, 0);
    serve();
    // SM 2 belongs to another group.
    assertThat(memory.statistics().get("l2.smReadSectors").longValue()).isEqualTo(8);
    assertThat(memory.statistics().get("l2.mergedSectors").longValue()).isEqualTo(4);
  }

  @Test
  void atomicsOnOneWordFollowEachOther() {
    for (int i = 0; i < 1000; i++) {
      sms[i % 132].add(i / 132, NEAR, Requests.REDUCTION, 1, 0, 1, false, Requests.LOADS, -2);
    }
    serve();
    assertThat(memory.storedAt()).isBetween(1450L, 2000L);
  }

  @Test
  void aStoredLineStaysInL2AndIsReadFromThere() {
    sms[0].add(0, NEAR, Requests.WRITE, 15, -1, 0, false, Requests.LOADS, -5);
    serve();
    sms[0].replies().clear();
    read(0, 10_000, NEAR, 15);
    assertThat(memory.statistics().get("dram.bytesRead").longValue()).isZero();
    assertThat(memory.statistics().get("dram.bytesWritten").longValue()).isZero();
  }

  @Test
  void aWriteAtHomeMakesTheOtherPartitionsCopyOld() {
    read(130, 0, FAR, 3);
    long far = read(0, 10_000, FAR, 3);
    long near = read(0, 20_000, FAR, 3);
    sms[130].add(30_000, FAR, Requests.WRITE, 1, 0xff, 0, false, Requests.LOADS, -2);
    serve();
    sms[130].replies().clear();
    assertThat(read(0, 40_000, FAR, 2)).isBetween(near - 2, near + 2);
    assertThat(read(0, 50_000, FAR, 1)).isBetween(far - 5, far + 5);
    assertThat(read(0, 60_000, FAR, 1)).isBetween(near - 2, near + 2);
    memory.put(FAR, 128);
    assertThat(read(0, 70_000, FAR, 1)).isBetween(far - 5, far + 5);
  }

  @Test
  void aSectorWrittenInPartIsFetchedWhenItIsRead() {
    sms[0].add(0, NEAR, Requests.WRITE, 1, 1, 0, false, Requests.LOADS, -2);
    serve();
    sms[0].replies().clear();
    read(0, 10_000, NEAR, 1);
    assertThat(memory.statistics().get("dram.bytesRead").longValue()).isEqualTo(64);
  }

  /** Cycles that one SM of each group takes to stream lines from device memory. */
  private long stream(String... settings) throws IOException {
    List<String> all =
        new ArrayList<>(List.of("flowMemory.positionSpread=0", "flowMemory.dramLateEveryNs=0"));
    all.addAll(List.of(settings));
    start(all);
    int lines = 20_000;
    for (int i = 0; i < lines; i++) {
      sms[i % sms.length].add(
          0, NEAR + i * 128L, Requests.READ, 15, 0, 0, false, Requests.LOADS, i);
    }
    serve();
    long last = 0;
    for (Requests sm : sms) {
      for (int i = 0; i < sm.replies().count(); i++) {
        last = Math.max(last, sm.replies().time(i));
      }
    }
    return last;
  }

  @Test
  void halfTheDramClockIsHalfItsBandwidth() throws IOException {
    long latency = 2 * 91 + 58 + 258 + 180;
    // So narrow that nothing but device memory limits the stream.
    double all = stream("flowMemory.dramClockBytes=0.1x") - latency;
    double half = stream("flowMemory.dramClockBytes=0.1x", "clocks.dramMHz=0.5x") - latency;
    assertThat(half / all).isBetween(1.9, 2.1);
  }

  @Test
  void aFasterCoreFindsDeviceMemoryAsFastInTimeAndSlowerInItsCycles() throws IOException {
    double base = stream("flowMemory.dramClockBytes=0.1x");
    double fast = stream("flowMemory.dramClockBytes=0.1x", "clocks.coreMHz=2x");
    assertThat(fast / base).isBetween(1.95, 2.05);
  }

  /** A miss and a hit of a near line, in core cycles. */
  private List<Long> missAndHit(String... clocks) throws IOException {
    List<String> settings = new ArrayList<>(List.of(clocks));
    settings.add("flowMemory.positionSpread=0");
    settings.add("flowMemory.dramLateEveryNs=0");
    start(settings);
    return List.of(read(0, 0, NEAR, 1), read(0, 50_000, NEAR, 1));
  }

  @Test
  void everythingBehindAnSmKeepsItsTimeWhenTheCoreIsFaster() throws IOException {
    List<Long> base = missAndHit();
    List<Long> fast = missAndHit("clocks.coreMHz=2x");
    assertThat(fast.get(0)).isBetween(2 * base.get(0) - 4, 2 * base.get(0) + 2);
    assertThat(fast.get(1)).isBetween(2 * base.get(1) - 4, 2 * base.get(1) + 2);
  }

  @Test
  void theWayFollowsTheClockOfTheNetworkAndTheLookupThatOfL2() throws IOException {
    long hit = missAndHit().get(1);
    assertThat(hit - missAndHit("clocks.interconnectMHz=2x").get(1)).isBetween(90L, 92L);
    assertThat(hit - missAndHit("clocks.l2MHz=2x").get(1)).isBetween(28L, 30L);
    assertThat(missAndHit("clocks.l2MHz=0.5x").get(1) - hit).isBetween(57L, 60L);
  }

  @Test
  void atItsOwnClocksAnH200TakesTheCyclesThatWereMeasured() throws IOException {
    FlowTimes times = FlowTimes.of(Gpus.load("h200").flowMemory(), Gpus.load("h200").clocks());
    assertThat(List.of(times.request(), times.reply(), times.hit(), times.far()))
        .containsExactly(91.0, 91.0, 58.0, 180.0);
    // Bytes per cycle: 700 into a GPC, 372 out of it, 590 between the partitions.
    assertThat(List.of(times.groupRead(4), times.groupWrite(2), times.link(1)))
        .containsExactly(128 / 700.0, 64 / 372.0, 32 / 590.0);
    assertThat(List.of(times.readSector(), times.writeSector(), times.atomicFloat()))
        .containsExactly(0.583, 0.8, 3.5);
  }

  @Test
  void aMissOfAStandardTakesItsCommandsAndTheController() throws IOException {
    start(
        List.of(
            "flowMemory.positionSpread=0",
            "flowMemory.mergedReads=1",
            "flowMemory.dram.standard=hbm3"));
    long miss = read(0, 0, NEAR, 1);
    long hit = read(0, 10_000, NEAR, 1);
    // 100.3 ns, then activate, read and data in 30 ns: 258 core cycles.
    assertThat(miss - hit).isBetween(256L, 260L);
    long row = read(0, 20_000, NEAR + 32 * 1024 * 192L * 2, 1);
    assertThat(row).as("a row of another stretch").isGreaterThanOrEqualTo(miss - 2);
  }

  /** GB/s that reach the SMs when they ask for lines in a row, faster than one stack gives them. */
  private double rate(String... settings) throws IOException {
    List<String> all = new ArrayList<>(List.of("flowMemory.dram.stacks=1"));
    all.addAll(List.of(settings));
    start(all);
    int lines = 40_000;
    for (int i = 0; i < lines; i++) {
      sms[i % sms.length].add(i / 8, i * 128L, Requests.READ, 15, 0, 0, false, Requests.LOADS, i);
    }
    serve();
    long last = 0;
    for (Requests sm : sms) {
      for (int i = 0; i < sm.replies().count(); i++) {
        last = Math.max(last, sm.replies().time(i));
      }
    }
    return lines * 128.0 / (last - 600) * 1.98;
  }

  @Test
  void aStreamGetsMostOfWhatTheStandardHas() throws IOException {
    // Peaks of 819, 256 and 56 GB/s, less bank groups that repeat, rows that conflict, refreshes.
    double hbm3 = rate("flowMemory.dram.standard=hbm3");
    assertThat(hbm3).isBetween(0.7 * 819, 819.0);
    assertThat(rate("flowMemory.dram.standard=hbm2")).isBetween(0.7 * 256, 256.0);
    assertThat(rate("flowMemory.dram.standard=gddr6")).isBetween(0.7 * 56, 56.0);
    double half = rate("flowMemory.dram.standard=hbm3", "clocks.dramMHz=0.5x");
    assertThat(hbm3 / half).isBetween(1.6, 2.1);
  }

  /** Accesses per cycle to sectors here and there in 1 GB. */
  private double scattered(int kind, int words, String... settings) throws IOException {
    start(List.of(settings));
    int count = 300_000;
    for (int i = 0; i < count; i++) {
      long line = (Mix.mix(i) >>> 10) % (1 << 23) * 128;
      sms[i % sms.length].add(i / 40, line, kind, 1, words, 0, false, Requests.STORES, 1);
    }
    serve();
    long last = 0;
    for (Requests sm : sms) {
      for (int i = 0; i < sm.replies().count(); i++) {
        last = Math.max(last, sm.replies().time(i));
      }
    }
    return (double) count / last;
  }

  /** {@code random_dram.cu}: 19.9 read, 15.5 written, 8.2 written in part. */
  @Test
  void sectorsHereAndThereAreReadFasterThanWrittenAndInPartSlowest() throws IOException {
    String small = "flowMemory.l2MiB=4";
    assertThat(scattered(Requests.READ, 0)).isBetween(17.0, 21.0);
    assertThat(scattered(Requests.WRITE, 0xff, small)).isBetween(13.0, 17.0);
    assertThat(scattered(Requests.WRITE, 1, "flowMemory.partialLines=1000")).isBetween(7.0, 9.5);
  }

  /**
   * {@code scattered_stores.cu}, a word of sectors anywhere in 16 MB: from 4 to 6 stores of each of
   * 67,584 threads 10,369 cycles and 75,000 sectors made whole, to 12 another 22,835 and 140,000.
   */
  @Test
  void makingSectorsWholeTakesTimeThatStoresToOthersNeed() throws IOException {
    double[] four = stored(4);
    double[] six = stored(6);
    double[] twelve = stored(12);
    assertThat(six[0] - four[0]).isBetween(9_500.0, 11_500.0);
    assertThat(twelve[0] - six[0]).isBetween(21_000.0, 24_500.0);
    assertThat(six[1] - four[1]).isBetween(65_000.0, 80_000.0);
    assertThat(twelve[1] - six[1]).isBetween(125_000.0, 145_000.0);
  }

  /** Cycles and sectors read for stores of a word each to random sectors of 16 MB. */
  private double[] stored(int each) throws IOException {
    start(List.of());
    int count = each * 67_584;
    for (int i = 0; i < count; i++) {
      long sector = Mix.mix(i + 1) >>> 20 & (1 << 19) - 1;
      int words = 1 << 8 * (int) (sector & 3);
      long line = (sector >>> 2) * 128;
      int sectors = 1 << (int) (sector & 3);
      sms[i % sms.length].add(i / 38, line, Requests.WRITE, sectors, words, 0, false, 0, 1);
    }
    serve();
    double bytes = memory.statistics().get("dram.bytesRead").doubleValue();
    return new double[] {memory.storedAt(), bytes / 32};
  }

  /** {@code local_stores.cu}: 12 to 15 % fewer sectors per cycle. */
  @Test
  void partsOfLocalMemoryAreWrittenMoreSlowly() throws IOException {
    double global = scattered(Requests.WRITE, 1, "flowMemory.partialLines=1000000");
    double local = scattered(Requests.WRITE | Requests.LOCAL, 1, "flowMemory.partialLines=1000000");
    assertThat(local / global).isBetween(0.84, 0.92);
  }

  @Test
  void timesOfDeviceMemoryAreNotRoundedToWholeCycles() throws IOException {
    assertThat(Gpus.load("h200").clocks().cycles(spec.dramRowNs())).isEqualTo(2.277);
    assertThat(Gpus.load("h200").clocks().cycles(spec.dramTurnNs())).isEqualTo(0.5);
    assertThat(spec.dramBytesPerCycle(Gpus.load("h200").clocks())).isEqualTo(25.25);
  }
}
