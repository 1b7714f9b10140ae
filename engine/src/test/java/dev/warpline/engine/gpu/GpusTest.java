package dev.warpline.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GpusTest {
  @TempDir Path folder;

  @Test
  void everyPresetIsComplete() throws IOException {
    for (String name : Gpus.names()) {
      assertThat(Gpus.load(name).name()).isNotEmpty();
    }
  }

  @Test
  void aFieldCanBeSet() throws IOException {
    GpuDescription gpu =
        Gpus.load("rtx3070", List.of("sm.l1.sizeKiB=256", "sm.l1.sharedOptionsKiB=[0, 64]"));
    assertThat(gpu.sm().l1().sizeKiB()).isEqualTo(256);
    assertThat(gpu.sm().l1().sharedOptionsKiB()).containsExactly(0, 64);
    assertThat(gpu.sm().l1().unified()).isTrue();
  }

  @Test
  void aFieldCanBeMultiplied() throws IOException {
    GpuDescription gpu =
        Gpus.load("rtx3070", List.of("sm.count=2x", "clocks.coreMHz=0.5x", "sm.count=2x"));
    assertThat(gpu.sm().count()).isEqualTo(4 * 46);
    assertThat(gpu.clocks().coreMHz()).isEqualTo(566);
  }

  @Test
  void oneFileBuildsOnAnother() throws IOException {
    Path base = write("base.yaml", "inherits: rtx3070\nname: Base\nsm: {count: 10}\n");
    Path top = write("top.yaml", "inherits: base.yaml\nsm:\n  warps: 16\n");
    GpuDescription gpu = Gpus.load(top.toString());
    assertThat(base).exists();
    assertThat(gpu.name()).isEqualTo("Base");
    assertThat(gpu.sm().count()).isEqualTo(10);
    assertThat(gpu.sm().warps()).isEqualTo(16);
    assertThat(gpu.sm().registers()).isEqualTo(65536);
  }

  @Test
  void aDescriptionOfSomebodyElseInheritsFromItsNeighboursAlone() throws IOException {
    Path folder = Files.createDirectory(this.folder.resolve("shelf"));
    Files.writeString(this.folder.resolve("secret.yaml"), "inherits: h200\n");
    Files.writeString(folder.resolve("base.yaml"), "inherits: h200\nclocks: {coreMHz: 1500}\n");
    Files.writeString(folder.resolve("mine.yaml"), "inherits: base.yaml\n");
    GpuDescription mine = Gpus.loadWithin(folder, "mine.yaml", List.of());
    assertThat(mine.clocks().coreMHz()).isEqualTo(1500);
    Files.createSymbolicLink(folder.resolve("link.yaml"), this.folder.resolve("secret.yaml"));
    String absolute = this.folder.resolve("secret.yaml").toString();
    for (String other : List.of("../secret.yaml", absolute, "link.yaml", "./../secret.yaml")) {
      Files.writeString(folder.resolve("thief.yaml"), "inherits: '" + other + "'\n");
      assertThatThrownBy(() -> Gpus.loadWithin(folder, "thief.yaml", List.of()))
          .hasMessageContaining("thief.yaml:1:11: inherits: found \"" + other)
          .hasMessageContaining("expected a preset or a description beside this one");
    }
  }

  @Test
  void sectionsCannotBeRepeatedThroughAliases() throws IOException {
    Path file =
        Files.writeString(folder.resolve("bomb.yaml"), "a: &a [x]\nb: &b [*a, *a]\nc: [*b, *b]\n");
    assertThatThrownBy(() -> Gpus.load(file.toString()))
        .isInstanceOf(DescriptionException.class)
        .hasMessageContaining("aliases");
  }

  @Test
  void aFileMayNotInheritFromItself() throws IOException {
    Path file = write("loop.yaml", "inherits: loop.yaml\n");
    assertThatThrownBy(() -> Gpus.load(file.toString())).hasMessageContaining("from itself");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sm.cuont=3|--set sm.cuont=3: unknown field sm.cuont (did you mean count?); expected one of"
            + " count, version,",
        "modern.issue.controlBits=false|--set modern.issue.controlBits=false: unknown field"
            + " modern.issue.controlBits; expected modern.issue.dependences, which stands for it"
            + " now: one of control-bits, scoreboard",
        "modern.issue.dependences=luck|--set modern.issue.dependences=luck:"
            + " modern.issue.dependences: found \"luck\", expected one of control-bits, scoreboard",
        "flowMemory.l2SetIndex=fermi|--set flowMemory.l2SetIndex=fermi: flowMemory: L2 sets of a"
            + " partition: found",
        "modern.launch.blockScheduler=luck|--set modern.launch.blockScheduler=luck:"
            + " modern.launch.blockScheduler: found \"luck\", expected one of breadth-first,"
            + " depth-first, longest-free, round-robin",
        "sm.count=many|--set sm.count=many: sm.count: found \"many\", expected a whole number, 1 to"
            + " 1024",
        "sm.count=1.5|--set sm.count=1.5: sm.count: found \"1.5\", expected a whole number, 1 to"
            + " 1024",
        "sm.count=0|--set sm.count=0: sm.count: found \"0\", expected a whole number, 1 to 1024",
        "sm.count=-1|--set sm.count=-1: sm.count: found \"-1\", expected a whole number, 1 to 1024",
        "clocks.coreMHz=fast|--set clocks.coreMHz=fast: clocks.coreMHz: found \"fast\", expected a"
            + " number of MHz, 50 to 20000",
        "vendor=intel|--set vendor=intel: vendor: found \"intel\", expected one of nvidia, amd",
        "sm.l1.unified=maybe|--set sm.l1.unified=maybe: sm.l1.unified: found \"maybe\", expected"
            + " true or false",
        "sm.l1.sharedOptionsKiB=5|--set sm.l1.sharedOptionsKiB=5: sm.l1.sharedOptionsKiB: found"
            + " \"5\", expected a list, e.g. [1, 2]",
        "sm.l1=5|--set sm.l1=5: sm.l1: found \"5\", expected a section with fields",
        "sm.count=[1]|--set sm.count=[1]: sm.count: found a list, expected a whole number, 1 to"
            + " 1024",
        "name=2x|--set name=2x: the field is \"NVIDIA GeForce RTX 3070\", no number to multiply",
        "sm=2x|--set sm=2x: the field has no number to multiply",
        "sm.count|--set sm.count: expected FIELD=VALUE, e.g. sm.l1.sizeKiB=128 or"
            + " clocks.coreMHz=1.5x",
        "sm.count={|--set sm.count={:1:2: not YAML: "
      })
  void aBadSettingIsExplained(String setting, String message) {
    assertThatThrownBy(() -> Gpus.load("rtx3070", List.of(setting)))
        .isInstanceOf(DescriptionException.class)
        .hasMessageStartingWith(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sm.count=8|an AMD GPU has no sm; nearest that it has: amd.computeUnits",
        "sm.count=2x|an AMD GPU has no sm; nearest that it has: amd.computeUnits",
        "flowMemory.l2MiB=8|an AMD GPU has no flowMemory; nearest that it has: amd.tcc,",
      })
  void aFieldOfNvidiasOnAnAmdGpuIsRefusedWithAmds(String setting, String message) {
    assertThatThrownBy(() -> Gpus.load("mi300a", List.of(setting)))
        .hasMessageContaining("--set " + setting + ": " + message);
  }

  @Test
  void aSpecialisedUnitIsCalledByItsName() {
    String unit = "{name: MINE, count: 1, latency: 4, interval: 4, idOc: 4, ocEx: 4}";
    assertThatThrownBy(
            () -> Gpus.load("rtx3070", List.of("classic.units.specialized=[" + unit + "]")))
        .hasMessageContaining(
            "units.specialized[0].count: found 1 for MINE, expected 0 or at least");
  }

  @Test
  void everyProblemOfAFileIsNamedWithItsPlace() throws IOException {
    Path file =
        write("bad.yaml", "inherits: rtx3070\nsm:\n  warps: x\n  blokcs: 3\nclocks:\n  l2MHz: 0\n");
    assertThatThrownBy(() -> Gpus.load(file.toString()))
        .hasMessageContaining(
            "bad.yaml:3:10: sm.warps: found \"x\", expected a whole number, 1 to 64")
        .hasMessageContaining("bad.yaml:4:3: unknown field sm.blokcs (did you mean blocks?);")
        .hasMessageContaining(
            "bad.yaml:6:10: clocks.l2MHz: found \"0\", expected a number of MHz, 50 to 20000");
  }

  @Test
  void aMissingFieldIsNamedWithItsMeaning() throws IOException {
    Path file = write("short.yaml", "name: X\nvendor: nvidia\narchitecture: Y\n");
    assertThatThrownBy(() -> Gpus.load(file.toString()))
        .hasMessageEndingWith(
            "short.yaml:1:1: missing field clocks, expected a section with fields: clock domains");
  }

  @Test
  void aFieldGivenTwiceIsAnError() throws IOException {
    Path file = write("twice.yaml", "name: X\nname: Y\n");
    assertThatThrownBy(() -> Gpus.load(file.toString()))
        .hasMessageEndingWith("twice.yaml:2:1: found name a second time, expected it once");
  }

  @Test
  void anUnknownGpuSuggestsAKnownOne() {
    assertThatThrownBy(() -> Gpus.load("rtx307"))
        .hasMessageStartingWith("no GPU \"rtx307\" (did you mean rtx3070?); expected a YAML file");
  }

  @Test
  void aDescriptionExplainsItselfWithUnitAndSource() throws IOException {
    List<ExplainedField> fields = Gpus.explain("rtx3070", List.of("sm.count=1"));
    assertThat(fields)
        .contains(
            new ExplainedField(
                "sm.count",
                "1",
                "",
                "SMs of the GPU",
                "set",
                new Evidence(Evidence.Kind.SET, "", null, null),
                false),
            new ExplainedField(
                "sm.l1.sizeKiB",
                "128",
                "KiB",
                "data array: L1 and, where it is unified, shared memory",
                "published: NVIDIA GA102 whitepaper",
                new Evidence(Evidence.Kind.PUBLISHED, "NVIDIA GA102 whitepaper", null, null),
                false),
            new ExplainedField(
                "sm.subCores",
                "4",
                "",
                "sub-cores, each with its own scheduler",
                "published: CUDA guide, compute capability 8.6",
                new Evidence(
                    Evidence.Kind.PUBLISHED, "CUDA guide, compute capability 8.6", null, null),
                false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "flowMemory.l2MiB=0|flowMemory.l2MiB: found \"0\", expected a whole number of MiB, 1 to 4096",
        "flowMemory.smReadBytes=0|flowMemory.smReadBytes: found \"0\", expected a number of bytes per core cycle, 1 to 100000",
        "flowMemory.slices=0|flowMemory.slices: found \"0\", expected a whole number, 1 to 1024",
        "flowMemory.slices=95|flowMemory: slices: found 95, expected a multiple of partitions, 2",
        "flowMemory.positionSpread=400|description: flowMemory.positionSpread: found 400, expected that flowMemory.requestCycles and flowMemory.replyCycles together take at least two core cycles more than it",
        "card.sides=[0]|card: sides: found 1, expected one for each of 12 groups",
        "flowMemory.dramFetchBytes=48|flowMemory: dramFetchBytes: found 48, expected a power of two",
        "modern.issue.banks=0|modern.issue.banks: found \"0\", expected a whole number, 1 to 8",
        "modern.launch.turnaround=0|modern.launch.turnaround: found \"0\", expected a whole number of cycles, 1 to 10000",
        "card.loneSms=[3, 3]|card: loneSms: found [3, 3], expected SMs of the card, each once",
        "classic.smsPerCluster=5|description: sm.count: found 132, expected a multiple of classic.smsPerCluster, 5",
        "clocks.coreMHz=1.98|clocks.coreMHz: found \"1.98\", expected a number of MHz, 50 to 20000",
        "sm.count=010|sm.count: found \"010\", expected a whole number, 1 to 1024",
        "sm.count=1025|sm.count: found \"1025\", expected a whole number, 1 to 1024",
        "clocks.coreMHz=1e9|clocks.coreMHz: found \"1e9\", expected a number of MHz, 50 to 20000"
      })
  void aSettingThatNoMachineCanHaveIsRefused(String setting, String message) {
    assertThatThrownBy(() -> Gpus.load("h200", List.of(setting)))
        .isInstanceOf(DescriptionException.class)
        .hasMessageContaining("--set " + setting)
        .hasMessageContaining(": " + message);
  }

  @Test
  void aStandardValueCanBeMultipliedToo() throws IOException {
    assertThat(Gpus.load("h200", List.of("sm.subCores=0.5x")).sm().subCores()).isEqualTo(2);
    assertThatThrownBy(() -> Gpus.load("h200", List.of("sm.subCore=0.5x")))
        .hasMessageContaining("the GPU has no sm.subCore to multiply");
  }

  @Test
  void everyFieldSaysWhatItIs() {
    assertThat(Gpus.fields())
        .isNotEmpty()
        .allSatisfy(field -> assertThat(field.meaning()).as(field.path()).isNotEmpty());
  }

  @Test
  void everyPresetFileIsInTheList() throws IOException, java.net.URISyntaxException {
    Path presets = Path.of(Gpus.class.getResource("presets/index.txt").toURI()).getParent();
    try (var files = Files.list(presets)) {
      assertThat(
              files
                  .map(file -> file.getFileName().toString())
                  .filter(file -> file.endsWith(".yaml"))
                  .map(file -> file.substring(0, file.length() - 5)))
          .containsExactlyInAnyOrderElementsOf(Gpus.names());
    }
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @Test
  void aDramStandardOfAFileIsReadForItsOwnerAlone(@TempDir Path folder) throws IOException {
    Path standard = folder.resolve("mine.yaml");
    Files.writeString(standard, "about: nothing");
    String setting = "flowMemory.dram.standard=" + standard;
    assertThatThrownBy(() -> Gpus.load("h200", List.of(setting)))
        .hasMessageContaining("mine.yaml:1:1: missing field clockMHz");
    Files.writeString(folder.resolve("gpu.yaml"), "inherits: h200\n");
    assertThatThrownBy(() -> Gpus.loadWithin(folder, "gpu.yaml", List.of(setting)))
        .hasMessageContaining("flowMemory.dram.standard: found a file, expected one of hbm2");
    assertThatThrownBy(
            () -> Gpus.checkFiles(List.of("flowMemory={dram: {standard: " + standard + "}}")))
        .hasMessageContaining("found a file");
    Gpus.checkFiles(List.of("flowMemory.dram.standard=hbm3", "sm.count=3"));
    assertThatThrownBy(() -> Gpus.load("h200", List.of("flowMemory.dram.standard=hbm9")))
        .hasMessageContaining("found \"hbm9\", expected a DRAM standard: one of hbm2, hbm2e");
  }
}
