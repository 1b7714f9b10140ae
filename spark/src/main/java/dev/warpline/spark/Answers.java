package dev.warpline.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.spark.util.AccumulatorV2;

/**
 * Answers on their way: Spark brings an executor's to the driver as soon as its task has ended, and
 * once, however often the task was run.
 */
final class Answers extends AccumulatorV2<String, List<String>> {
  private static final long serialVersionUID = 1L;

  private final ArrayList<String> lines = new ArrayList<>();

  /** Only the driver's own has it. */
  private final transient Consumer<String> sink;

  Answers(Consumer<String> sink) {
    this.sink = sink;
  }

  @Override
  public boolean isZero() {
    return lines.isEmpty();
  }

  @Override
  public AccumulatorV2<String, List<String>> copy() {
    Answers copy = new Answers(null);
    copy.lines.addAll(lines);
    return copy;
  }

  @Override
  public void reset() {
    lines.clear();
  }

  @Override
  public void add(String line) {
    lines.add(line);
  }

  @Override
  public void merge(AccumulatorV2<String, List<String>> other) {
    if (sink == null) {
      lines.addAll(other.value());
    } else {
      other.value().forEach(sink);
    }
  }

  @Override
  public List<String> value() {
    return lines;
  }
}
