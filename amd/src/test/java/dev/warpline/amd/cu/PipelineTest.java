package dev.warpline.amd.cu;

import static dev.warpline.amd.cu.TinyGpu.BARRIER;
import static dev.warpline.amd.cu.TinyGpu.END;
import static dev.warpline.amd.cu.TinyGpu.WAIT_ALL;
import static dev.warpline.amd.cu.TinyGpu.program;
import static dev.warpline.amd.cu.TinyGpu.repeat;
import static dev.warpline.amd.cu.TinyGpu.sAddU32;
import static dev.warpline.amd.cu.TinyGpu.sSleep;
import static dev.warpline.amd.cu.TinyGpu.vAddF32;
import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.amd.exec.WaveState;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.gpu.Binder;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.profile.StallReason;
import org.junit.jupiter.api.Test;

/** Cycle counts that follow from the stages, with gem5's parameters. */
class PipelineTest {
  /** Wave slots: simd * 10 + slot. */
  private static final int SIMD = 10;

  private static long cycles(int[] words, int... slots) {
    try (TinyGpu gpu = new TinyGpu()) {
      return gpu.cycles(words, slots);
    }
  }

  private static double perInstruction(int word, int... slots) {
    return (cycles(repeat(word, 24), slots) - cycles(repeat(word, 8), slots)) / 16.0;
  }

  @Test
  void dependentVectorInstructionsTakeTheBypassAndTwoStages() {
    assertThat(perInstruction(vAddF32(1, 1, 1), 0)).isEqualTo(4 + 2);
  }

  @Test
  void independentVectorInstructionsTakeTheIssuePeriod() {
    assertThat(perInstruction(vAddF32(1, 2, 3), 0))
        .as("results in the same register wait for each other")
        .isEqualTo(6);
    int[] independent = new int[25];
    int[] fewer = new int[9];
    for (int i = 0; i < 24; i++) {
      independent[i] = vAddF32(4 + i, 2, 3);
      if (i < 8) {
        fewer[i] = independent[i];
      }
    }
    independent[24] = END;
    fewer[8] = END;
    assertThat((cycles(independent, 0) - cycles(fewer, 0)) / 16.0).isEqualTo(4);
  }

  @Test
  void scalarInstructionsTakeTheIssuePeriodEvenWhenTheyDepend() {
    assertThat(perInstruction(sAddU32(1, 1, 1), 0)).isEqualTo(4);
  }

  @Test
  void wavesOnFourSimdsDoNotDisturbEachOthersVectorInstructions() {
    int[] chain = repeat(vAddF32(1, 1, 1), 24);
    long alone = cycles(chain, 0);
    assertThat(cycles(chain, 0, SIMD, 2 * SIMD, 3 * SIMD) - alone)
        .as("only the shared end of program, 4 cycles each")
        .isBetween(0L, 3 * 4L);
  }

  @Test
  void theScalarUnitIsSharedByAllSimds() {
    assertThat(perInstruction(sAddU32(1, 1, 1), 0, SIMD, 2 * SIMD, 3 * SIMD)).isEqualTo(4 * 4);
  }

  @Test
  void twoWavesOnASimdFillEachOthersGaps() {
    assertThat(perInstruction(vAddF32(1, 1, 1), 0, 1)).isEqualTo(2 * 4);
  }

  @Test
  void sleepOneTakes64Cycles() {
    long one = cycles(program(sSleep(1), END), 0);
    assertThat(cycles(program(sSleep(2), END), 0) - one).isEqualTo(64);
    assertThat(cycles(program(sSleep(127), END), 0) - one).isEqualTo(126 * 64);
  }

  @Test
  void theBarrierHoldsAGroupUntilItsLastWave() {
    try (TinyGpu gpu = new TinyGpu()) {
      // Wave 1 has SCC set and sleeps before the barrier.
      int[] words = {
        0xbf840001, // s_cbranch_scc0 +1: past the sleep
        sSleep(10),
        BARRIER,
        END
      };
      gpu.setup((wave, index) -> wave.scc = index == 1);
      assertThat(gpu.cycles(words, 0, SIMD)).isGreaterThan(640).isLessThan(740);
      assertThat(gpu.gpu().stalls()[StallReason.BARRIER.ordinal()]).isGreaterThan(1100);
    }
  }

  @Test
  void aWaveThatEndsEarlyDoesNotHoldUpTheBarrier() {
    try (TinyGpu gpu = new TinyGpu()) {
      int[] words = {
        0xbf840001, // s_cbranch_scc0 +1: past the end
        END,
        BARRIER,
        END
      };
      gpu.setup((wave, index) -> wave.scc = index == 1);
      assertThat(gpu.cycles(words, 0, SIMD)).isLessThan(200);
    }
  }

  @Test
  void aLoadThatHitsTheVectorCacheReturnsAfter107Cycles() {
    try (TinyGpu gpu = new TinyGpu()) {
      long buffer = gpu.memory.allocate(256);
      gpu.setup(
          (wave, index) -> {
            for (int lane = 0; lane < 64; lane++) {
              wave.setVector(2, lane, (int) buffer + 4 * lane);
              wave.setVector(3, lane, (int) (buffer >> 32));
            }
          });
      int[] load = {0xdc508000, 0x047f0002}; // global_load_dword v4, v[2:3], off
      int[] one = {load[0], load[1], WAIT_ALL, END};
      int[] two = {load[0], load[1], WAIT_ALL, load[0], 0x057f0002, WAIT_ALL, END};
      // Issue 1, TLB 1, request 50, coalescer 1, tag and data 4, response 50; then the wave goes on
      // through scoreboard, schedule and execute.
      assertThat(gpu.cycles(two, 0) - gpu.cycles(one, 0)).isEqualTo(107 + 2);
    }
  }

  @Test
  void ldsServesAHalfWaveInOneCycleUnlessItsBanksConflict() {
    try (TinyGpu gpu = new TinyGpu()) {
      int[] words = {0xd86c0000, 0x04000002, WAIT_ALL, END}; // ds_read_b32 v4, v2
      gpu.setup((wave, index) -> fill(wave, 4));
      long strideOne = gpu.cycles(words, 0);
      gpu.setup((wave, index) -> fill(wave, 4 * 32));
      long strideThirtyTwo = gpu.cycles(words, 0);
      assertThat(strideThirtyTwo - strideOne).as("32 instead of 1, twice").isEqualTo(2 * 31);
      gpu.setup((wave, index) -> fill(wave, 0));
      assertThat(gpu.cycles(words, 0)).as("one word for all is broadcast").isEqualTo(strideOne);
    }
  }

  @Test
  void theLdsBusFollowsTheBanksOrRunsBesideThem() {
    // A bus of 32 bytes takes 8 cycles for 64 lanes, the banks take 2.
    assertThat(ldsCycles("{}")).as("gem5").isEqualTo(2 + 4);
    assertThat(ldsCycles("lds: {busAfterBanks: false}")).as("64 bytes a cycle").isEqualTo(4);
    String narrow = "pipes: {coalescerToVrfBytes: 32}";
    assertThat(ldsCycles("{" + narrow + "}")).isEqualTo(2 + 8);
    assertThat(ldsCycles("{lds: {busAfterBanks: false}, " + narrow + "}")).isEqualTo(8);
  }

  /** Cycles from one LDS load to the next. */
  private static double ldsCycles(String settings) {
    try (TinyGpu gpu = new TinyGpu(gem5With(settings))) {
      gpu.setup((wave, index) -> fill(wave, 4));
      return (gpu.cycles(ldsLoads(12), 0) - gpu.cycles(ldsLoads(4), 0)) / 8.0;
    }
  }

  private static int[] ldsLoads(int count) {
    int[] words = new int[2 * count + 2];
    for (int i = 0; i < count; i++) {
      words[2 * i] = 0xd86c0000; // ds_read_b32 v(4 + i), v2
      words[2 * i + 1] = 4 + i << 24 | 2;
    }
    words[2 * count] = WAIT_ALL;
    words[2 * count + 1] = END;
    return words;
  }

  @Test
  void withoutAPortForFillsAMissingLineTakesTheCacheTwice() {
    assertThat(scattered(false) - scattered(true)).as("16 of 64 are there").isEqualTo(48);
  }

  /** Cycles of a load of 64 lines that the cache cannot hold. */
  private static long scattered(boolean fillPort) {
    String cache = "tcp: {bytes: 1024, ways: 16, banks: 16, latency: 4, requestLatency: 1";
    try (TinyGpu gpu = new TinyGpu(gem5With(cache + ", fillPort: " + fillPort + "}"))) {
      long buffer = gpu.memory.allocate(64 * 64);
      gpu.setup(
          (wave, index) -> {
            for (int lane = 0; lane < 64; lane++) {
              wave.setVector(2, lane, (int) buffer + 64 * lane);
              wave.setVector(3, lane, (int) (buffer >> 32));
            }
          });
      // global_load_dword v4, v[2:3], off
      return gpu.cycles(new int[] {0xdc508000, 0x047f0002, WAIT_ALL, END}, 0);
    }
  }

  private static AmdSpec gem5With(String settings) {
    try {
      return Binder.read(AmdSpec.class, settings, "a test's GPU");
    } catch (DescriptionException e) {
      throw new IllegalStateException(e);
    }
  }

  private static double perInstruction(String settings, int word, int... slots) {
    try (TinyGpu gpu = new TinyGpu(gem5With(settings))) {
      return (gpu.cycles(repeat(word, 24), slots) - gpu.cycles(repeat(word, 8), slots)) / 16.0;
    }
  }

  @Test
  void fourScalarUnitsDoNotDisturbEachOther() {
    assertThat(
            perInstruction(
                "issue: {scalarUnits: 4}", sAddU32(1, 1, 1), 0, SIMD, 2 * SIMD, 3 * SIMD))
        .isEqualTo(4);
  }

  @Test
  void aLongerOperandNetworkDelaysResults() {
    assertThat(perInstruction("issue: {operandNetwork: 3}", vAddF32(1, 1, 1), 0)).isEqualTo(6 + 2);
  }

  @Test
  void theRegisterCacheHasResultsBeforeTheRegisterFile() {
    assertThat(perInstruction("registers: {cacheRegisters: 4}", vAddF32(1, 1, 1), 0))
        .as("2 to the cache and 2 stages instead of 4 and 2")
        .isEqualTo(4);
    assertThat(perInstruction("registers: {cacheRegisters: 4, cachePipe: 3}", vAddF32(1, 1, 1), 0))
        .isEqualTo(5);
    try (TinyGpu gpu = new TinyGpu(gem5With("registers: {cacheRegisters: 1}"))) {
      gpu.cycles(repeat(vAddF32(1, 1, 1), 10), 0);
      assertThat(gpu.gpu().statistics(false).get("rfc.readHits")).isEqualTo(2 * 9L + 1);
    }
  }

  @Test
  void aWaveOfHigherPriorityGoesFirst() {
    // Wave 1, which has SCC set, raises its priority; both then compete for one SIMD.
    int[] words = new int[42];
    words[0] = 0xbf840001; // s_cbranch_scc0 +1: past s_setprio
    words[1] = 0xbf8f0003; // s_setprio 3
    for (int i = 2; i < 41; i++) {
      words[i] = vAddF32(i % 20, 30, 31);
    }
    words[41] = END;
    assertThat(lastToEnd("{}", words)).as("gem5 ignores it: the older wave is first").isEqualTo(1);
    assertThat(lastToEnd("issue: {priorities: true}", words)).isZero();
  }

  private static int lastToEnd(String settings, int[] words) {
    try (TinyGpu gpu = new TinyGpu(gem5With(settings))) {
      gpu.setup((wave, index) -> wave.scc = index == 1);
      gpu.cycles(words, 0, 1);
      return gpu.lastSlot();
    }
  }

  @Test
  void readingTheClockTakes41Cycles() {
    int[] words = {0xc0900000, 0, WAIT_ALL, END}; // s_memtime s[0:1]
    try (TinyGpu gpu = new TinyGpu(gem5With("pipes: {memtimeLatency: 100}"))) {
      assertThat(gpu.cycles(words, 0) - cycles(words, 0)).isEqualTo(100 - 41);
    }
  }

  @Test
  void theRealTimeClockTicksAt100MHz() {
    long[] times = new long[2];
    WaveState[] waves = new WaveState[1];
    // s_memtime s[0:1], s_memrealtime s[2:3]
    int[] words = {0xc0900000, 0, 0xc0940080, 0, WAIT_ALL, END};
    try (TinyGpu gpu = new TinyGpu()) {
      gpu.setup((wave, index) -> waves[0] = wave);
      gpu.cycles(words, 0);
      times[0] = waves[0].pair(0);
      times[1] = waves[0].pair(2);
    }
    assertThat(times[0]).as("1,000 MHz").isGreaterThan(100);
    assertThat(times[1]).isBetween(times[0] / 10, times[0] / 10 + 2);
  }

  @Test
  void aWaveTakes64LanesOverTheWidthOfTheSimdButNoLessThanTheIssuePeriod() {
    assertThat(independent("waves: {simdWidth: 8}")).isEqualTo(8);
    assertThat(independent("waves: {simdWidth: 64}")).as("issue period").isEqualTo(4);
    assertThat(independent("{waves: {simdWidth: 64}, issue: {issuePeriod: 1}}")).isEqualTo(1);
  }

  /**
   * Cycles per instruction of four waves of a SIMD whose instructions do not wait for each other.
   */
  private static double independent(String settings) {
    try (TinyGpu gpu = new TinyGpu(gem5With(settings))) {
      int[] many = new int[49];
      int[] few = new int[17];
      for (int i = 0; i < 48; i++) {
        many[i] = vAddF32(4 + i % 12, 2, 3);
        if (i < 16) {
          few[i] = many[i];
        }
      }
      many[48] = END;
      few[16] = END;
      int[] slots = {0, 1, 2, 3};
      return Math.rint((gpu.cycles(many, slots) - gpu.cycles(few, slots)) / 128.0);
    }
  }

  @Test
  void aFlatAccessWaitsUntilTheLdsPipeIsFreeToo() {
    try (TinyGpu gpu = new TinyGpu(gem5With("pipes: {vrfLmBus: 200}"))) {
      long buffer = gpu.memory.allocate(256);
      gpu.setup(
          (wave, index) -> {
            for (int lane = 0; lane < 64; lane++) {
              wave.setVector(1, lane, 4 * lane);
              wave.setVector(2, lane, (int) buffer + 4 * lane);
              wave.setVector(3, lane, (int) (buffer >> 32));
            }
          });
      int read = 0xd86c0000; // ds_read_b32 v5, v1
      int[] global = {read, 0x05000001, 0xdc508000, 0x047f0002, WAIT_ALL, END};
      int[] flat = {read, 0x05000001, 0xdc500000, 0x04000002, WAIT_ALL, END};
      assertThat(gpu.cycles(flat, 0) - gpu.cycles(global, 0)).isGreaterThan(100);
    }
  }

  @Test
  void computeUnitsThatShareAnInstructionCacheWithOneBankWaitForIt() {
    int[] words = repeat(vAddF32(1, 2, 3), 200);
    int[] slots = {0, 10, 20, 30, 1, 11, 21, 31};
    try (TinyGpu wide = new TinyGpu(gem5With("sqc: {banks: 8" + SQC));
        TinyGpu narrow = new TinyGpu(gem5With("sqc: {banks: 1" + SQC))) {
      wide.cycles(words, slots);
      narrow.cycles(words, slots);
      assertThat(narrow.gpu().statistics(false).get("sqc.bankCycles").longValue())
          .isGreaterThan(wide.gpu().statistics(false).get("sqc.bankCycles").longValue());
    }
  }

  private static final String SQC = ", bytes: 32768, ways: 8, latency: 1, requestLatency: 80}";

  @Test
  void aScalarLoadOfTwoLinesNeedsABankForEach() {
    assertThat(scalarBankCycles(1)).isGreaterThan(scalarBankCycles(8));
  }

  private static long scalarBankCycles(int banks) {
    try (TinyGpu gpu = new TinyGpu(gem5With("scalarCache: {banks: " + banks + SQC))) {
      long buffer = gpu.memory.allocate(128);
      gpu.setup((wave, index) -> wave.setPair(0, buffer));
      // s_load_dwordx2 s[4:5], s[0:1], 0x3c
      gpu.cycles(new int[] {0xc0060100, 0x3c, WAIT_ALL, END}, 0);
      return gpu.gpu().statistics(false).get("scalarCache.bankCycles").longValue();
    }
  }

  @Test
  void sixteenSimdsOfFourSlotsWorkSideBySide() {
    int[] words = repeat(vAddF32(1, 1, 1), 24);
    int[] slots = new int[16];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = 4 * i;
    }
    try (TinyGpu gpu = new TinyGpu(gem5With("waves: {simds: 16, slotsPerSimd: 4}"))) {
      assertThat(gpu.cycles(words, slots) - gpu.cycles(words, 0)).isLessThan(100);
    }
  }

  @Test
  void pagesFetchedAheadAreThereWhenTheyAreNeeded() {
    long demand = tlbMisses("{}");
    assertThat(tlbMisses("translation: {prefetchDepth: 1, prefetchType: fixed}"))
        .isLessThan(demand);
    assertThat(tlbMisses("translation: {prefetchDepth: 1, prefetchType: wave}")).isLessThan(demand);
  }

  /** Misses of a wave that reads one page after the other, far apart in time. */
  private static long tlbMisses(String settings) {
    try (TinyGpu gpu = new TinyGpu(gem5With(settings))) {
      long buffer = gpu.memory.allocate(16 * 4096);
      gpu.setup(
          (wave, index) -> {
            for (int page = 0; page < 5; page++) {
              for (int lane = 0; lane < 64; lane++) {
                wave.setVector(2 * page, lane, (int) buffer + 4096 * page);
                wave.setVector(2 * page + 1, lane, (int) (buffer >> 32));
              }
            }
          });
      int[] words = new int[5 * 4 + 1];
      for (int page = 0; page < 5; page++) {
        words[4 * page] = 0xdc508000; // global_load_dword v20, v[2 * page:..], off
        words[4 * page + 1] = 20 << 24 | 0x7f0000 | 2 * page;
        words[4 * page + 2] = WAIT_ALL;
        words[4 * page + 3] = sSleep(20);
      }
      words[20] = END;
      gpu.cycles(words, 0);
      return gpu.gpu().statistics(false).get("vmem.tlbMisses").longValue();
    }
  }

  private static void fill(dev.warpline.amd.exec.WaveState wave, int stride) {
    for (int lane = 0; lane < 64; lane++) {
      wave.setVector(2, lane, stride * lane);
    }
  }
}
