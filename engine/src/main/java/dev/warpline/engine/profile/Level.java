package dev.warpline.engine.profile;

import java.util.Locale;

/**
 * How full the machine's buffers are and how busy its links. A level is kept over time as a sum
 * over a bucket's cycles; divided by the bucket's width it is what the name says.
 */
public enum Level {
  BLOCKS("resident blocks"),
  LSU_QUEUE("global memory instructions in LSU queues"),
  MIO_QUEUE("other instructions in MIO queues"),
  IN_FLIGHT("requests past L1"),
  TO_SMS("network to SMs, bytes per cycle"),
  FROM_SMS("network from SMs, bytes per cycle"),
  BETWEEN("between L2 partitions, bytes per cycle"),
  NETWORK_QUEUE("requests waiting for the network"),
  L2_QUEUE("requests at L2 slices"),
  DRAM_QUEUE("accesses at DRAM channels");

  /** How many levels there are. */
  public static final int COUNT = values().length;

  private final String label;

  Level(String label) {
    this.label = label;
  }

  /** A short name for people. */
  public String label() {
    return label;
  }

  /** The name in results and files, e.g. {@code l2_queue}. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
