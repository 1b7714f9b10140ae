package dev.warpline.trace;

import dev.warpline.isa.ConstantOperand;
import dev.warpline.isa.ControlBits;
import dev.warpline.isa.SourcePlace;

/**
 * What is known of a kernel's code besides its trace, by PC: from a cubin, a file of its words, a
 * sidecar of control bits or constants, or a listing.
 */
public interface KernelCode {
  /** Whether it says anything of a PC. */
  boolean has(int pc);

  /** Packed {@link ControlBits} at a PC, or {@code ControlBits.ABSENT}. */
  default int control(int pc) {
    return ControlBits.ABSENT;
  }

  /** First word of the encoding at a PC, 0 if unknown. */
  default long low(int pc) {
    return 0;
  }

  /** Second word of the encoding at a PC, 0 if unknown. */
  default long high(int pc) {
    return 0;
  }

  /** The instruction as a disassembler prints it, or null. */
  default String disassembly(int pc) {
    return null;
  }

  /**
   * The constant that the instruction at a PC reads, {@link ConstantOperand#NONE} if it reads none;
   * null if this does not say.
   */
  default ConstantOperand constant(int pc) {
    return null;
  }

  /** Where the instruction at a PC comes from, or null. */
  default SourcePlace source(int pc) {
    return null;
  }

  /** Blocks per cluster that the code was compiled for, or {@link Dim3#ONE}. */
  default Dim3 cluster() {
    return Dim3.ONE;
  }
}
