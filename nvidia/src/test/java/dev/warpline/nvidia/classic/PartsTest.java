package dev.warpline.nvidia.classic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.gpu.ClassicCoreSpec;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.trace.KernelBuilder;
import dev.warpline.trace.KernelHeader;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The parts of the SM on their own. */
class PartsTest {
  private static final ClassicCoreSpec.Scoreboard ONE_DESTINATION =
      new ClassicCoreSpec.Scoreboard(ClassicCoreSpec.Tracked.FIRST, 0);

  private static long[] lanes(long base, long stride) {
    long[] address = new long[32];
    Arrays.setAll(address, lane -> base + lane * stride);
    return address;
  }

  @Nested
  class AccessesOfAnInstruction {
    @Test
    void lanesWithoutAnAddressAreLeftOut() {
      assertThat(ClassicLoadStore.withAddress(new long[32], -1)).isZero();
      assertThat(ClassicLoadStore.withAddress(lanes(0, 4), 0b111)).isEqualTo(0b110);
    }

    @Test
    void beforeMaxwellLoadsThroughTheL1TakeWholeLines() {
      assertThat(ClassicLoadStore.segmentBytes(35, true, 4)).isEqualTo(128);
      assertThat(ClassicLoadStore.segmentBytes(35, true, 2)).isEqualTo(64);
      assertThat(ClassicLoadStore.segmentBytes(35, false, 4)).isEqualTo(32);
      assertThat(ClassicLoadStore.segmentBytes(86, true, 16)).isEqualTo(32);
    }
  }

  @Nested
  class BanksOfSharedMemory {
    private final SharedBanks banks = new SharedBanks(32, 1, false);

    @Test
    void consecutiveWordsHaveNoConflict() {
      assertThat(banks.cycles(lanes(0, 4), -1)).isEqualTo(1);
    }

    @Test
    void aStrideOfEightWordsConflictsEightfold() {
      assertThat(banks.cycles(lanes(0, 32), -1)).isEqualTo(8);
    }

    @Test
    void oneWordForAllLanesIsBroadcast() {
      assertThat(banks.cycles(lanes(64, 0), -1)).isEqualTo(1);
    }

    @Test
    void aStrideOfThirtyTwoWordsSerialisesTheWarp() {
      assertThat(banks.cycles(lanes(0, 128), -1)).isEqualTo(32);
      assertThat(banks.cycles(lanes(0, 128), 0xF)).isEqualTo(4);
    }

    @Test
    void withLimitedBroadcastOnlyOneWordIsShared() {
      long[] twoWords = lanes(0, 0);
      for (int lane = 16; lane < 32; lane++) {
        twoWords[lane] = 128;
      }
      assertThat(banks.cycles(twoWords, -1)).isEqualTo(2);
      assertThat(new SharedBanks(32, 1, true).cycles(twoWords, -1)).isEqualTo(17);
    }

    @Test
    void halvesOfAWarpAreCountedOneAfterTheOther() {
      assertThat(new SharedBanks(32, 2, false).cycles(lanes(0, 4), -1)).isEqualTo(2);
    }
  }

  @Nested
  class Barriers {
    private final ClassicWarps warps =
        new ClassicWarps(8, 2, new ClassicScoreboard(8, ONE_DESTINATION));
    private final BarrierUnit barriers = new BarrierUnit(2, warps);

    @Test
    void warpsWaitUntilTheLastOneArrives() {
      barriers.launch(0, 0b111);
      barriers.arrive(0, 0, 0, 0, true);
      barriers.arrive(0, 0, 2, 0, true);
      assertThat(warps.atBarrier).isEqualTo(0b101);
      barriers.arrive(0, 0, 1, 0, true);
      assertThat(warps.atBarrier).isZero();
    }

    @Test
    void anExitReleasesThoseWhoWouldWaitForTheWarp() {
      barriers.launch(0, 0b11);
      barriers.arrive(0, 0, 0, 0, true);
      barriers.exit(0, 1);
      assertThat(warps.atBarrier).isZero();
    }

    @Test
    void blocksDoNotWaitForEachOther() {
      barriers.launch(0, 0b0011);
      barriers.launch(1, 0b1100);
      barriers.arrive(0, 0, 0, 0, true);
      barriers.arrive(1, 0, 2, 0, true);
      barriers.arrive(1, 0, 3, 0, true);
      assertThat(warps.atBarrier).isEqualTo(0b0001);
    }

    @Test
    void aNamedBarrierOfTwoWarpsOpensForThemAlone() {
      barriers.launch(0, 0b1111);
      barriers.arrive(0, 3, 0, 2, true);
      barriers.arrive(0, 0, 2, 0, true);
      barriers.arrive(0, 3, 1, 2, false);
      assertThat(warps.atBarrier)
          .as("the arriving warp goes on, warp 2 still waits")
          .isEqualTo(0b100);
    }
  }

  @Nested
  class GroupsOfCopies {
    private final ClassicWarps warps =
        new ClassicWarps(4, 2, new ClassicScoreboard(4, ONE_DESTINATION));
    private final ClassicCopyGroups groups = new ClassicCopyGroups(4, warps);

    @Test
    void waitingForAllButTheYoungestGroupWaitsForTheOlderOnly() {
      groups.launch(1);
      int first = groups.add(1);
      groups.commit(1);
      int second = groups.add(1);
      groups.commit(1);
      groups.await(1, 1);
      assertThat(warps.waitsForGroup).isEqualTo(0b10);
      groups.done(1, first);
      assertThat(warps.waitsForGroup).isZero();
      groups.await(1, 0);
      assertThat(warps.waitsForGroup).isEqualTo(0b10);
      groups.done(1, second);
      assertThat(warps.waitsForGroup).isZero();
    }

    @Test
    void nothingToWaitForDoesNotWait() {
      groups.launch(0);
      groups.await(0, 0);
      assertThat(warps.waitsForGroup).isZero();
    }

    @Test
    void aGroupThatEndsOutOfOrderCountsWhenTheOlderOnesHaveEnded() {
      groups.launch(0);
      int first = groups.add(0);
      groups.commit(0);
      int second = groups.add(0);
      groups.commit(0);
      groups.await(0, 0);
      groups.done(0, second);
      assertThat(warps.waitsForGroup).isEqualTo(1);
      groups.done(0, first);
      assertThat(warps.waitsForGroup).isZero();
    }
  }

  @Nested
  class BlocksPerSm {
    private Occupancy of(int threads, int shared, int registers, int blocks) throws IOException {
      GpuDescription gpu = Kernels.gpu();
      KernelHeader header =
          new KernelBuilder("k")
              .grid(blocks, 1, 1)
              .block(threads, 1, 1)
              .sharedBytes(shared)
              .registers(registers)
              .line("0000 ffffffff 0 EXIT 0 0 0")
              .everyWarpTheSame()
              .build()
              .header();
      return Occupancy.of(header, gpu.sm(), gpu.classic());
    }

    @Test
    void threadsLimitLargeBlocks() throws IOException {
      assertThat(of(512, 0, 16, 1000)).isEqualTo(new Occupancy(3, "threads", 256));
    }

    @Test
    void registersAreCountedInFours() throws IOException {
      // 256 threads of 61 registers: rounded to 64, 16384 a block, four blocks.
      assertThat(of(256, 0, 61, 1000).blocks()).isEqualTo(4);
      assertThat(of(256, 0, 61, 1000).limiter()).isEqualTo("registers");
    }

    @Test
    void sharedMemoryLimitsAndShrinksTheL1() throws IOException {
      // Two blocks of 40 KB: 80 KB round up to 100 KB of 128, 28 KB of L1 are left.
      assertThat(of(64, 40 * 1024, 16, 1000)).isEqualTo(new Occupancy(2, "shared memory", 56));
    }

    @Test
    void theHardwareLimitOnBlocks() throws IOException {
      assertThat(of(32, 0, 16, 10_000)).isEqualTo(new Occupancy(32, "blocks", 256));
    }

    @Test
    void aSmallGridIsSpreadOverAllSms() throws IOException {
      assertThat(of(64, 0, 16, 47)).isEqualTo(new Occupancy(2, "grid", 256));
    }
  }

  @Nested
  class Registers {
    @Test
    void aReservedRegisterBlocksReadersAndWriters() throws IOException {
      ClassicCode code =
          new ClassicCode(
              Kernels.oneWarp(
                      "0000 ffffffff 1 R1 FFMA 3 R2 R3 R2 0 0", "0010 ffffffff 1 R2 MOV 0 0 0")
                  .code(),
              Kernels.gpu().classic());
      code.update();
      ClassicScoreboard scoreboard = new ClassicScoreboard(2, ONE_DESTINATION);
      assertThat(scoreboard.collides(0, code, 0)).isFalse();
      scoreboard.reserve(0, code, 1, true);
      assertThat(scoreboard.collides(0, code, 0)).as("R2 is read").isTrue();
      assertThat(scoreboard.collides(0, code, 1)).as("R2 is written").isTrue();
      assertThat(scoreboard.waitsForMemory(0, code, 0)).isTrue();
      assertThat(scoreboard.collides(1, code, 0)).as("another warp").isFalse();
      scoreboard.release(0, code, 1);
      assertThat(scoreboard.pendingWrites(0)).isZero();
      assertThat(scoreboard.collides(0, code, 0)).isFalse();
    }

    @Test
    void reservingTwiceIsAnError() throws IOException {
      ClassicCode code =
          new ClassicCode(
              Kernels.oneWarp("0000 ffffffff 1 R255 MOV 0 0 0").code(), Kernels.gpu().classic());
      code.update();
      ClassicScoreboard scoreboard = new ClassicScoreboard(1, ONE_DESTINATION);
      scoreboard.reserve(0, code, 0, false);
      assertThatThrownBy(() -> scoreboard.reserve(0, code, 0, false)).hasMessageContaining("255");
    }

    @Test
    void duplicateSourcesAreReadOnce() throws IOException {
      ClassicCode code =
          new ClassicCode(
              Kernels.oneWarp("0000 ffffffff 1 R1 FFMA 3 R2 R3 R2 0 0").code(),
              Kernels.gpu().classic());
      code.update();
      assertThat(code.sources[0]).isEqualTo((byte) 2);
      assertThat(code.unit[0]).isEqualTo((byte) UnitKind.SP);
    }
  }
}
