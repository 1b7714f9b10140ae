/**
 * What an instruction is: one static instruction as a row of a kernel's code table, opcode tables
 * per generation, control bits.
 */
package dev.warpline.isa;
