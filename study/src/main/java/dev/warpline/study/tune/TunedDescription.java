package dev.warpline.study.tune;

import dev.warpline.engine.WholeFile;
import dev.warpline.engine.gpu.Gpus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** A fit as a GPU description that says of each field where its value comes from. */
public final class TunedDescription {
  private TunedDescription() {}

  /**
   * Writes it.
   *
   * @param name of the GPU that was started from
   * @param hardware name of the table
   * @param hardwareSha256 of the table
   */
  public static void write(
      Tuning tuning, String name, String hardware, String hardwareSha256, Path file)
      throws IOException {
    WholeFile.writeText(file, text(tuning, name, hardware, hardwareSha256, file));
  }

  static String text(
      Tuning tuning, String name, String hardware, String hardwareSha256, Path file) {
    String data =
        String.format(
            Locale.ROOT,
            "%s, %d kernels of %d programs",
            hardware,
            tuning.task().samples().size(),
            tuning.programs());
    StringBuilder text = new StringBuilder();
    text.append("# Fitted by 'warpline tune' to ").append(data).append(".\n");
    text.append("# SHA-256 of the table: ").append(hardwareSha256).append('\n');
    text.append("# Kernels: ")
        .append(String.join(" ", tuning.task().samples().stream().map(Sample::name).toList()))
        .append('\n');
    text.append("inherits: ").append(quoted(parent(tuning.task().gpu(), file))).append('\n');
    text.append("name: ").append(quoted(name + ", fitted to " + hardware)).append('\n');
    Section whole = new Section();
    whole.put(
        "cores." + tuning.task().core().word() + ".validation",
        quoted(
            String.format(
                Locale.ROOT,
                "fitted to %s: mean error of %s %s; on programs held out %s (%s before)",
                data,
                metric(tuning),
                TuningText.percent(tuning.after()),
                TuningText.percent(tuning.heldOut()),
                TuningText.percent(tuning.before()))));
    for (Tuning.Value value : tuning.kept()) {
      whole.put(value.field().path(), value.value() + " # " + evidence(tuning, value, data));
    }
    whole.append("", text);
    return text.toString();
  }

  private static String evidence(Tuning tuning, Tuning.Value value, String data) {
    return String.format(
        Locale.ROOT,
        "fitted: %s; mean error of %s %s, on programs held out %s (%s before, with %s);"
            + " within %s, %s over %d folds by program%s",
        data,
        metric(tuning),
        TuningText.percent(tuning.after()),
        TuningText.percent(tuning.heldOut()),
        TuningText.percent(tuning.before()),
        value.field().base(),
        value.field().limits(),
        value.span(),
        tuning.folds().size(),
        value.determined() ? "" : ": not determined by these kernels");
  }

  private static String metric(Tuning tuning) {
    return tuning.task().samples().get(0).metric().name();
  }

  /** What it inherits from, as seen from where it lies. */
  private static String parent(String gpu, Path file) {
    if (Gpus.names().contains(gpu)) {
      return gpu;
    }
    Path base = Path.of(gpu).toAbsolutePath().normalize();
    Path folder = file.toAbsolutePath().normalize().getParent();
    return base.getRoot().equals(folder.getRoot())
        ? folder.relativize(base).toString()
        : base.toString();
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  /** A part of the file: plain values and what has parts of its own. */
  private static final class Section {
    private final Map<String, String> values = new LinkedHashMap<>();
    private final Map<String, Section> sections = new LinkedHashMap<>();

    void put(String path, String value) {
      int dot = path.indexOf('.');
      if (dot < 0) {
        values.put(path, value);
      } else {
        sections
            .computeIfAbsent(path.substring(0, dot), name -> new Section())
            .put(path.substring(dot + 1), value);
      }
    }

    void append(String indent, StringBuilder text) {
      values.forEach((name, value) -> text.append(indent + name + ": " + value + "\n"));
      sections.forEach(
          (name, section) -> {
            text.append(indent + name + ":\n");
            section.append(indent + "  ", text);
          });
    }
  }
}
