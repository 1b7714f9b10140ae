package dev.warpline.memory.flow;

import dev.warpline.engine.gpu.ClockSpec;
import dev.warpline.engine.gpu.FlowMemorySpec;
import dev.warpline.policy.hash.Divisor;
import dev.warpline.policy.hash.Mix;
import java.util.Arrays;

/**
 * Channels as links with a rate, that lose time when they open another row or turn round. They have
 * a clock of their own; what it means in core cycles is computed once.
 */
final class LinkDram extends Dram {
  private static final int SECTOR = 32;
  private static final int BANKS = 16;

  /** Bytes that lie in so many banks, as a shift: measured, tails.cu. */
  private static final int REGION = 16;

  private final double bytesPerCycle;
  private final double rowCycles;
  private final double writeRowCycles;
  private final double turnCycles;

  /** So long before it is moved a write is taken. */
  private final double writesAhead;

  private final long latencyCycles;
  private final long lateEvery;
  private final long lateCycles;
  private final Lane[] channels;
  private final long[] openRow;
  private final boolean[] writing;
  private final boolean shared;
  private final int channelsPerSide;
  private final Divisor perPartition;
  private final Divisor rowBytes;

  LinkDram(FlowMemorySpec spec, ClockSpec clocks, Past past) {
    bytesPerCycle = spec.dramBytesPerCycle(clocks);
    rowCycles = clocks.cycles(spec.dramRowNs());
    writeRowCycles = clocks.cycles(spec.dramWriteRowNs());
    turnCycles = clocks.cycles(spec.dramTurnNs());
    writesAhead = spec.dramWritesBehind() * (SECTOR / bytesPerCycle + writeRowCycles);
    latencyCycles = Math.round(clocks.cycles(spec.dramNs()));
    lateEvery = Math.round(clocks.cycles(spec.dramLateEveryNs()));
    lateCycles = Math.round(clocks.cycles(spec.dramLateNs()));
    channels = new Lane[spec.dramChannels()];
    Arrays.setAll(channels, i -> new Lane(past));
    openRow = new long[2 * channels.length * BANKS];
    writing = new boolean[channels.length];
    // Channels that cannot be divided among the partitions serve all of them.
    shared = channels.length % spec.partitions() != 0;
    channelsPerSide = shared ? channels.length : channels.length / spec.partitions();
    perPartition = new Divisor(channelsPerSide);
    rowBytes = new Divisor(spec.dramRowBytes());
    reset();
  }

  @Override
  void reset() {
    for (Lane channel : channels) {
      channel.reset();
    }
    Arrays.fill(openRow, -1);
    Arrays.fill(writing, false);
  }

  @Override
  public double access(double time, long address, int side, int bytes, boolean write) {
    long hash = Mix.mix(address >>> 9);
    int channel = (shared ? 0 : side * channelsPerSide) + perPartition.remainder(hash >>> 8);
    long row = rowBytes.quotient(address);
    // Writes wait and go in bursts, so they find other rows open than reads do.
    int bank = (channel * 2 + (write ? 1 : 0)) * BANKS + (int) (Mix.mix(row) & (BANKS - 1));
    double cycles = bytes / bytesPerCycle;
    if (trail != null) {
      trail.dram(channel, bank & BANKS - 1, row, openRow[bank] != row);
    }
    if (openRow[bank] != row) {
      openRow[bank] = row;
      rowMisses++;
      cycles += write ? writeRowCycles : rowCycles;
    }
    if (writing[channel] != write) {
      writing[channel] = write;
      cycles += turnCycles;
    }
    double done = channels[channel].reserve(time, cycles);
    moved(channel, time, done, bytes, write);
    return write ? Math.max(time, done - writesAhead) : done;
  }

  /**
   * Latency of a read that its channel serves at a time. Now and then a bank answers late while the
   * others go on: the tail of the latency that lone reads were measured to have, not a loss of
   * bandwidth.
   */
  @Override
  double latency(double time, long address, int side) {
    double wait = 0;
    if (lateEvery > 0) {
      // Neighbours are spread over some banks, each with times of its own.
      long bank =
          Mix.mix(
              ((address >>> REGION) * 2 + side) * BANKS + (Mix.mix(address >>> 9) & (BANKS - 1)));
      wait = Math.max(0, lateCycles - rest(time + (bank & 0xffff), lateEvery));
    }
    return latencyCycles + wait;
  }

  /** What a division of a time leaves, to the last bit, without the system's library. */
  static double rest(double time, long by) {
    double rest = time - (double) (long) (time / by) * by;
    // The quotient may be off by one; the differences are exact.
    return rest < 0 ? rest + by : rest >= by ? rest - by : rest;
  }

  /** Latency of a read that is not late. */
  @Override
  public long latencyCycles() {
    return latencyCycles;
  }
}
