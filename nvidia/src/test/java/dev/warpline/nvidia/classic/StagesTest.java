package dev.warpline.nvidia.classic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.profile.LogEvent.Topic;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.engine.profile.TimelineRecorder.Kind;
import dev.warpline.trace.MemoryKernel;
import dev.warpline.trace.MemoryTrace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Where instructions are when, and what the log says of it. */
class StagesTest {
  private static final MemoryKernel KERNEL =
      Kernels.oneWarp(
          "0000 ffffffff 1 R1 FADD 2 R2 R3 0 0",
          "0010 ffffffff 1 R4 FADD 2 R1 R3 0 0",
          "0020 ffffffff 1 R5 LDG.E 1 R4 4 1 0x7f0000000000 4 0");

  private final List<String> log = new ArrayList<>();

  private KernelResult run(long from, long until, Set<Topic> topics) throws IOException {
    ProfileOptions options =
        new ProfileOptions(from, until, 1, topics, line -> log.add(line.strip()));
    return new ClassicMachine(Kernels.gpu("classic.frontEnd.fetchThroughput=1"))
        .run(
            new MemoryTrace("test").launch(KERNEL),
            RunOptions.DEFAULT.withProfile(options),
            Progress.NONE)
        .kernels()
        .get(0);
  }

  @Test
  void anInstructionIsInOneStageAfterTheOther() throws IOException {
    KernelResult result = run(0, 1000, Set.of());
    assertThat(log).isEmpty();
    List<String> stages = new ArrayList<>();
    for (int row = 0; row < 4; row++) {
      int its = row;
      stages.add(
          result.profile().timeline().stream()
              .filter(slice -> slice.kind() == Kind.STAGE && slice.row() == its)
              .map(slice -> slice.stage().symbol() + " " + slice.from() + "-" + slice.until())
              .collect(Collectors.joining(", ")));
    }
    assertThat(stages)
        .containsExactly(
            "F 1-2, D 2-3, Is 3-4, OC 4-6, Ex 6-10, WB 10-11",
            "F 1-2, D 2-3, IB 3-10, Is 10-11, OC 11-13, Ex 13-17, WB 17-18",
            "F 10-11, D 11-12, IB 12-17, Is 17-18, OC 18-20, Mem 20-535, WB 535-536",
            "F 10-11, D 11-12, IB 12-18, Is 18-19, OC 19-20, Ex 20-23, WB 23-24");
  }

  @Test
  void theLogSaysWhoReservesReleasesAndWaitsForWhichRegister() throws IOException {
    run(0, 1000, EnumSet.of(Topic.SCOREBOARD));
    assertThat(log)
        .containsExactly(
            "3 SM 0 warp 0 scoreboard reserve R1 for 0000 FADD R1, R2, R3",
            "3 SM 0 warp 0 scoreboard collide R1 before 0010 FADD R4, R1, R3",
            "10 SM 0 warp 0 scoreboard release R1",
            "10 SM 0 warp 0 scoreboard reserve R4 for 0010 FADD R4, R1, R3",
            "11 SM 0 warp 0 scoreboard collide R4 before 0020 LDG.E R5, R4",
            "17 SM 0 warp 0 scoreboard release R4",
            "17 SM 0 warp 0 scoreboard reserve R5 for 0020 LDG.E R5, R4",
            "535 SM 0 warp 0 scoreboard release R5");
  }

  @Test
  void theLogSaysWhatIsFetchedDecodedAndIssuedInsideItsWindow() throws IOException {
    run(2, 18, EnumSet.of(Topic.FETCH, Topic.ISSUE));
    assertThat(log)
        .containsExactly(
            "2 SM 0 warp 0 decode 0000 FADD R1, R2, R3",
            "2 SM 0 warp 0 decode 0010 FADD R4, R1, R3",
            "3 SM 0 warp 0 issue 0000 FADD R1, R2, R3",
            "10 SM 0 warp 0 issue 0010 FADD R4, R1, R3",
            "10 SM 0 warp 0 fetch 0020 LDG.E R5, R4",
            "11 SM 0 warp 0 decode 0020 LDG.E R5, R4",
            "11 SM 0 warp 0 decode 0ff0 EXIT",
            "17 SM 0 warp 0 issue 0020 LDG.E R5, R4");
  }
}
