package dev.warpline.study.sweep;

import dev.warpline.engine.RunResult;
import dev.warpline.study.store.Point;
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

  /** Whether one more point can be taken now. */
  boolean hasRoom();

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
}
