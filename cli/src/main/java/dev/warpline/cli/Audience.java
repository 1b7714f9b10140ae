package dev.warpline.cli;

import dev.warpline.engine.Progress;
import dev.warpline.engine.RunResult;
import dev.warpline.study.sweep.Sweep;

/** Who simulations are for: shown how they get on, and given what came of them. */
interface Audience {
  /** Somebody at a terminal, who reads text and files. */
  Audience TERMINAL =
      new Audience() {
        @Override
        public Show show() {
          return new RunProgress();
        }

        @Override
        public void result(RunResult result) {}

        @Override
        public void points(Sweep.State state) {}
      };

  /** Shows one simulation until it is closed. */
  interface Show extends Progress, AutoCloseable {
    @Override
    void close();
  }

  /** A simulation begins. */
  Show show();

  /** What came of a run; again, with more, after each of its alternatives. */
  void result(RunResult result);

  /** How far a sweep is. */
  void points(Sweep.State state);
}
