package dev.warpline.engine;

import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.engine.state.Checkpoints;
import java.util.function.BiPredicate;

/**
 * How to run a simulation, whatever the machine. None of it changes a result, except that limits
 * and the kernel choice cut it short, and that a sampled one is an estimate.
 *
 * @param threads host threads that simulate
 * @param maxCycles stop after this many core cycles in all, 0 for no limit
 * @param maxInstructions stop after this many warp instructions in all, 0 for no limit
 * @param kernels which launches to simulate, by launch number (from 1) and mangled name
 * @param profile what to write down of where time goes, or null to leave it out
 * @param stop asks the run to end early
 * @param sample relative error of the cycles at which not everything needs to be simulated; 0 for
 *     everything
 * @param checkpoints when its state is written and where it starts from, or null
 * @param eachUnit whether counters are kept by compute unit too (AMD)
 */
public record RunOptions(
    int threads,
    long maxCycles,
    long maxInstructions,
    BiPredicate<Integer, String> kernels,
    ProfileOptions profile,
    StopSignal stop,
    double sample,
    Checkpoints checkpoints,
    boolean eachUnit) {

  /** Every kernel, to the end, on one thread. */
  public static final RunOptions DEFAULT = new RunOptions(1, 0, 0, (id, name) -> true);

  public RunOptions {
    if (threads < 1) {
      throw new IllegalArgumentException("threads is " + threads + ", expected 1 or more");
    }
  }

  /** A run of everything. */
  public RunOptions(
      int threads,
      long maxCycles,
      long maxInstructions,
      BiPredicate<Integer, String> kernels,
      ProfileOptions profile,
      StopSignal stop) {
    this(threads, maxCycles, maxInstructions, kernels, profile, stop, 0, null, false);
  }

  /** A run that nobody stops. */
  public RunOptions(
      int threads,
      long maxCycles,
      long maxInstructions,
      BiPredicate<Integer, String> kernels,
      ProfileOptions profile) {
    this(threads, maxCycles, maxInstructions, kernels, profile, new StopSignal());
  }

  /** A run without a profile. */
  public RunOptions(
      int threads, long maxCycles, long maxInstructions, BiPredicate<Integer, String> kernels) {
    this(threads, maxCycles, maxInstructions, kernels, null);
  }

  /** The same run with a profile. */
  public RunOptions withProfile(ProfileOptions options) {
    return new RunOptions(
        threads, maxCycles, maxInstructions, kernels, options, stop, sample, checkpoints, eachUnit);
  }

  /** The same run on another number of threads. */
  public RunOptions withThreads(int count) {
    return new RunOptions(
        count, maxCycles, maxInstructions, kernels, profile, stop, sample, checkpoints, eachUnit);
  }

  /** The same run, ended when {@code signal} says so. */
  public RunOptions withStop(StopSignal signal) {
    return new RunOptions(
        threads,
        maxCycles,
        maxInstructions,
        kernels,
        profile,
        signal,
        sample,
        checkpoints,
        eachUnit);
  }

  /** The same run of other kernels. */
  public RunOptions withKernels(BiPredicate<Integer, String> others) {
    return new RunOptions(
        threads, maxCycles, maxInstructions, others, profile, stop, sample, checkpoints, eachUnit);
  }

  /** The same run, sampled to a relative error; 0 for everything. */
  public RunOptions withSample(double error) {
    return new RunOptions(
        threads, maxCycles, maxInstructions, kernels, profile, stop, error, checkpoints, eachUnit);
  }

  /** The same run with checkpoints. */
  public RunOptions withCheckpoints(Checkpoints some) {
    return new RunOptions(
        threads, maxCycles, maxInstructions, kernels, profile, stop, sample, some, eachUnit);
  }

  /** The same run with the counters of each compute unit. */
  public RunOptions withEachUnit(boolean each) {
    return new RunOptions(
        threads, maxCycles, maxInstructions, kernels, profile, stop, sample, checkpoints, each);
  }
}
