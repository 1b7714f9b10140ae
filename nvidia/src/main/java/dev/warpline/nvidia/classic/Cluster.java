package dev.warpline.nvidia.classic;

import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.memory.Client;
import dev.warpline.memory.MemoryRequest;
import dev.warpline.memory.RequestQueue;
import dev.warpline.memory.detailed.MemorySide;

/** The SMs that share a port to the memory side. */
final class Cluster {
  final ClassicSm[] sms;
  final MemoryPort port;
  private final RequestQueue arrived;
  private final int arrivedLimit;
  private final boolean rotates;

  Cluster(GpuDescription gpu, int number, MemorySide memory) {
    boolean perfect = gpu.classic().loadStore().perfectMemory();
    port = new MemoryPort(memory, number, perfect ? gpu.classic().clusterEjectionBuffer() : 0);
    int count = gpu.classic().smsPerCluster();
    sms = new ClassicSm[count];
    for (int i = 0; i < count; i++) {
      sms[i] = new ClassicSm(gpu, number * count + i, i, port);
    }
    arrivedLimit = gpu.classic().clusterEjectionBuffer();
    arrived = new RequestQueue(arrivedLimit);
    rotates = gpu.classic().rotateSms();
  }

  /** Runs the cycles {@code from} to {@code to - 1}. */
  void run(long from, long to) {
    port.beginWindow(to);
    for (ClassicSm sm : sms) {
      if (!sm.assigned.isEmpty()) {
        sm.wake(Math.max(from, sm.assigned.peek().kernel().startCycle()));
      }
    }
    long now = from;
    while (now < to) {
      long wake = wakeAt(now);
      if (wake > now) {
        long until = Math.min(wake, to);
        for (ClassicSm sm : sms) {
          sm.skip(now, until - now);
        }
        now = until;
        continue;
      }
      deliver(now);
      int first = rotates ? (int) (now % sms.length) : 0;
      for (int i = 0; i < sms.length; i++) {
        ClassicSm sm = sms[(first + i) % sms.length];
        if (sm.wakeAt() <= now) {
          sm.cycle(now);
        } else {
          sm.skip(now, 1);
        }
      }
      now++;
    }
  }

  /** The next cycle in which there is something to do, given what is known. */
  long wakeAt(long now) {
    long wake = arrived.isEmpty() ? port.nextReply() : now;
    for (ClassicSm sm : sms) {
      wake = Math.min(wake, sm.wakeAt());
    }
    return Math.max(wake, now);
  }

  /** One response moves on to its SM; then one comes in from the network. */
  private void deliver(long now) {
    if (!arrived.isEmpty()) {
      ClassicSm sm = sms[arrived.peek().core];
      if (arrived.peek().client == Client.INSTRUCTIONS) {
        sm.fillInstructions(arrived.pop(), now);
        sm.wake(now);
      } else if (sm.loadStore().canRespond()) {
        sm.loadStore().respond(arrived.pop());
        sm.wake(now);
      }
    }
    if (arrived.size() < arrivedLimit && port.hasReply(now)) {
      MemoryRequest reply = port.takeReply();
      arrived.push(reply);
    }
  }

  boolean isDrained() {
    for (ClassicSm sm : sms) {
      if (!sm.isDrained()) {
        return false;
      }
    }
    return arrived.isEmpty() && port.pool.inUse() == 0;
  }
}
