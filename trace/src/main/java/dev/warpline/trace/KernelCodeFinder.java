package dev.warpline.trace;

import java.io.IOException;

/** Looks for a kernel's code beside its trace. */
interface KernelCodeFinder {
  /** The code of a kernel, or null if there is none. */
  KernelCode find(KernelHeader header) throws IOException;
}
