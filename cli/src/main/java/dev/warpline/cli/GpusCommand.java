package dev.warpline.cli;

import dev.warpline.engine.gpu.ExplainedField;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists and explains GPU descriptions. */
@Command(
    name = "gpus",
    mixinStandardHelpOptions = true,
    description = "List the GPUs that Warpline knows, or explain one.",
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n")
final class GpusCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "%-10s %-34s %-12s %5s %9s  %s%n", "name", "GPU", "generation", "SMs", "MHz", "models");
    for (String name : Gpus.names()) {
      GpuDescription gpu = Gpus.load(name);
      out.printf(
          "%-10s %-34s %-12s %5s %9.0f  %s%n",
          name,
          gpu.name(),
          gpu.architecture(),
          gpu.sm() == null ? "" : gpu.sm().count(),
          gpu.clocks().coreMHz(),
          String.join(", ", models(gpu)));
    }
    out.println();
    out.println("'warpline gpus show NAME' explains every field of one.");
    return ExitCode.OK;
  }

  private static List<String> models(GpuDescription gpu) {
    List<String> models = new ArrayList<>();
    if (gpu.classic() != null) {
      models.add("classic");
    }
    if (gpu.modern() != null) {
      models.add("modern");
    }
    return models;
  }

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Explain every field of a GPU: value, unit, meaning, source.",
      parameterListHeading = "%nParameters:%n",
      optionListHeading = "%nOptions:%n")
  int show(
      @Parameters(paramLabel = "NAME|FILE", description = "Preset or YAML file.") String name,
      @Option(
              names = "--set",
              paramLabel = "FIELD=VALUE",
              description = "Change a field first, e.g. sm.l1.sizeKiB=128; 2x multiplies.")
          List<String> settings)
      throws IOException {
    List<ExplainedField> fields = Gpus.explain(name, settings == null ? List.of() : settings);
    PrintWriter out = spec.commandLine().getOut();
    for (ExplainedField field : fields) {
      int depth = (int) field.path().chars().filter(c -> c == '.' || c == '[').count();
      String indent = "  ".repeat(depth);
      String shown = field.path().substring(Math.max(field.path().lastIndexOf('.') + 1, 0));
      if (field.section()) {
        out.printf("%n%s%s: %s%n", indent, shown, field.meaning());
        continue;
      }
      String value = field.unit().isEmpty() ? field.value() : field.value() + " " + field.unit();
      StringBuilder line = new StringBuilder(String.format("%s%-24s %-20s", indent, shown, value));
      line.append(' ').append(field.meaning());
      if (!field.source().isEmpty()) {
        line.append(" [").append(field.source()).append(']');
      }
      out.println(line.toString().stripTrailing());
    }
    return ExitCode.OK;
  }
}
