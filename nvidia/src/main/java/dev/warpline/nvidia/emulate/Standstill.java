package dev.warpline.nvidia.emulate;

import java.util.List;
import java.util.function.LongConsumer;

/**
 * Tells blocks that wait for ever from those that compute for long: if all registers and all of
 * memory are as they were before, nothing else will ever come of it. Looks now and then, and says
 * meanwhile how many instructions there were.
 */
final class Standstill {
  /** Instructions between two looks at least; more where there is more to look at. */
  private static final long INTERVAL = 1 << 18;

  private final KernelSteps program;
  private final LongConsumer progress;
  private long next;
  private long looks;

  /** What registers were like at the last look whose number is a power of two. */
  private long kept;

  /** What memory was like when registers were so again; 0: they were not. */
  private long memory;

  Standstill(KernelSteps program, LongConsumer progress) {
    this.program = program;
    this.progress = progress;
    next = program.executed() + INTERVAL;
  }

  /** Other blocks have come: what was before does not matter. */
  void forget() {
    looks = 0;
    memory = 0;
  }

  /** Whether nothing can change any more; asked between turns. */
  boolean found(List<BlockCluster> together) {
    if (program.executed() < next) {
      return false;
    }
    progress.accept(program.executed());
    StateHash hash = new StateHash();
    for (BlockCluster cluster : together) {
      for (int rank = 0; rank < cluster.size(); rank++) {
        cluster.block(rank).hashRegisters(hash);
      }
    }
    next = program.executed() + Math.max(INTERVAL, hash.count());
    long now = hash.value();
    boolean again = looks > 0 && now == kept;
    if (!again && Long.bitCount(++looks) == 1) {
      kept = now;
      memory = 0;
    }
    if (!again) {
      return false;
    }
    long before = memory;
    memory = memory(together) | 1;
    return memory == before;
  }

  private static long memory(List<BlockCluster> together) {
    StateHash hash = new StateHash();
    for (BlockCluster cluster : together) {
      for (int rank = 0; rank < cluster.size(); rank++) {
        cluster.block(rank).hashMemory(hash);
      }
    }
    EmulatedMemory global = together.get(0).block(0).memory();
    byte[] content = new byte[EmulatedMemory.PAGE];
    for (long page : global.written()) {
      global.peek(page, content, content.length);
      hash.add(content);
    }
    return hash.value();
  }
}
