/**
 * Captures of programs: what a host program set up on a real GPU, kernel by kernel
 * (docs/capture.md). {@code Capture} reads the files and refuses what cannot be; {@code Replay}
 * executes the kernels in order and compares memory with what the GPU left; {@code CaptureTraceSet}
 * hands the blocks to a simulator as they are asked for.
 */
package dev.warpline.nvidia.capture;
