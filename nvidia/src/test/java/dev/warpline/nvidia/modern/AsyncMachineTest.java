package dev.warpline.nvidia.modern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.trace.KernelBuilder;
import dev.warpline.trace.MemoryTrace;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Small kernels of copies, mbarriers, matrix products and clusters on an H200. */
class AsyncMachineTest {
  private static final String INIT_ONE = "Val 1 0x1ffffe 1 0x7ffff800";

  private int pc;

  private static KernelBuilder kernel(String name) {
    return new KernelBuilder(name).tracerVersion(6).registers(32).sharedBytes(40_000);
  }

  private void line(KernelBuilder kernel, String text) {
    kernel.line(String.format("%04x %s", pc, text));
    pc += 16;
  }

  private void init(KernelBuilder kernel, int address) {
    line(
        kernel,
        "00000001 0 SYNCS.EXCH.64 0 8 2 0x" + Integer.toHexString(address) + " 0 0 " + INIT_ONE);
  }

  private void arrive(KernelBuilder kernel, String modifiers, int address, int bytes) {
    line(
        kernel,
        String.format(
            "00000001 1 R255 SYNCS.ARRIVE.TRANS64%s 1 R2 4 2 0x%x 0 0 Val 1 0x%x 1 0x0",
            modifiers, address, bytes));
  }

  private void await(KernelBuilder kernel, int address, int parity) {
    line(
        kernel,
        String.format(
            "ffffffff 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R6 R3 4 1 0x%x 0 0 0 Val 1 0x%x 1 0x0",
            address, parity << 31));
  }

  private void load(KernelBuilder kernel, int barrier, String multicast, int bytes) {
    StringBuilder deltas = new StringBuilder();
    for (int i = 1; i < bytes / 32; i++) {
      deltas.append(" 32");
    }
    line(
        kernel,
        String.format(
            "00000001 0 UBLKCP.S.G 0 32 0x%x %s %d 0 4 0x7f0010000000 %d%s 0 0 NoVal",
            barrier, multicast, bytes, bytes / 32, deltas));
  }

  private void exit(KernelBuilder kernel) {
    line(kernel, "ffffffff 0 EXIT 0 0 0 0 NoVal");
  }

  private static KernelResult run(KernelBuilder kernel, int threads) throws IOException {
    RunOptions options = new RunOptions(threads, 0, 0, (id, name) -> true);
    return new ModernMachine(Gpus.load("h200"), true)
        .run(new MemoryTrace("test").launch(kernel.build()), options, Progress.NONE)
        .kernels()
        .get(0);
  }

  private KernelBuilder copies(int bytes, int times) {
    pc = 0;
    KernelBuilder kernel = kernel("copies").warp(0, 0);
    init(kernel, 0x400);
    for (int i = 0; i < times; i++) {
      arrive(kernel, "", 0x400, bytes);
      load(kernel, 0x400, "0", bytes);
      await(kernel, 0x400, i & 1);
    }
    exit(kernel);
    return kernel;
  }

  @Test
  void aBulkCopyThatHitsL2Takes330CyclesAndMoreByItsBytes() throws IOException {
    long small = run(copies(128, 9), 1).cycles() - run(copies(128, 1), 1).cycles();
    assertThat(small / 8).isBetween(315L, 365L);
    long large = run(copies(32768, 9), 1).cycles() - run(copies(32768, 1), 1).cycles();
    assertThat(large / 8).isBetween(580L, 690L);
  }

  @Test
  void everyByteOfACopyIsAskedOfL2Once() throws IOException {
    KernelResult result = run(copies(4096, 3), 1);
    assertThat(result.statistics().get("copies.copySectors").longValue()).isEqualTo(3 * 128);
    assertThat(result.statistics().get("copies.copies").longValue()).isEqualTo(3);
  }

  @Test
  void howOftenATracePolledDoesNotMatter() throws IOException {
    KernelBuilder twice = kernel("polls").warp(0, 0);
    pc = 0;
    init(twice, 0x400);
    arrive(twice, "", 0x400, 128);
    load(twice, 0x400, "0", 128);
    for (int i = 0; i < 3; i++) {
      await(twice, 0x400, 0);
      line(twice, "ffffffff 0 BRA 0 0 0 0 NoVal");
    }
    exit(twice);
    KernelResult polled = run(twice, 1);
    assertThat(polled.warpInstructions()).isEqualTo(10);
    assertThat(polled.cycles())
        .isBetween(run(copies(128, 1), 1).cycles(), 60 + run(copies(128, 1), 1).cycles());
  }

  @Test
  void aWaitThatNobodyEndsIsReportedWithItsBarrier() {
    KernelBuilder kernel = kernel("stuck").warp(0, 0);
    init(kernel, 0x400);
    await(kernel, 0x400, 0);
    exit(kernel);
    assertThatThrownBy(() -> run(kernel, 1))
        .isInstanceOf(UnfinishedSimulationException.class)
        .hasMessageContaining("stands still")
        .hasMessageContaining(
            "waits for mbarrier (mbarrier 0x400, phase 0: 1 of 1 arrivals missing,"
                + " 0 bytes outstanding)");
  }

  @Test
  void lanesWhosePhaseTheTraceDoesNotHaveAreNotWaitedFor() throws IOException {
    pc = 0;
    KernelBuilder kernel = kernel("drain").warp(0, 0);
    init(kernel, 0x400);
    init(kernel, 0x408);
    arrive(kernel, "", 0x400, 0);
    // Two barriers by lane, one value: that of the first lane, whose phase 0 has ended.
    line(
        kernel,
        "00000003 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R6 R3 4 1 0x400 8 0 0 Val 1 0x0 1 0x0");
    exit(kernel);
    assertThat(run(kernel, 1).warpInstructions()).isEqualTo(5);
  }

  @Test
  void bytesThatNeverComeAreReported() {
    KernelBuilder kernel = kernel("short").warp(0, 0);
    init(kernel, 0x400);
    arrive(kernel, "", 0x400, 8192);
    load(kernel, 0x400, "0", 4096);
    await(kernel, 0x400, 0);
    exit(kernel);
    assertThatThrownBy(() -> run(kernel, 1)).hasMessageContaining("4096 bytes outstanding");
  }

  @Test
  void aBarrierThatWasNeverInitialisedIsAnError() {
    KernelBuilder kernel = kernel("uninitialised").warp(0, 0);
    await(kernel, 0x440, 0);
    exit(kernel);
    assertThatThrownBy(() -> run(kernel, 1))
        .isInstanceOf(UnfinishedSimulationException.class)
        .hasMessageContaining("mbarrier at shared address 0x440 is used but was never initialised");
  }

  @Test
  void aClusterThatNoGroupCanHoldIsRefused() {
    KernelBuilder kernel =
        kernel("wide").grid(32, 1, 1).cluster(32, 1, 1).sharedBytes(200_000).warp(0, 0);
    exit(kernel);
    assertThatThrownBy(() -> run(kernel, 1))
        .isInstanceOf(UnfinishedSimulationException.class)
        .hasMessageContaining("a cluster of 32 blocks cannot run: the largest group has 18 SMs");
  }

  @Test
  void aGridThatClustersDoNotDivideIsRefused() {
    KernelBuilder kernel = kernel("odd").grid(3, 1, 1).cluster(2, 1, 1).warp(0, 0);
    exit(kernel);
    assertThatThrownBy(() -> run(kernel, 1))
        .hasMessageContaining("a grid of (3,1,1) blocks cannot be cut into clusters of (2,1,1)");
  }

  /** Two blocks; each copies half of the data to both, as a multicast. */
  private KernelBuilder multicast() {
    KernelBuilder kernel = kernel("multicast").grid(2, 1, 1).cluster(2, 1, 1);
    for (int rank = 0; rank < 2; rank++) {
      pc = 0;
      kernel.warp(rank, 0);
      init(kernel, 0x400);
      line(kernel, "ffffffff 0 UCGABAR_ARV 0 0 0 0 NoVal");
      line(kernel, "ffffffff 0 UCGABAR_WAIT 0 0 0 0 NoVal");
      arrive(kernel, "", 0x400, 8192);
      load(kernel, 0x400, "1 0x3", 4096);
      await(kernel, 0x400, 0);
      exit(kernel);
    }
    return kernel;
  }

  @Test
  void aMulticastIsReadOnceAndReachesEveryBlockOfItsMask() throws IOException {
    KernelResult result = run(multicast(), 1);
    assertThat(result.statistics().get("copies.copySectors").longValue()).isEqualTo(2 * 128);
  }

  @Test
  void aMulticastToABlockThatIsNotThereIsAnError() {
    KernelBuilder kernel = kernel("beyond").grid(2, 1, 1).cluster(2, 1, 1);
    for (int rank = 0; rank < 2; rank++) {
      pc = 0;
      kernel.warp(rank, 0);
      init(kernel, 0x400);
      arrive(kernel, "", 0x400, 128);
      load(kernel, 0x400, "1 0x5", 128);
      await(kernel, 0x400, 0);
      exit(kernel);
    }
    assertThatThrownBy(() -> run(kernel, 1))
        .hasMessageContaining("an instruction names block 2 of a cluster of 2");
  }

  @Test
  void aBlockMayArriveAtAnotherBlocksBarrier() throws IOException {
    KernelBuilder kernel = kernel("remote").grid(2, 1, 1).cluster(2, 1, 1);
    kernel.warp(0, 0);
    init(kernel, 0x400);
    line(kernel, "ffffffff 0 UCGABAR_ARV 0 0 0 0 NoVal");
    line(kernel, "ffffffff 0 UCGABAR_WAIT 0 0 0 0 NoVal");
    await(kernel, 0x400, 0);
    exit(kernel);
    pc = 0x200;
    kernel.warp(1, 0);
    line(kernel, "ffffffff 0 UCGABAR_ARV 0 0 0 0 NoVal");
    line(kernel, "ffffffff 0 UCGABAR_WAIT 0 0 0 0 NoVal");
    arrive(kernel, ".RED.A1T0", 0x400, 0);
    exit(kernel);
    assertThat(run(kernel, 1).warpInstructions()).isEqualTo(9);
  }

  @Test
  void clustersGiveTheSameResultForEveryNumberOfThreads() throws IOException {
    KernelResult one = run(multicast(), 1);
    assertThat(run(multicast(), 2)).isEqualTo(one);
    assertThat(run(multicast(), 5)).isEqualTo(one);
  }

  /** Four warps, so many dependent m64n128k16 products, one group, one wait. */
  private KernelBuilder products(int count) {
    KernelBuilder kernel = kernel("products").block(128, 1, 1);
    for (int warp = 0; warp < 4; warp++) {
      pc = 0;
      kernel.warp(0, warp);
      line(kernel, "ffffffff 0 WARPGROUP.ARRIVE 0 0 0 0 NoVal");
      for (int i = 1; i <= count; i++) {
        line(
            kernel,
            "ffffffff 1 R24 HGMMA.64x128x16.F32 1 R24 " + (i == count ? 1 : 0) + " 0 0 0 NoVal");
      }
      line(kernel, "ffffffff 0 WARPGROUP.DEPBAR.LE 0 0 0 0 NoVal");
      exit(kernel);
    }
    return kernel;
  }

  @Test
  void aMatrixProductOf128ColumnsTakes64Cycles() throws IOException {
    long difference = run(products(12), 1).cycles() - run(products(2), 1).cycles();
    assertThat(difference / 10).isBetween(63L, 66L);
  }

  @Test
  void aWarpWaitsForRegistersUntilAnotherGivesThem() throws IOException {
    KernelBuilder kernel = kernel("registers").block(64, 1, 1).registers(168);
    kernel.warp(0, 0);
    line(kernel, "ffffffff 0 USETMAXREG.TRY_ALLOC.CTAPOOL 0 0 240 0 NoVal");
    exit(kernel);
    pc = 0x100;
    kernel.warp(0, 1);
    line(kernel, "ffffffff 0 NANOSLEEP 0 0 0 0 NoVal");
    line(kernel, "ffffffff 0 USETMAXREG.DEALLOC.CTAPOOL 0 0 40 0 NoVal");
    exit(kernel);
    assertThat(run(kernel, 1).warpInstructions()).isEqualTo(5);
  }

  @Test
  void registersThatNobodyGivesStopTheKernel() {
    KernelBuilder kernel = kernel("no registers").registers(168).warp(0, 0);
    line(kernel, "ffffffff 0 USETMAXREG.TRY_ALLOC.CTAPOOL 0 0 240 0 NoVal");
    exit(kernel);
    assertThatThrownBy(() -> run(kernel, 1)).hasMessageContaining("stands still");
  }

  @Test
  void whatIsNotModelledIsSaidOpcodeByOpcode() throws IOException {
    KernelBuilder kernel = kernel("blackwell").binaryVersion(100).warp(0, 0);
    line(kernel, "ffffffff 0 UTCHMMA 0 0 0 0 NoVal");
    line(kernel, "ffffffff 0 UTCBAR 0 0 0 0 NoVal");
    line(kernel, "00000001 0 UBLKCP.S.S 0 32 0x400 0 32 0 4 0x1000000 1 0 0 NoVal");
    exit(kernel);
    assertThat(run(kernel, 1).warnings())
        .anyMatch(warning -> warning.startsWith("UTCHMMA: not modelled"))
        .anyMatch(warning -> warning.startsWith("UTCBAR: not modelled"))
        .anyMatch(warning -> warning.startsWith("UBLKCP.S.S: copies between shared memories"));
  }
}
