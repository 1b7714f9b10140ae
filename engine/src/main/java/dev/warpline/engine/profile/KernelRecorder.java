package dev.warpline.engine.profile;

import dev.warpline.engine.Workers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntUnaryOperator;

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

    /** Where it comes from, null if not known. */
    default KernelProfile.Source source(int row) {
      return null;
    }

    /** What a lane of it does. */
    LaneWork work(int row);

    /** What else is known of it. */
    default KernelProfile.Code code(int row) {
      return KernelProfile.Code.UNKNOWN;
    }

    /** What a register is called. */
    default String register(int number) {
      return "R" + number;
    }
  }

  private static final StallReason[] REASONS = StallReason.values();

  private final SmRecorder[] sms;
  private final TimelineRecorder[] timelines;
  private final MemoryRecorder memory;
  private final long start;
  private final ProfileOptions options;
  private Ledger[] ledgers = {};
  private final LineTrail trail;
  private int recordedSms;
  private final List<EventLog> logs = new ArrayList<>();

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
    trail =
        options.follow() == ProfileOptions.NOTHING
            ? null
            : new LineTrail(
                options.follow(), start, options.timelineFrom(), options.timelineUntil(), sms);
    for (int sm = 0; trail != null && sm < sms; sm++) {
      this.sms[sm].record(trail.sm(sm));
    }
  }

  /** Where the memory side writes the way of requests for the followed line; null if none is. */
  public LineTrail trail() {
    return trail;
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
      if (!options.topics().isEmpty()) {
        logs.add(new EventLog(sm, start, options));
        sms[sm].record(logs.get(logs.size() - 1));
      }
    }
  }

  /**
   * The SMs that a host thread runs share a ledger; call {@link #enter} before each step of an SM.
   */
  public void share(int threads) {
    ledgers = new Ledger[threads];
    Arrays.setAll(ledgers, i -> new Ledger(start));
    for (SmRecorder sm : sms) {
      sm.use(ledgers[0]);
    }
  }

  /** The calling thread is about to run an SM. */
  public void enter(int sm) {
    sms[sm].use(ledgers[Workers.current()]);
  }

  /** The recorder of an SM. */
  public SmRecorder sm(int sm) {
    return sms[sm].withLedger();
  }

  /**
   * What every SM does; called between windows.
   *
   * @param blocks resident blocks by SM
   */
  public List<SmActivity> activity(IntUnaryOperator blocks) {
    List<SmActivity> all = new ArrayList<>(sms.length);
    for (SmRecorder sm : sms) {
      all.add(new SmActivity(sm.sm(), blocks.applyAsInt(sm.sm()), sm.warps - sm.left, sm.total()));
    }
    return all;
  }

  /**
   * How full buffers were and how busy links between two cycles, on average, as far as is written
   * down by now; called between windows.
   *
   * @param blocks resident blocks by SM, which are counted as they are now
   */
  public Map<Level, Double> levels(IntUnaryOperator blocks, long from, long until) {
    Map<Level, Double> levels = new EnumMap<>(Level.class);
    for (Level level : Level.values()) {
      double sum = memory.time.sum(MemoryRecorder.LEVELS + level.ordinal(), from, until);
      for (Ledger ledger : ledgers) {
        sum += ledger.time.sum(Ledger.LEVELS + level.ordinal(), from, until);
      }
      levels.put(level, sum / Math.max(1, until - from));
    }
    double resident = 0;
    for (int sm = 0; sm < sms.length; sm++) {
      resident += blocks.applyAsInt(sm);
    }
    levels.put(Level.BLOCKS, resident);
    return levels;
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
    printLogs(listing);
    List<Ledger> ledgers = ledgers();
    return new KernelProfile(
        launch,
        lines(ledgers, listing),
        smProfiles(),
        traffic(memory.sliceSectors, memory.sliceHits),
        traffic(memory.channelRead, memory.channelWrite),
        series(ledgers),
        List.of(),
        slices,
        trail == null ? null : trail.followed());
  }

  /** Hands on the events of all SMs in the order of time, then of SMs. */
  private void printLogs(Listing listing) {
    logs.forEach(EventLog::sort);
    int[] next = new int[logs.size()];
    while (true) {
      int first = -1;
      for (int i = 0; i < next.length; i++) {
        if (next[i] < logs.get(i).size()
            && (first < 0 || logs.get(i).cycle(next[i]) < logs.get(first).cycle(next[first]))) {
          first = i;
        }
      }
      if (first < 0) {
        return;
      }
      options.log().accept(logs.get(first).text(next[first]++, listing));
    }
  }

  /** Every ledger once, complete. */
  private List<Ledger> ledgers() {
    Set<Ledger> all = Collections.newSetFromMap(new IdentityHashMap<>());
    all.addAll(List.of(ledgers));
    for (SmRecorder sm : sms) {
      sm.finish();
      if (sm.ledger() != null) {
        all.add(sm.ledger());
      }
    }
    return List.copyOf(all);
  }

  private static List<KernelProfile.Line> lines(List<Ledger> ledgers, Listing listing) {
    int rows = ledgers.stream().mapToInt(Ledger::rows).max().orElse(0);
    List<KernelProfile.Line> lines = new ArrayList<>(rows);
    long[] counts = new long[Ledger.COLUMNS];
    for (int row = 0; row < rows; row++) {
      Arrays.fill(counts, 0);
      for (Ledger ledger : ledgers) {
        ledger.addRow(row, counts);
      }
      if (Arrays.stream(counts).allMatch(value -> value == 0)) {
        continue; // never reached, or the second half of an instruction
      }
      lines.add(
          new KernelProfile.Line(
              row,
              listing.pc(row),
              listing.source(row),
              listing.text(row),
              listing.work(row),
              counts[StallReason.SELECTED.ordinal()],
              counts[Ledger.LANES],
              counts[Ledger.REQUESTS],
              counts[Ledger.SECTORS],
              counts[Ledger.L1_HITS],
              counts[Ledger.L2_HITS],
              counts[Ledger.DRAM_SECTORS],
              counts[Ledger.CONFLICTS],
              byReason(counts),
              listing.code(row)));
    }
    return lines;
  }

  private List<KernelProfile.Sm> smProfiles() {
    List<KernelProfile.Sm> profiles = new ArrayList<>();
    for (SmRecorder sm : sms) {
      long active = sm.warps == 0 ? 0 : sm.lastCycle - sm.firstCycle;
      profiles.add(
          new KernelProfile.Sm(sm.sm(), sm.warps, sm.warpCycles, active, byReason(sm.total())));
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

  private KernelProfile.Series series(List<Ledger> ledgers) {
    TimeBuckets warps = new TimeBuckets(Ledger.SERIES, start);
    for (Ledger ledger : ledgers) {
      warps.addAll(ledger.time);
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
        warps.series(Ledger.L1_SECTORS_OVER_TIME),
        warps.series(Ledger.L1_HITS_OVER_TIME),
        traffic.series(MemoryRecorder.L2_SECTORS),
        traffic.series(MemoryRecorder.L2_HITS),
        traffic.series(MemoryRecorder.DRAM_READ),
        traffic.series(MemoryRecorder.DRAM_WRITE),
        levels(warps, traffic));
  }

  /** Levels that anything was written down of. */
  private static Map<Level, long[]> levels(TimeBuckets warps, TimeBuckets traffic) {
    Map<Level, long[]> levels = new EnumMap<>(Level.class);
    for (Level level : Level.values()) {
      long[] one = warps.series(Ledger.LEVELS + level.ordinal());
      long[] other = traffic.series(MemoryRecorder.LEVELS + level.ordinal());
      for (int i = 0; i < one.length; i++) {
        one[i] += other[i];
      }
      if (Arrays.stream(one).anyMatch(v -> v != 0)) {
        levels.put(level, one);
      }
    }
    return levels;
  }

  /** The first columns of a row as a map, zeros left out. */
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
