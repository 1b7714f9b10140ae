/**
 * Sampling of blocks: of SMs that have alike work some are simulated, and the others, their echoes,
 * ask memory for the same at the same time, each at the addresses of its own blocks.
 */
package dev.warpline.nvidia.modern.echo;
