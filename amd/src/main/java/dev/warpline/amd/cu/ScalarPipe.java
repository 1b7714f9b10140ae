package dev.warpline.amd.cu;

import dev.warpline.amd.exec.MemoryAccess;
import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.AmdSpec;
import java.util.Arrays;

/** The scalar memory path up to the scalar cache, and its return. */
final class ScalarPipe {
  @Counter("scalar loads")
  long loads;

  @Counter("scalar stores")
  long stores;

  private final ComputeUnit cu;
  private final AmdSpec.MemoryPipes spec;
  private long busFree;
  private long lastIssue;
  private long lastReturn = -1;
  private int inFlight;

  private Wavefront[] wave = new Wavefront[16];
  private TimedInstruction[] instruction = new TimedInstruction[16];
  private int[] pendingLines = new int[16];
  private long[] doneAt = new long[16];
  private int[] free = new int[16];
  private int freeCount;
  private int used;

  ScalarPipe(ComputeUnit cu) {
    this.cu = cu;
    spec = cu.spec.pipes();
  }

  /** First cycle in which an instruction may be sent here, for it to execute in the next. */
  long readyAt() {
    return inFlight >= spec.scalarQueue() ? Long.MAX_VALUE : busFree - 1;
  }

  void execute(Wavefront w, TimedInstruction i, long now) {
    MemoryAccess access = cu.array.executor.access(w, i, now);
    busFree = now + (i.isStore ? 2 : 1) * (long) spec.srfScmBus();
    long issue = Math.max(now + 1, lastIssue + 1);
    lastIssue = issue;
    int number = take(w, i);
    if (i.isMemoryControl) {
      cu.array.invalidateScalar(cu, false);
      cu.at(issue + 1, ComputeUnit.SCALAR_DONE, number);
      return;
    }
    if (access.lanes == 0) {
      cu.at(issue + spec.memtimeLatency(), ComputeUnit.SCALAR_DONE, number);
      return;
    }
    if (i.isStore) {
      stores++;
    } else {
      loads++;
    }
    int lineBytes = cu.spec.scalarCache().lineBytes();
    long first = access.address[0] / lineBytes;
    long last = (access.address[0] + access.bytes - 1) / lineBytes;
    pendingLines[number] = (int) (last - first) + 1;
    doneAt[number] = 0;
    for (long line = first; line <= last; line++) {
      cu.array.scalarAccess(cu, number, line, issue);
    }
  }

  /** A line of an access is there (or written) at {@code cycle}. */
  void lineDone(int number, long cycle) {
    doneAt[number] = Math.max(doneAt[number], cycle);
    if (--pendingLines[number] == 0) {
      cu.at(doneAt[number] + spec.scalarMemRespLatency(), ComputeUnit.SCALAR_DONE, number);
    }
  }

  void done(int number, long now) {
    if (now <= lastReturn) {
      cu.at(lastReturn + 1, ComputeUnit.SCALAR_DONE, number);
      return;
    }
    lastReturn = now;
    Wavefront w = wave[number];
    TimedInstruction i = instruction[number];
    inFlight--;
    wave[number] = null;
    instruction[number] = null;
    free[freeCount++] = number;
    w.lgkmCount--;
    Wavefront.setReady(w.scalarReady, i.scalarResults, now + 1);
    cu.check.add(w);
  }

  private int take(Wavefront w, TimedInstruction i) {
    inFlight++;
    int number;
    if (freeCount > 0) {
      number = free[--freeCount];
    } else {
      if (used == wave.length) {
        int size = used * 2;
        wave = Arrays.copyOf(wave, size);
        instruction = Arrays.copyOf(instruction, size);
        pendingLines = Arrays.copyOf(pendingLines, size);
        doneAt = Arrays.copyOf(doneAt, size);
        free = Arrays.copyOf(free, size);
      }
      number = used++;
    }
    wave[number] = w;
    instruction[number] = i;
    return number;
  }
}
