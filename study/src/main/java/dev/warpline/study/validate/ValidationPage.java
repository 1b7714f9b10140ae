package dev.warpline.study.validate;

import dev.warpline.engine.WholeFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A validation as one HTML page: a log-log plot, the table, and where warps waited. */
public final class ValidationPage {
  private static final int SIZE = 560;
  private static final int MARGIN = 60;

  private ValidationPage() {}

  /**
   * Writes the page.
   *
   * @param gpu name of the simulated GPU
   */
  public static void write(List<KernelComparison> all, String gpu, Path file) throws IOException {
    List<KernelComparison> ran = all.stream().filter(KernelComparison::ran).toList();
    StringBuilder page = new StringBuilder();
    page.append("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Validation: ")
        .append(escape(gpu))
        .append("</title><style>")
        .append("body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:70rem;")
        .append("padding:0 1rem;color:#222;background:#fff}table{border-collapse:collapse}")
        .append("td,th{padding:.15rem .6rem;text-align:right}td:first-child,th:first-child")
        .append("{text-align:left}tr:nth-child(even){background:#f3f5f7}svg text{font-size:12px}")
        .append("@media(prefers-color-scheme:dark){body{color:#ddd;background:#181a1b}")
        .append("tr:nth-child(even){background:#222527}svg text{fill:#ccc}}</style>\n<h1>")
        .append(escape(gpu))
        .append(": simulated against measured</h1>\n");
    for (String line : ValidationText.summary(all)) {
      page.append("<p>").append(escape(line.strip())).append("</p>\n");
    }
    plot(page, ran);
    table(page, all);
    stalls(page, ran);
    page.append("</html>\n");
    WholeFile.writeText(file, page);
  }

  private static void plot(StringBuilder page, List<KernelComparison> ran) {
    double low = Double.MAX_VALUE;
    double high = 1;
    for (KernelComparison c : ran) {
      low = Math.min(low, Math.min(c.hardwareCycles(), c.result().cycles()));
      high = Math.max(high, Math.max(c.hardwareCycles(), c.result().cycles()));
    }
    double from = Math.floor(Math.log10(Math.max(1, Math.min(low, high))));
    double to = Math.max(from + 1, Math.ceil(Math.log10(high)));
    page.append("<h2>Cycles</h2>\n<svg viewBox=\"0 0 ")
        .append(SIZE + 2 * MARGIN)
        .append(' ')
        .append(SIZE + 2 * MARGIN)
        .append("\" width=\"640\" role=\"img\" aria-label=\"simulated over measured cycles\">\n");
    for (double p = from; p <= to; p++) {
      double at = place(Math.pow(10, p), from, to);
      line(page, MARGIN + at, MARGIN, MARGIN + at, MARGIN + SIZE, "#8884", 1);
      line(page, MARGIN, MARGIN + SIZE - at, MARGIN + SIZE, MARGIN + SIZE - at, "#8884", 1);
      text(page, MARGIN + at, MARGIN + SIZE + 18, "middle", "1e" + (int) p);
      text(page, MARGIN - 6, MARGIN + SIZE - at + 4, "end", "1e" + (int) p);
    }
    line(page, MARGIN, MARGIN + SIZE, MARGIN + SIZE, MARGIN, "#888", 1.5);
    for (KernelComparison c : ran) {
      double error = Math.abs(c.errorPercent());
      String colour = error <= 5 ? "#2a7de1" : error <= 10 ? "#e8a33d" : "#d64545";
      page.append(
          String.format(
              Locale.ROOT,
              "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\" fill=\"%s\" fill-opacity=\".8\"><title>%s:"
                  + " %.0f measured, %d simulated, %+.1f %%</title></circle>%n",
              MARGIN + place(c.hardwareCycles(), from, to),
              MARGIN + SIZE - place(c.result().cycles(), from, to),
              colour,
              escape(name(c)),
              c.hardwareCycles(),
              c.result().cycles(),
              c.errorPercent()));
    }
    text(page, MARGIN + SIZE / 2.0, MARGIN + SIZE + 42, "middle", "measured");
    text(page, MARGIN, MARGIN - 14, "middle", "simulated");
    page.append("</svg>\n<p>Blue: within 5 %; amber: within 10 %; red: beyond.</p>\n");
  }

  private static double place(double cycles, double from, double to) {
    return SIZE * (Math.log10(Math.max(1, cycles)) - from) / (to - from);
  }

  private static void line(
      StringBuilder page, double x1, double y1, double x2, double y2, String colour, double width) {
    page.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\""
                + " stroke-width=\"%.1f\"/>%n",
            x1,
            y1,
            x2,
            y2,
            colour,
            width));
  }

  private static void text(StringBuilder page, double x, double y, String anchor, String words) {
    page.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n",
            x,
            y,
            anchor,
            escape(words)));
  }

  private static void table(StringBuilder page, List<KernelComparison> all) {
    page.append("<h2>Kernels</h2>\n<table><tr><th>kernel<th>measured<th>simulated<th>error");
    for (Metric metric : Metric.ALL) {
      page.append("<th title=\"").append(escape(metric.column())).append("\">");
      page.append(escape(metric.name()));
    }
    page.append("</tr>\n");
    List<KernelComparison> sorted =
        all.stream()
            .sorted(Comparator.comparingDouble(c -> c.ran() ? -Math.abs(c.errorPercent()) : -1e9))
            .toList();
    for (KernelComparison c : sorted) {
      page.append("<tr><td>").append(escape(name(c)));
      page.append(String.format(Locale.ROOT, "<td>%.0f", c.hardwareCycles()));
      if (!c.ran()) {
        page.append("<td colspan=").append(2 + Metric.ALL.size()).append('>');
        page.append(escape(c.failure())).append("</tr>\n");
        continue;
      }
      page.append(
          String.format(Locale.ROOT, "<td>%d<td>%+.1f %%", c.result().cycles(), c.errorPercent()));
      for (Metric metric : Metric.ALL) {
        page.append("<td>");
        ValidationText.error(c, metric)
            .ifPresent(e -> page.append(String.format(Locale.ROOT, "%+.1f %%", e)));
      }
      page.append("</tr>\n");
    }
    page.append("</table>\n");
  }

  private static void stalls(StringBuilder page, List<KernelComparison> ran) {
    page.append("<h2>Where warps waited</h2>\n<p>Warps in each of the profiler's states per");
    page.append(" instruction issued, measured / simulated.</p>\n<table><tr><th>kernel");
    if (ran.isEmpty()) {
      page.append("</tr></table>\n");
      return;
    }
    List<String> states = ValidationJson.stalls(ran.get(0)).keySet().stream().toList();
    states.forEach(state -> page.append("<th>").append(escape(state)));
    page.append("</tr>\n");
    for (KernelComparison c : ran) {
      Map<String, Map<String, Double>> stalls = ValidationJson.stalls(c);
      page.append("<tr><td>").append(escape(name(c)));
      for (String state : states) {
        Map<String, Double> pair = stalls.get(state);
        double measured = pair.getOrDefault("hardware", 0.0);
        double simulated = pair.getOrDefault("simulated", 0.0);
        page.append("<td>");
        if (Math.max(measured, simulated) >= 0.05) {
          page.append(String.format(Locale.ROOT, "%.1f / %.1f", measured, simulated));
        }
      }
      page.append("</tr>\n");
    }
    page.append("</table>\n");
  }

  private static String name(KernelComparison c) {
    int id = c.hardware().kernelId();
    return c.hardware().workload() + (id == 1 ? "" : "#" + id);
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }
}
