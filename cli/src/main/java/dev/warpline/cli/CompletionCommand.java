package dev.warpline.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what makes a shell complete Warpline's commands and options. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = {
      "Print a script that lets the shell complete commands, options and values.",
      "",
      "  bash: source <(warpline completion bash)     e.g. in ~/.bashrc",
      "  zsh:  source <(warpline completion zsh)      e.g. in ~/.zshrc"
    },
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n")
final class CompletionCommand implements Callable<Integer> {
  /** Shells whose completion we can write. */
  enum Shell {
    BASH,
    ZSH;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Spec CommandSpec spec;

  @Parameters(paramLabel = "bash|zsh", description = "The shell.")
  Shell shell;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    if (shell == Shell.ZSH) {
      // The script does this itself, but asks about folders of others; -i leaves them out.
      out.println("type compdef >/dev/null || { autoload -U +X compinit && compinit -i; }");
    }
    out.print(AutoComplete.bash("warpline", spec.root().commandLine()));
    out.flush();
    return ExitCode.OK;
  }
}
