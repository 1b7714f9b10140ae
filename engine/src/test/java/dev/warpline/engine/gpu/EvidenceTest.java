package dev.warpline.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.warpline.engine.gpu.Evidence.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where the numbers of the presets come from is said, and what is said can be looked up. */
class EvidenceTest {
  private static final Path DOCS = Path.of("..", "docs");

  /** Presets are read once. */
  private static final Map<String, List<ExplainedField>> READ = new HashMap<>();

  @TempDir Path folder;

  static Stream<String> presets() {
    return Gpus.names().stream();
  }

  @ParameterizedTest
  @MethodSource("presets")
  void everyNumberHasAKindOfSource(String gpu) throws IOException {
    assertThat(values(gpu))
        .isNotEmpty()
        .allSatisfy(field -> assertThat(field.evidence().kind()).as(field.path()).isNotNull());
  }

  @ParameterizedTest
  @MethodSource("presets")
  void whatWasMeasuredNamesAProgramOrDocumentThatIsKept(String gpu) throws IOException {
    for (ExplainedField field : stated(gpu, Kind.MEASURED)) {
      assertThatReferenceExists(field, DOCS.resolve("hardware").resolve(gpu));
    }
  }

  @ParameterizedTest
  @MethodSource("presets")
  void whatIsPublishedNamesAPublicationOfTheList(String gpu) throws IOException {
    List<String> publications =
        Pattern.compile("(?m)^\\| `([^`]+)` \\|")
            .matcher(Files.readString(DOCS.resolve("sources.md")))
            .results()
            .map(name -> name.group(1))
            .toList();
    assertThat(publications).hasSizeGreaterThan(10);
    for (ExplainedField field : stated(gpu, Kind.PUBLISHED)) {
      String name = field.evidence().reference().split("[,;]")[0];
      assertThat(publications).as(field.path()).contains(name);
    }
  }

  @ParameterizedTest
  @MethodSource("presets")
  void whatIsDerivedIsWhatItsFormulaGives(String gpu) throws IOException {
    Map<String, Double> numbers = new HashMap<>();
    for (ExplainedField field : values(gpu)) {
      if (field.value().matches("-?[0-9.]+(E-?[0-9]+)?")) {
        numbers.put(field.path(), Double.parseDouble(field.value()));
      }
    }
    for (ExplainedField field : stated(gpu, Kind.DERIVED)) {
      String formula = field.evidence().reference().split(";")[0];
      double value = numbers.get(field.path());
      double rounding = numbers.containsKey(formula) ? 0 : 0.01 * Math.abs(value);
      assertThat(new Formula(formula, numbers).value())
          .as(field.path())
          .isCloseTo(value, within(rounding));
    }
  }

  @ParameterizedTest
  @MethodSource("presets")
  void whatIsFittedNamesWhereItIsTold(String gpu) throws IOException {
    for (ExplainedField field : stated(gpu, Kind.FITTED)) {
      Path file = DOCS.resolve(field.evidence().reference().split("[ ;]")[0]);
      assertThatReferenceExists(
          field, Files.exists(file) ? DOCS : DOCS.resolve("hardware").resolve(gpu));
    }
  }

  @ParameterizedTest
  @MethodSource("presets")
  void aGuessSaysWhy(String gpu) throws IOException {
    for (ExplainedField field : stated(gpu, Kind.GUESSED)) {
      assertThat(field.evidence().reference()).as(field.path()).isNotEmpty();
    }
  }

  /** "As on the H200" in words can stop being true; a reference cannot. */
  @ParameterizedTest
  @MethodSource("presets")
  void likenessIsAReferenceAndHolds(String gpu) throws IOException {
    Map<String, Map<String, String>> lenders = new HashMap<>();
    for (ExplainedField field : values(gpu)) {
      assertThat(field.evidence().reference())
          .as(field.path())
          .doesNotContainPattern("\\bas (on|for) the \\w*[0-9]|\\bas above");
      String lender = field.evidence().gpu();
      if (lender != null) {
        if (!lenders.containsKey(lender)) {
          Map<String, String> theirs = new HashMap<>();
          values(lender).forEach(other -> theirs.put(other.path(), other.value()));
          lenders.put(lender, theirs);
        }
        assertThat(lenders.get(lender)).containsEntry(field.path(), field.value());
      }
    }
  }

  /** More than a quarter of guesses is not a description of that GPU. */
  @ParameterizedTest
  @MethodSource("presets")
  void anOfferedNvidiaCoreIsItsGpusOwn(String gpu) throws IOException {
    GpuDescription description = Gpus.load(gpu);
    if (description.modern() != null) {
      double guessed = guesses(gpu, "modern.", "flowMemory.");
      assertThat(description.offersModern()).as("%.2f guessed", guessed).isEqualTo(guessed < 0.25);
    }
    if (description.classic() != null) {
      assertThat(description.offersClassic()).isTrue();
      assertThat(guesses(gpu, "classic.", "detailedMemory.")).isLessThan(0.25);
    }
  }

  @ParameterizedTest
  @MethodSource("presets")
  void everyCoreStatesItsBasisAndHowFarItWasValidated(String gpu) throws IOException {
    GpuDescription description = Gpus.load(gpu);
    List<ExplainedField> said =
        Gpus.explain(gpu, List.of()).stream()
            .filter(field -> field.path().matches("cores\\.\\w+\\.(basis|validation)"))
            .filter(field -> !field.source().equals("standard"))
            .toList();
    Predicate<String> states = path -> said.stream().anyMatch(field -> field.path().equals(path));
    if (description.vendor() == GpuDescription.Vendor.AMD) {
      assertThat(states).accepts("cores.gcn.basis", "cores.gcn.validation");
      return;
    }
    assertThat(states).accepts("cores.classic.basis", "cores.classic.validation");
    assertThat(states).accepts("cores.modern.basis");
    if (description.offersModern()) {
      assertThat(states).accepts("cores.modern.validation");
    }
  }

  @Test
  void aPresetsCommentMustBeASource() {
    assertThatThrownBy(() -> Yaml.parse("sm:\n  count: 4 # as above\n", "x.yaml", true))
        .hasMessageStartingWith("x.yaml:2:10: found the source \"as above\", expected KIND: REFER");
    assertThatThrownBy(() -> Yaml.parse("count: 4 # measured\n", "x.yaml", true))
        .hasMessageStartingWith("x.yaml:1:8: found the source \"measured\"");
  }

  /** The comment behind a section's name is the source of its fields: without it they have none. */
  @Test
  void energiesWithoutASourceWouldBeRefusedInAPreset() throws IOException {
    String preset = resource("presets/h200.yaml");
    String without = preset.replaceFirst("(?m)^energy: #.*$", "energy:");
    assertThat(without).isNotEqualTo(preset);
    Predicate<ExplainedField> ofEnergy = field -> field.path().startsWith("energy.");
    assertThat(values("h200"))
        .filteredOn(ofEnergy)
        .hasSize(EnergyEvent.values().length + 6)
        .allSatisfy(field -> assertThat(field.evidence().kind()).as(field.path()).isNotNull());
    assertThat(values(write(without).toString()))
        .filteredOn(ofEnergy)
        .filteredOn(
            field -> !field.path().matches("energy\\.(power\\.(limitW|voltageSlope)|cards\\..*)"))
        .hasSize(EnergyEvent.values().length + 1)
        .allSatisfy(field -> assertThat(field.evidence().kind()).as(field.path()).isNull());
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = Gpus.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void aUsersCommentMayBeFree() throws IOException {
    Path file =
        write(
            "inherits: h200\nsm:\n  count: 64 # half of it\n  warps: 48 # guessed: why not\n"
                + "  blocks: 16\n");
    Map<String, String> sources = sources(file.toString());
    assertThat(sources)
        .containsEntry("sm.count", "not stated: half of it")
        .containsEntry("sm.warps", "guessed: why not")
        .containsEntry("sm.blocks", "not stated");
    assertThat(sources.get("sm.registers")).contains("as h200 (published: CUDA guide");
  }

  @Test
  void aReferenceTakesOverAValueAndSaysSo() throws IOException {
    Path file = write("inherits: rtx3070\nmodern:\n  loadStore: {queue: =h200}\n");
    assertThat(Gpus.load(file.toString()).modern().loadStore().queue())
        .isEqualTo(Gpus.load("h200").modern().loadStore().queue());
    assertThat(sources(file.toString()))
        .containsEntry(
            "modern.loadStore.queue",
            "guessed: as h200 (measured: open_questions.cu; Ampere has 5)");
  }

  @Test
  void aReferenceCanBeMultiplied() throws IOException {
    assertThat(Gpus.load("rtx3070", List.of("modern.units.xuQueue=3x")).modern().units().xuQueue())
        .isEqualTo(3 * Gpus.load("h200").modern().units().xuQueue());
  }

  @Test
  void aReferenceToNothingIsAnErrorWithItsPlace() throws IOException {
    Path file = write("inherits: h200\nsm: {count: =h300}\n");
    assertThatThrownBy(() -> Gpus.load(file.toString()))
        .hasMessageContaining("gpu.yaml:2:13: sm.count: found \"=h300\", expected a value, or =");
    Path absent = write("inherits: h200\nmodern: {units: {fma: =qv100}}\n");
    assertThatThrownBy(() -> Gpus.load(absent.toString()))
        .hasMessageContaining("gpu.yaml:2:23: modern.units.fma: found \"=qv100\", expected a");
  }

  @Test
  void aSectionCanBeLeftOut() throws IOException {
    Path file = write("inherits: h200\nmodern: none\nflowMemory: none\n");
    GpuDescription gpu = Gpus.load(file.toString());
    assertThat(gpu.modern()).isNull();
    assertThat(gpu.offersModern()).isFalse();
    assertThat(gpu.offersClassic()).isTrue();
    Path needed = write("inherits: h200\nclocks: none\n");
    assertThatThrownBy(() -> Gpus.load(needed.toString()))
        .hasMessageContaining("clocks: found \"none\", expected a section with fields");
  }

  @Test
  void whatWasValidatedIsNotInherited() throws IOException {
    Path file = write("inherits: h200\nname: Mine\n");
    assertThat(Gpus.load("h200").modernCore().validation()).contains("80 kernels");
    assertThat(Gpus.load(file.toString()).modernCore().validation()).isEqualTo("not validated");
  }

  private static double guesses(String gpu, String... sections) throws IOException {
    List<ExplainedField> fields =
        values(gpu).stream()
            .filter(field -> Stream.of(sections).anyMatch(field.path()::startsWith))
            .toList();
    long guesses = fields.stream().filter(field -> field.evidence().isGuess()).count();
    return (double) guesses / fields.size();
  }

  /**
   * The values of a preset, but names and statements about it, and what is ideal: no GPU is, and no
   * preset says so.
   */
  private static List<ExplainedField> values(String gpu) throws IOException {
    List<ExplainedField> known = READ.get(gpu);
    if (known == null) {
      known =
          Gpus.explain(gpu, List.of()).stream()
              .filter(field -> !field.section() && field.path().contains("."))
              .filter(field -> !field.path().startsWith("cores."))
              .filter(field -> !field.path().startsWith("modern.ideal."))
              .toList();
      if (Gpus.names().contains(gpu)) {
        READ.put(gpu, known);
      }
    }
    return known;
  }

  /** What a preset says of its own, of one kind. */
  private static List<ExplainedField> stated(String gpu, Kind kind) throws IOException {
    return values(gpu).stream()
        .filter(field -> field.evidence().gpu() == null && field.evidence().kind() == kind)
        .toList();
  }

  @ParameterizedTest
  @MethodSource("presets")
  void noPresetIsIdeal(String gpu) throws IOException {
    assertThat(Gpus.explain(gpu, List.of()))
        .filteredOn(field -> field.path().startsWith("modern.ideal."))
        .extracting(ExplainedField::value)
        .allMatch("false"::equals);
  }

  private static Map<String, String> sources(String gpu) throws IOException {
    Map<String, String> sources = new HashMap<>();
    values(gpu).forEach(field -> sources.put(field.path(), field.source()));
    return sources;
  }

  /** A file of a folder, and where a section follows, a heading with that number in it. */
  private static void assertThatReferenceExists(ExplainedField field, Path where)
      throws IOException {
    Matcher reference =
        Pattern.compile("([\\w.-]+)(?: ([0-9.]+))?(;.*)?").matcher(field.evidence().reference());
    assertThat(reference.matches()).as(field.path() + ": " + field.source()).isTrue();
    Path file = where.resolve(reference.group(1));
    assertThat(file).as(field.path()).exists();
    if (reference.group(2) != null) {
      assertThat(Files.readString(file))
          .as(field.path())
          .containsPattern("(?m)^#+ " + Pattern.quote(reference.group(2)) + "\\.? ");
    }
  }

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("gpu.yaml"), text);
  }

  /** Arithmetic over numbers and fields. */
  private static final class Formula {
    private final Matcher words;
    private final Map<String, Double> fields;
    private String word;

    Formula(String text, Map<String, Double> fields) {
      this.fields = fields;
      words = Pattern.compile("[0-9][0-9.]*(e[0-9]+)?|[a-zA-Z][\\w.]*|\\S").matcher(text);
      next();
    }

    double value() {
      double sum = sum();
      assertThat(word).as("the end of the formula").isEmpty();
      return sum;
    }

    private void next() {
      word = words.find() ? words.group() : "";
    }

    private double sum() {
      double value = product();
      while (word.equals("+") || word.equals("-")) {
        boolean plus = word.equals("+");
        next();
        value += plus ? product() : -product();
      }
      return value;
    }

    private double product() {
      double value = factor();
      while (word.equals("*") || word.equals("/")) {
        boolean times = word.equals("*");
        next();
        double by = factor();
        value = times ? value * by : value / by;
      }
      return value;
    }

    private double factor() {
      String first = word;
      next();
      if (first.equals("(")) {
        double value = sum();
        assertThat(word).isEqualTo(")");
        next();
        return value;
      }
      if (Character.isDigit(first.charAt(0))) {
        return Double.parseDouble(first);
      }
      assertThat(fields).containsKey(first);
      return fields.get(first);
    }
  }
}
