/** The blocks on an SM: their warps, when they end, and the barriers inside a block. */
package dev.warpline.nvidia.modern.block;
