/**
 * Runs a kernel from the text of its SASS, without timing, and writes the trace that a tracer on
 * the GPU would have written. A listing is parsed once ({@code SassParser}) into instructions, each
 * of which becomes one {@code LaneOperation} on the lanes of a warp; {@code WarpRunner} decides
 * which lanes run next.
 */
package dev.warpline.nvidia.emulate;
