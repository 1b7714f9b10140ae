package dev.warpline.engine.profile;

/** Where an instruction is between fetch and completion; a core records the stages it has. */
public enum Stage {
  FETCH("F", "fetch"),
  DECODE("D", "decode"),
  BUFFER("IB", "instruction buffer"),
  ISSUE("Is", "issue"),
  CONTROL("Ct", "control"),
  ALLOCATE("Al", "allocate"),
  COLLECT("OC", "operand collector"),
  EXECUTE("Ex", "execute"),
  MEMORY("Mem", "memory"),
  WRITE_BACK("WB", "write-back");

  private final String symbol;
  private final String label;

  Stage(String symbol, String label) {
    this.symbol = symbol;
    this.label = label;
  }

  /** Letters for pipeline diagrams. */
  public String symbol() {
    return symbol;
  }

  /** A short name for people. */
  public String label() {
    return label;
  }
}
