package dev.warpline.nvidia.capture;

import java.util.List;

/**
 * What came of executing a launch.
 *
 * @param number of the launch among those that are executed, from 1
 * @param operation its number in the program
 * @param kernel mangled name
 * @param result how its results compare with the GPU's
 * @param instructions warp instructions
 * @param seconds of processor time that executing took
 * @param inputDiffered whether it read or wrote what had differed before
 * @param details where and why
 */
public record KernelOutcome(
    int number,
    long operation,
    String kernel,
    Result result,
    long instructions,
    double seconds,
    boolean inputDiffered,
    List<String> details) {
  /** How results compare. */
  public enum Result {
    /** As on the GPU, to the last bit. */
    EXACT,
    /** Something is different. */
    DIFFERS,
    /** Something is different, and the order of blocks decides what comes out. */
    ORDER,
    /** It could not be executed. */
    FAILED
  }

  /** Whether nothing is wrong. */
  public boolean exact() {
    return result == Result.EXACT;
  }
}
