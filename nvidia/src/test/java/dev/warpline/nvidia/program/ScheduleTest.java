package dev.warpline.nvidia.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.warpline.engine.ProgramTime;
import dev.warpline.trace.Agenda;
import dev.warpline.trace.program.StreamTask;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When the operations of a program happen on an H200. */
class ScheduleTest {
  /** Times are whole cycles. */
  private static final double CYCLE = 0.002;

  private static Written twoStreams(boolean blocking) {
    return new Written().stream(1, 0, blocking).stream(2, 0, blocking);
  }

  @Test
  void kernelsOfAStreamFollowEachOtherWithItsGap() throws IOException {
    Written run = new Written().kernel(0).kernel(0).run();
    assertThat(run.start(0)).isCloseTo(3.5 + 2.47, within(CYCLE));
    assertThat(run.start(1) - run.end(0)).isCloseTo(0.45, within(CYCLE));
  }

  @Test
  void kernelsOfTwoStreamsRunBesideEachOtherAsSoonAsTheHostCallsThem() throws IOException {
    Written run = twoStreams(false).kernel(1).kernel(2).run();
    assertThat(run.start(1) - run.start(0)).isCloseTo(3.5, within(CYCLE));
    assertThat(run.end(1) - run.end(0)).isCloseTo(3.5, within(CYCLE));
  }

  @Test
  void kernelsThatFillTheGpuDoNotRunBesideEachOther() throws IOException {
    Written run = twoStreams(false).kernel(1).kernel(2).run(1.0);
    assertThat(run.start(1)).isCloseTo(run.end(0), within(CYCLE));
  }

  @Test
  void anEventMakesAnotherStreamWait() throws IOException {
    Written run =
        twoStreams(false)
            .kernel(1)
            .add(1, new StreamTask.RecordEvent(1, false))
            .add(2, new StreamTask.WaitEvent(1))
            .kernel(2)
            .run();
    assertThat(run.start(1) - run.end(0)).isCloseTo(0.45 + 0.1, within(CYCLE));
  }

  @Test
  void anEventIsOfWhatWasBeforeItsRecordAlone() throws IOException {
    Written run =
        twoStreams(false)
            .add(1, new StreamTask.RecordEvent(1, false))
            .kernel(1)
            .add(2, new StreamTask.WaitEvent(1))
            .kernel(2)
            .run();
    assertThat(run.start(1)).isLessThan(run.end(0));
  }

  @Test
  void theDefaultStreamWaitsForBlockingStreamsAndTheyForIt() throws IOException {
    Written run = twoStreams(true).kernel(1).kernel(0).kernel(2).run();
    assertThat(run.start(1)).isGreaterThan(run.end(0));
    assertThat(run.start(2)).isGreaterThan(run.end(1));
    Written free = twoStreams(false).kernel(1).kernel(0).kernel(2).run();
    assertThat(free.start(2)).isLessThan(free.end(0));
  }

  private static final int MIB = 1 << 20;

  /** A copy of a MiB to the GPU, alone. */
  private static final double ALONE = 2.7 + 1048.576 / 55.5;

  @Test
  void copiesOfADirectionShareItsEngine() throws IOException {
    Written run =
        twoStreams(false)
            .copy(1, StreamTask.Way.TO_DEVICE, MIB, true)
            .copy(2, StreamTask.Way.TO_DEVICE, MIB, true)
            .run();
    assertThat(run.end(0) - run.start(0)).isCloseTo(ALONE, within(CYCLE));
    assertThat(run.start(1)).isCloseTo(run.end(0), within(CYCLE));
  }

  @Test
  void theOtherDirectionHasAnEngineOfItsOwnAndBothAreALittleSlower() throws IOException {
    Written run =
        twoStreams(false)
            .copy(1, StreamTask.Way.TO_DEVICE, 8 * MIB, true)
            .copy(2, StreamTask.Way.TO_HOST, MIB, true)
            .run();
    double beside = run.end(1) - run.start(1);
    assertThat(run.start(1)).isLessThan(run.end(0));
    assertThat(beside).isCloseTo((1.45 + 1 + 1048.576 / 55.5) / 0.915, within(CYCLE));
    assertThat(run.end(0) - run.start(0))
        .as("slower only while the other one runs")
        .isCloseTo(2.7 + 8 * 1048.576 / 55.5 + (1 - 0.915) * beside, within(2 * CYCLE));
  }

  @Test
  void aCopyThatAKernelMakesReadyIsSlowedByOneThatBeganBefore() throws IOException {
    Written run =
        twoStreams(false)
            .copy(1, StreamTask.Way.TO_DEVICE, 8 * MIB, true)
            .kernel(2)
            .copy(2, StreamTask.Way.TO_HOST, MIB, true)
            .run();
    double beside = run.end(2) - run.start(2);
    assertThat(run.start(2) - run.end(1)).isCloseTo(3.89, within(CYCLE));
    assertThat(beside).isCloseTo((1.45 + 1 + 1048.576 / 55.5) / 0.915, within(CYCLE));
    assertThat(run.end(0) - run.start(0))
        .isCloseTo(2.7 + 8 * 1048.576 / 55.5 + (1 - 0.915) * beside, within(2 * CYCLE));
  }

  @Test
  void kernelsThatAnEventLetsGoStartOneAfterAnother() throws IOException {
    Written run =
        new Written()
            .stream(1, 0, false).stream(2, 0, false).stream(3, 0, false)
                .kernel(1)
                .kernel(1)
                .add(1, new StreamTask.RecordEvent(1, false))
                .add(2, new StreamTask.WaitEvent(1))
                .add(3, new StreamTask.WaitEvent(1))
                .kernel(2)
                .kernel(3)
                .run();
    assertThat(run.start(2) - run.end(1)).isCloseTo(0.45 + 0.1, within(CYCLE));
    assertThat(run.start(3) - run.start(2)).isCloseTo(0.65, within(CYCLE));
  }

  @Test
  void largeFillsOfAGraphFollowItsKernelsAsKernelsDo() throws IOException {
    double[] gap = new double[2];
    for (int i = 0; i < 2; i++) {
      Written written = new Written();
      StreamTask.Node kernel = written.node(0);
      StreamTask fill = new StreamTask.Fill(i == 0 ? 4096 : 65536);
      StreamTask.Node second = new StreamTask.Node(100, 0, 1, List.of(0), fill);
      Written run = written.add(0, new StreamTask.Graph(List.of(kernel, second))).run();
      gap[i] = run.start(1) - run.end(0);
    }
    assertThat(gap[0]).as("a small one as in a stream").isCloseTo(0.775, within(CYCLE));
    assertThat(gap[1])
        .as("the last 470 ns of a kernel are its drain")
        .isCloseTo(-0.47, within(CYCLE));
  }

  @Test
  void nodesOfTwoLaunchesOfAGraphHaveTheGapOfAStream() throws IOException {
    Written written = new Written();
    StreamTask one = new StreamTask.Graph(List.of(written.node(0)));
    StreamTask two = new StreamTask.Graph(List.of(written.node(0)));
    Written run = written.add(0, one).add(0, two).run();
    assertThat(run.start(1) - run.end(0)).isCloseTo(0.45, within(CYCLE));
  }

  @Test
  void kernelsOutsideAPartAreNotTheMachines() throws IOException {
    Written written = new Written().kernel(0).kernel(0).kernel(0);
    assertThat(written.within(9_000, 12_000).run().simulated()).containsExactly(1);
    assertThat(written.end(0) - written.start(0)).as("nobody recorded its time").isZero();
  }

  @Test
  void aCopyIntoPageableMemoryHoldsTheHost() throws IOException {
    Written run = twoStreams(false).copy(1, StreamTask.Way.TO_HOST, 1 << 20, false).kernel(2).run();
    assertThat(run.start(1)).isGreaterThan(run.end(0) + 1048.576 / 13);
    Written pinned =
        twoStreams(false).copy(1, StreamTask.Way.TO_HOST, 1 << 20, true).kernel(2).run();
    assertThat(pinned.start(1)).isLessThan(pinned.end(0));
  }

  @Test
  void aCallThatCopiesFromPageableMemoryTakesTheDataAlong() throws IOException {
    Written run =
        twoStreams(false).copy(1, StreamTask.Way.TO_DEVICE, 1 << 20, false).kernel(2).run();
    assertThat(run.start(0)).isCloseTo(1.5 + 1048.576 / 11 + 2.47, within(2 * CYCLE));
    assertThat(run.start(1)).isLessThan(run.end(0));
  }

  @Test
  void aDependentLaunchThatComesAfterTheEndIsAsAnyOther() throws IOException {
    for (double host : new double[] {0, 50_000}) {
      StreamTask dependent = new StreamTask.Launch(1, "dependent", false, true, 0);
      Schedule schedule = new Written().kernel(0).host(host).add(0, dependent).schedule();
      Agenda.Start first = schedule.next(Agenda.NEVER);
      schedule.started(0, first.cycle());
      schedule.released(0, first.cycle() + 10_000);
      schedule.ended(0, first.cycle() + 20_000);
      assertThat(schedule.next(Agenda.NEVER).launch()).isEqualTo(1);
      assertThat(schedule.next(Agenda.NEVER).after()).isEqualTo(host == 0 ? 0 : Agenda.NOBODY);
    }
  }

  @Test
  void theHostWaitsWhereItSynchronizes() throws IOException {
    Written run =
        twoStreams(false)
            .kernel(1)
            .add(0, new StreamTask.Synchronize(StreamTask.Scope.DEVICE, 0))
            .kernel(2)
            .run();
    assertThat(run.start(1) - run.end(0)).isCloseTo(1.7 + 3.5 + 2.47, within(2 * CYCLE));
  }

  @Test
  void aNodeThatFollowsAnotherBranchsNodeIsFresh() throws IOException {
    Written written = new Written();
    Integer[][] after = {{}, {0}, {0}, {1}, {3}, {2, 4}};
    StreamTask graph = new StreamTask.Graph(written.nodes(after));
    Agenda agenda = written.add(0, graph).kernel(0).schedule();
    List<Boolean> fresh = new ArrayList<>();
    // 0; 1 and 2, the first of another branch; 3 after that; 4 after 3; 5 goes on where 2 was.
    for (int launch : List.of(0, 1, 2, 3, 4, 5, 6)) {
      Agenda.Start start = agenda.next(Agenda.NEVER);
      assertThat(start.launch()).isEqualTo(launch);
      fresh.add(start.fresh());
      agenda.started(launch, start.cycle());
      if (launch == 2) {
        agenda.ended(1, start.cycle() + 1000);
        agenda.ended(2, start.cycle() + 9000);
      } else if (launch != 1) {
        agenda.ended(launch, start.cycle() + 1000);
      }
    }
    assertThat(fresh).containsExactly(false, false, false, true, false, true, false);
  }

  @Test
  void branchesDoNotDependOnTheOrderInWhichNodesAreListed() throws IOException {
    Written written = new Written();
    List<StreamTask.Node> nodes = written.nodes(new Integer[][] {{}, {0}, {}, {2}});
    Collections.reverse(nodes);
    Agenda agenda = written.add(0, new StreamTask.Graph(nodes)).schedule();
    List<Agenda.Start> starts = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Agenda.Start start = agenda.next(Agenda.NEVER);
      starts.add(start);
      agenda.started(start.launch(), start.cycle());
      if (i == 1) {
        agenda.ended(starts.get(0).launch(), start.cycle() + 1000);
        agenda.ended(start.launch(), start.cycle() + 1000);
      }
    }
    assertThat(starts.subList(0, 2)).extracting(Agenda.Start::launch).containsOnly(0, 2);
    assertThat(starts.subList(0, 2)).noneMatch(Agenda.Start::fresh);
    // Whichever of the two chains goes on last, the other one was launched since its first node.
    assertThat(starts.get(3).fresh()).isTrue();
  }

  @Test
  void nodesOfAGraphWaitForTheirEdgesAlone() throws IOException {
    Written written = new Written();
    Integer[][] after = {{}, {0}, {0}, {1, 2}};
    StreamTask graph = new StreamTask.Graph(written.nodes(after));
    Written run = written.add(0, graph).kernel(0).run();
    assertThat(run.start(1) - run.end(0)).isCloseTo(0, within(CYCLE));
    assertThat(run.start(2) - run.start(1)).isBetween(0.0, 0.2);
    assertThat(run.start(3)).isGreaterThanOrEqualTo(run.end(2) - CYCLE);
    assertThat(run.start(4) - run.end(3)).isCloseTo(0.45, within(CYCLE));
  }

  @Test
  void theHostLimitsManySmallLaunches() throws IOException {
    Written written = new Written();
    for (int i = 0; i < 20; i++) {
      written.kernel(0).add(0, new StreamTask.Synchronize(StreamTask.Scope.DEVICE, 0)).host(50_000);
    }
    ProgramTime time = written.kernel(0).run().time();
    assertThat(time.limit()).startsWith("the host limits it: work of its own is 7");
    assertThat(time.share(ProgramTime.Part.HOST)).isBetween(0.7, 0.8);
  }

  @Test
  void theCriticalPathHasNoHolesAndIsTheWholeTime() throws IOException {
    Written run =
        twoStreams(false)
            .copy(1, StreamTask.Way.TO_DEVICE, 1 << 20, true)
            .kernel(1)
            .kernel(2)
            .add(2, new StreamTask.RecordEvent(1, true))
            .add(1, new StreamTask.WaitEvent(1))
            .kernel(1)
            .copy(1, StreamTask.Way.TO_HOST, 1 << 16, true)
            .add(0, new StreamTask.Synchronize(StreamTask.Scope.DEVICE, 0))
            .run();
    ProgramTime time = run.time();
    assertThat(time.parts().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(time.cycles());
    long at = 0;
    for (ProgramTime.PathStep step : time.path()) {
      assertThat(step.from()).isEqualTo(at);
      at = step.until();
    }
    assertThat(at).isEqualTo(time.cycles());
    assertThat(time.path())
        .extracting(ProgramTime.PathStep::name)
        .contains("copy to the GPU", "kernel0", "kernel2", "copy to the host");
  }

  @Test
  void oneStreamTakesLongerThanTwo() throws IOException {
    Written two = twoStreams(false).kernel(1).kernel(2).kernel(1).kernel(2).run();
    Written one =
        twoStreams(false).kernel(1).kernel(2).kernel(1).kernel(2).run("program.streams.most=1");
    assertThat(one.end(3) - two.end(3)).isGreaterThan(15);
  }

  @Test
  void aKernelOfHigherPriorityTakesTheRoom() throws IOException {
    Written run =
        new Written().stream(1, 0, false).stream(2, -1, false).kernel(1).kernel(2).run(1.0);
    assertThat(run.end(1)).isLessThan(run.end(0));
  }

  @Test
  void everyStreamHasItsOwnAccount() throws IOException {
    ProgramTime time =
        twoStreams(false)
            .kernel(1)
            .copy(1, StreamTask.Way.TO_HOST, 100, true)
            .kernel(2)
            .run()
            .time();
    assertThat(time.streams())
        .extracting(
            ProgramTime.StreamTime::name,
            ProgramTime.StreamTime::kernels,
            ProgramTime.StreamTime::copies)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("stream 1", 1, 1),
            org.assertj.core.groups.Tuple.tuple("stream 2", 1, 0));
  }
}
