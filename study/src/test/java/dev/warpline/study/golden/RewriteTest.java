package dev.warpline.study.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Golden results change only by the command that says why: a checkout with one example. */
@Tag("long")
class RewriteTest {
  private static final Path VECADD = Path.of("..", "examples", "traces", "vecadd");

  @TempDir Path root;
  private Goldens goldens;
  private Path changelog;
  private Path file;

  @BeforeEach
  void checkout() throws Exception {
    Path trace = Files.createDirectories(root.resolve("examples/traces/vecadd"));
    Files.createDirectories(root.resolve("examples/amd/launch"));
    try (Stream<Path> files = Files.list(VECADD)) {
      for (Path part : files.toList()) {
        Files.copy(part, trace.resolve(part.getFileName()));
      }
    }
    changelog = root.resolve("CHANGELOG.md");
    Files.write(
        changelog, List.of("# Changelog", "", "## Unreleased", "", "- A.", "", "## 0.0", "- B."));
    file = root.resolve("examples/goldens/vecadd.tsv");
    goldens = new Goldens(root);
    List<Goldens.Change> changes = goldens.rewrite("The first.", example -> {});
    assertThat(changes).allMatch(change -> change.before() == null).hasSizeGreaterThan(5);
  }

  private List<Goldens.Change> check() throws Exception {
    return goldens.check((example, place) -> true, example -> {});
  }

  @Test
  void theChangelogHasTheReasonAtTheEndOfWhatIsUnreleased() throws Exception {
    assertThat(Files.readAllLines(changelog))
        .containsSequence("- A.", "- Golden results, edition 1: The first.", "", "## 0.0");
    assertThat(goldens.complaints()).isEmpty();
    assertThat(check()).isEmpty();
  }

  @Test
  void whatWasStoredIsReadAgain() throws IOException {
    List<GoldenResult> results = goldens.stored("vecadd");
    Path copy = root.resolve("copy.tsv");
    GoldenFile.write(copy, results);
    assertThat(copy).hasSameTextualContentAs(file);
    GoldenResult h200 = results.get(0);
    assertThat(h200.place()).hasToString("h200 modern");
    assertThat(h200.get("instructions")).isEqualTo("640");
    assertThat(h200.get("l1.globalLoads")).isEqualTo("64");
    assertThat(h200.get("l1.sharedAccesses")).as("zeros are not written").isEqualTo("0");
    assertThat(Files.readString(file)).doesNotContain("l1.sharedAccesses");
  }

  @Test
  void aCounterThatDiffersIsNamedWithBothValuesUntilARewriteSaysWhy() throws Exception {
    String stored =
        Files.readString(file).replaceFirst("(?m)^l1.globalLoads\t64", "l1.globalLoads\t63");
    Files.writeString(file, stored);
    assertThat(check())
        .singleElement()
        .hasToString("vecadd on h200 modern: l1.globalLoads 63 -> 64");
    assertThat(goldens.complaints()).singleElement().asString().contains("changed by hand");
    assertThat(goldens.rewrite("Loads are counted.", example -> {})).hasSize(1);
    assertThat(check()).isEmpty();
    // They are what edition 1 had, so that edition holds.
    assertThat(goldens.complaints()).isEmpty();
    assertThat(Files.readString(changelog)).doesNotContain("Loads are counted.");
  }

  @Test
  void otherResultsAreAnotherEdition() throws Exception {
    Path second = Files.createDirectories(root.resolve("examples/traces/again"));
    try (Stream<Path> files = Files.list(VECADD)) {
      for (Path part : files.toList()) {
        Files.copy(part, second.resolve(part.getFileName()));
      }
    }
    assertThat(check()).isNotEmpty().allMatch(change -> change.example().equals("again"));
    goldens.rewrite("Another example.", example -> {});
    assertThat(check()).isEmpty();
    assertThat(goldens.complaints()).isEmpty();
    assertThat(Files.readAllLines(changelog))
        .contains("- Golden results, edition 2: Another example.");
  }

  @Test
  void aChangelogWithoutTheEditionsLineIsComplainedOf() throws IOException {
    Files.writeString(changelog, "# Changelog\n\n## Unreleased\n");
    assertThat(goldens.complaints())
        .singleElement()
        .asString()
        .contains("lacks the line \"- Golden results, edition 1: The first.\"");
  }

  @Test
  void resultsOfAnExampleThatIsGoneAreAChange() throws Exception {
    Files.copy(file, file.resolveSibling("gone.tsv"));
    assertThat(check())
        .isNotEmpty()
        .allMatch(change -> change.toString().startsWith("gone on ") && change.now() == null);
  }
}
