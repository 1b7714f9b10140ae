package dev.warpline.nvidia.hopper;

/** A barrier was used that no instruction of the block initialised. */
public final class UninitialisedBarrierException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  public UninitialisedBarrierException(int address) {
    super(
        String.format(
            "mbarrier at shared address 0x%x is used but was never initialised"
                + " (expected SYNCS.EXCH.64 on it before)",
            address));
  }
}
