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

  /** Words that the lanes of an instruction may touch, and more. */
  private static final int MOST_WORDS = 64 * 8;

  private final ComputeUnit cu;
  private final AmdSpec.Lds spec;
  private final AmdSpec.MemoryPipes pipes;
  private final int banks;

  /** By bank: words of the group of lanes looked at, counted from {@link #groupBase} on. */
  private final long[] bankUse;

  private long groupBase;

  /** Different words of a group of lanes; those of a bank are chained from its last one on. */
  private final long[] seen = new long[MOST_WORDS];

  private final int[] seenBefore = new int[MOST_WORDS];
  private final int[] lastSeen;
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
    banks = spec.banks();
    bankUse = new long[banks];
    lastSeen = new int[banks];
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
    int bankCycles = conflicts * spec.bankConflictPenalty();
    int busCycles = Math.max(1, 256 / width);
    int service = spec.busAfterBanks() ? bankCycles + busCycles : Math.max(bankCycles, busCycles);
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
    int group = Math.min(64, banks);
    long all = group == 64 ? -1L : (1L << group) - 1;
    for (int first = 0; first < 64; first += group) {
      long lanes = access.ldsLanes >>> first & all;
      if (lanes == all && isRun(access, first, group)) {
        int words = group * access.bytes / 4;
        bankAccesses += words;
        total += (words + banks - 1) / banks;
      } else if (lanes != 0) {
        total += busiest(access, first, lanes, merge);
      }
    }
    conflictCycles += Math.max(0, total - 2);
    conflictDistribution.sample(total);
    return total;
  }

  /** Whether the lanes of a group touch words that follow each other, each its own. */
  private static boolean isRun(MemoryAccess access, int first, int group) {
    return access.elements == 1
        && ((access.bytes | access.address[first]) & 3) == 0
        && first + group <= 64
        && access.isRun(first, group);
  }

  /** Words of the bank that some lanes have most of. */
  private int busiest(MemoryAccess access, int first, long lanes, boolean merge) {
    groupBase += MOST_WORDS;
    int words = 0;
    long worst = groupBase;
    for (int e = 0; e < access.elements; e++) {
      long[] address = e == 0 ? access.address : access.address1;
      long before = -1;
      for (long rest = lanes; rest != 0; rest &= rest - 1) {
        long at = address[first + Long.numberOfTrailingZeros(rest)];
        if (merge && at == before) {
          continue;
        }
        before = at;
        long to = at + access.bytes - 1 >> 2;
        for (long word = at >> 2; word <= to; word++) {
          int bank = Interleave.part(word, banks);
          long use = Math.max(bankUse[bank], groupBase);
          int last = use == groupBase ? -1 : lastSeen[bank];
          if (merge && wasSeen(word, last)) {
            continue;
          }
          seen[words] = word;
          seenBefore[words] = last;
          lastSeen[bank] = words++;
          bankUse[bank] = use + 1;
          worst = Math.max(worst, use + 1);
        }
      }
    }
    bankAccesses += words;
    return (int) (worst - groupBase);
  }

  /** Whether a word is in a chain of those that were seen. */
  private boolean wasSeen(long word, int last) {
    int i = last;
    while (i >= 0 && seen[i] != word) {
      i = seenBefore[i];
    }
    return i >= 0;
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
