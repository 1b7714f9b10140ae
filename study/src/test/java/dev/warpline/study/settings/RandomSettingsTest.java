package dev.warpline.study.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.gpu.Bounds;
import dev.warpline.engine.gpu.ExplainedField;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.study.settings.SettingsLab.Subject;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Fields and Accel-Sim options get random values, inside and outside of their bounds, and a tiny
 * program runs on what comes of it. Each either runs to its end or is refused with the setting
 * named; nothing hangs, nothing fails inside, and nothing outside its bounds is taken.
 */
class RandomSettingsTest {
  private static final int DRAWS = Integer.getInteger("settings.draws", 700);
  private static final long SEED = Long.getLong("settings.seed", 11);

  /** What is no number, or none that people mean. */
  private static final List<String> ODD =
      List.of(
          "",
          "abc",
          "1.5",
          "-1",
          "0",
          "1e30",
          "NaN",
          "Infinity",
          "0x",
          "010",
          "1,000",
          "[1, 2]",
          "{}",
          "~",
          "true",
          "99999999999999999999",
          "-0.0001",
          "1x",
          "0x7fffffff",
          "2147483648",
          "'",
          "[",
          "- 3",
          "1_0",
          "1__0",
          "0b11",
          "1d",
          "0x",
          "1e3",
          "*a",
          "!!int 3",
          "3 # three");

  private static final List<String> WORDS =
      List.of(
          "true",
          "false",
          "xor",
          "ipoly",
          "linear",
          "fermi",
          "custom",
          "pae",
          "random",
          "consecutive",
          "ipoly-modulo",
          "lru",
          "fifo",
          "gto",
          "old",
          "rrr",
          "warp-limiting:1",
          "two-level:1",
          "regular",
          "all",
          "write-back",
          "on-fill",
          "hardware",
          "simple",
          "youngest",
          "round-robin",
          "fixed",
          "wave",
          "gfx90a",
          "dynamic");

  @TempDir Path folder;
  private SettingsLab lab;
  private final Map<String, Bounds> bounds = Gpus.bounds();
  private final Map<Subject, List<ExplainedField>> fields = new EnumMap<>(Subject.class);
  private List<Map.Entry<String, String>> options;

  @Test
  @Tag("long")
  void everySettingRunsOrIsRefused() throws IOException, InterruptedException {
    lab = new SettingsLab(folder);
    for (Subject subject : Subject.values()) {
      fields.put(subject, subject.fields());
    }
    options = List.copyOf(SettingsLab.accelSim(List.of()).all().entrySet());
    Trials trials = new Trials().run(DRAWS, i -> draw(new SplittableRandom(SEED * 1_000_003 + i)));
    assertThat(trials.failures()).as("seed %d, %d draws", SEED, DRAWS).isEmpty();
    // Settings that are all refused would try nothing.
    assertThat(trials.ran()).isGreaterThan(DRAWS / 4);
  }

  private Trial draw(SplittableRandom random) {
    return switch (random.nextInt(10)) {
      case 0, 1 -> settings(random, Subject.MODERN);
      case 2 -> settings(random, Subject.HOPPER);
      case 3, 4, 5 -> settings(random, Subject.CLASSIC);
      case 6, 7 -> settings(random, Subject.AMD);
      default -> options(random);
    };
  }

  private Trial settings(SplittableRandom random, Subject subject) {
    List<ExplainedField> all = fields.get(subject);
    List<String> settings = new ArrayList<>();
    Set<String> drawn = new HashSet<>();
    boolean outside = false;
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      ExplainedField field = all.get(random.nextInt(all.size()));
      Bounds its = bounds.get(field.path());
      String value = its == null ? word(random, field) : number(random, field, its);
      if (drawn.add(field.path())) {
        settings.add(field.path() + "=" + value);
        outside |=
            its != null
                && !isList(field)
                && isNumber(value)
                && !its.allows(Double.parseDouble(value));
      }
    }
    return lab.settings(subject, settings, outside);
  }

  private static boolean isList(ExplainedField field) {
    return field.value().startsWith("[");
  }

  private static boolean isNumber(String text) {
    return text.matches("-?[0-9]+(\\.[0-9]+)?");
  }

  private static String number(SplittableRandom random, ExplainedField field, Bounds its) {
    double value =
        switch (random.nextInt(10)) {
          case 0 -> its.least();
          case 1 -> its.most();
          case 2 -> its.least() - 1;
          case 3 -> its.most() + 1;
          case 4, 5 -> its.least() + random.nextDouble() * (its.most() - its.least());
          case 6 -> Math.pow(2, random.nextInt(12));
          case 7 -> isNumber(field.value()) ? Double.parseDouble(field.value()) / 2 : its.least();
          case 8 -> {
            double span = Math.log(1 + its.most() - its.least());
            yield its.least() + Math.exp(random.nextDouble() * span) - 1;
          }
          default -> Double.NaN;
        };
    if (Double.isNaN(value)) {
      return ODD.get(random.nextInt(ODD.size()));
    }
    if (isList(field)) {
      return "[" + Math.round(value) + (random.nextBoolean() ? ", 1, 2]" : "]");
    }
    boolean round = its.whole() && random.nextInt(20) > 0;
    return BigDecimal.valueOf(round ? Math.rint(value) : value)
        .setScale(round ? 0 : 3, RoundingMode.HALF_UP)
        .toPlainString();
  }

  private static String word(SplittableRandom random, ExplainedField field) {
    return switch (random.nextInt(8)) {
      case 0 -> ODD.get(random.nextInt(ODD.size()));
      case 1 -> field.value();
      default -> WORDS.get(random.nextInt(WORDS.size()));
    };
  }

  private Trial options(SplittableRandom random) {
    List<String> line = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      Map.Entry<String, String> option = options.get(random.nextInt(options.size()));
      line.add(option.getKey());
      line.add(changed(random, option.getValue()));
    }
    return lab.options(line.toArray(new String[0]));
  }

  /** A value of an option with one of its numbers or letters changed, or something odd. */
  private static String changed(SplittableRandom random, String value) {
    String[] parts = value.split("(?<=[:,])|(?=[:,])");
    int at = random.nextInt(parts.length);
    if (random.nextInt(8) == 0) {
      return ODD.get(random.nextInt(ODD.size()));
    }
    if (!isNumber(parts[at])) {
      parts[at] =
          parts[at].length() == 1 ? "NSLFBRTEWmfsXPHCA".charAt(random.nextInt(17)) + "" : "x";
      return random.nextBoolean() ? value : String.join("", parts);
    }
    long old = (long) Double.parseDouble(parts[at]);
    parts[at] =
        Long.toString(
            switch (random.nextInt(8)) {
              case 0 -> 0;
              case 1 -> -1;
              case 2 -> 2 * old;
              case 3 -> old / 2;
              case 4 -> 1L << random.nextInt(14);
              case 5 -> 100_000;
              case 6 -> 0x7fffffffL;
              default -> random.nextInt(200);
            });
    return String.join("", parts);
  }
}
