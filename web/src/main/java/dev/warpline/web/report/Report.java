package dev.warpline.web.report;

import dev.warpline.engine.RunResult;
import dev.warpline.engine.WholeFile;
import java.io.IOException;
import java.nio.file.Path;

/** A run as one HTML file that needs nothing else: no server, no network. */
public final class Report {
  private Report() {}

  /** Writes the report of a run. */
  public static void write(RunResult run, String title, Path file) throws IOException {
    WholeFile.writeText(file, html(run, title));
  }

  /** The report of a run. */
  public static String html(RunResult run, String title) {
    // A kernel's name may hold "</script>": no "<" leaves the data unescaped.
    String data = RunView.of(run).toString().replace("<", "\\u003c");
    return Pages.text("report.html")
        .replace("{{title}}", escape(title))
        .replace("{{style}}", Pages.text("style.css"))
        .replace("{{script}}", Pages.reportScript())
        .replace("{{data}}", data);
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
