package dev.warpline.study.amd;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A random graph as the measured search had it: a tree, and edges up to an average degree. */
final class MeasuredGraph {
  private static final int SEED = 42;

  private final int[] rows;
  private final int[] edges;

  MeasuredGraph(int nodes, int degree) {
    List<List<Integer>> neighbours = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      neighbours.add(new ArrayList<>());
    }
    CRandom random = new CRandom(SEED);
    for (int i = 1; i < nodes; i++) {
      connect(neighbours, random.next() % i, i);
    }
    int count = nodes - 1;
    while (count < nodes * degree / 2) {
      int a = random.next() % nodes;
      int b = random.next() % nodes;
      if (a != b) {
        connect(neighbours, a, b);
        count++;
      }
    }
    rows = new int[nodes + 1];
    edges = new int[2 * count];
    int at = 0;
    for (int i = 0; i < nodes; i++) {
      rows[i] = at;
      for (int other : neighbours.get(i)) {
        edges[at++] = other;
      }
    }
    rows[nodes] = at;
  }

  private static void connect(List<List<Integer>> neighbours, int a, int b) {
    neighbours.get(a).add(b);
    neighbours.get(b).add(a);
  }

  /** Row offsets: where each node's neighbours begin. */
  int row(int node) {
    return rows[node];
  }

  int edge(int index) {
    return edges[index];
  }

  int edgeCount() {
    return edges.length;
  }

  /** Steps of a search from node 0; the last one finds nothing new. */
  int levels() {
    int[] level = new int[rows.length - 1];
    Arrays.fill(level, -1);
    level[0] = 0;
    boolean found = true;
    int depth = 0;
    for (; found; depth++) {
      found = false;
      for (int node = 0; node < level.length; node++) {
        for (int i = rows[node]; level[node] == depth && i < rows[node + 1]; i++) {
          if (level[edges[i]] < 0) {
            level[edges[i]] = depth + 1;
            found = true;
          }
        }
      }
    }
    return depth;
  }
}
