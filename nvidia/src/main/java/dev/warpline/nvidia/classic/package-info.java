/**
 * The classic SM: the pipeline of GPGPU-Sim as Accel-Sim drives it with SASS traces. One class per
 * part; {@link dev.warpline.nvidia.classic.ClassicSm} runs them in the order of a cycle.
 */
package dev.warpline.nvidia.classic;
