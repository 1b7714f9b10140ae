package dev.warpline.engine.gpu;

/** Generations of NVIDIA GPUs: code of one does not run on another. */
public enum Generation {
  KEPLER,
  MAXWELL,
  PASCAL,
  VOLTA,
  TURING,
  AMPERE,
  ADA,
  HOPPER,
  BLACKWELL;

  /** The generation of an SM number such as 86. */
  public static Generation of(int smVersion) {
    if (smVersion >= 100) {
      return BLACKWELL;
    }
    if (smVersion >= 90) {
      return HOPPER;
    }
    if (smVersion >= 80) {
      return smVersion == 89 ? ADA : AMPERE;
    }
    if (smVersion >= 70) {
      return smVersion >= 75 ? TURING : VOLTA;
    }
    return smVersion >= 60 ? PASCAL : smVersion >= 50 ? MAXWELL : KEPLER;
  }

  @Override
  public String toString() {
    return name().charAt(0) + name().substring(1).toLowerCase(java.util.Locale.ROOT);
  }
}
