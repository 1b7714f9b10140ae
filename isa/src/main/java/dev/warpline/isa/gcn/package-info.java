/**
 * AMD's GCN instruction set as gfx900, gfx90a and gfx942 have it: the opcode table, the decoder
 * from encoding words to {@link dev.warpline.isa.gcn.GcnInstruction}, and the disassembler.
 */
package dev.warpline.isa.gcn;
