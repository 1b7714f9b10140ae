package dev.warpline.cli;

import dev.warpline.study.golden.Goldens;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** For those who work on Warpline: the results of all examples, compared and rewritten. */
@Command(
    name = "goldens",
    hidden = true,
    mixinStandardHelpOptions = true,
    description = {
      "Run every example on every preset and core and compare with examples/goldens; with --rewrite"
          + " store what came out, with a line in CHANGELOG.md. docs/testing.md explains."
    },
    optionListHeading = "%nOptions:%n")
final class GoldensCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Option(names = "--rewrite", description = "Store what comes out as a new edition.")
  boolean rewrite;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "Why results changed; needed with --rewrite.")
  String reason;

  @Option(
      names = "--only",
      paramLabel = "REGEX",
      description = "Only examples whose name this matches; not with --rewrite.")
  Pattern only;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (rewrite != (reason != null && !reason.isBlank())) {
      throw new ParameterException(spec.commandLine(), "--rewrite and --reason TEXT go together");
    }
    if (rewrite && only != null) {
      throw new ParameterException(spec.commandLine(), "--rewrite rewrites all: leave out --only");
    }
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Goldens goldens = new Goldens(Home.folder());
    List<Goldens.Change> changes =
        rewrite
            ? goldens.rewrite(reason.strip(), example -> progress(err, example))
            : goldens.check(
                (example, place) -> only == null || only.matcher(example).find(),
                example -> progress(err, example));
    changes.forEach(out::println);
    List<String> complaints = goldens.complaints();
    complaints.forEach(out::println);
    out.println(
        changes.isEmpty()
            ? "no result changed"
            : changes.size() + " results changed" + (rewrite ? ": " + reason.strip() : ""));
    out.flush();
    return complaints.isEmpty() && (rewrite || changes.isEmpty())
        ? ExitCode.OK
        : ExitCode.CHECK_FAILED;
  }

  private static void progress(PrintWriter err, String example) {
    err.println(example);
    err.flush();
  }
}
