package dev.warpline.web.report;

import dev.warpline.engine.RunResult;
import dev.warpline.engine.WholeFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A run as one HTML file that needs nothing else: no server, no network. */
public final class Report {
  private Report() {}

  /** Writes the report of a run. */
  public static void write(RunResult run, String title, Path file) throws IOException {
    write(run, title, List.of(), file);
  }

  /** Writes the report of a run, compared with others. */
  public static void write(RunResult run, String title, List<Baseline> baselines, Path file)
      throws IOException {
    String data = RunView.of(run, baselines).toString();
    WholeFile.writeText(file, page(title, Pages.reportScript(), data));
  }

  /** The report of a run. */
  public static String html(RunResult run, String title) {
    return page(title, Pages.reportScript(), RunView.of(run).toString());
  }

  /** A page that stands alone. */
  static String page(String title, String script, String data) {
    return Pages.text("report.html")
        .replace("{{title}}", escape(title))
        .replace("{{style}}", Pages.text("style.css"))
        .replace("{{script}}", script)
        // A kernel's name may hold "</script>": no "<" leaves the data unescaped.
        .replace("{{data}}", data.replace("<", "\\u003c"));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
