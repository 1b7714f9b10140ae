package dev.warpline.web.report;

import dev.warpline.engine.profile.KernelProfile.Line;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which instruction of one kernel is which of another. Of the same code it is the one at the same
 * PC; of two versions, the order of both is kept and as much as possible is matched, equal
 * instructions before those with only the opcode in common.
 *
 * @param first for each instruction of the second kernel the number of its counterpart in the
 *     first, -1 if it has none
 * @param matching how they were matched, and how many were not
 */
record Alignment(int[] first, RunComparison.Matching matching) {
  private static final int EQUAL = 4;
  private static final int SAME_OPCODE = 3;
  private static final int SAME_OPERATION = 2;

  /** Pairs of instructions that are looked at. */
  private static final long MOST_PAIRS = 16_000_000;

  static Alignment of(List<Line> a, List<Line> b) {
    int[] byPlace = byPlace(a, b);
    if (matched(byPlace) == Math.min(a.size(), b.size())) {
      return said(a, b, byPlace, "The code is the same: instructions are matched by PC");
    }
    int from = 0;
    while (from < Math.min(a.size(), b.size()) && score(a.get(from), b.get(from)) == EQUAL) {
      from++;
    }
    int endA = a.size();
    int endB = b.size();
    while (endA > from && endB > from && score(a.get(endA - 1), b.get(endB - 1)) == EQUAL) {
      endA--;
      endB--;
    }
    if ((long) (endA - from) * (endB - from) > MOST_PAIRS) {
      return said(a, b, byPlace, "The code differs and is long: only equal PCs are matched");
    }
    int[] first = new int[b.size()];
    Arrays.fill(first, -1);
    for (int i = 0; i < from; i++) {
      first[i] = i;
    }
    for (int i = endB; i < b.size(); i++) {
      first[i] = i - endB + endA;
    }
    align(a.subList(from, endA), b.subList(from, endB), from, first);
    return said(a, b, first, "The code differs: instructions are matched in order, by opcode");
  }

  /** The best alignment of what lies between equal beginnings and ends. */
  private static void align(List<Line> a, List<Line> b, int from, int[] first) {
    int width = b.size() + 1;
    byte[] take = new byte[(a.size() + 1) * width];
    int[] best = new int[width];
    for (int i = a.size() - 1; i >= 0; i--) {
      int diagonal = 0; // of the row below, one to the right
      for (int j = b.size() - 1; j >= 0; j--) {
        int below = best[j];
        int score = score(a.get(i), b.get(j));
        int matched = score == 0 ? -1 : diagonal + score;
        int value = Math.max(below, best[j + 1]);
        if (matched >= value) {
          value = matched;
          take[i * width + j] = 1;
        } else if (below < best[j + 1]) {
          take[i * width + j] = 2;
        }
        diagonal = below;
        best[j] = value;
      }
    }
    int i = 0;
    int j = 0;
    while (i < a.size() && j < b.size()) {
      switch (take[i * width + j]) {
        case 1 -> first[from + j++] = from + i++;
        case 2 -> j++;
        default -> i++;
      }
    }
  }

  private static int score(Line a, Line b) {
    if (a.text().equals(b.text())) {
      return EQUAL;
    }
    String x = a.opcode();
    String y = b.opcode();
    return x.equals(y) ? SAME_OPCODE : operation(x).equals(operation(y)) ? SAME_OPERATION : 0;
  }

  private static String operation(String opcode) {
    int dot = opcode.indexOf('.');
    return dot < 0 ? opcode : opcode.substring(0, dot);
  }

  private static int[] byPlace(List<Line> a, List<Line> b) {
    Map<String, Integer> places = new HashMap<>();
    for (int i = 0; i < a.size(); i++) {
      places.put(a.get(i).pc() + " " + a.get(i).text(), i);
    }
    return b.stream()
        .mapToInt(line -> places.getOrDefault(line.pc() + " " + line.text(), -1))
        .toArray();
  }

  private static int matched(int[] first) {
    return (int) Arrays.stream(first).filter(i -> i >= 0).count();
  }

  private static Alignment said(List<Line> a, List<Line> b, int[] first, String how) {
    int both = matched(first);
    return new Alignment(first, new RunComparison.Matching(how, a.size() - both, b.size() - both));
  }
}
