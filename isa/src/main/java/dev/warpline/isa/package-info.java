/**
 * What an instruction is. {@link dev.warpline.isa.Instruction} is one static instruction, decoded
 * once: a row of a kernel's {@link dev.warpline.isa.CodeTable}. Its opcode comes from the {@link
 * dev.warpline.isa.OpcodeTable} of its generation, its operands from a {@link
 * dev.warpline.isa.Disassembly}, its registers are numbers of {@link dev.warpline.isa.Registers},
 * and what the compiler wrote for the issue stage are its {@link dev.warpline.isa.ControlBits}.
 */
package dev.warpline.isa;
