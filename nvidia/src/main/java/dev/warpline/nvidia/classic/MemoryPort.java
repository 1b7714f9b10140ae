package dev.warpline.nvidia.classic;

import dev.warpline.memory.AccessKind;
import dev.warpline.memory.MemoryRequest;
import dev.warpline.memory.RequestPool;
import dev.warpline.memory.RequestQueue;
import dev.warpline.memory.detailed.MemorySide;

/**
 * A cluster's port to the memory side; where memory is perfect, requests turn round here and are
 * answered in the next cycle.
 */
final class MemoryPort {
  private static final int L1_WRITE_BACK = AccessKind.L1_WRBK_ACC.ordinal();

  final RequestPool pool = new RequestPool();
  private final MemorySide memory;
  private final int number;
  private final RequestQueue outbox;
  private final RequestQueue replies;
  private final int perfectLimit;
  private int room;
  private long windowEnd;

  /**
   * @param perfectLimit requests that a perfect memory holds, 0 if memory is real
   */
  MemoryPort(MemorySide memory, int number, int perfectLimit) {
    this.memory = memory;
    this.number = number;
    this.perfectLimit = perfectLimit;
    outbox = memory.outbox(number);
    replies = perfectLimit > 0 ? new RequestQueue(perfectLimit) : memory.replies(number);
  }

  /** A window begins. */
  void beginWindow(long end) {
    if (perfectLimit == 0) {
      windowEnd = end;
      room = memory.room(number);
    }
  }

  /** When room that others make will be seen; a perfect memory makes some in any cycle. */
  long windowEnd() {
    return windowEnd;
  }

  boolean hasRoom() {
    return perfectLimit > 0 ? replies.size() < perfectLimit : room > 0;
  }

  void send(MemoryRequest request, long now) {
    request.port = number;
    request.ready = now + 1;
    if (perfectLimit > 0) {
      if (request.kind == L1_WRITE_BACK) {
        pool.giveBack(request);
      } else {
        replies.push(request);
      }
      return;
    }
    memory.addresses().decode(request);
    outbox.push(request);
    room--;
  }

  /** Whether a reply has arrived before this cycle. */
  boolean hasReply(long now) {
    return !replies.isEmpty() && replies.peek().ready <= now;
  }

  MemoryRequest takeReply() {
    return replies.pop();
  }

  /** The first cycle in which a reply can be taken. */
  long nextReply() {
    return replies.isEmpty() ? Long.MAX_VALUE : replies.peek().ready;
  }
}
