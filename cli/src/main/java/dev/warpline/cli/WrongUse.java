package dev.warpline.cli;

import dev.warpline.engine.gpu.Nearest;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what is wrong with a command line, in two lines: the mistake, and where help is. */
final class WrongUse {
  private WrongUse() {}

  /**
   * The mistake that a command line turned out to have.
   *
   * @param command whose, null where picocli did not read it and will
   */
  static RuntimeException of(CommandSpec command, String message) {
    return command == null
        ? new PlainRun.Mistaken(message)
        : new ParameterException(command.commandLine(), message);
  }

  static int report(ParameterException mistake, String[] words) {
    CommandLine command = mistake.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    command.getErr().println("warpline: " + words(mistake).strip().replaceAll("\\s*\\R\\s*", "; "));
    command.getErr().println("'" + name + " --help' explains it");
    command.getErr().flush();
    return ExitCode.USAGE;
  }

  private static String words(ParameterException mistake) {
    if (!(mistake instanceof UnmatchedArgumentException unmatched)
        || unmatched.getUnmatched().isEmpty()) {
      return mistake.getMessage();
    }
    CommandSpec command = mistake.getCommandLine().getCommandSpec();
    String word = unmatched.getUnmatched().get(0);
    if (unmatched.isUnknownOption()) {
      String option = word.replaceFirst("=.*", "");
      return "unknown option " + option + Nearest.hint(option, options(command));
    }
    if (command.positionalParameters().isEmpty() && !command.subcommands().isEmpty()) {
      return unknownCommand(command, word);
    }
    return "unexpected argument " + word;
  }

  /** That a command has no such command below it, with the nearest that it has. */
  static String unknownCommand(CommandSpec command, String word) {
    return "unknown command " + word + Nearest.hint(word, command.subcommands().keySet());
  }

  private static List<String> options(CommandSpec command) {
    List<String> names = new ArrayList<>();
    for (OptionSpec option : command.options()) {
      names.addAll(List.of(option.names()));
    }
    return names;
  }
}
