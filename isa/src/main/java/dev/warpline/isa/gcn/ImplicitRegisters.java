package dev.warpline.isa.gcn;

/** Bits of {@link GcnOpcode#implicitReads} and {@link GcnOpcode#implicitWrites}. */
public final class ImplicitRegisters {
  public static final int SCC = 1;
  public static final int VCC = 2;
  public static final int EXEC = 4;
  public static final int M0 = 8;
  public static final int FLAT_SCRATCH = 16;

  private static final String[] NAMES = {"scc", "vcc", "exec", "m0", "flat_scratch"};

  private ImplicitRegisters() {}

  /** The mask of a comma-separated list of names. */
  static int parse(String list) {
    int mask = 0;
    for (String name : list.split(",")) {
      int bit = java.util.Arrays.asList(NAMES).indexOf(name);
      if (bit < 0) {
        throw new IllegalArgumentException("unknown implicit register " + name);
      }
      mask |= 1 << bit;
    }
    return mask;
  }
}
