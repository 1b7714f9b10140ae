package dev.warpline.cli;

import dev.warpline.trace.KernelTrace;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceFormatException;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.inspect.Inspector;
import dev.warpline.trace.inspect.KernelSummary;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Shows what is inside a trace. */
@Command(
    name = "inspect",
    mixinStandardHelpOptions = true,
    description = "Show what is inside a trace: kernels, instructions, memory accesses.",
    parameterListHeading = "%nParameters:%n",
    optionListHeading = "%nOptions:%n",
    footer = {
      "",
      "Without --strict, what cannot be read is reported, left out and counted; the exit code is 3"
          + " only if no kernel could be read."
    })
final class InspectCommand implements Callable<Integer> {
  @Spec CommandSpec spec;
  @Mixin TraceOptions options;

  @Mixin JsonOutput json;

  @Override
  public Integer call() throws IOException {
    json.check();
    PrintWriter out = spec.commandLine().getOut();
    List<KernelSummary> summaries = new ArrayList<>();
    try (TraceSet set = options.open();
        ProgressLine progress = new ProgressLine()) {
      for (TraceCommand.Launch launch : options.launches(set)) {
        KernelSummary summary = inspect(set, launch, progress);
        if (summary != null) {
          summaries.add(summary);
        }
      }
      if (options.unmetMessage() != null && !summaries.isEmpty()) {
        set.diagnostics().warn(options.unmetMessage());
      }
      boolean text = json.leavesText();
      if (text) {
        progress.close();
        new InspectText(out).print(set, summaries);
      }
      if (json.wanted()) {
        json.write(InspectJson.of(set, summaries));
      }
      if (text) {
        TraceOptions.printMessages(set, spec.commandLine().getErr());
      }
    }
    out.flush();
    if (summaries.isEmpty()) {
      String why = options.unmetMessage();
      throw new IOException(why != null ? why : options.trace + ": no kernel could be read");
    }
    return ExitCode.OK;
  }

  /** One kernel's summary, or null if it is not wanted or cannot be read. */
  private KernelSummary inspect(TraceSet set, TraceCommand.Launch launch, ProgressLine progress)
      throws IOException {
    try (KernelTrace kernel = set.open(launch)) {
      if (!options.choice.wants(launch.index() + 1, kernel.header().name())) {
        return null;
      }
      long all = kernel.header().grid().count();
      KernelSummary summary =
          Inspector.inspect(kernel, done -> progress.show(launch.file(), done, all));
      KernelTrace.requireInstructions(kernel.header(), summary.warpInstructions());
      return summary;
    } catch (TraceFormatException e) {
      if (options.strict) {
        throw e;
      }
      set.diagnostics().report(e.problem());
      return null;
    }
  }
}
