package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.Counter;
import dev.warpline.engine.Results;
import dev.warpline.engine.gpu.ExplainedField;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.gpu.PolicyFields;
import dev.warpline.policy.Policies;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * docs/reference.md says of every command, option, field, policy and counter what the code says.
 * With {@code -Dwarpline.reference=write} it is written.
 */
class ReferenceTest {
  private static final Path ROOT = Path.of("..");
  private static final Path PAGE = ROOT.resolve("docs/reference.md");

  @TempDir Path folder;

  @Test
  void theReferenceSaysWhatTheCodeSays() throws Exception {
    String page = page();
    if ("write".equals(System.getProperty("warpline.reference"))) {
      Files.writeString(PAGE, page);
    }
    assertThat(Files.readString(PAGE)).isEqualTo(page);
  }

  private String page() throws Exception {
    StringBuilder page =
        new StringBuilder(
            """
            # Reference

            [Commands](#commands), [fields](#fields), [policies](#policies) and [counters](#counters), as the code has them. Warp states:
            [reasons](why.md#reasons). What a change of a field does: [effects](effects.md), [of AMD's](effects-amd.md).

            This page is written by

            ```
            mvn -pl cli -am test -Dtest=ReferenceTest -Dsurefire.failIfNoSpecifiedTests=false -Dwarpline.reference=write
            ```

            and checked by the same test on every build.

            ## Commands
            """);
    Main.commandLine().getSubcommands().values().forEach(command -> command(command, page));
    page.append("\n## Fields\n");
    fields(page);
    page.append("\n## Policies\n\nWhat a field can choose by name ([extending](extending.md)).\n");
    policies(page);
    page.append(
        """

        ## Counters

        What `--json`, `--csv` and `--parquet` have per kernel, by core. `N` stands for a number.
        """);
    counters("modern", page, "run", "examples/traces/vecadd", "--gpu=h200");
    counters("classic", page, "run", "examples/traces/vecadd", "--gpu=rtx3070");
    counters("gcn", page, "run", "examples/amd/launch/vector_add.yaml", "--gpu=mi300a");
    return page.toString();
  }

  private static void command(CommandLine command, StringBuilder page) {
    CommandSpec spec = command.getCommandSpec();
    page.append("\n### ").append(spec.qualifiedName()).append("\n\n");
    page.append(plain(spec.usageMessage().description())).append('\n');
    List<String[]> rows = new ArrayList<>();
    for (PositionalParamSpec parameter : spec.positionalParameters()) {
      if (!parameter.hidden()) {
        rows.add(new String[] {"`" + parameter.paramLabel() + "`", plain(parameter.description())});
      }
    }
    for (OptionSpec option : spec.options()) {
      if (!option.hidden() && !option.usageHelp() && !option.versionHelp()) {
        String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
        rows.add(
            new String[] {
              Arrays.stream(option.names())
                  .map(name -> "`" + name + value + "`")
                  .collect(Collectors.joining(", ")),
              plain(option.description())
            });
      }
    }
    if (!rows.isEmpty()) {
      page.append("\n| | |\n|---|---|\n");
      rows.forEach(row -> page.append(row(row)));
    }
    command.getSubcommands().values().forEach(part -> command(part, page));
  }

  private static void fields(StringBuilder page) throws IOException {
    String section = null;
    for (ExplainedField field : Gpus.fields()) {
      String top = field.path().split("[.\\[]")[0];
      if (!field.path().contains(".") && !field.section()) {
        top = "names";
      }
      if (!top.equals(section)) {
        section = top;
        page.append("\n### ").append(section).append("\n\n");
        page.append("| field | unit | if absent | meaning |\n|---|---|---|---|\n");
      }
      String absent =
          switch (field.source()) {
            case "standard" -> "`" + field.value() + "`";
            case "optional" -> "left out";
            default -> "";
          };
      page.append(row("`" + field.path() + "`", field.unit(), absent, field.meaning()));
    }
  }

  private static void policies(StringBuilder page) {
    for (PolicyFields fields : PolicyFields.all()) {
      Policies.Choice kind = Policies.kind(fields.kind());
      page.append("\n### ").append(kind.name()).append("\n\n").append(kind.about()).append(": ");
      page.append(
          fields.paths().stream().map(path -> "`" + path + "`").collect(Collectors.joining(", ")));
      page.append("\n\n| | |\n|---|---|\n");
      for (Policies.Choice choice : fields.choices()) {
        page.append(row("`" + choice.name() + "`", choice.about()));
      }
    }
  }

  private void counters(String core, StringBuilder page, String... arguments) throws Exception {
    Path json = folder.resolve(core + ".json");
    List<String> command = new ArrayList<>(List.of(arguments));
    command.set(1, ROOT.resolve(arguments[1]).toString());
    command.addAll(List.of("--threads=1", "--json=" + json));
    assertThat(Warpline.run(command.toArray(String[]::new)).code()).isZero();
    Map<String, List<String>> declared = declared(core);
    Map<String, String> others = others(core);
    page.append("\n### ").append(core).append("\n\n| counter | meaning |\n|---|---|\n");
    Map<String, String> rows = new LinkedHashMap<>();
    Set<String> unexplained = new TreeSet<>();
    for (String name : Results.readJson(json).kernels().get(0).statistics().keySet()) {
      String family =
          name.replaceAll("^(l[12])\\.[A-Z0-9_]+\\.[A-Z_]+$", "$1.ACCESS.OUTCOME")
              .replaceAll("^(dist\\.\\w+)::.*", "$1::*")
              .replaceAll("^(schedule\\.\\w+)\\..*", "$1.UNIT")
              .replaceAll("(lanes|scheduler)[0-9]+", "$1N");
      List<String> meanings = declared.getOrDefault(key(family), List.of());
      String meaning = others.getOrDefault(family, meanings.size() == 1 ? meanings.get(0) : null);
      if (meaning == null) {
        unexplained.add(family + "\t" + meanings);
      } else {
        rows.putIfAbsent(family, meaning);
      }
    }
    assertThat(unexplained).as("counters of %s without a meaning", core).isEmpty();
    assertThat(new TreeSet<>(others.keySet())).isSubsetOf(rows.keySet());
    rows.forEach((name, meaning) -> page.append(row("`" + name + "`", meaning)));
  }

  /** The name of the field that counts it. */
  private static String key(String counter) {
    return counter.substring(counter.lastIndexOf('.') + 1).replaceAll("N$", "");
  }

  /** What fields that count say of themselves, by name. */
  private static Map<String, List<String>> declared(String core) throws Exception {
    String away =
        switch (core) {
          case "modern" -> "(amd|nvidia.classic|memory.detailed)";
          case "classic" -> "(amd|nvidia.modern|memory.flow)";
          default -> "(nvidia|memory.flow|memory.detailed)";
        };
    Map<String, List<String>> all = new TreeMap<>();
    for (String module : List.of("engine", "memory", "nvidia", "amd")) {
      Path classes = ROOT.resolve(module).resolve("target/classes");
      List<Path> files;
      try (Stream<Path> walk = Files.walk(classes)) {
        files = walk.filter(file -> file.toString().endsWith(".class")).toList();
      }
      for (Path file : files) {
        String name = classes.relativize(file).toString().replace('/', '.');
        if (name.matches("dev\\.warpline\\." + away + "\\..*")
            || !new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
                .contains("Ldev/warpline/engine/Counter;")) {
          continue;
        }
        for (Field field :
            Class.forName(name.replaceAll("\\.class$", ""), false, getClassLoader())
                .getDeclaredFields()) {
          Counter counter = field.getAnnotation(Counter.class);
          if (counter != null) {
            String unit = counter.unit().isEmpty() ? "" : " (" + counter.unit() + ")";
            all.computeIfAbsent(field.getName(), n -> new ArrayList<>())
                .add(counter.value() + unit);
          }
        }
      }
    }
    all.replaceAll((name, meanings) -> meanings.stream().distinct().toList());
    return all;
  }

  private static ClassLoader getClassLoader() {
    return ReferenceTest.class.getClassLoader();
  }

  /** Counters that are made up of others, or whose field's name stands more than once. */
  private static Map<String, String> others(String core) throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (var in = ReferenceTest.class.getResourceAsStream("counters.tsv")) {
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.split("\t"))
          .filter(columns -> columns[0].equals(core))
          .forEach(columns -> all.put(columns[1], columns[2]));
    }
    return all;
  }

  private static String plain(String[] lines) {
    return String.join(" ", lines).replace("%n", " ").replace("%%", "%").strip();
  }

  private static String row(String... cells) {
    return Arrays.stream(cells)
        .map(cell -> cell.replace("|", "\\|"))
        .collect(Collectors.joining(" | ", "| ", " |\n"));
  }
}
