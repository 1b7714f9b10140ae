/** How blocks come to SMs: how many fit, where each goes and when. */
package dev.warpline.nvidia.modern.launch;
