package dev.warpline.cli;

import dev.warpline.engine.Results;
import dev.warpline.engine.StopSignal;
import dev.warpline.engine.WholeFile;
import dev.warpline.study.cluster.Scaling;
import dev.warpline.study.explore.ResultTable;
import dev.warpline.study.store.Member;
import dev.warpline.study.store.Point;
import dev.warpline.study.store.ResultStore;
import dev.warpline.study.sweep.Local;
import dev.warpline.study.sweep.On;
import dev.warpline.study.sweep.Plan;
import dev.warpline.study.sweep.Study;
import dev.warpline.study.sweep.Sweep;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Simulates the points of a study. */
@Command(
    name = "sweep",
    mixinStandardHelpOptions = true,
    description = {
      "Simulate a study: traces on GPUs whose fields vary. Results go into a store; what is there"
          + " already is not simulated again, so the same command goes on after any end.",
      "",
      "docs/studies.md explains study files; 'warpline results' shows what came out. Exit code 4 if"
          + " points failed or the sweep was interrupted."
    },
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n")
final class SweepCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Parameters(paramLabel = "STUDY.yaml", description = "Traces, GPUs and what to vary.")
  Path file;

  @Option(
      names = "--store",
      paramLabel = "FILE",
      description = "Where results go (default: as the study says, or STUDY.db beside it).")
  Path store;

  @Option(
      names = "--threads",
      paramLabel = "N",
      converter = Numbers.Threads.class,
      description = {
        "Points at a time (default: the processors of this machine; with --on slurm, per element of"
            + " the array: 1)."
      })
  Integer threads;

  @Mixin PlaceOptions place;

  @Option(
      names = "--memory",
      paramLabel = "MiB",
      converter = Numbers.Mebibytes.class,
      description = {
        "What points at a time may need together (default: three quarters of Java's heap;"
            + " WARPLINE_JAVA_OPTS=-Xmx16g gives more)."
      })
  Long memory;

  @Option(
      names = "--retry-failed",
      description = "Simulate points again that failed, e.g. for want of memory.")
  boolean retryFailed;

  @Option(
      names = "--renew",
      description = {
        "Simulate a study again whose results are of another build of Warpline; they are kept."
      })
  boolean renew;

  @Option(names = "--dry-run", description = "Print the points, and simulate nothing.")
  boolean dryRun;

  @Option(
      names = "--parquet",
      paramLabel = "FILE",
      description = "Write one row per point as an Apache Parquet file at the end.")
  Path parquet;

  @Option(
      names = "--costs",
      description = {
        "Print what the sweep cost per point beside the simulations, and how long sweeps would take"
            + " on up to 1,000 nodes if it costs the same there."
      })
  boolean costs;

  @Mixin Plugins plugins;

  /** Who it runs for. */
  Audience audience = Audience.TERMINAL;

  /** Ends the sweep before its time. */
  StopSignal stop = new StopSignal();

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    if (parquet != null) {
      WholeFile.check(parquet);
    }
    place.check(spec.commandLine(), threads, memory);
    Plan plan = Plan.of(Study.read(file));
    plan.warnings().forEach(warning -> err.println("warning: " + warning));
    err.flush();
    if (dryRun) {
      print(plan, out);
      return ExitCode.OK;
    }
    Path where = store == null ? plan.study().store() : store;
    try (Interrupt interrupt = new Interrupt(stop);
        ProgressLine line = new ProgressLine();
        ResultStore opened = ResultStore.open(where)) {
      interrupt.simulating(true);
      Sweep sweep = new Sweep(plan, opened, stop, new Display(line, err, audience));
      Sweep.State end = sweep.run(on(where, stop), renew, retryFailed);
      interrupt.simulating(false);
      line.close();
      if (parquet != null) {
        Results.writeParquet(ResultTable.of(opened, plan.study().name()).rows(), parquet);
      }
      int code = say(plan, where, end, stop, out, err);
      if (costs) {
        new Scaling(sweep.costs(), place.shared()).lines().forEach(out::println);
        out.flush();
      }
      return code;
    }
  }

  private On on(Path where, StopSignal stop) throws IOException {
    if (place.on != null) {
      return place.on(where, threads == null ? 1 : threads, stop);
    }
    long budget = memory == null ? Runtime.getRuntime().maxMemory() / 4 * 3 : memory << 20;
    int all = threads == null ? Runtime.getRuntime().availableProcessors() : threads;
    return new Local(all, budget, stop);
  }

  private static void print(Plan plan, PrintWriter out) {
    for (Member member : plan.members()) {
      out.printf(
          "%5d  %s  %s  %s  %s  %s%s%n",
          member.number(),
          member.point().substring(0, 12),
          member.trace(),
          member.gpu(),
          member.core(),
          String.join(" ", member.values().entrySet().stream().map(e -> e.toString()).toList()),
          plan.refused().containsKey(member.point())
              ? "  cannot be: " + plan.refused().get(member.point())
              : "");
    }
    out.println(summary(plan));
    out.flush();
  }

  private static String summary(Plan plan) {
    return String.format(
        Locale.ROOT,
        "%s: %,d points%s%s",
        plan.study().name(),
        plan.points().size(),
        plan.members().size() == plan.points().size()
            ? ""
            : String.format(Locale.ROOT, " in %,d places", plan.members().size()),
        plan.filtered() == 0
            ? ""
            : String.format(Locale.ROOT, ", %,d left out by filters", plan.filtered()));
  }

  private static int say(
      Plan plan, Path store, Sweep.State end, StopSignal stop, PrintWriter out, PrintWriter err) {
    out.printf(
        Locale.ROOT,
        "%s; %,d done, %,d failed, %,d simulated now; %s%n",
        summary(plan),
        end.count().done(),
        end.count().failed(),
        end.simulated(),
        store);
    out.flush();
    if (stop.reason() != null) {
      err.println("warpline: " + stop.reason() + "; the same command goes on");
      err.flush();
      return ExitCode.UNFINISHED;
    }
    if (end.count().failed() > 0) {
      err.printf(
          Locale.ROOT,
          "warpline: %,d points failed; 'warpline results %s --failed' says why%n",
          end.count().failed(),
          store);
      err.flush();
      return ExitCode.UNFINISHED;
    }
    return ExitCode.OK;
  }

  /** Shows how far it is, and every failure. */
  private record Display(ProgressLine line, PrintWriter err, Audience audience)
      implements Sweep.Watcher {
    @Override
    public void failed(Point point, String message) {
      line.clear();
      err.println(
          "warpline: "
              + Path.of(point.trace()).getFileName()
              + " on "
              + point.gpu()
              + " "
              + String.join(" ", point.settings())
              + ": "
              + message);
      err.flush();
    }

    @Override
    public void advanced(Sweep.State state) {
      audience.points(state);
      int all = state.count().all();
      int ended = state.count().done() + state.count().failed();
      line.show(
          String.format(
              Locale.ROOT,
              "%,d of %,d points%s, %d running here%s",
              ended,
              all,
              state.count().failed() == 0
                  ? ""
                  : String.format(Locale.ROOT, " (%,d failed)", state.count().failed()),
              state.running(),
              left(state)),
          ended,
          all);
    }

    private static String left(Sweep.State state) {
      if (Double.isNaN(state.secondsLeft())) {
        return "";
      }
      return ", about "
          + time(state.secondsLeft())
          + " left"
          + (state.unknown() == 0
              ? ""
              : String.format(
                  Locale.ROOT, " (a guess for %,d points of new traces)", state.unknown()));
    }

    private static String time(double seconds) {
      if (seconds < 100) {
        return String.format(Locale.ROOT, "%.0f s", Math.ceil(seconds));
      }
      return seconds < 6000
          ? String.format(Locale.ROOT, "%.0f min", seconds / 60)
          : String.format(Locale.ROOT, "%.1f h", seconds / 3600);
    }
  }
}
