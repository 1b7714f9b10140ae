/**
 * What the compute units share: second-level TLBs, the TCC of each die, the cache in front of
 * memory and the memory channels. Servers with real tags and next-free times. Compute units send
 * {@link dev.warpline.memory.MemoryRequest}s through an {@link dev.warpline.amd.memory.Outbox};
 * {@link dev.warpline.amd.memory.MemoryHierarchy} takes them over between windows and serves them
 * in the order they arrive.
 */
package dev.warpline.amd.memory;
