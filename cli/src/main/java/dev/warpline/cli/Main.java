package dev.warpline.cli;

import dev.warpline.cli.results.ResultsCommand;
import dev.warpline.engine.Build;
import dev.warpline.engine.UnfinishedSimulationException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code warpline} command. A subcommand is a class of its own, named in the list below. */
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
      "  4  the simulation did not finish: deadlock or a limit",
      "  5  a check of a launch file or of doctor failed, or a fit does not carry over",
      "",
      "'warpline help COMMAND' explains a command; docs/guide.md explains the rest."
    },
    subcommands = {
      DemoCommand.class,
      CaptureCommand.class,
      InspectCommand.class,
      ConvertCommand.class,
      TracingCommand.class,
      ExecuteCommand.class,
      PackCommand.class,
      DisasmCommand.class,
      RunCommand.class,
      HipCommand.class,
      SweepCommand.class,
      ReportCommand.class,
      ResultsCommand.class,
      TuneCommand.class,
      CompareCommand.class,
      BenchCommand.class,
      BenchAmdCommand.class,
      ServeCommand.class,
      SessionCommand.class,
      ValidateCommand.class,
      ValidateAmdCommand.class,
      ValidateEnergyCommand.class,
      ValidateProgramsCommand.class,
      GpusCommand.class,
      ExperimentsCommand.class,
      GoldensCommand.class,
      DoctorCommand.class,
      CompletionCommand.class,
      HelpCommand.class
    })
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  /** The command line with everything set up, for {@link #main} and for tests. */
  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setExecutionStrategy(Plugins::execute)
        .setParameterExceptionHandler(WrongUse::report)
        .setExecutionExceptionHandler((failure, command, parsed) -> report(failure, command));
  }

  /** Says what went wrong, in words; the exit code that belongs to it. */
  static int report(Exception failure, CommandLine command) {
    if (failure instanceof UncheckedIOException unchecked) {
      return report(unchecked.getCause(), command);
    }
    if (failure instanceof IOException) {
      command.getErr().println("warpline: " + words(failure));
      return ExitCode.BAD_INPUT;
    }
    if (failure instanceof UnfinishedSimulationException) {
      command.getErr().println("warpline: " + failure.getMessage());
      return ExitCode.UNFINISHED;
    }
    command.getErr().println("warpline: an error inside Warpline, please report it:");
    failure.printStackTrace(command.getErr());
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
