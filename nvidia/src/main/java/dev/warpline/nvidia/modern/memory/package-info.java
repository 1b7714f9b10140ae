/**
 * Memory instructions inside the SM: a queue per sub-core, then one path that all share, to shared
 * memory and L1. {@link dev.warpline.nvidia.modern.memory.LoadStoreUnit} serves the queues, {@link
 * dev.warpline.nvidia.modern.memory.SharedMemory} and {@link
 * dev.warpline.nvidia.modern.memory.GlobalMemory} say what an access costs, {@link
 * dev.warpline.nvidia.modern.memory.OpenLoads} keeps the loads that wait for lines, {@link
 * dev.warpline.nvidia.modern.memory.WayOut} is the port to the rest of the GPU, {@link
 * dev.warpline.nvidia.modern.async.CopyGroups} the groups of asynchronous copies.
 */
package dev.warpline.nvidia.modern.memory;
