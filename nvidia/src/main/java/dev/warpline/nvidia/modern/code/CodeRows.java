package dev.warpline.nvidia.modern.code;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.isa.CodeTable;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/**
 * A kernel's static instructions in the terms of the modern core, by their numbers in the code
 * table. Grows when the trace shows new instructions; only between windows, so SMs may read it
 * freely.
 */
public final class CodeRows {
  private final ModernCoreSpec spec;
  private final CodeTable code;
  private final RowDecoder decoder;
  private final Set<String> notModelled = new TreeSet<>();
  private CodeRow[] rows = new CodeRow[256];
  private int size;

  /** Whether the trace says which matrix product closes a group. */
  public boolean commitsKnown;

  public boolean controlled = true;
  public boolean hasDepbar;

  /** Whether any constant load has a register index that the listing names. */
  public boolean hasIndexed;

  /**
   * @param binaryVersion SM version that the code was compiled for
   */
  public CodeRows(ModernCoreSpec spec, CodeTable code, int binaryVersion) {
    this.spec = spec;
    this.code = code;
    decoder = new RowDecoder(this, spec, binaryVersion);
  }

  public int size() {
    return size;
  }

  /** What is not modelled as it stands, in words. */
  public Set<String> notModelled() {
    return notModelled;
  }

  void note(String words) {
    notModelled.add(words);
  }

  /** An instruction by its number. */
  public CodeRow get(int index) {
    return rows[index];
  }

  /** All of them that are known now: those of the blocks that were read so far. */
  public CodeRow[] table() {
    return rows;
  }

  /** Decodes the rows that were added to the code table since the last call. */
  public void update(boolean controlBits) {
    controlled =
        controlBits && spec.issue().dependences() == ModernCoreSpec.Dependences.CONTROL_BITS;
    while (size < code.size()) {
      if (size == rows.length) {
        rows = Arrays.copyOf(rows, 2 * size);
      }
      CodeRow row = new CodeRow(size);
      decoder.decode(row, code.get(size));
      row.complete(spec.issue().banks());
      rows[size++] = row;
    }
  }
}
