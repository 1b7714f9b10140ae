package dev.warpline.amd.code;

import dev.warpline.amd.code.CodeObject.Function;
import dev.warpline.isa.gcn.GcnDecodeException;
import dev.warpline.isa.gcn.GcnDecoder;
import dev.warpline.isa.gcn.GcnInstruction;
import java.io.PrintWriter;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * Writes code as text, laid out like llvm-objdump's: instruction, address, words, branch target.
 */
public final class CodeListing {
  private static final HexFormat HEX = HexFormat.of().withUpperCase();
  private static final int TEXT_COLUMNS = 59;

  private final CodeObject object;
  private final List<Function> functions;

  public CodeListing(CodeObject object) {
    this.object = object;
    functions = object.functions();
  }

  /** Writes all code, with a label at every function. */
  public void write(PrintWriter out) throws CodeObjectException {
    for (CodeObject.Range range : object.executableRanges()) {
      write(out, range.address(), range.bytes());
    }
  }

  /** Writes the code of one kernel; functions it calls lie elsewhere. */
  public void write(PrintWriter out, Kernel kernel) throws CodeObjectException {
    write(out, kernel.entryAddress(), kernel.codeBytes());
  }

  private void write(PrintWriter out, long start, long bytes) throws CodeObjectException {
    int[] words = object.words(start, bytes & ~3L);
    StringBuilder line = new StringBuilder();
    for (int at = 0; at < words.length; ) {
      long address = start + 4L * at;
      label(out, address);
      String text;
      String target = "";
      int count = 1;
      try {
        GcnInstruction instruction = GcnDecoder.decode(object.target(), words, at);
        text = instruction.toString();
        count = instruction.size / 4;
        if (instruction.hasBranchTarget()) {
          target = " <" + place(address + instruction.size + instruction.branchOffset()) + ">";
        }
      } catch (GcnDecodeException e) {
        text = ".long 0x" + HexFormat.of().toHexDigits(words[at]);
      }
      line.setLength(0);
      line.append('\t').append(text);
      while (line.length() < TEXT_COLUMNS) {
        line.append(' ');
      }
      line.append(" // ").append(HEX.toHexDigits(address, 12)).append(':');
      for (int i = 0; i < count; i++) {
        line.append(' ').append(HEX.toHexDigits(words[at + i]));
      }
      out.println(line.append(target));
      at += count;
    }
  }

  private void label(PrintWriter out, long address) {
    for (Function function : functions) {
      if (function.address() == address) {
        out.printf(Locale.ROOT, "%n%016x <%s>:%n", address, function.name());
      }
    }
    for (Kernel kernel : object.kernels()) {
      if (kernel.entryAddress() == address) {
        out.printf(
            Locale.ROOT,
            "; kernel: %d VGPRs, %d SGPRs, %d bytes of LDS, %d of scratch per work-item, %d of"
                + " arguments%n",
            kernel.descriptor().vgprs(object.target()),
            kernel.descriptor().sgprs(),
            kernel.descriptor().groupSegmentBytes(),
            kernel.descriptor().privateSegmentBytes(),
            kernel.kernargBytes());
      }
    }
  }

  /** An address as function and offset. */
  private String place(long address) {
    Function nearest = null;
    for (Function function : functions) {
      if (function.address() <= address) {
        nearest = function;
      }
    }
    if (nearest == null) {
      return "0x" + Long.toHexString(address);
    }
    long offset = address - nearest.address();
    return offset == 0 ? nearest.name() : nearest.name() + "+0x" + Long.toHexString(offset);
  }
}
