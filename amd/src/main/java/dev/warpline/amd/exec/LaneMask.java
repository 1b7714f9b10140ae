package dev.warpline.amd.exec;

/**
 * Lane masks: none, produced (compare, carry out), read from the third source or from VCC, or both.
 */
enum LaneMask {
  NONE,
  OUT,
  IN_SOURCE2,
  IN_SOURCE2_OUT,
  IN_VCC;

  boolean isOut() {
    return this == OUT || this == IN_SOURCE2_OUT;
  }

  boolean isSource2() {
    return this == IN_SOURCE2 || this == IN_SOURCE2_OUT;
  }
}
