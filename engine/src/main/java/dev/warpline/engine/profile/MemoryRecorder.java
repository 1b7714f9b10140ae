package dev.warpline.engine.profile;

/**
 * What the memory side writes down of one kernel: traffic per L2 slice and per DRAM channel, and
 * both over time. Written between windows or by one thread.
 */
public final class MemoryRecorder {
  static final int L2_SECTORS = 0;
  static final int L2_HITS = 1;
  static final int DRAM_READ = 2;
  static final int DRAM_WRITE = 3;

  /** Levels follow; those of the SMs stay empty here. */
  static final int LEVELS = 4;

  static final int SERIES = LEVELS + Level.COUNT;

  final TimeBuckets time;
  final long[] sliceSectors;
  final long[] sliceHits;
  final long[] channelRead;
  final long[] channelWrite;

  /**
   * @param slices L2 slices
   * @param channels DRAM channels
   * @param start cycle of the kernel's launch
   */
  public MemoryRecorder(int slices, int channels, long start) {
    time = new TimeBuckets(SERIES, start);
    sliceSectors = new long[slices];
    sliceHits = new long[slices];
    channelRead = new long[channels];
    channelWrite = new long[channels];
  }

  /** A slice looked up sectors, in core cycles. */
  public void l2(int slice, long cycle, int sectors, int hits) {
    sliceSectors[slice] += sectors;
    sliceHits[slice] += hits;
    time.add(L2_SECTORS, cycle, sectors);
    time.add(L2_HITS, cycle, hits);
  }

  /** Something is in a buffer from a time to another, in core cycles. */
  public void stays(Level level, double from, double until) {
    time.addSpan(LEVELS + level.ordinal(), (long) from, (long) until);
  }

  /** A link moved bytes. */
  public void moved(Level level, double cycle, long bytes) {
    time.add(LEVELS + level.ordinal(), (long) cycle, bytes);
  }

  /** A channel moved bytes. */
  public void dram(int channel, long cycle, int bytes, boolean write) {
    (write ? channelWrite : channelRead)[channel] += bytes;
    time.add(write ? DRAM_WRITE : DRAM_READ, cycle, bytes);
  }
}
