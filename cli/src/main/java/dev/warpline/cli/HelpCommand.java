package dev.warpline.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Explains a command, as {@code --help} behind it does. */
@Command(
    name = "help",
    mixinStandardHelpOptions = true,
    description = "Explain a command, e.g. 'help run' or 'help gpus show'.",
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n")
final class HelpCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "The command (default: all).")
  List<String> words = List.of();

  @Override
  public Integer call() {
    CommandLine command = spec.root().commandLine();
    for (String word : words) {
      CommandLine below = command.getSubcommands().get(word);
      if (below == null) {
        throw new ParameterException(
            command, WrongUse.unknownCommand(command.getCommandSpec(), word));
      }
      command = below;
    }
    command.usage(spec.commandLine().getOut());
    return ExitCode.OK;
  }
}
