package dev.warpline.nvidia.modern.constant;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.nvidia.modern.cache.LineCache;
import java.util.Arrays;

/**
 * A sub-core's cache for constant operands of fixed-latency instructions; looked up at issue, and
 * only what it has can issue.
 */
public final class OperandConstants {
  /**
   * Misses of one instruction after which a warp takes what came for it: others may push its line
   * out again before its turn comes, and it theirs, without end.
   */
  private static final int MOST_TRIES = 4;

  private final ModernCoreSpec.Constants spec;
  private final ConstantMemory memory;
  private final int subCore;
  private final LineCache cache;

  /** How often the operand of a warp's next instruction missed. */
  private final int[] tries;

  @Counter("operands that missed the constant cache")
  long constantMisses;

  public OperandConstants(
      ModernCoreSpec.Constants spec, ConstantMemory memory, int subCore, int warps) {
    this.spec = spec;
    this.memory = memory;
    this.subCore = subCore;
    cache = new LineCache(spec.operandLines());
    tries = new int[warps];
  }

  public void startKernel() {
    cache.clear();
    Arrays.fill(tries, 0);
  }

  /** When a warp's instruction that reads a line can issue, as far as the line is concerned. */
  public long ready(int w, int line, long now) {
    int place = cache.find(line);
    if (place >= 0) {
      return cache.readyAt(place);
    }
    if (tries[w] == MOST_TRIES) {
      return now;
    }
    tries[w]++;
    constantMisses++;
    long ready = memory.ready(line, spec.operandMissCycles(), subCore, now);
    cache.add(line, ready);
    return ready;
  }

  /** A warp's instruction issued. */
  public void issued(int w) {
    tries[w] = 0;
  }
}
