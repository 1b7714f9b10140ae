package dev.warpline.study.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.StopSignal;
import dev.warpline.engine.gpu.Evidence;
import dev.warpline.engine.gpu.ExplainedField;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.nvidia.Core;
import dev.warpline.study.settings.TinyProgram;
import dev.warpline.study.store.Point;
import dev.warpline.study.store.ResultStore;
import dev.warpline.study.sweep.Local;
import dev.warpline.study.sweep.Sweep;
import dev.warpline.study.validate.HardwareTable;
import dev.warpline.study.validate.KernelComparison;
import dev.warpline.study.validate.Validation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
class TunerTest {
  private static final Pattern ANY = Pattern.compile("");
  private static final int[] BLOCKS = {1, 4, 8, 16};
  private static final List<String> FITS =
      List.of("modern.launch.drainCycles=100..1500", "modern.launch.turnaround=50..800:log");

  @TempDir static Path folder;

  /** A GPU with one SM, so that blocks queue, and a small L2, which is quickly made. */
  private static Path base;

  /** Cycles of the programs on that GPU with 1200 drain cycles and 300 cycles between blocks. */
  private static Path measured;

  @BeforeAll
  static void measure() throws Exception {
    base =
        Files.writeString(
            folder.resolve("one-sm.yaml"),
            "inherits: h200\nname: One SM\nsm: {count: 1, blocks: 2}\nflowMemory: {l2MiB: 1}\n");
    StringBuilder rows = new StringBuilder("workload,kernel_id,cycles_median\n");
    for (int blocks : BLOCKS) {
      TinyProgram.write(Files.createDirectories(traces().resolve("t" + blocks)), blocks);
      rows.append("t" + blocks + ",1,1\n");
    }
    rows.append("t1,2,1\n");
    HardwareTable kernels =
        HardwareTable.read(Files.writeString(folder.resolve("kernels.csv"), rows));
    var truth =
        Gpus.load(
            base.toString(),
            List.of("modern.launch.drainCycles=1200", "modern.launch.turnaround=300"));
    StringBuilder table = new StringBuilder("workload,kernel_id,cycles_median\n");
    for (KernelComparison one :
        new Validation(kernels, traces(), () -> Core.MODERN.machine(truth, true))
            .run(ANY, 2, done -> {})) {
      table.append(one.hardware().workload() + "," + one.hardware().kernelId() + ",");
      table.append(one.result().cycles() + "\n");
    }
    measured = Files.writeString(folder.resolve("measured.csv"), table);
  }

  private static Path traces() {
    return folder.resolve("traces");
  }

  private static Tuner.Task task(Path table, List<String> fits, int folds, int budget)
      throws Exception {
    List<ExplainedField> gpu = Gpus.explain(base.toString(), List.of());
    List<FitField> fields = new ArrayList<>();
    for (String fit : fits) {
      fields.add(FitField.parse(fit, gpu, "modern"));
    }
    List<Sample> samples =
        Samples.of(HardwareTable.read(table), table, traces(), ANY, Samples.CYCLES);
    return new Tuner.Task(base.toString(), Core.MODERN, fields, samples, folds, budget, 1);
  }

  /** Says nothing, and stops it after some points. */
  private record Stopper(StopSignal stop, int points) implements Tuner.Watcher {
    @Override
    public void failed(Point point, String message) {}

    @Override
    public void advanced(Sweep.State state) {
      if (state.count().done() >= points) {
        stop.stop("enough");
      }
    }

    @Override
    public void better(List<String> settings, double error, int machines) {}
  }

  private static Tuning tune(Tuner.Task task, String store, int points) throws Exception {
    StopSignal stop = new StopSignal();
    try (ResultStore opened = ResultStore.open(folder.resolve(store))) {
      return new Tuner(
              task,
              "tiny",
              opened,
              () -> new Local(2, 1L << 30, stop),
              false,
              stop,
              new Stopper(stop, points))
          .run();
    }
  }

  @Test
  void aFitFindsTheMachineThatWasMeasured() throws Exception {
    Tuner.Task task = task(measured, FITS, 4, 60);
    Tuning whole = tune(task, "whole.db", Integer.MAX_VALUE);
    assertThat(whole.finished()).isTrue();
    assertThat(whole.before()).isGreaterThan(0.03);
    assertThat(whole.after()).isLessThan(0.002);
    assertThat(whole.heldOut()).isLessThan(0.01);
    assertThat(whole.carriesOver()).isTrue();
    assertThat(number(whole, 0)).isBetween(1190.0, 1210.0);
    assertThat(number(whole, 1)).isBetween(295.0, 305.0);
    assertThat(whole.values()).allMatch(Tuning.Value::determined).noneMatch(Tuning.Value::atEnd);
    assertThat(whole.folds()).hasSize(4).allMatch(f -> f.heldOutAfter() < f.heldOutBefore());
    describes(whole);
  }

  @Test
  void aFitThatIsStoppedGoesOnToTheSameEndAndRepeatsNothing() throws Exception {
    Tuner.Task task = task(measured, FITS.subList(0, 1), 2, 12);
    Tuning whole = tune(task, "unbroken.db", Integer.MAX_VALUE);
    Tuning begun = tune(task, "stopped.db", 22);
    assertThat(begun.finished()).isFalse();
    assertThat(begun.carriesOver()).isFalse();
    assertThat(begun.simulated()).isBetween(22, whole.simulated() - 1);
    assertThat(begun.values()).hasSize(1);
    assertThat(begun.after()).isFinite();
    Tuning resumed = tune(task, "stopped.db", Integer.MAX_VALUE);
    assertThat(begun.simulated() + resumed.simulated()).isEqualTo(whole.simulated());
    assertThat(resumed.values()).isEqualTo(whole.values());
    assertThat(resumed.folds()).isEqualTo(whole.folds());
    assertThat(tune(task, "stopped.db", Integer.MAX_VALUE).simulated()).isZero();
  }

  private static double number(Tuning tuning, int field) {
    return Double.parseDouble(tuning.values().get(field).value());
  }

  /** The description has the values and where they come from, and the rest of its parent. */
  private static void describes(Tuning tuning) throws Exception {
    Path file = folder.resolve("sub").resolve("tuned.yaml");
    Files.createDirectories(file.getParent());
    TunedDescription.write(tuning, "One SM", "measured.csv", "1234", file);
    assertThat(Gpus.load(file.toString()).sm().count()).isEqualTo(1);
    assertThat(Gpus.load(file.toString()).modernCore().validation())
        .startsWith("fitted to measured.csv, 5 kernels of 4 programs: mean error of cycles 0.");
    List<ExplainedField> fields = Gpus.explain(file.toString(), List.of());
    for (Tuning.Value value : tuning.values()) {
      ExplainedField field =
          fields.stream().filter(f -> f.path().equals(value.field().path())).findFirst().get();
      assertThat(Double.parseDouble(field.value())).isEqualTo(Double.parseDouble(value.value()));
      assertThat(field.evidence().kind()).isEqualTo(Evidence.Kind.FITTED);
      assertThat(field.evidence().reference())
          .contains("measured.csv, 5 kernels of 4 programs", "held out", "over 4 folds")
          .contains(value.field().base(), value.field().limits());
    }
    assertThat(fields)
        .filteredOn(field -> field.evidence().kind() == Evidence.Kind.FITTED)
        .filteredOn(field -> field.evidence().gpu() == null)
        .hasSize(2);
  }

  @Test
  void aFieldThatNoKernelFeelsIsSaidAndLeftOut() throws Exception {
    List<String> fits =
        List.of("modern.launch.drainCycles=100..1500", "modern.units.dmmaRate=8..64");
    Tuning tuning = tune(task(measured, fits, 2, 20), "unfelt.db", Integer.MAX_VALUE);
    assertThat(tuning.values()).extracting(Tuning.Value::moves).containsExactly(true, false);
    assertThat(TuningText.lines(tuning))
        .anyMatch(
            line -> line.startsWith("modern.units.dmmaRate: not determined by these kernels"));
    assertThat(TunedDescription.text(tuning, "x", "y", "z", folder.resolve("u.yaml")))
        .contains("drainCycles:")
        .doesNotContain("dmmaRate");
  }

  @Test
  void fieldsThatDoTheSameToAllKernelsAreNotToldApart() throws Exception {
    List<String> fits =
        List.of("modern.launch.drainCycles=100..1500", "modern.launch.kernelCycles=1000..3000");
    Tuning tuning = tune(task(measured, fits, 2, 8), "alike.db", Integer.MAX_VALUE);
    assertThat(tuning.values())
        .allMatch(Tuning.Value::moves)
        .allMatch(value -> value.own() < 0.01)
        .noneMatch(Tuning.Value::determined);
    assertThat(TuningText.lines(tuning))
        .filteredOn(line -> line.contains("the other fields together do the same"))
        .hasSize(2);
  }

  @Test
  void programsThatContradictEachOtherGiveAFitThatDoesNotCarryOver() throws Exception {
    List<String> lines = Files.readAllLines(measured);
    Path table = folder.resolve("contradiction.csv");
    double[] now = new double[2];
    for (String line : lines) {
      String[] cells = line.split(",");
      int program = List.of("t1 1", "t4 1").indexOf(cells[0] + " " + cells[1]);
      if (program >= 0) {
        now[program] = Double.parseDouble(cells[2]);
      }
    }
    Files.writeString(
        table, "workload,cycles_median\nt1," + (now[0] - 1100) + "\nt4," + (now[1] + 300) + "\n");
    Tuning tuning = tune(task(table, FITS.subList(0, 1), 2, 20), "not.db", Integer.MAX_VALUE);
    assertThat(tuning.carriesOver()).isFalse();
    assertThat(tuning.after()).isLessThan(tuning.before());
    assertThat(tuning.values().get(0).determined()).isFalse();
    assertThat(TuningText.lines(tuning)).last().asString().contains("does NOT carry over");
  }

  @Test
  void fieldsAndRangesThatCannotBeAreNamed() throws Exception {
    List<ExplainedField> gpu = Gpus.explain("h200", List.of());
    String[][] mistakes = {
      {"flowMemory.dramNs", "expected FIELD=LOW..HIGH"},
      {"flowMemory.dramN=1..2", "has no field flowMemory.dramN (did you mean flowMemory.dramNs?)"},
      {"flowMemory.dramNs=2..1", "expected LOW below HIGH"},
      {"flowMemory.dramNs=-3..1", "found the end -3, expected a number from 0"},
      {"flowMemory.l2Ways=1.5..4", "found the end 1.5, expected a whole number from 1"},
      {"flowMemory.positionSpread=0..4:log", "from a number above 0"},
      {"name=1..2", "is no number"},
      {"classic.l1.latency=1..2", "the modern core does not read classic.l1.latency"},
      {"energy.lane.fp32=1..2", "'warpline validate-energy --fit' solves for them"}
    };
    for (String[] mistake : mistakes) {
      assertThatThrownBy(() -> FitField.parse(mistake[0], gpu, "modern"))
          .hasMessageContaining("--fit " + mistake[0])
          .hasMessageContaining(mistake[1]);
    }
  }

  @Test
  void kernelsThatCannotBeFittedToAreNamed() throws Exception {
    String[][] mistakes = {
      {"t1,1,50\nt99,1,50\n", "no trace of t99"},
      {"t1,1,50\nt4,1,0\n", "t4 has no cycles_median above 0"},
      {"t1,1,50\nt4,3,50\n", "found 2 kernels, expected number 3"},
      {"t1,1,50\nt1,1,60\n", "t1 has two rows"},
      {"t1,1,50\nt1,2,60\n", "found kernels of 1 program"}
    };
    for (String[] mistake : mistakes) {
      Path table =
          Files.writeString(
              folder.resolve("bad.csv"), "workload,kernel_id,cycles_median\n" + mistake[0]);
      assertThatThrownBy(() -> tune(task(table, FITS, 2, 10), "bad.db", 1))
          .hasMessageContaining(mistake[1]);
    }
    assertThatThrownBy(() -> tune(task(measured, FITS, 6, 10), "bad.db", 1))
        .hasMessageContaining("found 6 folds, expected 2 to 4");
    assertThatThrownBy(
            () -> tune(task(measured, List.of(FITS.get(0), FITS.get(0)), 2, 10), "bad.db", 1))
        .hasMessageContaining("found twice");
    assertThatThrownBy(() -> Samples.metric("cycels")).hasMessageContaining("mean cycles?");
  }

  @Test
  void workloadsWithAKernelInCommonAreOneProgramAndHeldOutTogether() throws Exception {
    Path table =
        Files.writeString(
            folder.resolve("programs.csv"),
            """
            workload,kernel,program,cycles_median
            a1,void a<1>,,1
            b,b,,1
            a2,void a<2>,,1
            c1,c,mine,1
            c2,d,mine,1
            e,x,,1
            e,b,,1
            """);
    assertThat(Samples.programs(HardwareTable.read(table).rows()))
        .containsEntry("a2", "a1")
        .containsEntry("c2", "mine")
        .containsEntry("e", "b")
        .containsEntry("a1", "a1");
    List<Sample> samples =
        Stream.of("p", "q", "p", "r", "p", "s", "q")
            .map(program -> new Sample("w", 1, program, traces(), Samples.CYCLES, 1))
            .toList();
    List<Set<Integer>> folds = Samples.folds(samples, 2, 5);
    assertThat(folds).extracting(Set::size).containsExactlyInAnyOrder(3, 4);
    assertThat(folds).anyMatch(fold -> fold.containsAll(Set.of(0, 2, 4)));
  }
}
