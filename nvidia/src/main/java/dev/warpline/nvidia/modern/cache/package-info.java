/** Tags of the caches inside the SM. */
package dev.warpline.nvidia.modern.cache;
