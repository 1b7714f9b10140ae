package dev.warpline.engine.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A GPU made from another in a hurry is the one that is read with all the time in the world. */
class BaseGpuTest {
  private static final List<List<String>> SETTINGS =
      List.of(
          List.of(),
          List.of("sm.count=40"),
          List.of("clocks.coreMHz=0.5x", "clocks.coreMHz=1.5x"),
          List.of("sm.l1.sizeKiB=128", "sm.count=16", "clocks.coreMHz=1234.5"),
          List.of("name=mine"));

  @TempDir Path folder;

  @Test
  void everyPresetComesOutTheSameFieldByField() throws IOException {
    for (String name : List.of("h200", "h100", "a100", "rtx3070")) {
      BaseGpu base = Gpus.base(name);
      for (List<String> settings : SETTINGS) {
        BaseGpu.Described described = base.with(settings);
        assertThat(described.fields())
            .isEqualTo(Gpus.explain(name, settings))
            .hasSizeGreaterThan(99);
        assertThat(described.gpu()).hasToString(Gpus.load(name, settings).toString());
      }
    }
  }

  @Test
  void whatASettingBreaksIsRefusedInTheSameWords() throws IOException {
    BaseGpu base = Gpus.base("h200");
    base.with(List.of());
    for (String setting :
        List.of("sm.count=0", "sm.cont=1", "clocks.coreMHz=fast", "sm=3", "sm.count=none")) {
      assertThatThrownBy(() -> base.with(List.of(setting)))
          .isInstanceOf(DescriptionException.class)
          .hasMessage(message(setting));
    }
  }

  private static String message(String setting) throws IOException {
    try {
      Gpus.load("h200", List.of(setting));
      return "nothing is wrong";
    } catch (DescriptionException e) {
      return e.getMessage();
    }
  }

  @Test
  void aFileWithAMistakeKeepsItUntilASettingMendsIt() throws IOException {
    Path file = Files.writeString(folder.resolve("g.yaml"), "inherits: h200\nsm:\n  count: 0\n");
    BaseGpu base = Gpus.base(file.toString());
    assertThatThrownBy(() -> base.with(List.of("clocks.coreMHz=1000")))
        .hasMessageContaining("g.yaml:3:10: sm.count");
    assertThat(base.with(List.of("sm.count=8")).gpu().sm().count()).isEqualTo(8);
    Path unknown = Files.writeString(folder.resolve("u.yaml"), "inherits: h200\nsm:\n  cuont: 1\n");
    assertThatThrownBy(() -> Gpus.base(unknown.toString()).with(List.of()))
        .hasMessageContaining("u.yaml:3:3: unknown field sm.cuont");
  }

  @Test
  void aReferenceThatLeadsNowhereMayBeSetOtherwise() throws IOException {
    Path file =
        Files.writeString(folder.resolve("r.yaml"), "inherits: h200\nsm:\n  count: =nowhere\n");
    BaseGpu base = Gpus.base(file.toString());
    assertThatThrownBy(() -> base.with(List.of())).hasMessageContaining("=nowhere");
    assertThat(base.with(List.of("sm.count==a100")).gpu().sm().count())
        .isEqualTo(Gpus.load("a100").sm().count());
  }

  /** The rest of a study's plan is nothing beside it: 10,000 points stand and fall with this. */
  @Test
  void itIsMadeInAFractionOfTheTime() throws IOException {
    BaseGpu base = Gpus.base("h200");
    long quick = Long.MAX_VALUE;
    long slow = Long.MAX_VALUE;
    for (int i = 0; i < 30; i++) {
      List<String> settings = List.of("sm.count=" + (i + 1), "flowMemory.l2MiB=" + (i + 20));
      long start = System.nanoTime();
      base.with(settings);
      long between = System.nanoTime();
      Gpus.explain("h200", settings);
      quick = Math.min(quick, between - start);
      slow = Math.min(slow, System.nanoTime() - between);
    }
    assertThat(quick).isLessThan(slow / 4);
  }
}
