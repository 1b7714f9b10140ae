package dev.warpline.amd.hip;

import dev.warpline.amd.code.KernargSegment;
import dev.warpline.amd.code.Kernel;

/** What running kernels ask of the host. */
final class Hostcalls {
  void complete(KernargSegment arguments, Kernel kernel) {}

  void serve() {}
}
