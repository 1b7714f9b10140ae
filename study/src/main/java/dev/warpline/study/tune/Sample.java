package dev.warpline.study.tune;

import dev.warpline.study.validate.Metric;
import java.nio.file.Path;

/**
 * A kernel that was measured.
 *
 * @param workload name of its trace
 * @param kernel launch number in the trace, from 1
 * @param program what it is a part of: kernels of one program are held out together
 * @param trace where its trace is
 * @param metric what was measured
 * @param measured the hardware's value
 */
public record Sample(
    String workload, int kernel, String program, Path trace, Metric metric, double measured) {
  /** What people call it. */
  public String name() {
    return kernel == 1 ? workload : workload + "#" + kernel;
  }
}
