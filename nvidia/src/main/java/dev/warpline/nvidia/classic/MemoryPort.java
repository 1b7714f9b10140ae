package dev.warpline.nvidia.classic;

import dev.warpline.memory.cache.MemoryRequest;
import dev.warpline.memory.cache.RequestPool;
import dev.warpline.memory.cache.RequestQueue;
import dev.warpline.memory.detailed.MemorySide;

/** A cluster's port to the memory side. */
final class MemoryPort {
  final RequestPool pool = new RequestPool();
  private final MemorySide memory;
  private final int number;
  private final RequestQueue outbox;
  private final RequestQueue replies;
  private int room;
  private long windowEnd;

  MemoryPort(MemorySide memory, int number) {
    this.memory = memory;
    this.number = number;
    outbox = memory.outbox(number);
    replies = memory.replies(number);
  }

  /** A window begins. */
  void beginWindow(long end) {
    windowEnd = end;
    room = memory.room(number);
  }

  /** When room that others make will be seen. */
  long windowEnd() {
    return windowEnd;
  }

  boolean hasRoom() {
    return room > 0;
  }

  void send(MemoryRequest request, long now) {
    memory.addresses().decode(request);
    request.port = number;
    request.time = now;
    outbox.push(request);
    room--;
  }

  /** Whether a reply has arrived before this cycle. */
  boolean hasReply(long now) {
    return !replies.isEmpty() && replies.peek().time < now;
  }

  MemoryRequest takeReply() {
    return replies.pop();
  }

  /** The first cycle in which a reply can be taken. */
  long nextReply() {
    return replies.isEmpty() ? Long.MAX_VALUE : replies.peek().time + 1;
  }
}
