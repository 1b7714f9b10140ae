package dev.warpline.nvidia.emulate;

import dev.warpline.trace.Dim3;

/**
 * How a kernel is launched.
 *
 * @param number of the launch in its program, from 1
 * @param kernel mangled name
 * @param cluster blocks of a cluster; 1 by 1 by 1 if the code says it, or there are none
 * @param dynamicShared bytes beside those that the code asks for
 * @param stream its CUDA stream
 * @param cooperative whether all blocks live at the same time
 * @param parameters the parameter block
 * @param limit warp instructions after which it counts as endless
 */
public record KernelLaunch(
    int number,
    String kernel,
    Dim3 grid,
    Dim3 block,
    Dim3 cluster,
    int dynamicShared,
    long stream,
    boolean cooperative,
    byte[] parameters,
    long limit) {
  /** The same with another limit. */
  public KernelLaunch withLimit(long instructions) {
    return new KernelLaunch(
        number,
        kernel,
        grid,
        block,
        cluster,
        dynamicShared,
        stream,
        cooperative,
        parameters,
        instructions);
  }

  /** Warp instructions after which a launch counts as endless, if nothing else is said. */
  public static final long STANDARD_LIMIT = 4_000_000_000L;
}
