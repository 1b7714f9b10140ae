package dev.warpline.amd.cu;

import dev.warpline.amd.cu.Wavefront.Phase;
import dev.warpline.amd.exec.ExecutionFault;
import dev.warpline.engine.Counter;
import dev.warpline.policy.WarpScheduler;

/**
 * One fetch unit per SIMD: fills each wave's fetch buffer with lines of code, one wave a cycle, and
 * decodes what is there into the instruction buffer. Nothing is fetched past a branch or the end of
 * the program.
 */
final class FetchStage {
  @Counter("lines asked of the instruction cache")
  long linesFetched;

  final Distribution wordsDistribution = new Distribution("instFetchInstReturned", 1, 32, 1);

  private final ComputeUnit cu;
  private final int depth;
  private final int bufferSize;
  private final int lineBytes;
  private final int slots;

  /** By SIMD: waves that are to fetch, by their number in the SIMD. */
  private final long[] queue;

  /** By SIMD: which of the queued waves fetches. */
  private final WarpScheduler[] arbiter;

  private long queuedSimds;
  private long nextSequence;

  FetchStage(ComputeUnit cu) {
    this.cu = cu;
    depth = cu.spec.issue().fetchDepth();
    bufferSize = cu.spec.issue().instructionBuffer();
    lineBytes = cu.spec.sqc().lineBytes();
    queue = new long[cu.spec.waves().simds()];
    arbiter = new WarpScheduler[queue.length];
    slots = cu.spec.waves().slotsPerSimd();
    for (int simd = 0; simd < arbiter.length; simd++) {
      arbiter[simd] = cu.spec.issue().policy().get();
      arbiter[simd].begin(-1L >>> Long.SIZE - slots);
    }
  }

  /** Looks at waves, then sends one queued wave per SIMD to the cache. */
  void run(WaveSet looked, long now) {
    for (int slot = looked.take(); slot >= 0; slot = looked.take()) {
      look(cu.waves[slot], now);
    }
    for (long simds = queuedSimds; simds != 0; simds &= simds - 1) {
      int simd = Long.numberOfTrailingZeros(simds);
      int slot = arbiter[simd].choose(queue[simd], ~queue[simd], 0);
      if (slot == WarpScheduler.NONE) {
        continue;
      }
      arbiter[simd].issued(slot);
      Wavefront wave = cu.waves[simd * slots + slot];
      forget(wave);
      fetch(wave, now);
    }
  }

  /** A wave has come. */
  void start(Wavefront wave) {
    arbiter[wave.simd].arrived(wave.place);
  }

  /** A wave has ended. */
  void end(Wavefront wave) {
    forget(wave);
    arbiter[wave.simd].left(wave.place);
  }

  boolean isIdle() {
    return queuedSimds == 0;
  }

  /** A line is back. */
  void returned(Wavefront wave) {
    wave.fetchPending = false;
    if (wave.dropFetch) {
      wave.dropFetch = false;
    } else {
      long past = wave.fetchLines == 0 ? wave.decodePc & lineBytes - 1 : 0;
      wordsDistribution.sample((lineBytes - past) / 4);
      wave.fetchLines++;
    }
    cu.fetchLook.add(wave);
  }

  private void forget(Wavefront wave) {
    queue[wave.simd] &= ~(1L << wave.place);
    if (queue[wave.simd] == 0) {
      queuedSimds &= ~(1L << wave.simd);
    }
  }

  private void look(Wavefront wave, long now) {
    if (wave.phase == Phase.STOPPED) {
      return;
    }
    if (wave.fetchLines == depth && wave.bufferPc >= wave.fetchStart + lineBytes) {
      wave.fetchStart += lineBytes;
      wave.fetchLines--;
    }
    decode(wave, now);
    if (!wave.fetchPending
        && wave.fetchLines < depth
        && wave.fetchEnds == 0
        && (wave.phase == Phase.RUNNING || wave.phase == Phase.WAITCNT)) {
      queue[wave.simd] |= 1L << wave.place;
      queuedSimds |= 1L << wave.simd;
    }
  }

  private void decode(Wavefront wave, long now) {
    long end = wave.fetchStart + (long) wave.fetchLines * lineBytes;
    if (wave.fetchLines == 0 || wave.decodeStopped) {
      return;
    }
    boolean decoded = false;
    while (wave.buffered < bufferSize && wave.decodePc < end) {
      TimedInstruction instruction = decodeNext(wave);
      if (instruction == null || wave.decodePc + instruction.size > end) {
        break;
      }
      wave.push(instruction, nextSequence++);
      decoded = true;
      if (instruction.neverFallsThrough) {
        wave.decodeStopped = true;
        break;
      }
    }
    if (decoded && wave.status == Stall.IB_EMPTY.ordinal()) {
      cu.wakeAt(wave, now + 1, now);
    }
  }

  /** The next instruction; null for what is no code, unless that is to be executed next. */
  private static TimedInstruction decodeNext(Wavefront wave) {
    try {
      return wave.code.at(wave.decodePc);
    } catch (ExecutionFault e) {
      if (wave.buffered == 0) {
        throw e;
      }
      return null;
    }
  }

  private void fetch(Wavefront wave, long now) {
    if (wave.fetchLines == 0) {
      wave.fetchStart = wave.decodePc & -(long) lineBytes;
    }
    wave.fetchPending = true;
    wave.fetchLine = (wave.fetchStart + (long) wave.fetchLines * lineBytes) / lineBytes;
    linesFetched++;
    cu.array.fetch(cu, wave, now);
  }
}
