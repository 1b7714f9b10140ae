package dev.warpline.study.tune;

import java.util.ArrayList;
import java.util.List;

/**
 * What came of a fit. Errors are means of absolute relative errors, 0.05 for 5 %.
 *
 * @param values the fields; none if it was stopped before the first machine was known
 * @param folds what became of programs that were held out; none if it was stopped
 * @param before error of all kernels on the GPU as it stood
 * @param after the same with the fitted values: the calibration error
 * @param heldOut error of all kernels, each with the values that were fitted without its program
 * @param machines how many were tried
 * @param simulated points that were simulated now
 * @param failures why kernels had no result on some machines, which count as the worst
 * @param finished whether it went to its end
 */
public record Tuning(
    Tuner.Task task,
    List<Value> values,
    List<Fold> folds,
    double before,
    double after,
    double heldOut,
    int machines,
    int simulated,
    List<String> failures,
    boolean finished) {

  /** A field whose value differs by more of its range from fold to fold is not determined. */
  static final double SCATTER = 0.25;

  /** A field of whose effect less than this is its own cannot be told from the others. */
  static final double OWN = 0.1;

  /**
   * A fitted field.
   *
   * @param value fitted to all kernels
   * @param folds fitted without each fold
   * @param scatter how far these lie apart, as a share of the range
   * @param own which share of its effect on the kernels the other fields cannot have
   * @param errorAtLow error of all kernels with this field at the low end of its range
   * @param errorAtHigh likewise
   * @param moves whether one of the ends changes any kernel
   */
  public record Value(
      FitField field,
      String value,
      List<String> folds,
      double scatter,
      double own,
      double errorAtLow,
      double errorAtHigh,
      boolean moves) {

    /** Whether these kernels say what it should be. */
    public boolean determined() {
      return moves && scatter <= SCATTER && own >= OWN;
    }

    /** Whether it lies at an end of its range, so that the best may lie outside. */
    public boolean atEnd() {
      double number = Double.parseDouble(value);
      return number == field.range().from() || number == field.range().to();
    }

    /** The least and the largest value over the folds. */
    String span() {
      List<String> sorted = new ArrayList<>(folds);
      sorted.sort(java.util.Comparator.comparing(Double::parseDouble));
      String first = sorted.get(0);
      String last = sorted.get(sorted.size() - 1);
      return first.equals(last) ? first : first + ".." + last;
    }
  }

  /**
   * A fold.
   *
   * @param programs that were held out
   * @param kernels how many those are
   * @param values fitted to the others
   */
  public record Fold(
      List<String> programs,
      int kernels,
      List<String> values,
      double fittedBefore,
      double fittedAfter,
      double heldOutBefore,
      double heldOutAfter) {}

  /** Of a fit that was stopped; {@code best} is null if nothing is known yet. */
  static Tuning unfinished(Tuner.Task task, Machines machines, List<String> best, double error) {
    List<Value> values = new ArrayList<>();
    if (best != null && Double.isFinite(error)) {
      for (int f = 0; f < best.size(); f++) {
        values.add(
            new Value(
                task.fields().get(f), best.get(f), List.of(), 0, 1, Double.NaN, Double.NaN, true));
      }
    }
    return new Tuning(
        task,
        values,
        List.of(),
        Double.NaN,
        error,
        Double.NaN,
        machines.count(),
        machines.simulated(),
        machines.failures(),
        false);
  }

  /** Whether programs that were held out are nearer to the hardware than before. */
  public boolean carriesOver() {
    return finished && heldOut < before;
  }

  /** Programs. */
  public int programs() {
    return (int) task.samples().stream().map(Sample::program).distinct().count();
  }

  /** Fields whose values go into a description: those that do something. */
  public List<Value> kept() {
    return values.stream().filter(Value::moves).toList();
  }
}
