package dev.warpline.nvidia.effects;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.ExplainedField;
import dev.warpline.engine.gpu.FieldUse;
import dev.warpline.engine.gpu.Gpus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Every field of a GPU description acts on every core that reads it, and docs/effects.md says how.
 * {@code mvn -pl nvidia -am test -Dtest=EffectsTest -Dtest.leftOut=
 * -Dsurefire.failIfNoSpecifiedTests=false -Dwarpline.effects=write} writes that page anew; {@code
 * -Dwarpline.effects=find} proposes rows for fields that have none.
 */
class EffectsTest {
  private static final Path ROOT = Path.of("..");
  private static final Path PAGE = ROOT.resolve("docs/effects.md");
  private static final List<String> CORES = List.of("classic", "modern");

  /** Fields that hold a value, of all sections but AMD's. */
  private static List<String> fields() {
    return Gpus.fields().stream()
        .filter(field -> !field.section() && !field.path().startsWith("amd."))
        .map(ExplainedField::path)
        .toList();
  }

  private static boolean reads(String core, String field) {
    return FieldUse.of(core).unread(field.replace("[]", "")) == null;
  }

  @Test
  void everyFieldThatACoreReadsHasARow() {
    Set<String> wanted = new TreeSet<>();
    for (String core : CORES) {
      fields().stream().filter(f -> reads(core, f)).forEach(f -> wanted.add(core + " " + f));
    }
    List<String> had = Effects.rows().stream().map(r -> r.core() + " " + r.field()).toList();
    assertThat(had).doesNotHaveDuplicates();
    assertThat(new TreeSet<>(had)).isEqualTo(wanted);
  }

  @Test
  void whatIsShownElsewhereNamesATestThatExists() throws IOException {
    for (Effects.Row row : Effects.rows()) {
      if (row.isElsewhere()) {
        assertThat(isTest(row.kernel())).as(row.line()).isTrue();
      }
    }
  }

  private static boolean isTest(String name) throws IOException {
    String[] parts = name.split("\\.");
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path tests : modules.map(m -> m.resolve("src/test/java")).toList()) {
        if (Files.isDirectory(tests) && hasTest(tests, parts[0], parts[1])) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean hasTest(Path tests, String type, String method) throws IOException {
    try (Stream<Path> files = Files.walk(tests)) {
      for (Path file : files.filter(f -> f.endsWith(type + ".java")).toList()) {
        if (Files.readString(file).contains("void " + method + "(")) {
          return true;
        }
      }
    }
    return false;
  }

  /** All rows with what they do, or null. */
  private static Map<Effects.Row, String> effects() throws IOException {
    Effects effects = new Effects();
    List<Effects.Row> rows = Effects.rows();
    String[] found = new String[rows.size()];
    IntStream.range(0, found.length)
        .parallel()
        .forEach(
            i -> {
              try {
                found[i] = effects.effect(rows.get(i));
              } catch (IOException e) {
                throw new UncheckedIOException(rows.get(i).line(), e);
              }
            });
    Map<Effects.Row, String> all = new LinkedHashMap<>();
    for (int i = 0; i < found.length; i++) {
      all.put(rows.get(i), found[i]);
    }
    return all;
  }

  @Test
  @Tag("long")
  void everyChangeHasAnEffectAndThePageIsCurrent() throws IOException {
    Map<Effects.Row, String> effects = effects();
    assertThat(
            effects.entrySet().stream()
                .filter(e -> e.getValue() == null && !e.getKey().isElsewhere())
                .map(e -> e.getKey().line()))
        .as("changes without effect")
        .isEmpty();
    String page = page(effects);
    if ("write".equals(System.getProperty("warpline.effects"))) {
      Files.writeString(PAGE, page);
    }
    assertThat(Files.readString(PAGE).lines())
        .as("docs/effects.md; the command at its top writes it anew")
        .containsExactlyElementsOf(page.lines().toList());
  }

  private static String page(Map<Effects.Row, String> effects) {
    StringBuilder page = new StringBuilder(Effects.resource("head.md"));
    Map<String, Map.Entry<Effects.Row, String>> byField = new HashMap<>();
    effects.entrySet().forEach(e -> byField.put(e.getKey().core() + " " + e.getKey().field(), e));
    String section = "";
    for (String field : fields()) {
      String first = field.contains(".") ? field.substring(0, field.indexOf('.')) : "names";
      if (!first.equals(section)) {
        section = first;
        page.append("\n## ").append(section);
        page.append("\n\n| field | classic core | modern core |\n|---|---|---|\n");
      }
      page.append("| `").append(field).append("` |");
      for (String core : CORES) {
        Map.Entry<Effects.Row, String> entry = byField.get(core + " " + field);
        page.append(' ')
            .append(entry == null ? unread(core, field) : cell(entry.getKey(), entry.getValue()))
            .append(" |");
      }
      page.append('\n');
    }
    return page.toString();
  }

  private static String unread(String core, String field) {
    FieldUse.Unread unread = FieldUse.of(core).unread(field.replace("[]", ""));
    return "not read: see "
        + unread.nearest().stream().map(n -> "`" + n + "`").collect(Collectors.joining(", "))
        + (unread.why().isEmpty() ? "" : " (" + unread.why() + ")");
  }

  private static String cell(Effects.Row row, String effect) {
    if (row.isElsewhere()) {
      return "shown by `" + row.kernel() + "`";
    }
    String with = row.with().isEmpty() ? "" : ", with `" + String.join(" ", row.with()) + "`";
    String change = String.join(" ", row.change());
    String shown =
        change.startsWith(row.field() + "=") ? change.substring(row.field().length()) : change;
    return row.kernel().equals(Effects.REFUSED)
        ? "`" + shown + "`: refused"
        : effect + " on " + row.kernel() + " (`" + shown + "`" + with + ")";
  }

  @Test
  @EnabledIfSystemProperty(named = "warpline.effects", matches = "find")
  void proposals() throws IOException {
    Effects effects = new Effects();
    Set<String> had =
        Effects.rows().stream().map(r -> r.core() + " " + r.field()).collect(Collectors.toSet());
    Path into = Path.of("target/proposals.tsv");
    Files.deleteIfExists(into);
    for (String core : CORES) {
      Map<String, String> values =
          Gpus.explain(Effects.preset(core), List.of()).stream()
              .filter(f -> !f.section())
              .collect(Collectors.toMap(ExplainedField::path, ExplainedField::value));
      for (String field : fields()) {
        if (reads(core, field) && !had.contains(core + " " + field)) {
          Effects.Row row = propose(effects, core, field, values.get(field));
          String line = row == null ? "missing\t" + core + "\t" + field : row.line();
          Files.writeString(into, line + "\n", CREATE, APPEND);
        }
      }
    }
  }

  private static Effects.Row propose(Effects effects, String core, String field, String value) {
    for (String kernel : effects.kernels()) {
      for (String other : others(core, field, value)) {
        Effects.Row row =
            new Effects.Row(field, core, List.of(field + "=" + other), kernel, List.of());
        try {
          if (effects.effect(row) != null) {
            return row;
          }
        } catch (DescriptionException | UnfinishedSimulationException e) {
          // Not this value.
        } catch (IOException | RuntimeException e) {
          System.out.println(row.line() + ": " + e);
        }
      }
    }
    return null;
  }

  private static List<String> others(String core, String field, String value) {
    if (value == null) {
      return List.of("1", "true");
    }
    if (value.equals("true") || value.equals("false")) {
      return List.of(value.equals("true") ? "false" : "true");
    }
    if (value.matches("[0-9.]+")) {
      return value.equals("0") ? List.of("1", "8", "100") : List.of("2x", "0.5x", "1", "0", "8x");
    }
    try {
      Gpus.load(Effects.preset(core), List.of(field + "=zzz"));
    } catch (IOException e) {
      String message = e.getMessage();
      int at = message.lastIndexOf("expected one of ");
      return at < 0 ? List.of() : List.of(message.substring(at + 16).split("[, \n]+"));
    }
    return List.of();
  }
}
