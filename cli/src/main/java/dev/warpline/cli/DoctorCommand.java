package dev.warpline.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Looks whether everything that Warpline uses is there. */
@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Look what works on this machine, what does not, and what to do about it.",
      "",
      "Exit code 5 if something is missing that simulations need; what only some commands need is"
          + " said and does not count."
    },
    optionListHeading = "%nOptions:%n")
final class DoctorCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Override
  public Integer call() {
    List<Examination.Finding> findings =
        new Examination(System.getenv(), Path.of(System.getProperty("java.io.tmpdir"))).all();
    PrintWriter out = spec.commandLine().getOut();
    for (Examination.Finding finding : findings) {
      out.printf("%-8s %-14s %s%n", finding.state().word(), finding.what(), finding.found());
      if (finding.todo() != null) {
        out.printf("%23s %s%n", "", "-> " + finding.todo());
      }
    }
    long broken = findings.stream().filter(f -> f.state() == Examination.State.BROKEN).count();
    out.println(
        broken == 0
            ? "Warpline works here."
            : broken + (broken == 1 ? " thing keeps" : " things keep") + " Warpline from working.");
    out.flush();
    return broken == 0 ? ExitCode.OK : ExitCode.CHECK_FAILED;
  }
}
