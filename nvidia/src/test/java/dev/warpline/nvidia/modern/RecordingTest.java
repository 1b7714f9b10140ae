package dev.warpline.nvidia.modern;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.profile.FollowedLine;
import dev.warpline.engine.profile.FollowedLine.Access;
import dev.warpline.engine.profile.FollowedLine.Step;
import dev.warpline.engine.profile.Level;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.engine.profile.TimelineRecorder.Kind;
import dev.warpline.engine.profile.TimelineRecorder.Slice;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written down of a kernel beyond its counters, and that this changes nothing. */
class RecordingTest {
  @TempDir Path folder;

  private KernelResult run(ProfileOptions profile, int threads) throws IOException {
    try (TraceSet program = Traces.open(folder)) {
      RunOptions options = RunOptions.DEFAULT.withThreads(threads).withProfile(profile);
      return new ModernMachine(Gpus.load("h200", List.of()), true)
          .run(program, options, Progress.NONE)
          .kernels()
          .get(0);
    }
  }

  /** Loads, adds and stores at places of their own. */
  private static Program copy() {
    return Program.of(
            "S02 W0 S2R R0, SR_TID.X",
            "S06 B01 IMAD.WIDE R2, R0, R4, R6",
            "S04 W1 LDG.E R8, desc[UR4][R2.64]",
            "S04 W2 LDG.E.128 R12, desc[UR4][R2.64]",
            "S05 B06 FADD R8, R8, R12",
            "S01 R2 STG.E desc[UR4][R2.64], R8",
            "S05 EXIT")
        .addressStep(1 << 16)
        .warps(4);
  }

  private static long sum(KernelResult result, Level level) {
    return Arrays.stream(result.profile().series().levels().get(level)).sum();
  }

  @Test
  void recordingChangesNoResult() throws IOException {
    copy().write(folder, 12);
    KernelResult plain = run(null, 1);
    for (int threads : new int[] {1, 3}) {
      KernelResult recorded = run(new ProfileOptions(0, 5000, 2), threads);
      assertThat(recorded.cycles()).isEqualTo(plain.cycles());
      assertThat(recorded.statistics()).isEqualTo(plain.statistics());
      assertThat(recorded.stalls()).isEqualTo(plain.stalls());
    }
  }

  @Test
  void levelsOverTimeAddUpToWhatWasCounted() throws IOException {
    copy().write(folder, 1);
    KernelResult result = run(new ProfileOptions(0, 100_000, 1), 1);
    assertThat(sum(result, Level.BLOCKS))
        .isEqualTo(result.statistics().get("sm.activeCycles").longValue());
    assertThat(sum(result, Level.FROM_SMS))
        .isEqualTo(32 * result.statistics().get("l2.smWriteSectors").longValue());
    long read = 32 * result.statistics().get("l2.smReadSectors").longValue();
    assertThat(sum(result, Level.TO_SMS)).isGreaterThanOrEqualTo(read);
    // A read of device memory is under way for hundreds of cycles, and at its channel for some.
    assertThat(sum(result, Level.IN_FLIGHT)).isGreaterThan(1000);
    assertThat(sum(result, Level.DRAM_QUEUE)).isPositive().isLessThan(sum(result, Level.IN_FLIGHT));
    List<Slice> queued =
        result.profile().timeline().stream().filter(s -> s.kind() == Kind.QUEUE).toList();
    assertThat(queued.stream().filter(s -> s.level() == Level.LSU_QUEUE)).hasSize(3 * 4);
    assertThat(queued.stream().mapToLong(s -> s.until() - s.from()).sum())
        .isEqualTo(
            sum(result, Level.LSU_QUEUE)
                + (result.profile().series().levels().containsKey(Level.MIO_QUEUE)
                    ? sum(result, Level.MIO_QUEUE)
                    : 0));
  }

  private static final long LOADED = 0x7f4000020000L;
  private static final long STORED = 0x7f4000050000L;

  private FollowedLine follow(long address, int threads) throws IOException {
    return run(new ProfileOptions(0, 100_000, 1).following(address), threads).profile().followed();
  }

  @Test
  void aLoadIsFollowedFromItsWarpToDeviceMemoryAndBack() throws IOException {
    copy().write(folder, 1);
    KernelResult result = run(new ProfileOptions(0, 100_000, 1).following(LOADED + 20), 1);
    FollowedLine followed = result.profile().followed();
    assertThat(followed.line()).isEqualTo(LOADED);
    assertThat(followed.accesses()).hasSize(4).allMatch(a -> a.what().equals("load"));
    Access first = followed.accesses().get(0);
    assertThat(first.l1()).isEqualTo("miss; answered by DRAM");
    assertThat(first.sectors()).isEqualTo(15);
    assertThat(first.steps().stream().map(s -> s.where().replaceAll("\\b\\d+", "N")))
        .startsWith("L1", "network to L2")
        .anyMatch(where -> where.startsWith("L2 slice N of partition N: miss"))
        .anyMatch(where -> where.matches("DRAM channel N bank N row N opened.*"))
        .endsWith("network to the SM", "to registers");
    long now = first.steps().get(0).from();
    for (Step step : first.steps()) {
      assertThat(step.from()).isEqualTo(now);
      now = step.until();
    }
    assertThat(first.done()).isEqualTo(now);
    // The result passes a write port of the register file then.
    assertThat(arrival(result, first)).isBetween(now, now + 4);
    for (Access other : followed.accesses().subList(1, 4)) {
      assertThat(other.l1()).isEqualTo("merged with a request on its way");
      assertThat(arrival(result, other)).isBetween(other.done(), other.done() + 8);
    }
  }

  private static long arrival(KernelResult result, Access access) {
    return result.profile().timeline().stream()
        .filter(s -> s.kind() == Kind.MEMORY && s.warp() == access.warp())
        .filter(s -> s.row() == access.row() && s.from() == access.issued())
        .findFirst()
        .orElseThrow()
        .until();
  }

  @Test
  void storesAreFollowedToL2AndFollowingChangesNothingOnAnyNumberOfThreads() throws IOException {
    copy().write(folder, 12);
    FollowedLine one = follow(STORED, 1);
    assertThat(one.accesses()).hasSize(48).allMatch(a -> a.what().equals("store"));
    assertThat(one.accesses().get(0).steps())
        .anyMatch(step -> step.where().startsWith("L2 slice"))
        .anyMatch(step -> step.where().equals("answer to the SM"));
    assertThat(follow(STORED, 3)).isEqualTo(one);
    assertThat(run(new ProfileOptions(0, 100_000, 1).following(STORED), 1).cycles())
        .isEqualTo(run(null, 1).cycles());
  }

  @Test
  void accessesBeyondTheMostAreCountedAndThoseOutsideTheWindowAreNot() throws IOException {
    copy().write(folder, 260);
    FollowedLine followed = follow(LOADED, 1);
    assertThat(followed.accesses()).hasSize(FollowedLine.MOST);
    assertThat(followed.leftOut()).isEqualTo(4 * 260 - FollowedLine.MOST);
    ProfileOptions window = new ProfileOptions(0, 10, 1).following(LOADED);
    assertThat(run(window, 1).profile().followed().accesses()).isEmpty();
  }

  /** Asks for everything, at every window, and keeps the run waiting now and then. */
  private static final class Onlooker implements Progress {
    final List<Map<Level, Double>> levels = new ArrayList<>();
    final List<String> waiting = new ArrayList<>();
    private int reports;

    @Override
    public boolean watchesSms() {
      return true;
    }

    @Override
    public void levels(long cycles, Map<Level, Double> now) {
      levels.add(now);
    }

    @Override
    public boolean asksWhoWaits() {
      return true;
    }

    @Override
    public void waiting(String who) {
      waiting.add(who);
    }

    @Override
    public long pauseNanos() {
      return -1;
    }

    @Override
    public void reported() {
      if (++reports % 5 == 0) {
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  @Test
  void aRunThatIsWatchedAndHeldNowAndThenEndsTheSame() throws IOException {
    // Each load waits for the one before.
    Program.repeated("S04 W0 B01 LDG.E R8, desc[UR4][R2.64]", 30)
        .then("S05 EXIT")
        .addressStep(1 << 16)
        .warps(4)
        .write(folder, 12);
    KernelResult alone = run(ProfileOptions.NO_TIMELINE, 1);
    Onlooker onlooker = new Onlooker();
    try (TraceSet program = Traces.open(folder)) {
      RunOptions options =
          RunOptions.DEFAULT.withThreads(3).withProfile(ProfileOptions.NO_TIMELINE);
      KernelResult watched =
          new ModernMachine(Gpus.load("h200", List.of()), true)
              .run(program, options, onlooker)
              .kernels()
              .get(0);
      assertThat(watched.cycles()).isEqualTo(alone.cycles());
      assertThat(watched.statistics()).isEqualTo(alone.statistics());
    }
    assertThat(onlooker.reports).isGreaterThan(10);
    assertThat(onlooker.levels).anyMatch(now -> now.get(Level.BLOCKS) == 12);
    assertThat(onlooker.levels).anyMatch(now -> now.get(Level.IN_FLIGHT) > 1);
    assertThat(onlooker.waiting)
        .anyMatch(who -> who.matches("SM \\d+: warps? .*at pc 0x\\p{XDigit}+ waits for \\w+.*"));
  }
}
