/**
 * Coalescer, shared memory, caches, crossbar, L2 and DRAM: the parts both vendors' machines share.
 */
package dev.warpline.memory;
