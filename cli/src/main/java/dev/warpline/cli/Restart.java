package dev.warpline.cli;

import dev.warpline.trace.TraceSet;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The launcher starts a simulation without the optimising compiler, whose work costs a short one
 * more than it gains. One that turns out to be long is begun again with it, in a process of its
 * own.
 */
final class Restart extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** What the launcher says when there is no optimising compiler. */
  private static final String QUICK = "warpline.quick";

  /** The options that go with it. */
  private static final List<String> QUICK_OPTIONS =
      List.of("-D" + QUICK, "-XX:TieredStopAtLevel", "-XX:Tier3BackEdgeThreshold");

  /** From so many warp instructions on it gains: a few seconds of simulation. */
  private static final long LONG = 4_000_000;

  private Restart() {
    super("a simulation that is longer than was thought", null, false, false);
  }

  /**
   * Before anything is simulated or printed.
   *
   * @param simulations of the program that were asked for
   * @throws Restart if it is to be begun again
   */
  static void ifLong(TraceSet program, int simulations) throws IOException {
    if (System.getProperty(QUICK) != null) {
      long instructions = program.expectedInstructions();
      if (instructions < 0 || instructions * simulations >= LONG) {
        throw new Restart();
      }
    }
  }

  /** Does it; gives the exit code. */
  int run(List<String> arguments) throws IOException {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (QUICK_OPTIONS.stream().noneMatch(option::startsWith)) {
        words.add(option);
      }
    }
    words.addAll(List.of("-jar", System.getProperty("java.class.path")));
    words.addAll(arguments);
    Process process = new ProcessBuilder(words).inheritIO().start();
    // A signal that ends this process first ends the other, which writes what it has.
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  process.destroy();
                  process.onExit().join();
                }));
    // This one only waits: what it has read goes back to the system.
    System.gc();
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      throw new InterruptedIOException("interrupted");
    }
  }
}
