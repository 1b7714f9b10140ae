package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Every {@code ./warpline} command that a page shows works: the commands of a page are run one
 * after the other in a folder that has the page's files. What another test runs is listed in {@code
 * documented-elsewhere.tsv}; of a command with a placeholder ({@code TRACE}, {@code my.jar}) the
 * command and its options must exist.
 */
class DocumentedCommandsTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern PLACEHOLDER =
      Pattern.compile(
          "\\b[A-Z]{2,}\\b|\\[|\\.\\.\\.|\\bmy\\.|(^| )\\./(?!warpline)|hardware\\.csv");
  private static final Pattern OUTPUT =
      Pattern.compile(
          "(?<= |^)(-o|--(report|json|csv|parquet|timeline|power|html|svg|store))(?= |$)");

  @TempDir Path folder;

  /**
   * A command as a page shows it.
   *
   * @param typed whether it stands on a line of its own, to be typed
   */
  private record Shown(Path page, int line, String text, boolean typed) {
    boolean complete() {
      return typed && !PLACEHOLDER.matcher(text.substring(2)).find();
    }

    @Override
    public String toString() {
      return ROOT.relativize(page) + ":" + line + ": " + text;
    }
  }

  @BeforeAll
  static void sayWhereTheExamplesAre() {
    System.setProperty("warpline.home", ROOT.toAbsolutePath().normalize().toString());
  }

  @AfterAll
  static void forgetIt() {
    System.clearProperty("warpline.home");
  }

  @TestFactory
  @Tag("long")
  Stream<DynamicTest> commandsOfAPageWork() throws IOException {
    Map<Path, List<Shown>> byPage = new LinkedHashMap<>();
    Map<String, String> elsewhere = elsewhere();
    for (Shown shown : commands()) {
      if (shown.complete() && !elsewhere.containsKey(shown.text())) {
        byPage.computeIfAbsent(shown.page(), page -> new ArrayList<>()).add(shown);
      }
    }
    assertThat(byPage).hasSizeGreaterThan(10);
    Set<String> seen = new HashSet<>();
    return byPage.entrySet().stream()
        .map(
            entry ->
                DynamicTest.dynamicTest(
                    ROOT.relativize(entry.getKey()).toString(),
                    () -> runAll(entry.getKey(), entry.getValue(), seen)));
  }

  private void runAll(Path page, List<Shown> commands, Set<String> seen) throws IOException {
    Path here = Files.createTempDirectory(folder, "page");
    Matcher file =
        Pattern.compile("```\\w+ ([\\w.-]+)\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(page));
    Path traces = ROOT.resolve("examples/traces").toAbsolutePath().normalize();
    while (file.find()) {
      Files.writeString(
          here.resolve(file.group(1)), file.group(2).replace("TRACES", traces.toString()));
    }
    for (Shown shown : commands) {
      // One that writes nothing need not be typed for every page that shows it.
      if (seen.add(shown.text()) || OUTPUT.matcher(shown.text()).find()) {
        Warpline run = Warpline.run(arguments(shown.text(), here));
        assertThat(run.code()).as("%s%n%s", shown, run.err()).isZero();
        assertThat(run.err()).as("%s", shown).doesNotContain("does not read");
      }
    }
  }

  @Test
  void commandsAndOptionsThatPagesNameExist() throws IOException {
    List<String> unknown = new ArrayList<>();
    for (Shown shown : commands()) {
      String text = shown.text().replaceAll(" -- .*|\"[^\"]*\"", "").replaceAll("[\\[\\]]", " ");
      CommandLine command = Main.commandLine();
      for (String word : text.replaceAll("^(\\./)?warpline ", "").split("\\s+")) {
        if (command.getSubcommands().containsKey(word)) {
          command = command.getSubcommands().get(word);
        } else if (command.getParent() == null) {
          unknown.add(shown + ": no command " + word);
          break;
        } else if (word.startsWith("--")
            && !command.getCommandSpec().optionsMap().containsKey(word.replaceAll("=.*", ""))) {
          unknown.add(shown + ": no option " + word);
        }
      }
    }
    assertThat(unknown).isEmpty();
  }

  @Test
  void whatIsRunElsewhereIsShownAndRunThere() throws IOException {
    Set<String> shown = new HashSet<>();
    commands().forEach(command -> shown.add(command.text()));
    Map<String, String> elsewhere = elsewhere();
    assertThat(shown).containsAll(elsewhere.keySet());
    Set<String> tests = new HashSet<>();
    try (Stream<Path> files = Files.walk(ROOT, 12)) {
      files
          .filter(file -> file.toString().matches(".*/src/test/java/.*Test\\.java"))
          .forEach(file -> tests.add(file.getFileName().toString().replace(".java", "")));
    }
    assertThat(tests).containsAll(elsewhere.values());
  }

  /** Which test runs a command. */
  private static Map<String, String> elsewhere() throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (var in = DocumentedCommandsTest.class.getResourceAsStream("documented-elsewhere.tsv")) {
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(line -> line.split("\t"))
          .forEach(columns -> all.put(columns[0], columns[1]));
    }
    return all;
  }

  private static List<Shown> commands() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    for (String folder : List.of("docs", "examples")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
        files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
      }
    }
    List<Shown> all = new ArrayList<>();
    for (Path page : pages) {
      List<String> lines = Files.readAllLines(page);
      boolean fenced = false;
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i);
        if (line.startsWith("```")) {
          fenced = !fenced;
        } else if (fenced || line.startsWith("    ")) {
          int number = i + 1;
          StringBuilder text = new StringBuilder(line.strip().replaceFirst("^\\$ ", ""));
          while (text.toString().endsWith("\\") && i + 1 < lines.size()) {
            text.setLength(text.length() - 1);
            text.append(lines.get(++i).strip());
          }
          String command = text.toString().replaceFirst("\\s+#.*", "").replaceAll("\\s+", " ");
          if (command.matches("\\./warpline [a-z].*")) {
            all.add(new Shown(page, number, command, true));
          }
        } else {
          Matcher inline = Pattern.compile("`((\\./)?warpline [a-z][^`]*)`").matcher(line);
          while (inline.find()) {
            all.add(new Shown(page, i + 1, inline.group(1), false));
          }
        }
      }
    }
    return all;
  }

  /** Words of a command as a shell splits them, with files where they are here. */
  private static String[] arguments(String command, Path here) {
    List<String> words = new ArrayList<>();
    Matcher word = Pattern.compile("\"([^\"]*)\"|'([^']*)'|\\S+").matcher(command);
    while (word.find()) {
      String text =
          word.group(1) != null
              ? word.group(1)
              : word.group(2) != null ? word.group(2) : word.group();
      String before = words.isEmpty() ? "" : words.get(words.size() - 1);
      if (OUTPUT.matcher(before).matches() && !text.equals("-") || exists(here, text)) {
        text = here.resolve(text).toString();
      } else if (text.contains("/") && exists(ROOT, text)) {
        text = ROOT.resolve(text).toString();
      }
      words.add(text);
    }
    return Arrays.copyOfRange(words.toArray(String[]::new), 1, words.size());
  }

  private static boolean exists(Path folder, String name) {
    return name.matches("[\\w./-]+") && !name.startsWith("-") && Files.exists(folder.resolve(name));
  }
}
