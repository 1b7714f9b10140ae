/**
 * Everything between a core and its data. {@link dev.warpline.memory.MemoryRequest} is what a core
 * asks, {@link dev.warpline.memory.Coalescer} makes accesses of an instruction's lanes. {@code
 * cache}: the tag array of every cache, miss tables, the sectored data cache of the classic core;
 * {@code dram}: a channel by its standard; {@code detailed}: the memory side that steps (crossbars,
 * L2 slices, DRAM channels); {@code flow}: the one that reserves.
 */
package dev.warpline.memory;
