/**
 * A DRAM channel by its standard. {@link dev.warpline.memory.dram.Rules} are the standard's least
 * times between commands at a clock. {@link dev.warpline.memory.dram.Banks} gives commands one
 * after the other: it knows which rows are open and when a command may go, for the memory side that
 * steps. The one that reserves has {@code flow.ReservedChannel} by the same rules.
 */
package dev.warpline.memory.dram;
