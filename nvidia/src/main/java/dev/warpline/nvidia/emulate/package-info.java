/**
 * Executes kernels from the text of their SASS, without timing, and records what a tracer on the
 * GPU would. A listing is parsed once ({@code SassParser}) into instructions, each of which becomes
 * one {@code LaneOperation} on the lanes of a warp when it is reached ({@code KernelProgram});
 * {@code Paths} decides which lanes of a warp run next, {@code BlockCluster} gives the blocks that
 * live at the same time their turns, {@code EmulatedKernel} hands them out one by one, and {@code
 * EmulatedGpu} has the memory.
 */
package dev.warpline.nvidia.emulate;
