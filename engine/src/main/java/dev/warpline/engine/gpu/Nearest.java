package dev.warpline.engine.gpu;

import java.util.Collection;
import java.util.Locale;

/** Finds the name that somebody probably meant. */
public final class Nearest {
  private Nearest() {}

  /** {@code " (did you mean X?)"}, or nothing if no name is close. */
  public static String hint(String wrong, Collection<String> names) {
    String best = null;
    int bestDistance = Math.max(2, wrong.length() / 3) + 1;
    for (String name : names) {
      int distance = distance(wrong.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
      if (distance < bestDistance) {
        best = name;
        bestDistance = distance;
      }
    }
    return best == null ? "" : " (did you mean " + best + "?)";
  }

  /** Letters to insert, delete or change to turn one word into the other. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
