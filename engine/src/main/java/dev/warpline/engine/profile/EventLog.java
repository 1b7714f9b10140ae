package dev.warpline.engine.profile;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Set;

/**
 * What happened on one SM in a window of cycles, event by event, as the debug streams of other
 * simulators print it. Only the thread that runs the SM writes.
 */
public final class EventLog {
  private static final int WORDS = 3;
  private static final LogEvent[] EVENTS = LogEvent.values();

  private final int sm;
  private final long start;
  private final long from;
  private final long until;
  private final Set<LogEvent.Topic> topics;
  private long[] words = new long[WORDS * 256];
  private int size;

  EventLog(int sm, long start, ProfileOptions options) {
    this.sm = sm;
    this.start = start;
    from = options.timelineFrom();
    until = options.timelineUntil();
    topics = options.topics();
  }

  /** Something happened to an instruction. */
  public void add(long cycle, LogEvent event, int warp, int row) {
    add(cycle, event, warp, row, -1);
  }

  /**
   * Something happened to a register.
   *
   * @param row the instruction on whose behalf
   * @param register its number, which the core's listing can name
   */
  public void add(long cycle, LogEvent event, int warp, int row, int register) {
    long since = cycle - start;
    if (since < from || since >= until || !topics.contains(event.topic())) {
      return;
    }
    if (size == words.length) {
      words = Arrays.copyOf(words, 2 * size);
    }
    words[size] = since;
    words[size + 1] = (long) event.ordinal() << 32 | warp;
    words[size + 2] = (long) register << 32 | row;
    size += WORDS;
  }

  int size() {
    return size / WORDS;
  }

  /** Puts events into the order of time: some are known before they happen. */
  void sort() {
    int n = size();
    Integer[] order = new Integer[n];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparingLong(this::cycle));
    long[] sorted = new long[size];
    for (int i = 0; i < n; i++) {
      System.arraycopy(words, order[i] * WORDS, sorted, i * WORDS, WORDS);
    }
    words = sorted;
  }

  long cycle(int index) {
    return words[index * WORDS];
  }

  /** An event in words, e.g. {@code 1234 SM 0 warp 3 scoreboard reserve R5 for 0040 IMAD}. */
  String text(int index, KernelRecorder.Listing listing) {
    LogEvent event = EVENTS[(int) (words[index * WORDS + 1] >> 32)];
    int row = (int) words[index * WORDS + 2];
    String instruction = String.format("%04x %s", listing.pc(row), listing.text(row));
    String what = event.name().toLowerCase(java.util.Locale.ROOT);
    String said = what + " " + instruction;
    if (event.ofRegister()) {
      said = "scoreboard " + what + " " + listing.register((int) (words[index * WORDS + 2] >> 32));
      said += event == LogEvent.RELEASE ? "" : event == LogEvent.RESERVE ? " for " : " before ";
      said += event == LogEvent.RELEASE ? "" : instruction;
    }
    int warp = (int) words[index * WORDS + 1];
    return String.format("%8d SM %d warp %d %s", cycle(index), sm, warp, said);
  }
}
