package dev.warpline.study.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.gpu.Bounds;
import dev.warpline.engine.gpu.ExplainedField;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.study.settings.SettingsLab.Subject;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the bounds of fields promise. */
class BoundsTest {
  @TempDir Path folder;

  @Test
  void everyNumberHasALeastAndAMost() {
    assertThat(Gpus.bounds())
        .hasSizeGreaterThan(300)
        .allSatisfy(
            (path, bounds) -> {
              assertThat(bounds.least()).as(path).isBetween(0.0, bounds.most());
              assertThat(bounds.most()).as(path).isBetween(bounds.least(), 0x1p31);
            });
  }

  /** Each field at its ends, the others as the preset has them, on every core that has it. */
  @Test
  void aKernelRunsWithEveryFieldAtItsLeastAndAtItsMost() throws IOException, InterruptedException {
    SettingsLab lab = new SettingsLab(folder);
    Map<String, Bounds> bounds = Gpus.bounds();
    List<Trial> all = new ArrayList<>();
    for (Subject subject : List.of(Subject.MODERN, Subject.CLASSIC, Subject.AMD)) {
      for (ExplainedField field : subject.fields()) {
        Bounds its = bounds.get(field.path());
        if (its != null && !field.value().startsWith("[")) {
          all.add(lab.settings(subject, List.of(set(field, its.least())), false));
          all.add(lab.settings(subject, List.of(set(field, its.most())), false));
        }
      }
    }
    Trials trials = new Trials().run(all.size(), all::get);
    assertThat(trials.failures()).isEmpty();
    // Some ends do not fit the other fields of the preset and are refused for that.
    assertThat(trials.ran()).isGreaterThan(all.size() * 8 / 10);
  }

  private static String set(ExplainedField field, double value) {
    return field.path() + "=" + BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }
}
