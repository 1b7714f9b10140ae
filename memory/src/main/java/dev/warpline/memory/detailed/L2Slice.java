package dev.warpline.memory.detailed;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.DetailedMemorySpec;
import dev.warpline.memory.AccessKind;
import dev.warpline.memory.MemoryRequest;
import dev.warpline.memory.RequestPool;
import dev.warpline.memory.RequestQueue;
import dev.warpline.memory.cache.CacheOutcome;
import dev.warpline.memory.cache.DataCache;

/** One L2 slice: the fixed delay, the cache and its four queues. */
final class L2Slice {
  /** Free entries of the request queue that the crossbar's packet may need: one per sector. */
  private static final int ROOM_FOR_PACKET = 4;

  private static final int L1_WRITE_BACK = AccessKind.L1_WRBK_ACC.ordinal();
  private static final int L2_WRITE_BACK = AccessKind.L2_WRBK_ACC.ordinal();
  private static final int ALLOCATING_READ = AccessKind.L2_WR_ALLOC_R.ordinal();

  private final DetailedMemorySpec.L2Slice spec;
  private final AddressMap map;
  private final DataCache cache;
  private final RequestPool pool = new RequestPool();

  /** State of the cache in which the head of the requests failed. */
  private int failedAt = -1;

  final RequestQueue delayed = new RequestQueue(64);
  final RequestQueue requests;
  final RequestQueue toDram;
  final RequestQueue fromDram;
  final RequestQueue replies;

  /** Requests that need no reply and go back to their owner. */
  final RequestQueue dropped = new RequestQueue(2);

  @Counter(value = "cycles in which no packet could be accepted", unit = "cycles")
  long fullCycles;

  @Counter(value = "cycles in which a reply could not enter the network", unit = "cycles")
  long replyStalls;

  @Counter("packets accepted")
  long packets;

  L2Slice(DetailedMemorySpec.L2Slice spec, AddressMap map) {
    this.spec = spec;
    this.map = map;
    cache = new DataCache(spec.cache(), spec.cache().ways(), 0, 2, true, pool);
    requests = new RequestQueue(spec.fromNetwork());
    toDram = new RequestQueue(spec.toDram());
    fromDram = new RequestQueue(spec.fromDram());
    replies = new RequestQueue(spec.toNetwork());
  }

  DataCache cache() {
    return cache;
  }

  /** A packet comes from the crossbar; a multi-sector write-back becomes one request per sector. */
  void accept(MemoryRequest packet, long now) {
    packets++;
    long ready = now + spec.latency();
    if (packet.kind == L1_WRITE_BACK) {
      for (int s = 0; s < 4; s++) {
        if ((packet.sectors >> s & 1) != 0) {
          MemoryRequest part = pool.take();
          part.address = packet.address + s * 32L;
          part.kind = L1_WRITE_BACK;
          part.write = true;
          part.bytes = 32;
          part.byteMask = -1;
          map.decode(part);
          part.ready = ready;
          delayed.push(part);
        }
      }
      dropped.push(packet);
    } else {
      packet.ready = ready;
      delayed.push(packet);
    }
  }

  boolean canAccept() {
    return spec.fromNetwork() - requests.size() >= ROOM_FOR_PACKET;
  }

  /** Whether nothing can happen before core cycle {@link #wakeAt}. */
  boolean isIdle() {
    return requests.isEmpty()
        && toDram.isEmpty()
        && fromDram.isEmpty()
        && replies.isEmpty()
        && cache.missQueue().isEmpty()
        && !cache.misses().hasReady();
  }

  /** When an idle slice gets something to do. */
  long wakeAt() {
    return delayed.isEmpty() ? Long.MAX_VALUE : delayed.peek().ready;
  }

  /** Whether anything is on its way through this slice. */
  boolean isDrained() {
    return isIdle() && delayed.isEmpty() && cache.misses().inUse() == 0;
  }

  /**
   * One L2 cycle.
   *
   * @param now L2 cycle
   * @param coreCycle core cycle
   */
  void cycle(long now, long coreCycle) {
    if (cache.misses().hasReady() && replies.size() < spec.toNetwork()) {
      MemoryRequest ready = cache.takeReady();
      if (ready.kind == ALLOCATING_READ) {
        pool.giveBack(ready);
      } else {
        replies.push(ready);
      }
    }
    if (!fromDram.isEmpty()) {
      takeFromDram(now);
    }
    if (!cache.missQueue().isEmpty() && toDram.size() < spec.toDram()) {
      MemoryRequest miss = cache.takeMiss();
      if (miss.write || miss.kind == ALLOCATING_READ) {
        int slice = miss.slice;
        map.decode(miss);
        miss.slice = slice;
      }
      toDram.push(miss);
    }
    if (!requests.isEmpty()
        && toDram.size() < spec.toDram()
        && replies.size() < spec.toNetwork()
        && cache.dataPortFree(now)) {
      access(now);
    }
    if (!delayed.isEmpty()
        && delayed.peek().ready <= coreCycle
        && requests.size() < spec.fromNetwork()) {
      requests.push(delayed.pop());
    }
  }

  /** Data fill the cache; a write that went through it has been done and is acknowledged. */
  private void takeFromDram(long now) {
    if (fromDram.peek().write) {
      if (replies.size() < spec.toNetwork()) {
        replies.push(fromDram.pop());
      }
    } else if (cache.fillPortFree(now)) {
      MemoryRequest data = fromDram.pop();
      data.level = MemoryRequest.FROM_DRAM;
      cache.fill(data, now);
    }
  }

  private void access(long now) {
    MemoryRequest request = requests.peek();
    if (failedAt == cache.changes()) {
      cache.repeatFailure(request, cache.lastFailure(), 1);
      return;
    }
    int outcome = cache.access(request, now);
    if (outcome == CacheOutcome.RESERVATION_FAIL) {
      failedAt = cache.changes();
      return;
    }
    requests.pop();
    boolean done = request.write ? cache.isWritten() : outcome == CacheOutcome.HIT;
    if (done) {
      if (request.kind == L1_WRITE_BACK) {
        pool.giveBack(request);
      } else {
        replies.push(request);
      }
    }
  }

  /** Takes back a write-back that the DRAM has written. */
  void writtenBack(MemoryRequest request) {
    pool.giveBack(request);
  }

  /** Whether a write is one of this slice's own, which nobody waits for. */
  static boolean isWriteBack(MemoryRequest write) {
    return write.kind == L1_WRITE_BACK || write.kind == L2_WRITE_BACK;
  }
}
