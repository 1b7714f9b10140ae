package dev.warpline.study.cluster;

import dev.warpline.engine.StopSignal;
import dev.warpline.study.store.Point;
import dev.warpline.study.store.ResultStore;
import dev.warpline.study.sweep.Plan;
import dev.warpline.study.sweep.Study;
import dev.warpline.study.sweep.Sweep;
import java.nio.file.Path;
import java.util.List;

/** A sweep on Slurm in a process of its own, which a test may kill. */
public final class SlurmSweep {
  private SlurmSweep() {}

  /** Runs a study on a store with a shared folder. */
  public static void main(String[] arguments) throws Exception {
    Plan plan = Plan.of(Study.read(Path.of(arguments[0])));
    StopSignal stop = new StopSignal();
    Sweep.Watcher silent =
        new Sweep.Watcher() {
          @Override
          public void failed(Point point, String message) {}

          @Override
          public void advanced(Sweep.State state) {}
        };
    try (ResultStore store = ResultStore.open(Path.of(arguments[1]))) {
      new Sweep(plan, store, stop, silent)
          .run(
              new OnSlurm(new OnSlurm.Use(Path.of(arguments[2]), List.of("--mem=1G"), 20, 1), stop),
              false,
              false);
    }
  }

  static Process start(Path study, Path store, Path shared, Path output) throws Exception {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-cp",
            System.getProperty("java.class.path"),
            SlurmSweep.class.getName(),
            study.toString(),
            store.toString(),
            shared.toString())
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }
}
