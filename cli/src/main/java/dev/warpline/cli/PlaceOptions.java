package dev.warpline.cli;

import dev.warpline.engine.StopSignal;
import dev.warpline.study.cluster.OnSlurm;
import dev.warpline.study.cluster.OnSpark;
import dev.warpline.study.sweep.On;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Where points are simulated if not here; a mixin of the commands that simulate many. */
final class PlaceOptions {
  private static final String SLURM = "slurm";

  @Option(
      names = "--on",
      paramLabel = "WHERE",
      description = {
        "Simulate on a cluster (docs/cluster.md): slurm, or a master of Apache Spark: spark://HOST:7077,"
            + " yarn, k8s://..., local[2]."
      })
  String on;

  @Option(
      names = "--slurm",
      paramLabel = "OPTIONS",
      description = "Options for sbatch, e.g. --slurm \"--partition=cpu --time=4:00:00\".")
  String sbatch;

  @Option(
      names = "--per-task",
      paramLabel = "N",
      converter = Numbers.Threads.class,
      description = {
        "With --on slurm: points per element of the array (default: as few as Slurm allows)."
      })
  Integer perTask;

  @Option(
      names = "--shared",
      paramLabel = "FOLDER",
      description = {
        "With --on slurm: a folder that all nodes see (default: STORE.slurm beside the store)."
      })
  Path shared;

  @Option(
      names = "--spark-conf",
      paramLabel = "NAME=VALUE",
      description = "Setting of Spark, e.g. spark.executor.memory=16g. Repeatable.")
  List<String> settings = new ArrayList<>();

  /** Refuses options that cannot act. */
  void check(CommandLine command, Integer threads, Long memory) {
    boolean slurm = SLURM.equals(on);
    boolean spark = on != null && !slurm;
    if (spark
        && !on.matches(
            "(spark|k8s)://.+|yarn|local(\\[(\\d+|\\*)(,\\s*\\d+)?])?|local-cluster\\[.*")) {
      throw new ParameterException(
          command,
          "--on "
              + on
              + ": expected slurm or a master of Spark: spark://HOST:PORT, yarn, k8s://..., local[N]");
    }
    if (on != null && memory != null) {
      throw new ParameterException(
          command,
          "--memory counts on this machine only; a cluster's nodes have --slurm --mem=... or"
              + " --spark-conf spark.executor.memory=...");
    }
    if (spark && threads != null) {
      throw new ParameterException(
          command, "--threads does not count on Spark; --spark-conf spark.executor.cores=... does");
    }
    if (!slurm && (sbatch != null || perTask != null || shared != null)) {
      throw new ParameterException(command, "--slurm, --per-task and --shared need --on slurm");
    }
    if (!spark && !settings.isEmpty()) {
      throw new ParameterException(command, "--spark-conf needs --on with a master of Spark");
    }
    for (String setting : settings) {
      if (!setting.matches("spark\\.[^=]+=.*")) {
        throw new ParameterException(
            command, "--spark-conf " + setting + ": expected NAME=VALUE with a name spark....");
      }
    }
  }

  /** Whether all nodes read files from one place. */
  boolean shared() {
    return SLURM.equals(on);
  }

  /** The place. */
  On on(Path store, int threads, StopSignal stop) throws IOException {
    if (on.equals(SLURM)) {
      Path folder = shared == null ? store.resolveSibling(store.getFileName() + ".slurm") : shared;
      List<String> options =
          sbatch == null || sbatch.isBlank() ? List.of() : List.of(sbatch.strip().split("\\s+"));
      return new OnSlurm(
          new OnSlurm.Use(
              folder.toAbsolutePath().normalize(), options, perTask == null ? 0 : perTask, threads),
          stop);
    }
    String home = System.getProperty("warpline.home");
    return new OnSpark(
        OnSpark.Installed.find(home == null ? null : Path.of(home), System.getenv("SPARK_HOME")),
        on,
        settings,
        store.resolveSibling(store.getFileName() + ".spark.log").toAbsolutePath(),
        stop);
  }
}
