package dev.warpline.memory.flow;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.ClockSpec;
import dev.warpline.engine.gpu.DramStandard;
import dev.warpline.engine.gpu.FlowMemorySpec;
import dev.warpline.memory.dram.Rules;
import dev.warpline.policy.PagePolicy;
import dev.warpline.policy.hash.Divisor;
import dev.warpline.policy.hash.Mix;
import java.util.function.Supplier;

/**
 * Channels by the rules of a DRAM standard. Writes wait until a channel has collected some, so that
 * it need not turn round for each.
 *
 * <p>Channels go in pairs: neighbouring sectors of 32 bytes are in the two of a pair, as in the
 * pseudo channels of an HBM channel or the two channels of a GDDR6 chip.
 */
final class StandardDram extends Dram {
  private static final int SECTOR = 32;

  /** Stretch of addresses in one bank of each channel of a pair. */
  private static final int UNIT = 2 * SECTOR;

  private final double commandsPerCycle;
  private final long controllerCycles;
  private final int burstsPerSector;
  private final Rules rules;
  private final ReservedChannel[] channels;
  private final int pairWidth;
  private final boolean shared;
  private final int pairsPerSide;
  private final Divisor pairs;
  private final Divisor rowStretch;
  private final Divisor banks;
  private final int alternate;

  // Writes that a channel has collected.
  private final int[][] writeBank;
  private final long[][] writeRow;
  private final int[] writes;

  @Counter("rows closed because another one of the bank was needed")
  long rowConflicts;

  /**
   * @param partitions among which the channels are divided
   */
  StandardDram(FlowMemorySpec.Dram dram, ClockSpec clocks, int partitions) {
    DramStandard standard = dram.loaded();
    double clock = standard.clockMHz() * clocks.dramMHz() / dram.ratedMHz();
    rules = new Rules(standard, clock);
    commandsPerCycle = clock / clocks.coreMHz();
    controllerCycles = Math.round(clocks.cycles(dram.controllerNs()));
    burstsPerSector = Math.max(1, SECTOR / standard.burstBytes());
    Supplier<PagePolicy> pages = dram.pages();
    channels = new ReservedChannel[dram.stacks() * standard.channels()];
    for (int i = 0; i < channels.length; i++) {
      channels[i] = new ReservedChannel(rules, pages.get());
    }
    pairWidth = channels.length % 2 == 0 ? 2 : 1;
    int all = channels.length / pairWidth;
    // Channels that cannot be divided among the partitions serve all of them.
    shared = all % partitions != 0;
    pairsPerSide = shared ? all : all / partitions;
    pairs = new Divisor(pairsPerSide);
    alternate = standard.bankGroups() % 2 == 0 ? 1 : 0;
    rowStretch = new Divisor((1L + alternate) * channels.length * standard.rowBytes());
    banks = new Divisor(standard.banks());
    writeBank = new int[channels.length][dram.writeQueue()];
    writeRow = new long[channels.length][dram.writeQueue()];
    writes = new int[channels.length];
  }

  @Override
  void reset() {
    for (int i = 0; i < channels.length; i++) {
      channels[i].reset();
      writes[i] = 0;
    }
  }

  @Override
  public double access(double time, long address, int side, int bytes, boolean write) {
    long hash = Mix.mix(address >>> 9);
    int pair = (shared ? 0 : side * pairsPerSide) + pairs.remainder(hash >>> 8);
    long row = rowStretch.quotient(address);
    // Neighbours alternate between two bank groups, so that they may follow each other at once.
    int bank = banks.remainder(Mix.mix(row) >>> 1) ^ (int) (address / UNIT) & alternate;
    double done = time;
    for (int moved = 0; moved < bytes; moved += SECTOR) {
      int half = (int) ((address + moved) / SECTOR) & pairWidth - 1;
      int channel = pair * pairWidth + half;
      long opened = rowMisses;
      double end = write ? write(time, channel, bank, row) : read(time, channel, bank, row);
      if (trail != null) {
        trail.dram(channel, bank, row, rowMisses != opened);
      }
      moved(channel, time, end, Math.min(SECTOR, bytes), write);
      done = Math.max(done, end);
    }
    return done;
  }

  private double read(double time, int channel, int bank, long row) {
    double when = serve(channel, bank, row, false, time * commandsPerCycle);
    return (when + rules.dataCycles(false)) / commandsPerCycle;
  }

  /** A write is done when it has its place in the queue. */
  private double write(double time, int channel, int bank, long row) {
    int at = writes[channel]++;
    writeBank[channel][at] = bank;
    writeRow[channel][at] = row;
    if (writes[channel] < writeBank[channel].length) {
      return time;
    }
    double now = time * commandsPerCycle;
    double last = now;
    for (int i = 0; i < writes[channel]; i++) {
      last = Math.max(last, serve(channel, writeBank[channel][i], writeRow[channel][i], true, now));
    }
    writes[channel] = 0;
    return last / commandsPerCycle;
  }

  private double serve(int channel, int bank, long row, boolean write, double now) {
    ReservedChannel there = channels[channel];
    long opened = there.opened;
    long conflicts = there.conflicts;
    double when = now;
    for (int i = 0; i < burstsPerSector; i++) {
      when = there.access(bank, row, write, when);
    }
    rowMisses += there.opened - opened;
    rowConflicts += there.conflicts - conflicts;
    return when;
  }

  @Override
  double latency(double time, long address, int side) {
    return controllerCycles;
  }

  @Override
  public long latencyCycles() {
    return controllerCycles;
  }
}
