package dev.warpline.trace;

import dev.warpline.trace.Problem.Skipped;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects what is wrong with an input. A strict collector turns the first problem into a {@link
 * TraceFormatException}; a lenient one keeps the first {@value #KEPT}, of each kind the first
 * {@value #KEPT_OF_A_KIND}, and counts all, by what was skipped. Warnings (remarks that lose
 * nothing) never fail. Safe for use by several threads.
 */
public final class Diagnostics {
  private static final int KEPT = 100;

  /** Of problems of one kind in one file so many are kept, so that others are not lost in them. */
  private static final int KEPT_OF_A_KIND = 10;

  private final boolean strict;
  private final List<Problem> problems = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final Map<Skipped, Long> counts = new EnumMap<>(Skipped.class);
  private final Map<String, Integer> keptOfKind = new HashMap<>();
  private long warningCount;

  private Diagnostics(boolean strict) {
    this.strict = strict;
  }

  /** Fails at the first problem. */
  public static Diagnostics strict() {
    return new Diagnostics(true);
  }

  /** Collects problems; readers skip the smallest possible piece and go on. */
  public static Diagnostics lenient() {
    return new Diagnostics(false);
  }

  /** Whether a problem ends the reading. */
  public boolean isStrict() {
    return strict;
  }

  /** Takes a problem; throws it in strict mode. */
  public synchronized void report(Problem problem) throws TraceFormatException {
    if (strict) {
      throw new TraceFormatException(problem);
    }
    counts.merge(problem.skipped(), 1L, Long::sum);
    if (problems.size() < KEPT
        && keptOfKind.merge(problem.file() + "\n" + problem.expected(), 1, Integer::sum)
            <= KEPT_OF_A_KIND) {
      problems.add(problem);
    }
  }

  /** Takes a remark that never fails, e.g. a list line that means nothing to the simulator. */
  public synchronized void warn(String text) {
    warningCount++;
    if (warnings.size() < KEPT) {
      warnings.add(text);
    }
  }

  /** The first problems, in the order they were met. */
  public synchronized List<Problem> problems() {
    return List.copyOf(problems);
  }

  /** The first warnings, in the order they were met. */
  public synchronized List<String> warnings() {
    return List.copyOf(warnings);
  }

  /** How many problems made a reader skip such a piece. */
  public synchronized long count(Skipped piece) {
    return counts.getOrDefault(piece, 0L);
  }

  /** How many problems there were. */
  public synchronized long problemCount() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Problems and warnings as lines of text, with a last line for those that were not kept. */
  public synchronized List<String> messages() {
    List<String> lines = new ArrayList<>();
    problems.forEach(problem -> lines.add(problem.message()));
    lines.addAll(warnings);
    long more = problemCount() - problems.size() + warningCount - warnings.size();
    if (more > 0) {
      lines.add("and " + more + " more");
    }
    return lines;
  }
}
