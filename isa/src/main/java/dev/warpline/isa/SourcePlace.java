package dev.warpline.isa;

/**
 * Where an instruction comes from.
 *
 * @param file path of the source file as the compiler saw it, null where only the line is known
 * @param line line in it, from 1
 * @param function mangled name of the function that was inlined here, null if none was
 * @param caller where that was called, null if nothing was inlined
 * @param ptx the PTX instruction that it was made of, null if not known
 */
public record SourcePlace(String file, int line, String function, SourcePlace caller, String ptx) {
  /** A line of a file that nobody named. */
  public static SourcePlace ofLine(int line) {
    return line == 0 ? null : new SourcePlace(null, line, null, null, null);
  }

  /** The same place, made of this PTX instruction. */
  public SourcePlace withPtx(String instruction) {
    return new SourcePlace(file, line, function, caller, instruction);
  }
}
