package dev.warpline.engine.profile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The recorders of one kernel: one per SM and one for the memory side. Made at launch, turned into
 * a {@link KernelProfile} at the end.
 */
public final class KernelRecorder {
  /** What the core knows of a static instruction: the listing's columns that are not counted. */
  public interface Listing {
    /** Byte offset of a row. */
    int pc(int row);

    /** The instruction as a disassembler prints it, or its mnemonic. */
    String text(int row);

    /** Source line, 0 if not known. */
    int sourceLine(int row);
  }

  private static final StallReason[] REASONS = StallReason.values();

  private final SmRecorder[] sms;
  private final TimelineRecorder[] timelines;
  private final MemoryRecorder memory;
  private final long start;
  private final ProfileOptions options;
  private int recordedSms;

  /**
   * @param options what to record
   * @param sms SMs of the GPU
   * @param warpSlots warps an SM can hold
   * @param slices L2 slices
   * @param channels DRAM channels
   * @param start cycle of the launch
   */
  public KernelRecorder(
      ProfileOptions options, int sms, int warpSlots, int slices, int channels, long start) {
    this.start = start;
    this.options = options;
    this.sms = new SmRecorder[sms];
    timelines = new TimelineRecorder[sms];
    for (int sm = 0; sm < sms; sm++) {
      this.sms[sm] = new SmRecorder(sm, warpSlots, start, null);
    }
    memory = new MemoryRecorder(slices, channels, start);
  }

  /**
   * A block goes to an SM. Called before its warps start, by the one thread that places blocks: the
   * first SMs that get one have a timeline.
   */
  public void placed(int sm) {
    if (timelines[sm] == null && recordedSms < options.recordedSms()) {
      recordedSms++;
      timelines[sm] =
          new TimelineRecorder(sm, start, options.timelineFrom(), options.timelineUntil());
      sms[sm].record(timelines[sm]);
    }
  }

  /** The recorder of an SM. */
  public SmRecorder sm(int sm) {
    return sms[sm];
  }

  /** The recorder of the memory side. */
  public MemoryRecorder memory() {
    return memory;
  }

  /**
   * What was written down; the core adds its throughputs.
   *
   * @param launch how the kernel was launched
   * @param listing what to print in each row
   */
  public KernelProfile profile(KernelProfile.Launch launch, Listing listing) {
    List<TimelineRecorder.Slice> slices = new ArrayList<>();
    for (TimelineRecorder timeline : timelines) {
      for (int i = 0; timeline != null && i < timeline.size(); i++) {
        slices.add(timeline.slice(i));
      }
    }
    return new KernelProfile(
        launch,
        lines(listing),
        smProfiles(),
        traffic(memory.sliceSectors, memory.sliceHits),
        traffic(memory.channelRead, memory.channelWrite),
        series(),
        List.of(),
        slices);
  }

  private List<KernelProfile.Line> lines(Listing listing) {
    int rows = 0;
    for (SmRecorder sm : sms) {
      rows = Math.max(rows, sm.rows);
    }
    List<KernelProfile.Line> lines = new ArrayList<>(rows);
    long[] stalls = new long[StallReason.COUNT];
    long[] counts = new long[SmRecorder.MEMORY_COLUMNS];
    for (int row = 0; row < rows; row++) {
      Arrays.fill(stalls, 0);
      Arrays.fill(counts, 0);
      long executed = 0;
      long lanes = 0;
      for (SmRecorder sm : sms) {
        if (row < sm.rows) {
          executed += sm.executed[row];
          lanes += sm.lanes[row];
          addRow(sm.stalls, row, stalls);
          addRow(sm.memory, row, counts);
        }
      }
      if (executed == 0 && isZero(stalls) && isZero(counts)) {
        continue; // never reached, or the second half of an instruction
      }
      lines.add(
          new KernelProfile.Line(
              row,
              listing.pc(row),
              listing.sourceLine(row),
              listing.text(row),
              executed,
              lanes,
              counts[SmRecorder.REQUESTS],
              counts[SmRecorder.SECTORS],
              counts[SmRecorder.L1_HITS],
              counts[SmRecorder.L2_HITS],
              counts[SmRecorder.DRAM_SECTORS],
              counts[SmRecorder.CONFLICTS],
              byReason(stalls)));
    }
    return lines;
  }

  private static boolean isZero(long[] values) {
    return Arrays.stream(values).allMatch(value -> value == 0);
  }

  private static void addRow(long[] table, int row, long[] sums) {
    for (int i = 0; i < sums.length; i++) {
      sums[i] += table[row * sums.length + i];
    }
  }

  private List<KernelProfile.Sm> smProfiles() {
    List<KernelProfile.Sm> profiles = new ArrayList<>();
    long[] stalls = new long[StallReason.COUNT];
    for (SmRecorder sm : sms) {
      Arrays.fill(stalls, 0);
      for (int row = 0; row < sm.rows; row++) {
        addRow(sm.stalls, row, stalls);
      }
      long active = sm.warps == 0 ? 0 : sm.lastCycle - sm.firstCycle;
      profiles.add(
          new KernelProfile.Sm(sm.sm(), sm.warps, sm.warpCycles, active, byReason(stalls)));
    }
    return profiles;
  }

  private static List<KernelProfile.Traffic> traffic(long[] first, long[] second) {
    List<KernelProfile.Traffic> parts = new ArrayList<>();
    for (int i = 0; i < first.length; i++) {
      parts.add(new KernelProfile.Traffic(first[i], second[i]));
    }
    return parts;
  }

  private KernelProfile.Series series() {
    TimeBuckets warps = new TimeBuckets(SmRecorder.SERIES, start);
    for (SmRecorder sm : sms) {
      warps.addAll(sm.time);
    }
    TimeBuckets traffic = new TimeBuckets(MemoryRecorder.SERIES, start);
    traffic.addAll(memory.time);
    warps.align(traffic);
    traffic.align(warps);
    Map<StallReason, long[]> states = new EnumMap<>(StallReason.class);
    for (StallReason reason : REASONS) {
      long[] one = warps.series(reason.ordinal());
      if (Arrays.stream(one).anyMatch(v -> v != 0)) {
        states.put(reason, one);
      }
    }
    return new KernelProfile.Series(
        warps.bucketCycles(),
        states,
        warps.series(SmRecorder.L1_SECTORS_OVER_TIME),
        warps.series(SmRecorder.L1_HITS_OVER_TIME),
        traffic.series(MemoryRecorder.L2_SECTORS),
        traffic.series(MemoryRecorder.L2_HITS),
        traffic.series(MemoryRecorder.DRAM_READ),
        traffic.series(MemoryRecorder.DRAM_WRITE));
  }

  private static Map<StallReason, Long> byReason(long[] stalls) {
    Map<StallReason, Long> map = new EnumMap<>(StallReason.class);
    for (StallReason reason : REASONS) {
      if (stalls[reason.ordinal()] != 0) {
        map.put(reason, stalls[reason.ordinal()]);
      }
    }
    return map;
  }
}
