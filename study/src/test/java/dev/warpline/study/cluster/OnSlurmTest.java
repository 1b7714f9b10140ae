package dev.warpline.study.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.StopSignal;
import dev.warpline.study.settings.TinyProgram;
import dev.warpline.study.store.Point;
import dev.warpline.study.store.ResultStore;
import dev.warpline.study.sweep.Local;
import dev.warpline.study.sweep.On;
import dev.warpline.study.sweep.Plan;
import dev.warpline.study.sweep.Study;
import dev.warpline.study.sweep.Sweep;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** On a real Slurm, which {@code .ci/slurm} starts. */
@EnabledIfEnvironmentVariable(named = "SLURM_CONF", matches = ".+")
class OnSlurmTest {
  private static final int POINTS = 80;
  private static final int PER_ELEMENT = 20;

  @TempDir static Path folder;
  private static Plan plan;

  /** What this machine's threads give. */
  private static List<String> local;

  @BeforeAll
  static void runHere() throws Exception {
    for (int i = 1; i <= 3; i++) {
      TinyProgram.write(Files.createDirectories(folder.resolve("traces/t" + i)), i);
    }
    // One that fails, so that messages are compared as well.
    Path bad = folder.resolve("traces/t4");
    TinyProgram.write(Files.createDirectories(bad), 1);
    Path kernel = bad.resolve("kernel-2.traceg");
    Files.writeString(kernel, Files.readString(kernel).replace("(1,1,1)", "(2,1,1)"));
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
    plan = Plan.of(Study.read(folder.resolve("study.yaml")));
    assertThat(plan.points()).hasSize(POINTS);
    Path store = folder.resolve("local.db");
    StopSignal stop = new StopSignal();
    sweep(store, new Local(2, 1L << 30, stop), stop, () -> {});
    local = rows(store);
    assertThat(local).hasSize(POINTS).anyMatch(row -> row.contains("failed"));
  }

  private static Sweep.State sweep(Path file, On on, StopSignal stop, Runnable look)
      throws IOException {
    try (ResultStore store = ResultStore.open(file)) {
      Sweep.Watcher watcher =
          new Sweep.Watcher() {
            @Override
            public void failed(Point point, String message) {}

            @Override
            public void advanced(Sweep.State state) {
              look.run();
            }
          };
      return new Sweep(plan, store, stop, watcher).run(on, false, false);
    }
  }

  /** All that a store has of its points, byte for byte, but how long they took. */
  private static List<String> rows(Path store) throws Exception {
    List<String> rows = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + store);
        ResultSet row =
            connection
                .createStatement()
                .executeQuery(
                    "SELECT id, state, message, cycles, microseconds, hex(result) FROM points"
                        + " ORDER BY id")) {
      while (row.next()) {
        List<String> cells = new ArrayList<>();
        for (int i = 1; i <= 6; i++) {
          cells.add(row.getString(i));
        }
        rows.add(String.join(" ", cells.stream().map(String::valueOf).toList()));
      }
    }
    return rows;
  }

  private static OnSlurm slurm(Path shared, StopSignal stop) throws IOException {
    return new OnSlurm(new OnSlurm.Use(shared, List.of("--mem=1G"), PER_ELEMENT, 1), stop);
  }

  /** Tasks by the folder of their job. */
  private static Map<String, Integer> submitted(Path shared) {
    Map<String, Integer> tasks = new TreeMap<>();
    try (Stream<Path> files = Files.walk(shared, 2)) {
      for (Path file :
          files.filter(f -> f.getFileName().toString().startsWith("tasks-")).toList()) {
        tasks.merge(file.getParent().toString(), Files.readAllLines(file).size(), Integer::sum);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return tasks;
  }

  private static boolean hasAnswers(Path shared) {
    try (Stream<Path> files = Files.walk(shared, 2)) {
      return files.anyMatch(
          f -> f.getFileName().toString().startsWith("answers-") && f.toFile().length() > 0);
    } catch (IOException | UncheckedIOException e) {
      return false;
    }
  }

  private static List<ProcessHandle> elements(Path shared) {
    return ProcessHandle.allProcesses()
        .filter(process -> process.info().commandLine().orElse("").contains(shared + "/job-"))
        .filter(process -> process.info().command().orElse("").endsWith("java"))
        .toList();
  }

  @Test
  void anElementThatIsKilledCostsItsPointsAndNothingElse() throws Exception {
    Path shared = folder.resolve("killed");
    Path store = folder.resolve("killed.db");
    StopSignal stop = new StopSignal();
    List<Long> killed = new ArrayList<>();
    Map<String, Integer> tasks = new TreeMap<>();
    Thread killer =
        new Thread(
            () -> {
              while (killed.isEmpty() && stop.reason() == null) {
                if (hasAnswers(shared)) {
                  elements(shared).stream()
                      .limit(1)
                      .forEach(
                          process -> {
                            process.destroyForcibly();
                            killed.add(process.pid());
                          });
                }
              }
            });
    OnSlurm slurm = slurm(shared, stop);
    killer.start();
    Sweep.State end = sweep(store, slurm, stop, () -> tasks.putAll(submitted(shared)));
    stop.stop("over");
    killer.join();
    assertThat(killed).hasSize(1);
    assertThat(end.simulated()).isEqualTo(POINTS);
    assertThat(rows(store)).isEqualTo(local);
    assertThat(tasks).hasSize(2);
    assertThat(tasks.values().stream().mapToInt(n -> n).sum())
        .isBetween(POINTS + 1, POINTS + PER_ELEMENT);
    assertThat(submitted(shared)).as("left behind").isEmpty();
  }

  @Test
  void aSweepThatWasKilledLeavesItsJobsAndTheNextTakesUpTheirAnswers() throws Exception {
    Path shared = folder.resolve("left");
    Path store = folder.resolve("left.db");
    Process first =
        SlurmSweep.start(plan.study().file(), store, shared, folder.resolve("left.txt"));
    while (!hasAnswers(shared)) {
      assertThat(first.isAlive()).isTrue();
      Thread.sleep(10);
    }
    first.destroyForcibly().waitFor();
    StopSignal stop = new StopSignal();
    Map<String, Integer> tasks = new TreeMap<>();
    Sweep.State end =
        sweep(store, slurm(shared, stop), stop, () -> tasks.putAll(submitted(shared)));
    assertThat(end.count().done() + end.count().failed()).isEqualTo(POINTS);
    assertThat(rows(store)).isEqualTo(local);
    assertThat(tasks.values()).as("jobs").containsExactly(POINTS);
  }

  @Test
  void anInterruptedSweepCancelsItsJobs() throws Exception {
    Path shared = folder.resolve("interrupted");
    Path store = folder.resolve("interrupted.db");
    StopSignal stop = new StopSignal();
    Sweep.State end =
        sweep(
            store,
            slurm(shared, stop),
            stop,
            () -> {
              if (hasAnswers(shared)) {
                stop.stop("enough");
              }
            });
    assertThat(end.simulated()).isBetween(1, POINTS - 1);
    assertThat(end.count().claimed()).isZero();
    for (int i = 0; i < 100 && !elements(shared).isEmpty(); i++) {
      Thread.sleep(100);
    }
    assertThat(elements(shared)).isEmpty();
    assertThat(new SlurmCommands().elements(List.of("warpline-job-none"))).isEmpty();
  }

  @Test
  void whatSbatchRefusesIsToldAndNothingIsLost() throws Exception {
    Path shared = folder.resolve("refused");
    StopSignal stop = new StopSignal();
    OnSlurm slurm = new OnSlurm(new OnSlurm.Use(shared, List.of("--partition=moon"), 0, 1), stop);
    assertThatThrownBy(() -> sweep(folder.resolve("refused.db"), slurm, stop, () -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("sbatch: error: invalid partition specified: moon");
    try (ResultStore store = ResultStore.read(folder.resolve("refused.db"))) {
      assertThat(store.count("study").open()).isEqualTo(POINTS);
    }
  }

  @Test
  void oneSweepUsesAFolderAtATime() throws Exception {
    Path shared = folder.resolve("taken");
    StopSignal stop = new StopSignal();
    OnSlurm slurm = slurm(shared, stop);
    assertThatThrownBy(() -> slurm(shared, new StopSignal()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another sweep uses it");
    slurm.close();
    slurm.stored();
    OnSlurm next = slurm(shared, stop);
    next.close();
    next.stored();
  }
}
