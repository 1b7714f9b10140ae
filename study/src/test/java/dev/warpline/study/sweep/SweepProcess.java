package dev.warpline.study.sweep;

import dev.warpline.engine.StopSignal;
import dev.warpline.study.store.Point;
import dev.warpline.study.store.ResultStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A sweep in a process of its own, which a test may kill. */
public final class SweepProcess {
  private SweepProcess() {}

  /** Says nothing. */
  static final Sweep.Watcher SILENT =
      new Sweep.Watcher() {
        @Override
        public void failed(Point point, String message) {}

        @Override
        public void advanced(Sweep.State state) {}
      };

  /** Runs a study on a store and prints how many points it simulated. */
  public static void main(String[] arguments) throws Exception {
    Plan plan = Plan.of(Study.read(Path.of(arguments[0])));
    if (arguments.length > 2) {
      Files.createFile(Path.of(arguments[2] + ".ready-" + ProcessHandle.current().pid()));
      while (!Files.exists(Path.of(arguments[2]))) {
        Thread.sleep(5);
      }
    }
    System.out.println(run(plan, Path.of(arguments[1])).simulated());
  }

  static Sweep.State run(Plan plan, Path file) throws Exception {
    StopSignal stop = new StopSignal();
    try (ResultStore store = ResultStore.open(file)) {
      Local here = new Local(2, 1L << 30, stop);
      return new Sweep(plan, store, stop, SILENT).run(here, false, false);
    }
  }

  static Process start(Path study, Path store, Path output, Path... go) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                SweepProcess.class.getName(),
                study.toString(),
                store.toString()));
    for (Path file : go) {
      command.add(file.toString());
    }
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }
}
