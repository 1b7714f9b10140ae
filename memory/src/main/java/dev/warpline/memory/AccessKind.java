package dev.warpline.memory;

/** Why memory is accessed, in the order and with the names of Accel-Sim's statistics. */
public enum AccessKind {
  GLOBAL_ACC_R,
  LOCAL_ACC_R,
  CONST_ACC_R,
  TEXTURE_ACC_R,
  GLOBAL_ACC_W,
  LOCAL_ACC_W,
  L1_WRBK_ACC,
  L2_WRBK_ACC,
  INST_ACC_R,
  L1_WR_ALLOC_R,
  L2_WR_ALLOC_R;

  private static final AccessKind[] ALL = values();

  /** How many kinds there are. */
  public static int count() {
    return ALL.length;
  }

  public static AccessKind of(int ordinal) {
    return ALL[ordinal];
  }
}
