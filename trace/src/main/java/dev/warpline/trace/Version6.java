package dev.warpline.trace;

import dev.warpline.isa.Instruction;
import java.io.IOException;
import java.util.Set;

/** Hopper's tracer: bulk copies, groups of warpgroup products, two immediates, register values. */
public final class Version6 extends TraceDialect {
  private static final Set<String> BULK_COPIES =
      Set.of("UTMALDG", "UTMASTG", "UTMAPF", "UTMAREDG", "UBLKCP", "UBLKPF", "UBLKRED");

  @Override
  public int first() {
    return 6;
  }

  @Override
  public int last() {
    return 6;
  }

  @Override
  public boolean namesBarriers() {
    return true;
  }

  @Override
  public boolean recordsBulkCopy(String opcode) {
    return BULK_COPIES.contains(opcode);
  }

  @Override
  public void readOperands(LineFields line, Recorded into) throws LineSyntaxException {
    if (isProduct(into.text)) {
      into.commitsGroup = line.decimal("a commit flag") != 0;
    }
  }

  @Override
  public void writeOperands(Instruction instruction, Appendable line) throws IOException {
    if (isProduct(instruction.text())) {
      line.append(instruction.commitsGroup() ? "1 " : "0 ");
    }
  }

  /** The tracer looks for the letters, wherever they stand. */
  private static boolean isProduct(String text) {
    return text.contains("GMMA");
  }

  @Override
  public void readTail(LineFields line, Recorded into) throws LineSyntaxException {
    super.readTail(line, into);
    into.immediate2 = line.hasMore() ? line.decimal("a second immediate") : 0;
    if (line.hasMore()) {
      int position = line.position();
      String word = line.word("Val or NoVal");
      into.values = word.equals("Val");
      if (!into.values && !word.equals("NoVal")) {
        throw new LineSyntaxException(position, "Val or NoVal");
      }
    }
  }

  @Override
  public void writeTail(Instruction instruction, boolean values, Appendable line)
      throws IOException {
    super.writeTail(instruction, values, line);
    line.append(Long.toString(instruction.immediate2())).append(values ? " Val " : " NoVal");
  }

  @Override
  public String columns() {
    return columns("[gmma_commit] ");
  }
}
