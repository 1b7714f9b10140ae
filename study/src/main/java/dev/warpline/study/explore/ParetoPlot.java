package dev.warpline.study.explore;

import java.util.List;
import java.util.Locale;

/** A picture of two objectives: every machine a dot, the front a line of steps. */
public final class ParetoPlot {
  private static final int WIDTH = 760;
  private static final int HEIGHT = 480;
  private static final int LEFT = 80;
  private static final int BOTTOM = 60;
  private static final int EDGE = 20;
  private static final int TICKS = 5;

  private final Pareto pareto;
  private final double[] least = new double[2];
  private final double[] most = new double[2];

  public ParetoPlot(Pareto pareto) {
    this.pareto = pareto;
    for (int i = 0; i < 2; i++) {
      int axis = i;
      double low = pareto.machines().stream().mapToDouble(m -> m.values()[axis]).min().orElse(0);
      double high = pareto.machines().stream().mapToDouble(m -> m.values()[axis]).max().orElse(1);
      double margin = high == low ? Math.max(1, Math.abs(low)) / 10 : (high - low) / 20;
      least[i] = low - margin;
      most[i] = high + margin;
    }
  }

  /** The picture as SVG. */
  public String svg() {
    StringBuilder svg = new StringBuilder();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\""
                + " height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n"
                + "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
            WIDTH,
            HEIGHT,
            WIDTH,
            HEIGHT));
    for (int i = 0; i <= TICKS; i++) {
      double x = least[0] + i * (most[0] - least[0]) / TICKS;
      double y = least[1] + i * (most[1] - least[1]) / TICKS;
      svg.append(line(x(x), y(least[1]), x(x), y(most[1]), "#ddd"));
      svg.append(line(x(least[0]), y(y), x(most[0]), y(y), "#ddd"));
      svg.append(text(x(x), HEIGHT - BOTTOM + 18, "middle", "", number(x)));
      svg.append(text(LEFT - 8, y(y) + 4, "end", "", number(y)));
    }
    svg.append(text((LEFT + WIDTH) / 2.0, HEIGHT - 14, "middle", "", title(0)));
    svg.append(
        text(
            16,
            HEIGHT / 2.0,
            "middle",
            "transform=\"rotate(-90 16 " + HEIGHT / 2 + ")\"",
            title(1)));
    StringBuilder steps = new StringBuilder();
    double last = Double.NaN;
    for (Pareto.Machine machine : pareto.front()) {
      double x = x(machine.values()[0]);
      double y = y(machine.values()[1]);
      if (!Double.isNaN(last)) {
        steps.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, last));
      }
      steps.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
      last = y;
    }
    svg.append("<polyline fill=\"none\" stroke=\"#c33\" points=\"").append(steps).append("\"/>\n");
    for (Pareto.Machine machine : pareto.machines()) {
      svg.append(
          String.format(
              Locale.ROOT,
              "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%d\" fill=\"%s\"><title>%s</title></circle>\n",
              x(machine.values()[0]),
              y(machine.values()[1]),
              machine.best() ? 5 : 3,
              machine.best() ? "#c33" : "#89a",
              escaped(label(machine))));
    }
    return svg.append("</svg>\n").toString();
  }

  private static String label(Pareto.Machine machine) {
    List<String> words =
        machine.point().entry().member().values().entrySet().stream()
            .map(field -> field.getKey() + "=" + field.getValue())
            .toList();
    return machine.point().entry().member().gpu() + " " + String.join(" ", words);
  }

  private String title(int axis) {
    return pareto.objectives().get(axis).formula()
        + (pareto.objectives().get(axis).most() ? " (more is better)" : " (less is better)");
  }

  private double x(double value) {
    return LEFT + (value - least[0]) / (most[0] - least[0]) * (WIDTH - LEFT - EDGE);
  }

  private double y(double value) {
    return HEIGHT - BOTTOM - (value - least[1]) / (most[1] - least[1]) * (HEIGHT - BOTTOM - EDGE);
  }

  private static String line(double x1, double y1, double x2, double y2, String colour) {
    return String.format(
        Locale.ROOT,
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n",
        x1,
        y1,
        x2,
        y2,
        colour);
  }

  private static String text(double x, double y, String anchor, String more, String text) {
    return String.format(
        Locale.ROOT,
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>%s</text>\n",
        x,
        y,
        anchor,
        more,
        escaped(text));
  }

  private static String number(double value) {
    return Math.abs(value) >= 100
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%.3g", value);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
