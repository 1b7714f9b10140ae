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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the bounds of fields promise. */
class BoundsTest {
  @TempDir Path folder;

  @Test
  void everyNumberHasALeastAndAMost() {
    assertThat(Gpus.bounds())
        .hasSizeGreaterThan(300)
        .allSatisfy(
            (path, bounds) -> {
              // A gap may be negative: what comes next then starts before the end.
              double least = path.startsWith("program.streams.") ? -1e6 : 0;
              assertThat(bounds.least()).as(path).isBetween(least, bounds.most());
              assertThat(bounds.most()).as(path).isBetween(bounds.least(), 0x1p31);
            });
  }

  /** Each field at its ends, the others as the preset has them, on every core that has it. */
  @Test
  @Tag("long")
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

  @ParameterizedTest
  @CsvSource({
    "h200, modern.units.fma, 120 127 128 255 256 1000",
    "h200, modern.units.xuDispatch, 1 127 128 256",
    "rtx3070, flowMemory.dramNs, 100 1000 10000",
    "h200, modern.units.wideDispatch, 1 127 128 256"
  })
  void aLargerTimeMakesAKernelSlowerWithoutAJump(String gpu, String field, String values)
      throws IOException {
    SettingsLab lab = new SettingsLab(folder);
    List<Long> cycles = new ArrayList<>();
    for (String value : values.split(" ")) {
      cycles.add(lab.cycles(gpu, List.of(field + "=" + value)));
    }
    assertThat(cycles).isSorted();
    assertThat(cycles.get(0)).isLessThan(cycles.get(cycles.size() - 1));
  }

  /** Ends that only fit together. */
  @Test
  void aKernelRunsWithFieldsAtTheirEndsTogether() throws IOException, InterruptedException {
    SettingsLab lab = new SettingsLab(folder);
    String lines = "amd.tcp.lineBytes=N amd.sqc.lineBytes=N amd.scalarCache.lineBytes=N";
    String units = "classic.units.sp.count=N classic.units.dp.count=N classic.units.sfu.count=N";
    List<Trial> all = new ArrayList<>();
    for (String n : List.of("64", "256", "1024")) {
      String all4 = lines.replace("N", n) + " amd.tcc.lineBytes=" + n;
      all.add(lab.settings(Subject.AMD, List.of(all4.split(" ")), false));
    }
    all.add(
        lab.settings(
            Subject.MODERN,
            List.of(
                "flowMemory.requestCycles=0",
                "flowMemory.replyCycles=2",
                "flowMemory.l2Cycles=0",
                "flowMemory.positionSpread=0",
                "modern.launch.kernelCycles=0"),
            false));
    all.add(
        lab.settings(
            Subject.MODERN,
            List.of(
                "flowMemory.partitions=2",
                "flowMemory.dramChannels=1",
                "flowMemory.l2MiB=1",
                "flowMemory.l2Ways=256"),
            false));
    for (String n : List.of("1", "16")) {
      String counts = units.replace("N", n) + " classic.units.integer.count=" + n;
      List<String> settings = new ArrayList<>(List.of(counts.split(" ")));
      settings.add("classic.frontEnd.schedulers=" + n);
      settings.add("sm.subCores=" + n);
      settings.add("classic.operands.banks=64");
      settings.add("classic.operands.general.units=16");
      settings.add(
          "classic.units.specialized=[{name: BRA, count: "
              + n
              + ", latency: 1000, interval: 1000, idOc: 0, ocEx: 31}]");
      all.add(lab.settings(Subject.CLASSIC, settings, false));
    }
    Trials trials = new Trials().run(all.size(), all::get);
    assertThat(trials.failures()).isEmpty();
    assertThat(trials.ran()).isEqualTo(all.size());
  }

  /** A machine with a single channel for both of its L2 partitions. */
  @Test
  void oneChannelServesBothPartitions() throws IOException {
    SettingsLab lab = new SettingsLab(folder);
    long one = slowChannels(lab, "flowMemory.dramChannels=1");
    long three = slowChannels(lab, "flowMemory.dramChannels=3");
    assertThat(one).isGreaterThan(three);
    assertThat(three).isGreaterThan(slowChannels(lab, "flowMemory.dramChannels=96"));
  }

  /** Without late banks, for whose end those wait who come earlier and later alike. */
  private static long slowChannels(SettingsLab lab, String channels) throws IOException {
    return lab.cycles(
        "h200", List.of(channels, "flowMemory.dramClockBytes=1", "flowMemory.dramLateNs=0"));
  }

  private static String set(ExplainedField field, double value) {
    return field.path() + "=" + BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }
}
