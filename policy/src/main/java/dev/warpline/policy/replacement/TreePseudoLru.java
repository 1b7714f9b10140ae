package dev.warpline.policy.replacement;

import dev.warpline.policy.Named;
import dev.warpline.policy.Replacement;
import java.util.Arrays;

/**
 * A binary tree over the ways of a set; each node points to the half that was not used last. Ways
 * that are no power of two leave leaves without a way, which are passed by.
 */
@Named(
    value = "tree-plru",
    about = "nearly the line used longest ago: a tree of bits that point away from what was used")
public final class TreePseudoLru implements Replacement {
  private int ways;
  private int leaves;

  /** Per set, nodes from 1 on: 1 points to the right half. */
  private byte[] nodes = new byte[0];

  @Override
  public void begin(int sets, int ways) {
    this.ways = ways;
    leaves = ways == 1 ? 1 : 2 * Integer.highestOneBit(ways - 1);
    if (nodes.length == sets * leaves) {
      Arrays.fill(nodes, (byte) 0);
    } else {
      nodes = new byte[sets * leaves];
    }
  }

  @Override
  public void filled(int set, int way) {
    used(set, way);
  }

  @Override
  public void used(int set, int way) {
    int tree = set * leaves;
    for (int node = way + leaves; node > 1; node >>>= 1) {
      nodes[tree + (node >>> 1)] = (byte) (~node & 1);
    }
  }

  @Override
  public int victim(int set, Lines lines) {
    return below(1, set, lines);
  }

  /** The way that a node's arrows lead to; if no line below may leave there, the other half's. */
  private int below(int node, int set, Lines lines) {
    if (node >= leaves) {
      int way = node - leaves;
      return way < ways && lines.mayLeave(set, way) ? way : NONE;
    }
    int half = 2 * node + nodes[set * leaves + node];
    int way = below(half, set, lines);
    return way != NONE ? way : below(half ^ 1, set, lines);
  }
}
