package dev.warpline.memory.cache;

/** How a cache access went: ints for the hot path, names for statistics, in Accel-Sim's order. */
public final class CacheOutcome {
  public static final int HIT = 0;

  /** The sector is on its way; the request waits for it. */
  public static final int HIT_RESERVED = 1;

  public static final int MISS = 2;

  /** Nothing happened for lack of a line, a miss entry or queue room: try again. */
  public static final int RESERVATION_FAIL = 3;

  /** The line is there, the sector is not. */
  public static final int SECTOR_MISS = 4;

  /** A miss that joined another one under way; counted besides the miss. */
  public static final int MSHR_HIT = 5;

  public static final int COUNT = 6;

  /** Why a reservation failed. */
  public static final int LINE_ALLOC_FAIL = 0;

  public static final int MISS_QUEUE_FULL = 1;
  public static final int MSHR_ENTRY_FAIL = 2;
  public static final int MSHR_MERGE_FAIL = 3;
  public static final int MSHR_RW_PENDING = 4;
  public static final int FAIL_COUNT = 5;

  private static final String[] NAMES = {
    "HIT", "HIT_RESERVED", "MISS", "RESERVATION_FAIL", "SECTOR_MISS", "MSHR_HIT"
  };

  // Spelling as printed by Accel-Sim, which scripts look for.
  private static final String[] FAIL_NAMES = {
    "LINE_ALLOC_FAIL",
    "MISS_QUEUE_FULL",
    "MSHR_ENRTY_FAIL",
    "MSHR_MERGE_ENRTY_FAIL",
    "MSHR_RW_PENDING"
  };

  private CacheOutcome() {}

  public static String name(int outcome) {
    return NAMES[outcome];
  }

  public static String failName(int reason) {
    return FAIL_NAMES[reason];
  }
}
