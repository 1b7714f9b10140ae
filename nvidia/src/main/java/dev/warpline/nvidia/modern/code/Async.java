package dev.warpline.nvidia.modern.code;

/** What an instruction asks of the asynchronous units. */
public final class Async {
  public static final byte BARRIER_INIT = 0;
  public static final byte BARRIER_ARRIVE = 1;
  public static final byte BARRIER_EXPECT = 2;
  public static final byte BARRIER_BRING = 3;
  public static final byte BARRIER_WAIT = 4;
  public static final byte LOAD = 5;
  public static final byte STORE = 6;
  public static final byte REDUCTION = 7;
  public static final byte PREFETCH = 8;
  public static final byte FLUSH = 9;
  public static final byte PRODUCT = 10;
  public static final byte GROUP_ARRIVE = 11;
  public static final byte GROUP_WAIT = 12;
  public static final byte TAKE_REGISTERS = 13;
  public static final byte GIVE_REGISTERS = 14;
  public static final byte CLUSTER_ARRIVE = 15;
  public static final byte CLUSTER_WAIT = 16;
  public static final byte COPIES_ARRIVE = 17;
  public static final byte NOTHING = 18;

  private Async() {}
}
