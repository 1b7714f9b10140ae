package dev.warpline.cli;

import dev.warpline.engine.gpu.CoresSpec;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.ExplainedField;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.gpu.PolicyFields;
import dev.warpline.policy.Policies;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists and explains GPU descriptions. */
@Command(
    name = "gpus",
    mixinStandardHelpOptions = true,
    description = "List the GPUs that Warpline knows, or explain one.",
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n",
    subcommands = {
      GpusCommand.Show.class,
      GpusCommand.Fields.class,
      GpusCommand.PoliciesList.class
    })
final class GpusCommand implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Mixin JsonOutput json;

  /** A GPU as {@code --json} has it; a core that is not offered is not there. */
  private record Known(
      String name,
      String gpu,
      String vendor,
      String architecture,
      int cores,
      double coreMHz,
      Map<String, CoresSpec.Statement> models) {

    static Known of(String name) throws IOException {
      GpuDescription gpu = Gpus.load(name);
      Map<String, CoresSpec.Statement> models = new LinkedHashMap<>();
      if (gpu.vendor() == GpuDescription.Vendor.AMD) {
        models.put("gcn", gpu.gcnCore());
      } else {
        if (gpu.offersModern()) {
          models.put("modern", gpu.modernCore());
        }
        if (gpu.offersClassic()) {
          models.put("classic", gpu.classicCore());
        }
      }
      return new Known(
          name,
          gpu.name(),
          gpu.vendor().name().toLowerCase(Locale.ROOT),
          gpu.architecture(),
          gpu.sm() != null ? gpu.sm().count() : gpu.amd().computeUnits(),
          gpu.clocks().coreMHz(),
          models);
    }
  }

  @Override
  public Integer call() throws IOException {
    json.check();
    if (json.wanted()) {
      List<Known> all = new ArrayList<>();
      for (String name : Gpus.names()) {
        all.add(Known.of(name));
      }
      json.write(all);
    }
    if (json.leavesText()) {
      print();
    }
    return ExitCode.OK;
  }

  private void print() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    String row = "%-10s %-28s %-12s %6s %8s%n";
    out.printf(row, "name", "GPU", "generation", "cores", "MHz");
    for (String name : Gpus.names()) {
      GpuDescription gpu = Gpus.load(name);
      out.printf(
          row,
          name,
          gpu.name(),
          gpu.architecture(),
          gpu.sm() != null ? gpu.sm().count() : gpu.amd().computeUnits(),
          RunText.megahertz(gpu.clocks().coreMHz()));
      if (gpu.vendor() == GpuDescription.Vendor.AMD) {
        say("gcn", gpu.amd() != null, gpu.gcnCore(), out);
      } else {
        say("modern", gpu.offersModern(), gpu.modernCore(), out);
        say("classic", gpu.offersClassic(), gpu.classicCore(), out);
      }
    }
    out.println();
    out.println(
        "'warpline gpus show NAME' explains every field of one, 'warpline gpus policies' what can"
            + " be chosen by name.");
  }

  /** A core: what it rests on and how far it was validated, or why it is not offered. */
  private static void say(String core, boolean offered, CoresSpec.Statement said, PrintWriter out) {
    out.printf(
        "           %-8s %s%n",
        core, offered ? said.validation() + "; " + said.basis() : "not offered: " + said.basis());
  }

  /** Explains one. */
  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Explain every field of a GPU: value, unit, meaning, source.",
      parameterListHeading = "%nParameters:%n",
      optionListHeading = "%nOptions:%n")
  static final class Show implements Callable<Integer> {
    @Spec CommandSpec spec;

    @Parameters(
        arity = "0..1",
        paramLabel = "NAME|FILE",
        description = "Preset or YAML file, as with --gpu.")
    String name;

    @Mixin GpuOptions options;

    @Mixin JsonOutput json;

    /** A field as {@code --json} has it. */
    private record Stated(String path, String value, String unit, String meaning, String source) {
      static Stated of(ExplainedField field) {
        return new Stated(
            field.path(), field.value(), field.unit(), field.meaning(), field.source());
      }
    }

    @Override
    public Integer call() throws IOException {
      json.check();
      List<ExplainedField> fields = options.explain(name);
      if (options.accelSim() != null) {
        PrintWriter err = spec.commandLine().getErr();
        options.accelSim().warnings().forEach(warning -> err.println("warning: " + warning));
      }
      if (json.wanted()) {
        json.write(fields.stream().filter(field -> !field.section()).map(Stated::of).toList());
      }
      if (json.leavesText()) {
        print(fields);
      }
      return ExitCode.OK;
    }

    private void print(List<ExplainedField> fields) {
      PrintWriter out = spec.commandLine().getOut();
      String shownSource = "";
      for (int i = 0; i < fields.size(); i++) {
        ExplainedField field = fields.get(i);
        int depth = (int) field.path().chars().filter(c -> c == '.' || c == '[').count();
        String indent = "  ".repeat(depth);
        String shown = field.path().substring(field.path().lastIndexOf('.') + 1);
        if (field.section()) {
          shownSource = commonSource(fields, i);
          String source = shownSource.isEmpty() ? "" : " [" + shownSource + "]";
          out.printf("%n%s%s: %s%s%n", indent, shown, field.meaning(), source);
          continue;
        }
        String value = (field.value() + " " + field.unit()).strip();
        String source =
            field.source().isEmpty() || field.source().equals(shownSource)
                ? ""
                : " [" + field.source() + "]";
        String line =
            String.format("%s%-20s %-18s %s%s", indent, shown, value, field.meaning(), source);
        out.println(line.stripTrailing());
      }
    }

    /** The source of all plain fields of a section, if they have the same one. */
    private static String commonSource(List<ExplainedField> fields, int section) {
      String path = fields.get(section).path();
      String common = null;
      for (int i = section + 1; i < fields.size() && !fields.get(i).section(); i++) {
        ExplainedField field = fields.get(i);
        if (field.path().startsWith(path + ".")) {
          if (common != null && !common.equals(field.source())) {
            return "";
          }
          common = field.source();
        }
      }
      return common == null ? "" : common;
    }
  }

  /** Lists the policies. */
  @Command(
      name = "policies",
      mixinStandardHelpOptions = true,
      description = {
        "List what a GPU description chooses by name: schedulers and the like, with the fields that"
            + " choose them. docs/extending.md says how to write one."
      },
      optionListHeading = "%nOptions:%n")
  static final class PoliciesList implements Callable<Integer> {
    @Spec CommandSpec spec;

    @Mixin Plugins plugins;

    @Override
    public Integer call() {
      PrintWriter out = spec.commandLine().getOut();
      for (PolicyFields fields : PolicyFields.all()) {
        Policies.Choice kind = Policies.kind(fields.kind());
        out.printf("%s: %s%n", kind.name(), kind.about());
        out.printf("  fields: %s%n", String.join(", ", fields.paths()));
        for (Policies.Choice choice : fields.choices()) {
          boolean ours = choice.className().startsWith("dev.warpline.");
          out.printf(
              "  %-25s %s%s%n",
              choice.name(), choice.about(), ours ? "" : " [" + choice.className() + "]");
        }
        out.println();
      }
      return ExitCode.OK;
    }
  }

  /** Lists what a description may say. */
  @Command(
      name = "fields",
      mixinStandardHelpOptions = true,
      description = "List every field that a GPU description may have.",
      parameterListHeading = "%nParameters:%n",
      optionListHeading = "%nOptions:%n")
  static final class Fields implements Callable<Integer> {
    @Spec CommandSpec spec;

    @Parameters(
        arity = "0..1",
        defaultValue = "",
        paramLabel = "SECTION",
        description = "Only this section, e.g. sm or classic.l1.")
    String section;

    @Override
    public Integer call() throws IOException {
      PrintWriter out = spec.commandLine().getOut();
      int shown = 0;
      for (ExplainedField field : Gpus.fields()) {
        if (!section.isEmpty()
            && !field.path().equals(section)
            && !field.path().startsWith(section + ".")
            && !field.path().startsWith(section + "[]")) {
          continue;
        }
        String need =
            field.source().equals("standard")
                ? " [" + field.value() + " if absent]"
                : field.source().equals("optional") ? " [optional]" : "";
        String unit = field.unit().isEmpty() ? "" : ", in " + field.unit();
        out.printf("%-44s %s%s%s%n", field.path(), field.meaning(), unit, need);
        shown++;
      }
      if (shown == 0) {
        throw new DescriptionException("no section or field \"" + section + "\"");
      }
      return ExitCode.OK;
    }
  }
}
