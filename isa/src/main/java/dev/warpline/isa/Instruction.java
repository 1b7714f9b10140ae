package dev.warpline.isa;

/**
 * One static instruction of a kernel: a row of its {@link CodeTable}. Immutable.
 *
 * @param row index of this row in its code table
 * @param pc byte offset in the function, as recorded
 * @param sourceLine source line when the trace has line information, else 0
 * @param text mnemonic with all modifiers, e.g. {@code LDG.E.64.STRONG.GPU}
 * @param opcode what the opcode table knows of the first token
 * @param destinations regular registers written, as recorded (255 is RZ); never null
 * @param sources regular registers read, as recorded (255 is RZ); never null
 * @param recordedWidth bytes per lane as recorded in the trace, 0 if not a memory instruction
 * @param immediate first recorded immediate, 0 if none
 * @param immediate2 second recorded immediate (version 6), 0 if none
 * @param commitsGroup whether a warpgroup matrix product closes its group (version 6)
 * @param control packed {@link ControlBits}, or {@link ControlBits#ABSENT}
 * @param low first word of the encoding, 0 where the code was not found (or only a sidecar was)
 * @param high second word of the encoding, likewise
 * @param disassembly the whole instruction as a disassembler prints it, or null
 */
public record Instruction(
    int row,
    int pc,
    int sourceLine,
    String text,
    Opcode opcode,
    int[] destinations,
    int[] sources,
    int recordedWidth,
    long immediate,
    long immediate2,
    boolean commitsGroup,
    int control,
    long low,
    long high,
    String disassembly) {

  /** Whether the dot-separated modifier stands in the mnemonic, e.g. {@code "STRONG"}. */
  public boolean hasModifier(String modifier) {
    int at = text.indexOf('.');
    while (at >= 0) {
      int end = text.indexOf('.', at + 1);
      int length = (end < 0 ? text.length() : end) - at - 1;
      if (length == modifier.length() && text.startsWith(modifier, at + 1)) {
        return true;
      }
      at = end;
    }
    return false;
  }

  /** Whether the kernel's code was found, so that {@link #control} means something. */
  public boolean hasControl() {
    return control != ControlBits.ABSENT;
  }
}
