package dev.warpline.nvidia.modern.memory;

import dev.warpline.nvidia.modern.code.CodeRow;

/** The memory instruction that is being served. */
final class PathEntry {
  int subCore;
  MemoryQueue queue;
  int warp;
  CodeRow row;
  int mask;
  int bytes;

  /** Copy group it belongs to. */
  int group;

  /** When it was issued. */
  long issued;

  /** When it would have been issued had it not waited in the queue: latencies count from here. */
  long start;

  /** When it enters the shared path. */
  long now;

  /** 32-bit words of a lane, at least one. */
  int words() {
    return Math.max(1, bytes >> 2);
  }
}
