package dev.warpline.nvidia.modern.launch;

/** The unit that hands out blocks, of one kernel or of several: one after the other. */
public final class Distributor {
  /** When it can hand out the next one. */
  double free;

  /** By SM: until when it is taking its last block. */
  final long[] busy;

  public Distributor(int sms) {
    busy = new long[sms];
  }
}
