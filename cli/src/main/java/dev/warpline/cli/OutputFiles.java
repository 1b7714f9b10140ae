package dev.warpline.cli;

import dev.warpline.engine.Results;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.WholeFile;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.profile.LogEvent;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.web.report.Baseline;
import dev.warpline.web.report.Report;
import dev.warpline.web.timeline.Timeline;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The files that a run writes: results, report, timeline; a mixin of commands that simulate. */
final class OutputFiles {
  private static final String STANDARD_OUTPUT = "-";

  @Spec(Spec.Target.MIXEE)
  CommandSpec command;

  private String energyText;

  @Option(
      names = "--json",
      paramLabel = "FILE|-",
      description = "Write everything as JSON; - writes it to standard output alone.")
  String json;

  @Option(
      names = "--csv",
      paramLabel = "FILE|-",
      description = "Write one row per kernel as CSV; - writes it to standard output alone.")
  String csv;

  @Option(
      names = "--parquet",
      paramLabel = "FILE",
      description = "Write one row per kernel as an Apache Parquet file.")
  Path parquet;

  @Option(
      names = "--report",
      paramLabel = "FILE.html",
      description = "Write a page that says where the time goes: one file, no network needed.")
  Path report;

  @Option(
      names = "--baseline",
      paramLabel = "FILE.json",
      description = {
        "An earlier result (--json, with --profile for line by line) to compare with: printed, and"
            + " beside the run in --report. Repeatable."
      })
  List<Path> baseline = new ArrayList<>();

  private final List<Baseline> baselines = new ArrayList<>();

  @Option(
      names = "--source",
      paramLabel = "FOLDER",
      description = {
        "Where the program's source files are, for --report and --lines; repeatable. Without it they"
            + " are looked for beside the trace and where they were compiled (nvcc -lineinfo)."
      })
  List<Path> source = new ArrayList<>();

  @Option(
      names = "--lines",
      paramLabel = "N",
      arity = "0..1",
      fallbackValue = "10",
      converter = Numbers.Count.class,
      description = "Print the source lines that cost most, 10 or N of them.")
  Integer lines;

  @Option(
      names = "--profile",
      description = "Keep where the time goes in --json too, as --report does.")
  boolean profile;

  @Option(
      names = "--timeline",
      paramLabel = "FILE",
      description =
          "Write a window of cycles for Perfetto (.pftrace, .json, .json.gz) or Konata (.kanata).")
  Path timeline;

  @Option(
      names = "--power",
      paramLabel = "FILE.csv",
      description = "Write power over time, by component, as CSV (modern core).")
  Path power;

  @Option(
      names = "--interval",
      paramLabel = "CYCLES",
      converter = Numbers.Count.class,
      description = {
        "Least cycles between two rows of --power (default: as fine as the profile is)."
      })
  int interval = 1;

  @Option(
      names = "--window",
      paramLabel = "FROM:UNTIL",
      description = {
        "Cycles of the timeline and the log, from each kernel's launch (default: 0:10000)."
      })
  String window = "0:10000";

  @Option(
      names = "--sms",
      paramLabel = "N",
      converter = Numbers.Count.class,
      description = {"SMs of the timeline and the log: the first that get a block (default: 1)."})
  int sms = 1;

  @Option(
      names = "--log",
      paramLabel = "TOPIC[,TOPIC...]",
      split = ",",
      description = {"Print what happens inside --window: ${COMPLETION-CANDIDATES}."})
  Set<LogEvent.Topic> log = EnumSet.noneOf(LogEvent.Topic.class);

  @Option(
      names = "--follow",
      paramLabel = "ADDRESS",
      description = {
        "Print the way of every request for the 128-byte line that holds this address, e.g."
            + " 0x7f4000000080, inside --window, and put it into --timeline (modern core)."
      })
  String follow;

  /** Refuses what a core does not write. */
  void checkCore(GpuDescription gpu, String core) {
    if (!log.isEmpty() && core.equals("gcn")) {
      throw wrongUse("--log: AMD's compute unit writes none, expected a GPU of NVIDIA");
    }
    if (follow != null && !core.equals("modern")) {
      throw wrongUse(
          "--follow: the "
              + core
              + " core does not write the way of its requests, expected the modern core");
    }
    if (power == null && interval != 1) {
      throw wrongUse("--interval: acts on --power only");
    }
    String needsEnergy = power != null ? "--power" : energyText;
    if (needsEnergy != null && (gpu.energy() == null || !core.equals("modern"))) {
      throw wrongUse(
          String.format(
              "%s: the %s core of %s has no energies, expected the modern core of a GPU with a"
                  + " section energy, e.g. h200",
              needsEnergy, core, gpu.name()));
    }
  }

  /** An option of the command asks for energies, too. */
  void needEnergyFor(String option) {
    energyText = option;
  }

  /** Whether any file or data was asked for. */
  boolean any() {
    return takesStandardOutput() || !files().isEmpty();
  }

  /** Whether data goes to standard output, so that nothing else may. */
  boolean takesStandardOutput() {
    return STANDARD_OUTPUT.equals(json) || STANDARD_OUTPUT.equals(csv);
  }

  /** What the simulation has to record, null if nothing. */
  ProfileOptions recording() {
    if (timeline == null && log.isEmpty() && follow == null) {
      boolean shown = report != null || lines != null || !baseline.isEmpty();
      return shown || profile || power != null ? ProfileOptions.NO_TIMELINE : null;
    }
    String[] ends = window.split(":", -1);
    if (!window.matches("\\d{1,15}:\\d{1,15}")
        || Long.parseLong(ends[0]) >= Long.parseLong(ends[1])) {
      throw wrongUse("--window " + window + ": expected FROM:UNTIL, e.g. 5000:15000");
    }
    ProfileOptions options =
        new ProfileOptions(
            Long.parseLong(ends[0]),
            Long.parseLong(ends[1]),
            timeline == null && log.isEmpty() ? 0 : sms,
            Set.copyOf(log),
            command.commandLine().getOut()::println);
    return follow == null ? options : options.following(address());
  }

  private long address() {
    if (!follow.matches("0x[0-9a-fA-F]{1,15}")) {
      throw wrongUse("--follow " + follow + ": expected an address, e.g. 0x7f4000000080");
    }
    return Long.parseLong(follow.substring(2), 16);
  }

  /** Prints the way of the requests that were followed, if any were. */
  void printFollowed(RunResult result) {
    if (follow != null) {
      FollowText.print(result, window, command.commandLine().getOut());
    }
  }

  /**
   * Tries every file before anything is simulated.
   *
   * @param input what is read, and so must not be written over
   */
  void check(Path input) throws IOException {
    if (STANDARD_OUTPUT.equals(json) && STANDARD_OUTPUT.equals(csv)) {
      throw wrongUse("--json - and --csv - both take standard output: expected one of them");
    }
    if (follow != null && takesStandardOutput()) {
      throw wrongUse("--follow prints on standard output, which --json - or --csv - takes");
    }
    if (!log.isEmpty() && takesStandardOutput()) {
      throw wrongUse("--log prints on standard output, which --json - or --csv - takes");
    }
    if (timeline != null) {
      try {
        Timeline.check(timeline);
      } catch (IllegalArgumentException e) {
        throw wrongUse(e.getMessage());
      }
    }
    baselines.clear();
    for (Path file : baseline) {
      baselines.add(Baseline.read(file));
    }
    Map<Path, String> seen = new LinkedHashMap<>();
    baseline.forEach(file -> seen.put(file.toAbsolutePath().normalize(), "a baseline"));
    seen.put(input.toAbsolutePath().normalize(), "the input");
    for (Map.Entry<String, Path> file : files().entrySet()) {
      String other = seen.put(file.getValue().toAbsolutePath().normalize(), file.getKey());
      if (other != null) {
        throw wrongUse(file.getKey() + " " + file.getValue() + ": that is " + other + " already");
      }
      WholeFile.check(file.getValue());
    }
  }

  private Map<String, Path> files() {
    Map<String, Path> files = new LinkedHashMap<>();
    if (json != null && !json.equals(STANDARD_OUTPUT)) {
      files.put("--json", Path.of(json));
    }
    if (csv != null && !csv.equals(STANDARD_OUTPUT)) {
      files.put("--csv", Path.of(csv));
    }
    if (parquet != null) {
      files.put("--parquet", parquet);
    }
    if (report != null) {
      files.put("--report", report);
    }
    if (timeline != null) {
      files.put("--timeline", timeline);
    }
    if (power != null) {
      files.put("--power", power);
    }
    return files;
  }

  /**
   * Writes the files that were asked for. One that cannot be written does not keep the others from
   * being written.
   *
   * @throws IOException naming the first that could not
   */
  void write(RunResult result, String title) throws IOException {
    IOException first = null;
    for (Map.Entry<String, Path> file : files().entrySet()) {
      try {
        write(file.getKey(), file.getValue(), result, title);
      } catch (IOException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }

  private void write(String option, Path file, RunResult result, String title) throws IOException {
    switch (option) {
      case "--json" -> Results.writeJson(result, file);
      case "--csv" -> Results.writeCsv(result, file);
      case "--parquet" -> Results.writeParquet(result, file);
      case "--report" -> Report.write(result, title, baselines, file);
      case "--timeline" -> Timeline.write(result, file);
      case "--power" -> PowerText.write(result, interval, file);
      default -> throw new IllegalStateException(option);
    }
  }

  /** The results to compare with, read by {@link #check}. */
  List<Baseline> baselines() {
    return baselines;
  }

  /** Writes the data that was asked for on standard output; whether any was. */
  boolean print(RunResult result) throws IOException {
    if (STANDARD_OUTPUT.equals(json)) {
      Results.writeJson(result, command.commandLine().getOut());
    } else if (STANDARD_OUTPUT.equals(csv)) {
      Results.writeCsv(result, command.commandLine().getOut());
    }
    return takesStandardOutput();
  }

  private RuntimeException wrongUse(String message) {
    return WrongUse.of(command, message);
  }
}
