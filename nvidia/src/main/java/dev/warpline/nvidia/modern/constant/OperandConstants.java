package dev.warpline.nvidia.modern.constant;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.memory.flow.Requests;
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

  /** Of the number of a request: the sub-core. */
  private static final int WHO_BITS = 4;

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

  /** What the cache holds is of no use any more. */
  public void forget() {
    cache.clear();
  }

  public void startKernel() {
    forget();
    Arrays.fill(tries, 0);
  }

  /**
   * When a warp's instruction that reads a line can issue, as far as the line is concerned; if that
   * is not known yet, the earliest cycle.
   */
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
    int number = line << WHO_BITS | subCore;
    long ready =
        memory.ask(line, spec.operandMissCycles(), Requests.CONSTANT_OPERANDS, number, now);
    cache.add(line, ready);
    return ready;
  }

  /** The sub-core that asked for a line. */
  public static int subCore(int number) {
    return number & (1 << WHO_BITS) - 1;
  }

  /** A line that was asked for comes at a cycle; who waits for it looks again. */
  public void answered(int number, long when) {
    cache.arrives(number >>> WHO_BITS, when);
  }

  /** A warp's instruction issued. */
  public void issued(int w) {
    tries[w] = 0;
  }
}
