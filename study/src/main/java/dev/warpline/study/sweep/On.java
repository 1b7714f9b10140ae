package dev.warpline.study.sweep;

import dev.warpline.engine.RunResult;
import dev.warpline.study.store.Point;
import java.io.IOException;
import java.util.function.Consumer;

/** Where points are simulated. */
public interface On extends AutoCloseable {
  /**
   * What came of a point: a result, or why there is none. Neither if it was ended early and is to
   * be simulated another time.
   *
   * @param seconds how long it took
   */
  record Ended(Point point, RunResult result, String failure, double seconds) {}

  /**
   * How many more points can be taken now.
   *
   * @throws IOException if none ever can, because what simulates them is no more
   */
  int room() throws IOException;

  /**
   * Takes a point.
   *
   * @param ended told of its end, from any thread
   */
  void begin(Point point, Consumer<Ended> ended);

  /** How many points are simulated at a time at most. */
  int width();

  /** Waits for the points that were taken. */
  @Override
  void close();

  /**
   * What it took to have points simulated elsewhere, in seconds.
   *
   * @param task processor time for making their tasks
   * @param answer processor time for reading what came back
   * @param fetch how long a point waited for its files at most
   */
  record Carried(double task, double answer, double fetch) {}

  /** What it took to have points simulated elsewhere. */
  default Carried carried() {
    return new Carried(0, 0, 0);
  }

  /** Told after the end, when everything that came of its points is in the store. */
  default void stored() throws IOException {}
}
