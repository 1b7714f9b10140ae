/**
 * A DRAM channel by its standard. {@link dev.warpline.memory.dram.Rules} are the standard's least
 * times between commands at a clock, {@link dev.warpline.memory.dram.Banks} knows which rows are
 * open and when a command may go. Who asks in which order is left to the memory sides.
 */
package dev.warpline.memory.dram;
