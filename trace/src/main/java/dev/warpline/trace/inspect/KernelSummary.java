package dev.warpline.trace.inspect;

import dev.warpline.isa.Demangler;
import dev.warpline.isa.Pipe;
import dev.warpline.trace.KernelHeader;
import java.util.List;
import java.util.Map;

/**
 * What is inside one kernel's trace.
 *
 * @param header the kernel as launched
 * @param blocks thread blocks that the trace has
 * @param warps warps with at least one instruction
 * @param warpInstructions warp instructions (an LDGSTS counts once)
 * @param threadInstructions the same, once per active lane
 * @param staticInstructions different instructions that were executed
 * @param pipes warp instructions by execution pipe, most first
 * @param spaces use of each memory space that was touched
 * @param opcodes warp instructions by opcode, modifiers left out, most first
 * @param unknownOpcodes warp instructions with opcodes that the generation's table lacks
 * @param hasCode whether the encoded instructions were found beside the trace
 * @param hasControlBits whether control bits were found
 * @param hasDisassembly whether a listing was found
 */
public record KernelSummary(
    KernelHeader header,
    long blocks,
    long warps,
    long warpInstructions,
    long threadInstructions,
    int staticInstructions,
    Map<Pipe, Long> pipes,
    List<SpaceUse> spaces,
    Map<String, Long> opcodes,
    Map<String, Long> unknownOpcodes,
    boolean hasCode,
    boolean hasControlBits,
    boolean hasDisassembly) {

  /** The kernel's name in C++. */
  public String name() {
    return Demangler.demangle(header.name());
  }

  /** Active lanes per warp instruction. */
  public double averageLanes() {
    return warpInstructions == 0 ? 0 : (double) threadInstructions / warpInstructions;
  }
}
