package dev.warpline.study.cluster;

import dev.warpline.study.sweep.Costs;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * From what a sweep cost on one machine, how long others would take on many: all slots are busy
 * unless the one process with the store cannot keep up.
 *
 * @param shared whether all nodes read files from one place, and do not pass them on
 */
public record Scaling(Costs costs, boolean shared) {
  private static final int[] NODES = {1, 10, 100, 1000};
  private static final double[] SECONDS = {1, 10, 100};

  /** Slots of a node. */
  private static final int SLOTS = 32;

  /** Points per slot of the study that is thought of. */
  private static final int EACH = 100;

  /** Seconds for so many nodes and points of so many seconds. */
  double seconds(int nodes, double each) {
    int slots = nodes * SLOTS;
    double busy = EACH * (each + costs.slotSeconds());
    double serial = (double) EACH * slots * costs.serialSeconds();
    return costs.firstSeconds() + files(nodes) + Math.max(busy, serial) + each;
  }

  private double files(int nodes) {
    return costs.carried().fetch() * (shared ? nodes : 1 + Math.log(nodes) / Math.log(2));
  }

  /** Which share of the slots' time is simulation. */
  double efficiency(int nodes, double each) {
    return EACH * each / seconds(nodes, each);
  }

  /** Both tables as text. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(line("measured: %,d points on %d slots", costs.points(), costs.slots()));
    lines.add(milliseconds("claim a point", costs.claimSeconds()));
    lines.add(milliseconds("make its task", costs.carried().task()));
    lines.add(milliseconds("read its answer", costs.carried().answer()));
    lines.add(milliseconds("write its result", costs.storeSeconds()));
    lines.add(
        line(
            "%-46s %8.3f ms",
            "  together, processor time of one process", 1e3 * costs.serialSeconds()));
    lines.add(
        line("%-46s %8.3f ms", "slot beside the simulation, per point", 1e3 * costs.slotSeconds()));
    lines.add(milliseconds("simulation, per point", costs.simulatedSeconds()));
    lines.add(line("%-46s %8.3f s", "until the first point had ended", costs.firstSeconds()));
    lines.add(line("%-46s %8.3f s", "files to the node, once", costs.carried().fetch()));
    lines.add("");
    lines.add(
        line(
            "extrapolated: %d points per slot, %d slots per node, points of 1, 10 and 100 s",
            EACH, SLOTS));
    lines.add("nodes      points       time  busy       time  busy       time  busy");
    for (int nodes : NODES) {
      StringBuilder row = new StringBuilder(line("%5d  %,10d", nodes, nodes * SLOTS * EACH));
      for (double each : SECONDS) {
        row.append(line("  %,7.0f s %4.0f%%", seconds(nodes, each), 100 * efficiency(nodes, each)));
      }
      lines.add(row.toString());
    }
    return lines;
  }

  private String milliseconds(String what, double seconds) {
    return line("%-46s %8.3f ms", what, 1e3 * seconds / Math.max(1, costs.points()));
  }

  private static String line(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
