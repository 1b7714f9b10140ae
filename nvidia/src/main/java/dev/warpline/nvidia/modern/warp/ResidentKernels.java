package dev.warpline.nvidia.modern.warp;

import dev.warpline.engine.profile.SmRecorder;
import dev.warpline.nvidia.modern.code.CodeRows;
import dev.warpline.trace.KernelHeader;
import java.util.Arrays;

/** The kernels that an SM has, or had, blocks of; one that comes back finds its lines. */
public final class ResidentKernels {
  private final ResidentKernel[] all = new ResidentKernel[ResidentKernel.MOST];
  private int next;

  /**
   * Whether the last {@link #add} took a place that another kernel had: lines would be mixed up.
   */
  public boolean reused;

  public void clear() {
    Arrays.fill(all, null);
    next = 0;
  }

  /** By the number of its launch; null if it never had a block here. */
  public ResidentKernel find(int launch) {
    for (ResidentKernel kernel : all) {
      if (kernel != null && kernel.launch == launch) {
        return kernel;
      }
    }
    return null;
  }

  /** A kernel comes to the SM. */
  public ResidentKernel add(
      int launch,
      int program,
      CodeRows code,
      KernelHeader header,
      SmRecorder recorder,
      long[] gone) {
    while (all[next] != null && all[next].blocks > 0) {
      next = (next + 1) % all.length;
    }
    reused = all[next] != null;
    if (reused) {
      all[next].leave();
      all[next] = null;
    }
    ResidentKernel kernel =
        new ResidentKernel(launch, program, code, header, next, codePlace(program), recorder, gone);
    all[next] = kernel;
    next = (next + 1) % all.length;
    return kernel;
  }

  /** Where code stands: with the same code if it is here, else where no other stands. */
  private int codePlace(int program) {
    long taken = 0;
    for (ResidentKernel kernel : all) {
      if (kernel != null && kernel.program == program) {
        return kernel.firstLine >>> ResidentKernel.CODE_SHIFT;
      }
      taken |= kernel == null ? 0 : 1L << (kernel.firstLine >>> ResidentKernel.CODE_SHIFT);
    }
    return Long.numberOfTrailingZeros(~taken);
  }
}
