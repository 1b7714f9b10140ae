package dev.warpline.engine.profile;

import java.util.Arrays;

/**
 * Time by instruction and over time, as one host thread writes it down for every SM it runs: a
 * table that stays in the processor's cache, where one per SM would not. All entries are sums, so
 * it does not matter which thread ran which SM.
 */
final class Ledger {
  /** Columns of a row that follow the reasons. */
  static final int LANES = StallReason.COUNT;

  static final int REQUESTS = StallReason.COUNT + 1;
  static final int SECTORS = StallReason.COUNT + 2;
  static final int L1_HITS = StallReason.COUNT + 3;
  static final int L2_HITS = StallReason.COUNT + 4;
  static final int DRAM_SECTORS = StallReason.COUNT + 5;
  static final int CONFLICTS = StallReason.COUNT + 6;
  static final int COLUMNS = StallReason.COUNT + 7;

  /** Series over time that follow the reasons. */
  static final int L1_SECTORS_OVER_TIME = StallReason.COUNT;

  static final int L1_HITS_OVER_TIME = StallReason.COUNT + 1;

  /** Levels follow; those of the memory side stay empty here. */
  static final int LEVELS = StallReason.COUNT + 2;

  static final int SERIES = LEVELS + Level.COUNT;

  final TimeBuckets time;
  long[] table = new long[64 * COLUMNS];

  Ledger(long start) {
    time = new TimeBuckets(SERIES, start);
  }

  /** Where a row begins in the {@link #table}. */
  int place(int row) {
    int place = row * COLUMNS;
    if (place >= table.length) {
      table = Arrays.copyOf(table, Math.max(place + COLUMNS, 2 * table.length));
    }
    return place;
  }

  void add(int row, int column, long amount) {
    int place = place(row); // may replace the table
    table[place + column] += amount;
  }

  int rows() {
    return table.length / COLUMNS;
  }

  /** Adds a row to sums of its columns. */
  void addRow(int row, long[] sums) {
    if (row < rows()) {
      for (int i = 0; i < COLUMNS; i++) {
        sums[i] += table[row * COLUMNS + i];
      }
    }
  }
}
