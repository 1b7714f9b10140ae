package dev.warpline.trace;

/**
 * What is known of a kernel's code besides its trace, by PC: from a cubin, a control sidecar or a
 * listing.
 */
public interface KernelCode {
  /** Packed {@link dev.warpline.isa.ControlBits} at a PC, or {@code ControlBits.ABSENT}. */
  int control(int pc);

  /** First word of the encoding at a PC, 0 if unknown. */
  long low(int pc);

  /** Second word of the encoding at a PC, 0 if unknown. */
  long high(int pc);

  /** The instruction as a disassembler prints it, or null. */
  String disassembly(int pc);

  /** Blocks per cluster that the code was compiled for, or {@link Dim3#ONE}. */
  default Dim3 cluster() {
    return Dim3.ONE;
  }
}
