package dev.warpline.cli;

import dev.warpline.cli.results.ResultsCommand;
import dev.warpline.engine.Build;
import dev.warpline.engine.UnfinishedSimulationException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code warpline} command. A subcommand is a class of its own, named in the table below. */
@Command(
    name = "warpline",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    description = "A cycle-level GPU simulator.",
    synopsisSubcommandLabel = "COMMAND",
    commandListHeading = "%nCommands:%n",
    optionListHeading = "%nOptions:%n",
    footerHeading = "%nExit codes:%n",
    footer = {
      "  0  done",
      "  1  an error inside Warpline",
      "  2  wrong use of a command",
      "  3  bad input: a file that is absent, malformed or unusable; nothing to simulate",
      "  4  the simulation did not finish: deadlock, a limit or too little memory",
      "  5  a check of a launch file or of doctor failed, or a fit does not carry over",
      "",
      "'warpline help COMMAND' explains a command; docs/guide.md explains the rest."
    })
public final class Main {
  /** By name, in the order of the help text. */
  private static final Map<String, Class<?>> COMMANDS = new LinkedHashMap<>();

  static {
    COMMANDS.put("demo", DemoCommand.class);
    COMMANDS.put("capture", CaptureCommand.class);
    COMMANDS.put("inspect", InspectCommand.class);
    COMMANDS.put("convert", ConvertCommand.class);
    COMMANDS.put("trace", TracingCommand.class);
    COMMANDS.put("execute", ExecuteCommand.class);
    COMMANDS.put("pack", PackCommand.class);
    COMMANDS.put("disasm", DisasmCommand.class);
    COMMANDS.put("run", RunCommand.class);
    COMMANDS.put("hip", HipCommand.class);
    COMMANDS.put("sweep", SweepCommand.class);
    COMMANDS.put("report", ReportCommand.class);
    COMMANDS.put("results", ResultsCommand.class);
    COMMANDS.put("tune", TuneCommand.class);
    COMMANDS.put("compare", CompareCommand.class);
    COMMANDS.put("bench", BenchCommand.class);
    COMMANDS.put("bench-amd", BenchAmdCommand.class);
    COMMANDS.put("serve", ServeCommand.class);
    COMMANDS.put("session", SessionCommand.class);
    COMMANDS.put("validate", ValidateCommand.class);
    COMMANDS.put("validate-amd", ValidateAmdCommand.class);
    COMMANDS.put("validate-energy", ValidateEnergyCommand.class);
    COMMANDS.put("validate-programs", ValidateProgramsCommand.class);
    COMMANDS.put("gpus", GpusCommand.class);
    COMMANDS.put("experiments", ExperimentsCommand.class);
    COMMANDS.put("goldens", GoldensCommand.class);
    COMMANDS.put("doctor", DoctorCommand.class);
    COMMANDS.put("rehearse", RehearseCommand.class);
    COMMANDS.put("completion", CompletionCommand.class);
    COMMANDS.put("help", HelpCommand.class);
  }

  private Main() {}

  public static void main(String[] arguments) {
    System.exit(execute(arguments));
  }

  private static int execute(String[] arguments) {
    try {
      Integer code = PlainRun.execute(Terminal.standard(arguments));
      return code == null ? commandLine(arguments).execute(arguments) : code;
    } catch (OutOfMemoryError e) {
      // A simulation says so itself; this is what comes before it, and other commands.
      System.err.println("warpline: " + Attempt.words(e));
      return ExitCode.UNFINISHED;
    }
  }

  /**
   * The command line with the command that some arguments begin with, or with all of them where
   * they begin with none or with one that speaks of the others. Setting up the thirty of them takes
   * longer than a small simulation.
   */
  static CommandLine commandLine(String... arguments) {
    String first = arguments.length == 0 ? "" : arguments[0];
    boolean alone =
        COMMANDS.containsKey(first) && !first.equals("help") && !first.equals("completion");
    return commandLine(alone ? Set.of(first) : COMMANDS.keySet());
  }

  private static CommandLine commandLine(Set<String> names) {
    CommandLine line = new CommandLine(new Main());
    names.forEach(name -> line.addSubcommand(COMMANDS.get(name)));
    return line.setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setExecutionStrategy(Plugins::execute)
        .setParameterExceptionHandler(WrongUse::report)
        .setExecutionExceptionHandler((failure, command, parsed) -> report(failure, command));
  }

  /** Says what went wrong, in words; the exit code that belongs to it. */
  static int report(Exception failure, CommandLine command) {
    return report(failure, command.getErr());
  }

  static int report(Exception failure, PrintWriter err) {
    if (failure instanceof UncheckedIOException unchecked) {
      return report(unchecked.getCause(), err);
    }
    if (failure instanceof IOException) {
      err.println("warpline: " + words(failure));
      return ExitCode.BAD_INPUT;
    }
    if (failure instanceof UnfinishedSimulationException) {
      err.println("warpline: " + failure.getMessage());
      return ExitCode.UNFINISHED;
    }
    err.println("warpline: an error inside Warpline, please report it:");
    failure.printStackTrace(err);
    return ExitCode.INTERNAL;
  }

  /** What a failure says. */
  static String words(Exception failure) {
    if (failure instanceof UncheckedIOException unchecked) {
      return words(unchecked.getCause());
    }
    if (!(failure instanceof IOException || failure instanceof UnfinishedSimulationException)) {
      return "an error inside Warpline: " + failure;
    }
    if (failure instanceof NoSuchFileException) {
      return failure.getMessage() + ": no such file or folder";
    }
    if (failure instanceof NotDirectoryException) {
      return failure.getMessage() + ": a file, expected a folder";
    }
    if (failure instanceof AccessDeniedException) {
      return failure.getMessage() + ": may not be read";
    }
    return failure.getMessage() == null ? failure.toString() : failure.getMessage();
  }

  /** Says which Warpline and which Java this is. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {
        "warpline " + Build.version() + ", commit " + Build.commit(),
        "Java " + Runtime.version() + ", " + System.getProperty("os.name")
      };
    }
  }
}
