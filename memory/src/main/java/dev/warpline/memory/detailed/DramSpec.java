package dev.warpline.memory.detailed;

import dev.warpline.engine.gpu.DetailedMemorySpec.BankGroupIndex;
import dev.warpline.engine.gpu.DetailedMemorySpec.BankIndex;
import dev.warpline.engine.gpu.DetailedMemorySpec.Dram;
import dev.warpline.engine.gpu.DetailedMemorySpec.Timing;

/**
 * A DRAM channel. Times are in DRAM command cycles unless they say otherwise.
 *
 * @param banks banks of the channel
 * @param bankGroups bank groups
 * @param tCCD column command to column command
 * @param tRRD activate to activate of another bank
 * @param tRCD activate to read
 * @param tRAS activate to precharge
 * @param tRP precharge to activate
 * @param tRC activate to activate of the same bank
 * @param readLatency read command to data (CL)
 * @param writeLatency write command to data (WL)
 * @param tCDLR end of write data to read
 * @param tWR end of write data to precharge
 * @param tCCDL column command to column command of the same bank group
 * @param tRTPL read to precharge in the same bank group
 * @param burstCycles command cycles that one burst takes on the data bus
 * @param burstBytes bytes of one burst
 * @param firstReady serve open rows first (FR-FCFS); otherwise strictly in order
 * @param schedulerQueue requests the scheduler holds, 0 for no limit
 * @param returnQueue finished requests that may wait, 0 for 1024
 * @param dualBus row and column commands have buses of their own
 * @param bankHash xor the bank number with row bits
 * @param groupByLowBits neighbouring banks are in different groups
 * @param writeQueue requests of a separate write queue, 0 for none
 * @param writeHigh writes waiting that turn the channel to writing
 * @param writeLow writes waiting that turn it back
 * @param freeTurnaround reads and writes may follow each other at once
 * @param refreshInterval cycles between refreshes (tREFI), 0 for none
 * @param refreshCycles cycles a refresh takes (tRFC)
 * @param simple no banks: one burst per cycle after {@code latency}
 * @param latency fixed delay in front of the scheduler, in core cycles
 */
record DramSpec(
    int banks,
    int bankGroups,
    int tCCD,
    int tRRD,
    int tRCD,
    int tRAS,
    int tRP,
    int tRC,
    int readLatency,
    int writeLatency,
    int tCDLR,
    int tWR,
    int tCCDL,
    int tRTPL,
    int burstCycles,
    int burstBytes,
    boolean firstReady,
    int schedulerQueue,
    int returnQueue,
    boolean dualBus,
    boolean bankHash,
    boolean groupByLowBits,
    int writeQueue,
    int writeHigh,
    int writeLow,
    boolean freeTurnaround,
    int refreshInterval,
    int refreshCycles,
    boolean simple,
    int latency) {

  DramSpec {
    if (banks > 64 || Integer.bitCount(banks) != 1) {
      throw new IllegalArgumentException(
          "DRAM channel with " + banks + " banks: expected a power of two up to 64");
    }
  }

  /** The channel of a GPU description. */
  static DramSpec of(Dram dram) {
    Timing t = dram.timing();
    return new DramSpec(
        t.banks(),
        t.bankGroups(),
        t.ccd(),
        t.rrd(),
        t.rcd(),
        t.ras(),
        t.rp(),
        t.rc(),
        t.cl(),
        t.wl(),
        t.cdlr(),
        t.wr(),
        t.ccdl(),
        t.rtpl(),
        dram.burstLength() / dram.beatsPerCommand(),
        dram.burstBytes(),
        dram.scheduler().words().equals("fr-fcfs"),
        dram.schedulerQueue(),
        dram.returnQueue(),
        dram.dualCommandBus(),
        dram.bankIndex() != BankIndex.LINEAR,
        dram.bankGroupIndex() == BankGroupIndex.LOW_BITS,
        dram.separateWriteQueue() ? dram.writeQueue() : 0,
        dram.writeHigh(),
        dram.writeLow(),
        dram.freeTurnaround(),
        dram.refreshInterval(),
        dram.refreshCycles(),
        dram.simple(),
        dram.latency());
  }

  int tRCDWrite() {
    return Math.max(0, tRCD - (writeLatency + 1));
  }

  int readToWrite() {
    return freeTurnaround ? 0 : readLatency + burstCycles + 2 - writeLatency;
  }

  int writeToRead() {
    return freeTurnaround ? 0 : writeLatency + burstCycles + tCDLR;
  }

  int writeToPrecharge() {
    return writeLatency + burstCycles + tWR;
  }
}
