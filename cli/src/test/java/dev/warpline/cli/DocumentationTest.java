package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.gpu.Gpus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the documentation says is true. */
class DocumentationTest {
  private static final Path ROOT = Path.of("..");

  @TempDir Path folder;

  @Test
  void theExampleOfAGpuDescriptionCanBeLoaded() throws IOException {
    Matcher yaml =
        Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(ROOT.resolve("docs/gpu-description.md")));
    assertThat(yaml.find()).isTrue();
    Path file = Files.writeString(folder.resolve("example.yaml"), yaml.group(1));
    assertThat(Gpus.load(file.toString()).detailedMemory().l2().cache().ways()).isEqualTo(40);
  }

  @Test
  void theSettingsInTheDocumentationWork() throws IOException {
    String text = Files.readString(ROOT.resolve("docs/gpu-description.md"));
    // One with a colon behind it is quoted from an error message.
    Matcher setting = Pattern.compile("--set ([a-z][\\w.]+=('[^']*'|[\\w.]++))(?!:)").matcher(text);
    int found = 0;
    while (setting.find()) {
      Gpus.load("rtx3070", List.of(setting.group(1).replace("'", "")));
      found++;
    }
    assertThat(found).isPositive();
  }

  @Test
  void everySectionOfADescriptionIsDocumented() throws IOException {
    String text = Files.readString(ROOT.resolve("docs/gpu-description.md"));
    Gpus.fields().stream()
        .map(field -> field.path())
        .filter(path -> !path.contains("."))
        .forEach(path -> assertThat(text).contains("`" + path + "`"));
  }

  @Test
  void everyCommandIsInTheGuide() throws IOException {
    String guide = Files.readString(ROOT.resolve("docs/guide.md"));
    for (String command : Main.commandLine().getSubcommands().keySet()) {
      assertThat(guide).contains("`" + command);
    }
  }

  @Test
  void everyLinkBetweenDocumentsLeadsToAFile() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      List<Path> documents =
          Stream.concat(files, Stream.of(ROOT.resolve("README.md"), ROOT.resolve("CHANGELOG.md")))
              .filter(file -> file.toString().endsWith(".md"))
              .toList();
      for (Path document : documents) {
        Matcher link = Pattern.compile("]\\(([^)#:]+)\\)").matcher(Files.readString(document));
        while (link.find()) {
          assertThat(document.resolveSibling(link.group(1))).as(document.toString()).exists();
        }
      }
    }
  }

  @Test
  void noCommentCitesSectionsOfATextThatIsNotHere() throws IOException {
    Pattern citation =
        Pattern.compile(
            "\\b(facts|section|chapter)[\\s*]+[0-9]+\\.[0-9]", Pattern.CASE_INSENSITIVE);
    int read = 0;
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path sources :
          modules.map(module -> module.resolve("src/main")).filter(Files::isDirectory).toList()) {
        try (Stream<Path> files = Files.walk(sources)) {
          for (Path file : files.filter(f -> f.toString().matches(".*\\.(java|yaml)")).toList()) {
            assertThat(citation.matcher(Files.readString(file)).find()).as("%s", file).isFalse();
            read++;
          }
        }
      }
    }
    assertThat(read).isGreaterThan(300);
  }
}
