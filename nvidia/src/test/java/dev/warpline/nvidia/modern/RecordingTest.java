package dev.warpline.nvidia.modern;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.profile.Level;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.engine.profile.TimelineRecorder.Kind;
import dev.warpline.engine.profile.TimelineRecorder.Slice;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
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
    copy().write(folder, 40);
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
}
