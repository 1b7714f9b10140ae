package dev.warpline.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class FieldUseTest {
  private static final List<String> CORES = FieldUse.CORES;

  @TempDir Path folder;

  private static Set<String> fields() {
    return Gpus.fields().stream()
        .map(field -> field.path().replace("[]", ""))
        .collect(Collectors.toSet());
  }

  @ParameterizedTest
  @FieldSource("CORES")
  void everyLineNamesAFieldAndNearestOnesThatTheCoreReads(String core) {
    FieldUse use = FieldUse.of(core);
    assertThat(fields()).containsAll(use.named());
    for (String name : use.named()) {
      FieldUse.Unread unread = use.unread(name);
      assertThat(unread.nearest()).as(name).isNotEmpty().allMatch(fields()::contains);
      assertThat(unread.nearest()).as(name).allMatch(nearest -> use.unread(nearest) == null);
    }
  }

  @Test
  void everyFieldIsReadBySomeCore() {
    for (String field : fields()) {
      assertThat(CORES).as(field).anyMatch(core -> FieldUse.of(core).unread(field) == null);
    }
  }

  @Test
  void aFieldOfTheOtherCoreIsNamedWithTheNearestOne() throws IOException {
    assertThat(
            FieldUse.of("modern")
                .warnings(Gpus.changes("h200", List.of("classic.smsPerCluster=2"))))
        .containsExactly(
            "--set classic.smsPerCluster=2: the modern core does not read classic.smsPerCluster;"
                + " nearest that it reads: modern.layout");
    assertThat(
            FieldUse.of("classic")
                .warnings(Gpus.changes("h200", List.of("classic.smsPerCluster=2"))))
        .isEmpty();
    assertThat(FieldUse.of("classic").warnings(Gpus.changes(List.of("sm.count=2x")))).isEmpty();
    assertThat(
            FieldUse.of("classic").warnings(Gpus.changes(List.of("modern.constants.loadLines=8"))))
        .containsExactly(
            "--set modern.constants.loadLines=8: the classic core does not read"
                + " modern.constants.loadLines; nearest that it reads:"
                + " classic.frontEnd.perfectInstructionAndConstantCache (constants always hit"
                + " here)");
    assertThat(FieldUse.of("modern").warnings(Gpus.changes(List.of("launch.kernelsShareSms=true"))))
        .isEmpty();
  }

  @Test
  void everyFieldOfASectionThatIsSetAtOnceIsNamed() throws IOException {
    assertThat(
            FieldUse.of("modern")
                .warnings(Gpus.changes(List.of("detailedMemory.l2.cache={ways: 8, sets: 4}"))))
        .hasSize(2)
        .allMatch(warning -> warning.contains("flowMemory.l2Ways"));
  }

  @Test
  void onlyWhatAFileSaysOtherwiseThanItsPresetIsAChange() throws IOException {
    Files.writeString(
        folder.resolve("base.yaml"), "inherits: rtx3070\nsm: {count: 46, warps: 32}\n");
    Path top =
        Files.writeString(
            folder.resolve("top.yaml"),
            "inherits: base.yaml\ndetailedMemory:\n  l2:\n    cache: {ways: 32}\n");
    assertThat(Gpus.changes(top.toString(), List.of()))
        .containsExactlyInAnyOrder(
            new FieldUse.Change("sm.warps", folder.resolve("base.yaml") + ":2:24"),
            new FieldUse.Change("detailedMemory.l2.cache.ways", top + ":4:19"));
    assertThat(FieldUse.of("modern").warnings(Gpus.changes(top.toString(), List.of())))
        .containsExactly(
            top
                + ":4:19: the modern core does not read detailedMemory.l2.cache.ways;"
                + " nearest that it reads: flowMemory.l2MiB, flowMemory.l2Ways");
  }

  @Test
  void aWholeDescriptionOfOnesOwnChangesNothing() throws IOException {
    Path own =
        Files.writeString(
            folder.resolve("own.yaml"),
            "name: X\nclocks: {coreMHz: 1, interconnectMHz: 1, l2MHz: 1, dramMHz: 1}\n");
    assertThat(Gpus.changes(own.toString(), List.of())).isEmpty();
  }
}
