package dev.warpline.amd.cu;

import dev.warpline.amd.exec.MemoryAccess;
import dev.warpline.amd.memory.Interleave;
import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.AmdSpec;
import java.util.Arrays;

/**
 * The local data share and the pipe in front of it: one instruction enters per cycle, they are
 * served in order, each for as long as its bank conflicts and the data bus take.
 */
final class LdsPipe {
  @Counter("LDS instructions")
  long instructions;

  @Counter("bank accesses")
  long bankAccesses;

  @Counter(value = "cycles lost to bank conflicts", unit = "cycles")
  long conflictCycles;

  final Distribution lanesDistribution = new Distribution("activeLanesPerLMemInstrDist", 1, 64, 4);
  final Distribution conflictDistribution = new Distribution("ldsBankConflictDist", 0, 64, 2);

  private final ComputeUnit cu;
  private final AmdSpec.Lds spec;
  private final AmdSpec.MemoryPipes pipes;
  private final int[] bankUse;

  /** The word that a bank had last. */
  private final long[] bankWord;

  private final long[] seen = new long[64 * 8];
  private final long[] bankStamp;
  private long stamp;
  private long busFree;
  private long lastIssue;
  private long serviceFree;
  private long lastReturn;
  private int inFlight;

  /** Instructions in flight: wave and instruction by number. */
  private Wavefront[] wave = new Wavefront[16];

  private TimedInstruction[] instruction = new TimedInstruction[16];
  private int[] free = new int[16];
  private int freeCount;
  private int used;

  LdsPipe(ComputeUnit cu) {
    this.cu = cu;
    spec = cu.spec.lds();
    pipes = cu.spec.pipes();
    bankUse = new int[spec.banks()];
    bankWord = new long[spec.banks()];
    bankStamp = new long[spec.banks()];
  }

  /** First cycle in which an instruction may be sent here, for it to execute in the next. */
  long readyAt() {
    return inFlight >= pipes.localQueue() ? Long.MAX_VALUE : busFree - 1;
  }

  void execute(Wavefront w, TimedInstruction i, long now) {
    instructions++;
    MemoryAccess access = cu.array.executor.access(w, i, now);
    busFree = now + (i.isLoad ? 1 : 2) * (long) pipes.vrfLmBus();
    lanesDistribution.sample(Long.bitCount(access.ldsLanes));
    int number = take(w, i);
    long conflictsBefore = conflictCycles;
    cu.at(serve(access, i.isLoad, i.isAtomic, now), ComputeUnit.LDS_DONE, number);
    if (w.profile != null) {
      int conflicts = (int) (conflictCycles - conflictsBefore);
      w.profile.access(w.profile.row(w.bufferPc), now, 0, 0, conflicts);
    }
  }

  /** Reserves the LDS for the lanes of an access that touch it; returns when its data are back. */
  long serve(MemoryAccess access, boolean load, boolean atomic, long now) {
    long issue = Math.max(now + 1, lastIssue + 1);
    lastIssue = issue;
    int conflicts = conflicts(access, !atomic);
    int width = load ? pipes.coalescerToVrfBytes() : pipes.vrfToCoalescerBytes();
    int banks = conflicts * spec.bankConflictPenalty();
    int bus = Math.max(1, 256 / width);
    int service = spec.busAfterBanks() ? banks + bus : Math.max(banks, bus);
    serviceFree = Math.max(issue, serviceFree) + service;
    long back = Math.max(serviceFree + spec.latency(), lastReturn + pipes.vrfLmBus());
    lastReturn = back;
    return back;
  }

  void done(int number, long now) {
    Wavefront w = wave[number];
    TimedInstruction i = instruction[number];
    give(number);
    w.lgkmCount--;
    Wavefront.setReady(w.vectorReady, i.vectorResults, now + 1);
    cu.check.add(w);
  }

  /**
   * Conflict cycles: lanes go in groups as wide as there are banks; a group costs as many cycles as
   * the busiest bank has different words. A word read or written by several lanes counts once;
   * atomics do not merge.
   */
  private int conflicts(MemoryAccess access, boolean merge) {
    int total = 0;
    int group = Math.min(64, spec.banks());
    for (int first = 0; first < 64; first += group) {
      long mask = access.ldsLanes >>> first & (group == 64 ? -1L : (1L << group) - 1);
      if (mask == 0) {
        continue;
      }
      stamp++;
      int words = 0;
      int worst = 0;
      for (long rest = mask; rest != 0; rest &= rest - 1) {
        int lane = first + Long.numberOfTrailingZeros(rest);
        for (int e = 0; e < access.elements; e++) {
          long at = e == 0 ? access.address[lane] : access.address1[lane];
          long from = at >> 2;
          long to = at + access.bytes - 1 >> 2;
          for (long word = from; word <= to; word++) {
            int bank = Interleave.part(word, bankUse.length);
            if (bankStamp[bank] != stamp) {
              bankStamp[bank] = stamp;
              bankUse[bank] = 0;
            } else if (merge && (bankWord[bank] == word || contains(words, word))) {
              continue;
            }
            if (merge) {
              seen[words++] = word;
              bankWord[bank] = word;
            }
            bankUse[bank]++;
            bankAccesses++;
            worst = Math.max(worst, bankUse[bank]);
          }
        }
      }
      total += worst;
    }
    conflictCycles += Math.max(0, total - 2);
    conflictDistribution.sample(total);
    return total;
  }

  private boolean contains(int count, long word) {
    for (int i = count - 1; i >= 0; i--) {
      if (seen[i] == word) {
        return true;
      }
    }
    return false;
  }

  private int take(Wavefront w, TimedInstruction i) {
    inFlight++;
    int number;
    if (freeCount > 0) {
      number = free[--freeCount];
    } else {
      if (used == wave.length) {
        wave = Arrays.copyOf(wave, used * 2);
        instruction = Arrays.copyOf(instruction, used * 2);
        free = Arrays.copyOf(free, used * 2);
      }
      number = used++;
    }
    wave[number] = w;
    instruction[number] = i;
    return number;
  }

  private void give(int number) {
    inFlight--;
    wave[number] = null;
    instruction[number] = null;
    free[freeCount++] = number;
  }
}
