package dev.warpline.study.tune;

import dev.warpline.engine.gpu.Bounds;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.ExplainedField;
import dev.warpline.engine.gpu.FieldUse;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.gpu.Nearest;
import dev.warpline.study.sweep.Range;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A field to fit.
 *
 * @param range how far it may go
 * @param base what the description says
 * @param unit its unit, or empty
 */
public record FitField(Range range, String base, String unit) {
  private static final String NUMBER = "-?[0-9]{1,15}(?:\\.[0-9]{1,15})?(?:[eE]-?[0-9]{1,2})?";
  private static final Pattern TEXT =
      Pattern.compile("([^=]+)=(" + NUMBER + ")\\.\\.(" + NUMBER + ")(:log)?");

  /**
   * Reads {@code FIELD=LOW..HIGH}, or {@code FIELD=LOW..HIGH:log} where equal steps are equal
   * factors.
   *
   * @param gpu the description that it is a field of
   * @param core the core that is to read it
   * @throws DescriptionException saying what was found and what was expected
   */
  public static FitField parse(String text, List<ExplainedField> gpu, String core)
      throws DescriptionException {
    Matcher words = TEXT.matcher(text.strip());
    if (!words.matches()) {
      throw problem(text, "expected FIELD=LOW..HIGH or FIELD=LOW..HIGH:log");
    }
    String path = words.group(1).strip();
    ExplainedField field = field(text, path, gpu);
    if (path.startsWith("energy.")) {
      throw problem(
          text, "energies do not act on cycles; 'warpline validate-energy --fit' solves for them");
    }
    FieldUse.Unread unread = FieldUse.of(core).unread(path);
    if (unread != null) {
      throw problem(
          text,
          "the "
              + core
              + " core does not read "
              + path
              + "; nearest that it reads: "
              + unread.instead());
    }
    Bounds bounds = bounds(text, path);
    double low = Double.parseDouble(words.group(2));
    double high = Double.parseDouble(words.group(3));
    for (double end : new double[] {low, high}) {
      if (!bounds.allows(end)) {
        throw problem(
            text,
            "found the end "
                + Range.text(end)
                + ", expected "
                + (bounds.whole() ? "a whole number" : "a number")
                + " from "
                + Range.text(bounds.least())
                + " to "
                + Range.text(bounds.most()));
      }
    }
    if (low >= high) {
      throw problem(text, "expected LOW below HIGH");
    }
    boolean log = words.group(4) != null;
    if (log && low <= 0) {
      throw problem(text, "a log scale goes from a number above 0");
    }
    return new FitField(
        new Range(path, low, high, log, bounds.whole()), field.value(), field.unit());
  }

  private static ExplainedField field(String text, String path, List<ExplainedField> gpu)
      throws DescriptionException {
    for (ExplainedField field : gpu) {
      if (field.path().equals(path)) {
        return field;
      }
    }
    List<String> names = gpu.stream().filter(f -> !f.section()).map(ExplainedField::path).toList();
    throw problem(text, "the GPU has no field " + path + Nearest.hint(path, names));
  }

  /** Of a field, or of the table that it is an entry of. */
  private static Bounds bounds(String text, String path) throws DescriptionException {
    Bounds own = Gpus.bounds().get(path);
    Bounds bounds =
        own != null || !path.contains(".")
            ? own
            : Gpus.bounds().get(path.substring(0, path.lastIndexOf('.')));
    if (bounds == null) {
      throw problem(text, path + " is no number, and so has no range");
    }
    return bounds;
  }

  private static DescriptionException problem(String text, String what) {
    return new DescriptionException("--fit " + text + ": " + what);
  }

  /** Its dotted path. */
  public String path() {
    return range.field();
  }

  /** What the description says, as a share of the range; the nearer end if it lies outside. */
  double start() {
    return range.share(Double.parseDouble(base));
  }

  /** Whether what the description says lies inside the range. */
  public boolean startsInside() {
    double value = Double.parseDouble(base);
    return value >= range.from() && value <= range.to();
  }

  /** The range as people read it. */
  public String limits() {
    return Range.text(range.from()) + ".." + Range.text(range.to());
  }
}
