package dev.warpline.memory.detailed;

import dev.warpline.engine.gpu.DetailedMemorySpec;
import dev.warpline.memory.MemoryRequest;
import dev.warpline.memory.RequestQueue;

/** A memory channel: its L2 slices, the fixed delay before its DRAM, and the DRAM itself. */
final class Channel {
  private final DramSpec spec;
  private final DetailedMemorySpec.L2Slice l2;
  private final WindowEdges edges;
  private final int replyLimit;
  final L2Slice[] slices;
  final DramController dram;

  /** Replies sent towards the crossbar in this window, per slice, with their core cycle. */
  final RequestQueue[] outbox;

  /** Packets that the reply crossbar held for a slice at the window's start. */
  final int[] heldByCrossbar;

  /** For each slice and core cycle of the window, how many packets it can take. */
  final int[][] room;

  private final RequestQueue dramDelay = new RequestQueue(64);
  private final int[] privateCredit;
  private int sharedCredit;
  private final int sharedLimit;
  private int lastServed;

  Channel(
      DetailedMemorySpec.L2Slice l2,
      DramSpec spec,
      DramController dram,
      AddressMap map,
      int slicesPerChannel,
      WindowEdges edges,
      int replyLimit,
      int window) {
    this.l2 = l2;
    this.spec = spec;
    this.edges = edges;
    this.replyLimit = replyLimit;
    slices = new L2Slice[slicesPerChannel];
    outbox = new RequestQueue[slicesPerChannel];
    heldByCrossbar = new int[slicesPerChannel];
    room = new int[slicesPerChannel][window];
    for (int i = 0; i < slicesPerChannel; i++) {
      slices[i] = new L2Slice(l2, map);
      outbox[i] = new RequestQueue(32);
    }
    this.dram = dram;
    privateCredit = new int[slicesPerChannel];
    lastServed = slicesPerChannel - 1;
    boolean unlimited = spec.schedulerQueue() == 0 || spec.returnQueue() == 0;
    sharedLimit =
        unlimited
            ? Integer.MAX_VALUE
            : spec.schedulerQueue()
                + spec.returnQueue()
                - (slicesPerChannel - 1)
                + spec.writeQueue();
  }

  /** Runs the core cycles {@code from} to {@code to - 1}, a window whose edges are known. */
  void run(long from, long to) {
    for (long cycle = from; cycle < to; cycle++) {
      int at = (int) (cycle - from);
      long wake = wakeAt(cycle);
      if (wake > cycle) {
        int idle = (int) (Math.min(wake, to) - cycle);
        for (int[] cycles : room) {
          System.arraycopy(edges.l2Each, at, cycles, at, idle);
        }
        cycle += idle - 1;
        continue;
      }
      for (long e = edges.icnt[at]; e < edges.icnt[at + 1]; e++) {
        sendReplies(cycle);
      }
      for (int[] cycles : room) {
        cycles[at] = 0;
      }
      long l2End = edges.l2[at + 1];
      for (long e = edges.l2[at]; e < l2End; e++) {
        for (int i = 0; i < slices.length; i++) {
          L2Slice slice = slices[i];
          if (slice.canAccept()) {
            room[i][at]++;
          } else {
            slice.fullCycles++;
          }
          if (!slice.isIdle() || slice.wakeAt() <= cycle) {
            slice.cycle(e, cycle);
          }
        }
      }
      long dramEnd = edges.dram[at + 1];
      for (long e = edges.dram[at]; e < dramEnd; e++) {
        dramCycle(e, cycle);
      }
    }
  }

  /** The next core cycle at which there is something to do, given that nothing else arrives. */
  long wakeAt(long now) {
    if (!dram.isIdle() || !dram.returned().isEmpty() || !dramDelay.isEmpty()) {
      return now;
    }
    long wake = Long.MAX_VALUE;
    for (L2Slice slice : slices) {
      if (!slice.isIdle()) {
        return now;
      }
      wake = Math.min(wake, slice.wakeAt());
    }
    return Math.max(now, wake);
  }

  /** Whether nothing is on its way. */
  boolean isDrained() {
    for (L2Slice slice : slices) {
      if (!slice.isDrained()) {
        return false;
      }
    }
    return dram.isIdle() && dram.returned().isEmpty() && dramDelay.isEmpty();
  }

  private void sendReplies(long cycle) {
    for (int i = 0; i < slices.length; i++) {
      RequestQueue replies = slices[i].replies;
      if (replies.isEmpty()) {
        continue;
      }
      if (heldByCrossbar[i] + outbox[i].size() < replyLimit) {
        MemoryRequest reply = replies.pop();
        reply.ready = cycle;
        outbox[i].push(reply);
      } else {
        slices[i].replyStalls++;
      }
    }
  }

  private void dramCycle(long now, long coreCycle) {
    RequestQueue returned = dram.returned();
    if (!returned.isEmpty()) {
      int slice = returned.peek().slice % slices.length;
      if (slices[slice].fromDram.size() < l2.fromDram()) {
        slices[slice].fromDram.push(returned.pop());
        returnCredit(slice);
      }
    }
    if (!spec.simple()) {
      if (!dram.isIdle()) {
        MemoryRequest written = dram.cycle(now);
        if (written != null) {
          written(written);
        }
      }
    }
    int s = lastServed;
    for (int i = 0; i < slices.length; i++) {
      s = s + 1 == slices.length ? 0 : s + 1;
      RequestQueue waiting = slices[s].toDram;
      if (!waiting.isEmpty()
          && hasCredit(s)
          && slices[s].fromDram.size() < l2.fromDram()
          && !dram.isFull(waiting.peek().write)) {
        MemoryRequest request = waiting.pop();
        request.ready = coreCycle + spec.latency();
        dramDelay.push(request);
        takeCredit(s);
        lastServed = s;
        break;
      }
    }
    if (!dramDelay.isEmpty() && dramDelay.peek().ready <= coreCycle) {
      if (spec.simple()) {
        serveSimply(dramDelay.pop());
      } else if (!dram.isFull(dramDelay.peek().write)) {
        dram.push(dramDelay.pop());
      }
    }
  }

  private void serveSimply(MemoryRequest request) {
    int bursts = Math.max(1, request.bytes / spec.burstBytes());
    if (request.write) {
      dram.writeBursts += bursts;
      written(request);
    } else {
      dram.readBursts += bursts;
      dram.returned().push(request);
    }
  }

  /** A write is done: its sender learns of it unless it was a write-back. */
  private void written(MemoryRequest write) {
    if (L2Slice.isWriteBack(write)) {
      int slice = write.slice % slices.length;
      slices[slice].writtenBack(write);
      returnCredit(slice);
    } else {
      dram.returned().push(write);
    }
  }

  private boolean hasCredit(int slice) {
    return privateCredit[slice] < 1 || sharedCredit < sharedLimit;
  }

  private void takeCredit(int slice) {
    if (privateCredit[slice] < 1) {
      privateCredit[slice]++;
    } else {
      sharedCredit++;
    }
  }

  private void returnCredit(int slice) {
    if (privateCredit[slice] > 0) {
      privateCredit[slice]--;
    } else {
      sharedCredit--;
    }
  }
}
