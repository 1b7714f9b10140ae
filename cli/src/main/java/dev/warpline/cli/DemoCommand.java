package dev.warpline.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows Warpline at work on a bundled trace. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = "Show Warpline at work on a bundled trace.",
    optionListHeading = "%nOptions:%n")
final class DemoCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    String trace = Home.example("traces/reduce.wlt").toString();
    out.println("The sum of an array, traced on a real H200. What is inside the trace:");
    int inspected = show(out, "inspect", trace);
    if (inspected != ExitCode.OK) {
      return inspected;
    }
    out.println("How long it takes on that GPU, and what its warps wait for:");
    int simulated = show(out, "run", trace, "--gpu", "h200");
    out.println("It waits for DRAM. If that took half the time? --what-if flowMemory.dramNs=0.5x");
    return simulated;
  }

  private int show(PrintWriter out, String... arguments) {
    out.println();
    out.println("$ ./warpline " + String.join(" ", List.of(arguments)));
    out.flush();
    CommandLine commandLine = Main.commandLine();
    commandLine.setOut(out);
    commandLine.setErr(spec.commandLine().getErr());
    int exitCode = commandLine.execute(arguments);
    out.println();
    return exitCode;
  }
}
