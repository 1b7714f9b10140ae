/**
 * The resident warps of an SM and what their next instructions wait for. {@link
 * dev.warpline.nvidia.modern.warp.Warps} alone writes a warp's state; every other unit tells it
 * what happened: a warp is held or freed, a counter opens or closes, an instruction has been
 * fetched.
 */
package dev.warpline.nvidia.modern.warp;
