package dev.warpline.study.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.StopSignal;
import dev.warpline.study.settings.TinyProgram;
import dev.warpline.study.store.Entry;
import dev.warpline.study.store.Member;
import dev.warpline.study.store.Point;
import dev.warpline.study.store.ResultStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepTest {
  private static final int POINTS = 200;

  @TempDir static Path folder;
  private static Path study;
  private static Plan plan;

  /** What an unbroken run gives. */
  private static List<String> unbroken;

  @BeforeAll
  static void runOnce() throws Exception {
    for (int i = 1; i <= 10; i++) {
      TinyProgram.write(Files.createDirectories(folder.resolve("traces/t" + i)), i);
    }
    study =
        Files.writeString(
            folder.resolve("study.yaml"),
            """
            traces: [traces/t*]
            gpus: [h200]
            vary:
              sm.count: [1, 2]
              flowMemory.l2MiB: [1, 2]
              clocks.coreMHz: {from: 1000, to: 1800, by: 200}
            """);
    plan = Plan.of(Study.read(study));
    assertThat(plan.points()).hasSize(POINTS);
    Path store = folder.resolve("unbroken.db");
    assertThat(SweepProcess.run(plan, store).simulated()).isEqualTo(POINTS);
    unbroken = results(store);
  }

  /** Everything of a store that is a result. */
  private static List<String> results(Path file) throws Exception {
    List<String> results = new ArrayList<>();
    try (ResultStore store = ResultStore.read(file)) {
      for (Entry entry : store.entries("study")) {
        assertThat(entry.state()).isEqualTo(Entry.State.DONE);
        results.add(entry.member() + " " + entry.result() + " " + entry.configuration());
      }
    }
    return results;
  }

  private static int done(Path file) throws Exception {
    try (ResultStore store = ResultStore.read(file)) {
      return store.studies().isEmpty() ? 0 : store.count("study").done();
    }
  }

  @Test
  @Tag("long")
  void aStudyThatIsKilledThreeTimesEndsWithTheResultsOfAnUnbrokenRun() throws Exception {
    Path store = folder.resolve("killed.db");
    ResultStore.open(store).close();
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int kill = 0; kill < 3; kill++) {
      Process process = SweepProcess.start(study, store, folder.resolve("killed.txt"));
      int until = done(store) + 5 + random.nextInt(40);
      try (ResultStore watched = ResultStore.read(store)) {
        while (watched.count("study").done() < until) {
          assertThat(process.isAlive())
              .as(() -> "ended before it was killed: " + text(folder.resolve("killed.txt")))
              .isTrue();
          Thread.sleep(10);
        }
      }
      Thread.sleep(random.nextInt(30));
      process.destroyForcibly().waitFor();
      assertThat(done(store)).isBetween(until, POINTS - 1);
    }
    int kept = done(store);
    // Claims of the dead do not hold anybody up: this would last a minute otherwise.
    Sweep.State end = SweepProcess.run(plan, store);
    assertThat(end.simulated()).as("seed %d", seed).isEqualTo(POINTS - kept);
    assertThat(results(store)).as("seed %d", seed).isEqualTo(unbroken);
    assertThat(SweepProcess.run(plan, store).simulated()).isZero();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (java.io.IOException e) {
      return e.toString();
    }
  }

  @Test
  void twoProcessesOnOneStoreShareThePointsAndGiveTheSame() throws Exception {
    Path store = folder.resolve("shared.db");
    Path go = folder.resolve("go");
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      processes.add(SweepProcess.start(study, store, folder.resolve("shared" + i + ".txt"), go));
    }
    while (ready() < 2) {
      assertThat(processes).allMatch(Process::isAlive);
      Thread.sleep(5);
    }
    Files.createFile(go);
    List<Integer> simulated = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      assertThat(processes.get(i).waitFor(60, TimeUnit.SECONDS)).isTrue();
      simulated.add(Integer.parseInt(text(folder.resolve("shared" + i + ".txt")).strip()));
    }
    assertThat(simulated).allMatch(count -> count > 0);
    assertThat(simulated.get(0) + simulated.get(1)).isEqualTo(POINTS);
    assertThat(results(store)).isEqualTo(unbroken);
  }

  private static long ready() throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.getFileName().toString().startsWith("go.ready-")).count();
    }
  }

  @Test
  void aPointThatFailsIsKeptWithItsMessageAndDoesNotStopTheRest() throws Exception {
    Path own = Files.createDirectories(folder.resolve("failing"));
    TinyProgram.write(Files.createDirectories(own.resolve("good")), 1);
    TinyProgram.write(Files.createDirectories(own.resolve("bad")), 1);
    Path kernel = own.resolve("bad/kernel-2.traceg");
    Files.writeString(kernel, Files.readString(kernel).replace("(1,1,1)", "(2,1,1)"));
    Files.writeString(
        own.resolve("failing.yaml"),
        """
        traces: [bad, good]
        gpus: [h200]
        vary:
          sm.count: [2, 3]
          sm.warps: ["= 128 / sm.count", 64]
        """);
    Plan failing = Plan.of(Study.read(own.resolve("failing.yaml")));
    Path file = own.resolve("failing.db");
    List<String> told = new ArrayList<>();
    StopSignal stop = new StopSignal();
    try (ResultStore store = ResultStore.open(file)) {
      Sweep.Watcher watcher =
          new Sweep.Watcher() {
            @Override
            public void failed(Point point, String message) {
              told.add(message);
            }

            @Override
            public void advanced(Sweep.State state) {}
          };
      Sweep.State end =
          new Sweep(failing, store, stop, watcher).run(new Local(1, 1 << 30, stop), false, false);
      assertThat(end.count().open()).isZero();
      assertThat(end.count().claimed()).isZero();
      List<Entry> entries = store.entries("failing");
      assertThat(entries).hasSize(8);
      for (Entry entry : entries) {
        if (entry.member().trace().equals("bad")) {
          assertThat(entry.state()).isEqualTo(Entry.State.FAILED);
          assertThat(entry.message()).isNotBlank();
        }
      }
      // A machine that cannot be is no reason not to simulate the others.
      assertThat(entries)
          .filteredOn(entry -> entry.member().trace().equals("good"))
          .extracting(Entry::state)
          .contains(Entry.State.DONE, Entry.State.FAILED);
      assertThat(told).isNotEmpty().allMatch(message -> message.contains("block"));
      assertThat(
              new Sweep(failing, store, stop, watcher)
                  .run(new Local(1, 1 << 30, stop), false, false)
                  .simulated())
          .isZero();
      assertThat(
              new Sweep(failing, store, stop, watcher)
                  .run(new Local(1, 1 << 30, stop), false, true)
                  .simulated())
          .isEqualTo(told.size() / 2);
    }
  }

  @Test
  void anInterruptedSweepGivesBackWhatItHadClaimed() throws Exception {
    Path file = folder.resolve("interrupted.db");
    StopSignal stop = new StopSignal();
    try (ResultStore store = ResultStore.open(file)) {
      Sweep.Watcher watcher =
          new Sweep.Watcher() {
            @Override
            public void failed(Point point, String message) {
              throw new AssertionError(message);
            }

            @Override
            public void advanced(Sweep.State state) {
              if (state.count().done() > 0) {
                stop.stop("enough");
              }
            }
          };
      Sweep.State end =
          new Sweep(plan, store, stop, watcher).run(new Local(2, 1 << 30, stop), false, false);
      assertThat(end.count().done()).isBetween(1, POINTS - 1);
      assertThat(end.count().claimed()).isZero();
      assertThat(end.count().failed()).isZero();
    }
  }

  @Test
  void aStudyThatGrowsSimulatesOnlyWhatIsNew() throws Exception {
    Path file = folder.resolve("grown.db");
    Path grown = folder.resolve("grown.yaml");
    String text = "traces: [traces/t1]\ngpus: [h200]\nvary: {sm.count: [1, 2%s]}\n";
    Files.writeString(grown, text.formatted(""));
    assertThat(SweepProcess.run(Plan.of(Study.read(grown)), file).simulated()).isEqualTo(2);
    Files.writeString(grown, text.formatted(", 3"));
    assertThat(SweepProcess.run(Plan.of(Study.read(grown)), file).simulated()).isEqualTo(1);
    // Another study of the same points has its results already.
    Path other = Files.writeString(folder.resolve("other.yaml"), text.formatted(", 3"));
    Sweep.State end = SweepProcess.run(Plan.of(Study.read(other)), file);
    assertThat(end.simulated()).isZero();
    assertThat(end.count().done()).isEqualTo(3);
    TinyProgram.write(folder.resolve("traces/t1"), 2);
    try {
      assertThat(SweepProcess.run(Plan.of(Study.read(grown)), file).simulated()).isEqualTo(3);
    } finally {
      TinyProgram.write(folder.resolve("traces/t1"), 1);
    }
  }

  @Test
  void aStudyThatAnotherProcessChangesMeanwhileEndsByName() throws Exception {
    Path file = folder.resolve("changed.db");
    String text = "study: changed\ntraces: [traces/t1]\ngpus: [h200]\nvary: {sm.count: [%s]}\n";
    Plan before =
        Plan.of(Study.parse(text.formatted("1, 2, 3, 4"), folder.resolve("changed.yaml")));
    Plan after = Plan.of(Study.parse(text.formatted("5, 6"), folder.resolve("changed.yaml")));
    StopSignal stop = new StopSignal();
    try (ResultStore store = ResultStore.open(file)) {
      Sweep.Watcher watcher =
          new Sweep.Watcher() {
            @Override
            public void failed(Point point, String message) {
              throw new AssertionError(message);
            }

            @Override
            public void advanced(Sweep.State state) {
              try {
                store.plan(
                    after.known(), after.members(), after.points(), Map.of(), after.descriptions());
              } catch (java.io.IOException e) {
                throw new AssertionError(e);
              }
            }
          };
      Sweep sweep = new Sweep(before, store, stop, watcher);
      assertThatThrownBy(() -> sweep.run(new Local(1, 1 << 30, stop), false, false))
          .hasMessageContaining("another process has changed the study changed");
      assertThat(store.count("changed")).isEqualTo(new ResultStore.Count(2, 0, 0, 0));
    }
  }

  @Test
  void resultsOfAnotherBuildAreNotMixedWithOurs() throws Exception {
    Path file = folder.resolve("build.db");
    Path own =
        Files.writeString(
            folder.resolve("build.yaml"),
            "traces: [traces/t1]\ngpus: [h200]\nset: {sm.count: 1}\n");
    Plan ours = Plan.of(Study.read(own));
    SweepProcess.run(ours, file);
    Map<String, Point> points = new LinkedHashMap<>();
    Point point = ours.points().values().iterator().next();
    Point theirs =
        new Point(
            point.trace(),
            point.gpu(),
            point.core(),
            point.settings(),
            point.kernels(),
            point.maxCycles(),
            point.traceSha256(),
            point.descriptionSha256(),
            "another version");
    points.put(theirs.id(), theirs);
    Member member = ours.members().get(0);
    List<Member> members =
        List.of(
            new Member(
                1, theirs.id(), member.trace(), member.gpu(), member.core(), member.values()));
    Plan other =
        new Plan(
            ours.study(),
            "another version",
            members,
            points,
            Map.of(),
            ours.descriptions(),
            0,
            List.of());
    assertThatThrownBy(() -> SweepProcess.run(other, file))
        .hasMessageContaining("are of another build of Warpline")
        .hasMessageContaining("nothing was changed");
    StopSignal stop = new StopSignal();
    try (ResultStore store = ResultStore.open(file)) {
      assertThat(store.entries("build").get(0).member().point()).isEqualTo(point.id());
      Sweep.State end =
          new Sweep(other, store, stop, SweepProcess.SILENT)
              .run(new Local(1, 1 << 30, stop), true, false);
      assertThat(end.simulated()).isEqualTo(1);
      assertThat(store.entries("build").get(0).member().point()).isEqualTo(theirs.id());
    }
    // The old result is still there, and ours again at once.
    try (ResultStore store = ResultStore.open(file)) {
      Sweep.State end =
          new Sweep(ours, store, stop, SweepProcess.SILENT)
              .run(new Local(1, 1 << 30, stop), true, false);
      assertThat(end.simulated()).isZero();
      assertThat(end.count().done()).isEqualTo(1);
    }
  }

  @Test
  void pointsOfALargeTraceAreSimulatedOneAtATimeWhereMemoryIsShort() throws Exception {
    Path file = folder.resolve("small.db");
    StopSignal stop = new StopSignal();
    int[] most = {0};
    On narrow = new Local(4, 1, stop);
    On watched =
        new On() {
          private final java.util.concurrent.atomic.AtomicInteger running =
              new java.util.concurrent.atomic.AtomicInteger();

          @Override
          public int room() throws java.io.IOException {
            return narrow.room();
          }

          @Override
          public void begin(Point point, java.util.function.Consumer<Ended> ended) {
            most[0] = Math.max(most[0], running.incrementAndGet());
            narrow.begin(
                point,
                end -> {
                  running.decrementAndGet();
                  ended.accept(end);
                });
          }

          @Override
          public int width() {
            return narrow.width();
          }

          @Override
          public void close() {
            narrow.close();
          }
        };
    Path few =
        Files.writeString(
            folder.resolve("few.yaml"),
            "traces: [traces/t1, traces/t2, traces/t3]\ngpus: [h200]\nset: {sm.count: 1}\n");
    try (ResultStore store = ResultStore.open(file)) {
      Sweep.State end =
          new Sweep(Plan.of(Study.read(few)), store, stop, SweepProcess.SILENT)
              .run(watched, false, false);
      assertThat(end.count().done()).isEqualTo(3);
    }
    assertThat(most[0]).isEqualTo(1);
  }
}
