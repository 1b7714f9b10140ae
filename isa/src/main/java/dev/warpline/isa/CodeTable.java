package dev.warpline.isa;

import java.util.ArrayList;
import java.util.List;

/**
 * The static instructions that a kernel executed, numbered from 0. Rows are only ever added: a
 * reader that streams a trace adds a row when it meets an instruction for the first time, so a
 * consumer that keeps something per row grows it on demand.
 */
public final class CodeTable {
  private final List<Instruction> rows = new ArrayList<>();

  /** The number of rows so far. */
  public int size() {
    return rows.size();
  }

  /** The instruction of a row. */
  public Instruction get(int row) {
    return rows.get(row);
  }

  /** Adds the next row; its {@link Instruction#row} must be {@link #size()}. */
  public void add(Instruction instruction) {
    if (instruction.row() != rows.size()) {
      throw new IllegalArgumentException(
          "row " + instruction.row() + " added where row " + rows.size() + " comes next");
    }
    rows.add(instruction);
  }
}
