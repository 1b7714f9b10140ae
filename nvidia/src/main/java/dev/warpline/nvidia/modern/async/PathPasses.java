package dev.warpline.nvidia.modern.async;

/** The path to shared memory, of which asynchronous units take passes beside the warps. */
public interface PathPasses {
  /** Takes so many passes when the path gets to it. */
  void steal(int passes);
}
