package dev.warpline.amd.memory;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.AmdSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The way between the compute units of a die and the slices of its TCC. Every link moves so many
 * bytes a cycle in each direction; messages follow each other over a link, and go on to the next
 * one without waiting for their end. Requests without data only take their hops.
 */
final class Network {
  @Counter("messages with data")
  long messages;

  @Counter("hops of messages with data")
  long hops;

  @Counter(value = "cycles messages waited for a link", unit = "cycles")
  long waitCycles;

  private final int hopLatency;
  private final double bytesPerCycle;
  private final int slices;

  /** By compute unit and slice: the links there; those back are these plus the number of links. */
  private final int[][] routes;

  private final int links;
  private final double[] free;

  /**
   * @param units compute units of the die
   */
  Network(AmdSpec.Network spec, int units, int slices) {
    hopLatency = spec.hopLatency();
    bytesPerCycle = spec.bytesPerCycle();
    this.slices = slices;
    routes = new int[units * slices][];
    int most = 0;
    for (int unit = 0; unit < units; unit++) {
      for (int slice = 0; slice < slices; slice++) {
        int[] route =
            switch (spec.topology()) {
              case CROSSBAR -> new int[] {unit};
              case RING -> ring(place(unit, units, slices, false), slice, units, slices);
              case MESH -> mesh(place(unit, units, slices, false), slice, units, slices);
            };
        routes[unit * slices + slice] = route;
        most = Math.max(most, Arrays.stream(route).max().orElse(0));
      }
    }
    links = most + 1;
    free = new double[2 * links];
  }

  /** Where a unit or slice stands among all nodes: slices at regular distances. */
  private static int place(int index, int units, int slices, boolean slice) {
    int nodes = units + slices;
    if (slice) {
      return (int) ((long) index * nodes / slices);
    }
    int seen = 0;
    for (int node = 0; node < nodes; node++) {
      if (node != (int) ((long) (node * (long) slices + nodes - 1) / nodes * nodes / slices)
          && seen++ == index) {
        return node;
      }
    }
    throw new IllegalStateException("compute unit " + index + " of " + units + " has no node");
  }

  /** Link n leads from node n to the next, link nodes + n to the one before. */
  private static int[] ring(int from, int slice, int units, int slices) {
    int nodes = units + slices;
    int to = place(slice, units, slices, true);
    int ahead = Math.floorMod(to - from, nodes);
    int behind = nodes - ahead;
    int[] route = new int[Math.min(ahead, behind)];
    for (int i = 0; i < route.length; i++) {
      route[i] = ahead <= behind ? (from + i) % nodes : nodes + Math.floorMod(from - i, nodes);
    }
    return route;
  }

  /** First along the row, then along the column; four links leave a node. */
  private static int[] mesh(int from, int slice, int units, int slices) {
    int nodes = units + slices;
    int width = (int) Math.ceil(Math.sqrt(nodes));
    int to = place(slice, units, slices, true);
    List<Integer> route = new ArrayList<>();
    int x = from % width;
    int y = from / width;
    while (x != to % width) {
      boolean right = x < to % width;
      route.add((y * width + x) * 4 + (right ? 0 : 1));
      x += right ? 1 : -1;
    }
    while (y != to / width) {
      boolean down = y < to / width;
      route.add((y * width + x) * 4 + (down ? 2 : 3));
      y += down ? 1 : -1;
    }
    return route.stream().mapToInt(Integer::intValue).toArray();
  }

  /** When a message of a compute unit that leaves at {@code cycle} is at a slice. */
  long toSlice(int unit, int slice, int bytes, long cycle) {
    return move(routes[unit * slices + slice], 0, bytes, cycle);
  }

  /** When a message of a slice that leaves at {@code cycle} is at a compute unit. */
  long toUnit(int unit, int slice, int bytes, long cycle) {
    return move(routes[unit * slices + slice], links, bytes, cycle);
  }

  private long move(int[] route, int direction, int bytes, long cycle) {
    if (bytes == 0 || bytesPerCycle == 0) {
      return cycle + (long) hopLatency * route.length;
    }
    messages++;
    hops += route.length;
    double taken = bytes / bytesPerCycle;
    double at = cycle;
    for (int link : route) {
      double start = Math.max(at, free[direction + link]);
      waitCycles += (long) (start - at);
      free[direction + link] = start + taken;
      at = start + hopLatency;
    }
    return (long) Math.ceil(at);
  }
}
