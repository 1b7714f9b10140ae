/** Caches: geometry and policies, tags, miss-status registers, and the sectored data cache. */
package dev.warpline.memory.cache;
