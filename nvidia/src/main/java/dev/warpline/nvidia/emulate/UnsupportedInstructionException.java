package dev.warpline.nvidia.emulate;

/** An instruction or a form of it that the emulator does not know. */
final class UnsupportedInstructionException extends RuntimeException {
  private static final long serialVersionUID = 1;

  UnsupportedInstructionException(SassInstruction instruction, String why) {
    super(String.format("%s at PC %04x: %s", instruction.opcode(), instruction.pc(), why));
  }
}
