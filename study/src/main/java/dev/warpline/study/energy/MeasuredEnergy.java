package dev.warpline.study.energy;

import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.EnergyEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A kernel that was looped while the board's power was read.
 *
 * @param workload its name, and that of its trace
 * @param group kernels that are held out together
 * @param use what the row is for
 * @param weight how much it counts in a fit, 1 for most
 * @param run which of several measurements
 * @param seconds from launch to launch
 * @param joules of a launch, idle power included
 * @param megahertz mean core clock
 * @param counts how often events happen in a launch, by the names of their fields; empty if the
 *     trace says it
 */
public record MeasuredEnergy(
    String workload,
    String group,
    Use use,
    double weight,
    String run,
    double seconds,
    double joules,
    double megahertz,
    Map<String, Double> counts) {

  /** What a row is for. */
  public enum Use {
    /** Energies are fitted to it. */
    FIT,
    /** It shows what the fit is worth. */
    CHECK,
    /** It is not fitted to and compared in power alone. */
    REPEAT,
    /** It is there to be looked at. */
    NONE
  }

  private static final List<String> COLUMNS =
      List.of("workload", "group", "use", "weight", "run", "seconds", "joules", "sm_mhz", "counts");

  /** Group of rows in which nothing runs. */
  static final String IDLE = "idle";

  /** The same row for something else. */
  public MeasuredEnergy forUse(Use other) {
    return new MeasuredEnergy(
        workload, group, other, weight, run, seconds, joules, megahertz, counts);
  }

  /** Average power. */
  public double watts() {
    return joules / seconds;
  }

  /** Whether a trace has to say what it does. */
  boolean needsTrace() {
    return counts.isEmpty() && !group.equals(IDLE);
  }

  /** Reads a table as docs/energy.md describes it. */
  public static List<MeasuredEnergy> read(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    List<String> header = lines.isEmpty() ? List.of() : List.of(lines.get(0).split(",", -1));
    for (String column : COLUMNS) {
      if (!header.contains(column)) {
        throw new DescriptionException(
            file + ":1: found the columns " + header + ", expected one named " + column);
      }
    }
    List<MeasuredEnergy> rows = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      if (!lines.get(i).isBlank()) {
        rows.add(row(file + ":" + (i + 1) + ": ", header, lines.get(i).split(",", -1)));
      }
    }
    return rows;
  }

  private static MeasuredEnergy row(String place, List<String> header, String[] cells)
      throws DescriptionException {
    if (cells.length != header.size()) {
      throw new DescriptionException(
          place + "found " + cells.length + " cells, expected " + header.size());
    }
    Map<String, String> row = new LinkedHashMap<>();
    for (int i = 0; i < cells.length; i++) {
      row.put(header.get(i), cells[i].strip());
    }
    Map<String, Double> counts = new LinkedHashMap<>();
    for (String one : row.get("counts").split(";")) {
      if (!one.isBlank()) {
        String[] parts = one.split("=", 2);
        if (Arrays.stream(EnergyEvent.values()).noneMatch(e -> e.field().equals(parts[0]))) {
          throw new DescriptionException(
              place + "found " + one + ", expected FIELD=COUNT with a field of energy");
        }
        counts.put(parts[0], number(place, parts[0], parts.length < 2 ? "" : parts[1]));
      }
    }
    return new MeasuredEnergy(
        row.get("workload"),
        row.get("group"),
        use(place, row.get("use")),
        number(place, "weight", row.get("weight")),
        row.get("run"),
        number(place, "seconds", row.get("seconds")),
        number(place, "joules", row.get("joules")),
        number(place, "sm_mhz", row.get("sm_mhz")),
        counts);
  }

  private static Use use(String place, String word) throws DescriptionException {
    for (Use use : Use.values()) {
      if (use.name().equalsIgnoreCase(word)) {
        return use;
      }
    }
    throw new DescriptionException(
        place + "use: found \"" + word + "\", expected fit, check, repeat or none");
  }

  private static double number(String place, String column, String text)
      throws DescriptionException {
    try {
      double value = Double.parseDouble(text);
      if (value >= 0 && Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new DescriptionException(
        place + column + ": found \"" + text + "\", expected a number of 0 or more");
  }
}
