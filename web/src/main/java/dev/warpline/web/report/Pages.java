package dev.warpline.web.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** The files of the pages, and their ES modules as one script for a page that stands alone. */
public final class Pages {
  /** Modules of the report in the order of their imports, leaves first. */
  private static final List<String> REPORT_MODULES =
      List.of(
          "dom.js",
          "format.js",
          "charts.js",
          "difference.js",
          "source.js",
          "code.js",
          "listing.js",
          "kernel.js",
          "program.js",
          "report.js");

  /** The same of the page of a study. */
  private static final List<String> STUDY_MODULES =
      List.of(
          "dom.js",
          "format.js",
          "formula.js",
          "points.js",
          "canvas.js",
          "scatter.js",
          "grid.js",
          "parallel.js",
          "study.js");

  /** The same of the page of a validation. */
  private static final List<String> VALIDATION_MODULES =
      List.of("dom.js", "format.js", "charts.js", "validation.js", "validationreport.js");

  private static final Pattern IMPORT = Pattern.compile("(?m)^import [^;]*;\\n");
  private static final Pattern EXPORT = Pattern.compile("(?m)^export ");

  private Pages() {}

  /** A file of the pages as it is, or null if there is none of that name. */
  public static byte[] file(String name) {
    try (InputStream in = Pages.class.getResourceAsStream("/dev/warpline/web/pages/" + name)) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String text(String name) {
    byte[] bytes = file(name);
    if (bytes == null) {
      throw new IllegalStateException("page file " + name + " is missing from the jar");
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /** The report as one script. */
  static String reportScript() {
    return script(REPORT_MODULES);
  }

  /** The page of a study as one script. */
  static String studyScript() {
    return script(STUDY_MODULES);
  }

  /** The page of a validation as one script. */
  static String validationScript() {
    return script(VALIDATION_MODULES);
  }

  /**
   * Modules as one: imports dropped, exports made plain. Modules of a page keep their top-level
   * names different from each other, which a test checks.
   */
  private static String script(List<String> modules) {
    StringBuilder script = new StringBuilder();
    for (String module : modules) {
      String text = IMPORT.matcher(text(module)).replaceAll("");
      script.append("// ").append(module).append('\n');
      script.append(EXPORT.matcher(text).replaceAll("")).append('\n');
    }
    return script.toString();
  }
}
