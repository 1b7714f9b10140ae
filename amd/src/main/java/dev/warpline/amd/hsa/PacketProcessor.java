package dev.warpline.amd.hsa;

import dev.warpline.amd.exec.DeviceMemory;
import dev.warpline.engine.Counter;
import dev.warpline.engine.EventHeap;
import dev.warpline.engine.gpu.AmdSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes packets out of the queues: one after the other per queue, several queues at a time as long
 * as there are hardware slots. Waits for barrier bits and barrier packets, retires packets in order
 * and completes signals. Times are core cycles.
 */
final class PacketProcessor {
  /** Who runs kernels, and asks back when they are done. */
  interface KernelStarter {
    /** Starts the kernel of the packet at {@code slot}, taken at {@code cycle}. */
    void start(int queue, long packetIndex, long slot, long cycle);

    /** Starts a transfer or another task by number; whether there is one. */
    boolean perform(int queue, long packetIndex, long task, long cycle);

    /** A packet that starts nothing is complete: it was only a point in its queue. */
    void passed(int queue, long packetIndex, long end, long cycle);

    /** Performs the fences of a packet that starts nothing; returns when it is complete. */
    long fence(FenceScope acquire, FenceScope release, long cycle);

    /** The completion signal of an earlier kernel, by number; 0 for none. */
    long signalOf(long task);
  }

  private static final class QueueState {
    private final HsaQueue queue;
    private final boolean[] complete;
    private final long[] starts;
    private final long[] submitted;

    /** By place in the ring: when a packet had done its work, before its release. */
    private final long[] ends;

    /** Packets that wait for nothing but their fences. */
    private final EventHeap fenced = new EventHeap();

    private boolean mapped;
    private long write;
    private long next;
    private long read;
    private int inFlight;
    private boolean barrierInFlight;

    /** When the next packet has been looked at, -1 while there is none. */
    private long due = -1;

    QueueState(HsaQueue queue) {
      this.queue = queue;
      complete = new boolean[queue.size()];
      starts = new long[queue.size()];
      submitted = new long[queue.size()];
      ends = new long[queue.size()];
    }

    boolean hasWork() {
      return next < write;
    }

    boolean mayUnmap() {
      return inFlight == 0;
    }
  }

  @Counter("packets taken from queues")
  long packets;

  @Counter("times a queue gave its hardware slot to another")
  long queueSwitches;

  private final AmdSpec.PacketProcessor spec;
  private final DeviceMemory memory;
  private final Clock clock;
  private final EventHeap events;
  private final KernelStarter starter;
  private final List<QueueState> queues = new ArrayList<>();
  private int mapped;
  private int nextVictim;
  private boolean quantumSet;

  PacketProcessor(
      AmdSpec.PacketProcessor spec,
      DeviceMemory memory,
      Clock clock,
      EventHeap events,
      KernelStarter starter) {
    this.spec = spec;
    this.memory = memory;
    this.clock = clock;
    this.events = events;
    this.starter = starter;
  }

  void register(HsaQueue queue) {
    QueueState state = new QueueState(queue);
    queues.add(state);
    if (mapped < spec.hardwareQueues()) {
      state.mapped = true;
      mapped++;
    }
  }

  /** The doorbell of a queue was written with the index of its last packet. */
  void doorbell(int id, long lastIndex, long cycle) {
    QueueState queue = queues.get(id);
    for (long index = queue.write; index <= lastIndex; index++) {
      queue.submitted[(int) (index & (queue.submitted.length - 1))] = cycle;
    }
    queue.write = Math.max(queue.write, lastIndex + 1);
    long seen = cycle + clock.cycles(spec.doorbellNs());
    if (queue.mapped) {
      wake(queue, seen);
    } else {
      setQuantum(seen);
    }
  }

  /** Looks at the next packet of a queue, if it is time. */
  void process(int id, long cycle) {
    QueueState queue = queues.get(id);
    if (!queue.mapped || queue.due < 0 || cycle < queue.due) {
      return;
    }
    if (!queue.hasWork()) {
      queue.due = -1;
      return;
    }
    if (queue.barrierInFlight || queue.next - queue.read >= spec.bufferedPackets()) {
      return;
    }
    long slot = queue.queue.slot(queue.next);
    int header = memory.readShort(slot);
    int type = header & 0xff;
    boolean barrier = (header & AqlPacket.BARRIER_BIT) != 0;
    if (type == AqlPacket.INVALID) {
      queue.due = -1;
      return;
    }
    if (barrier && queue.inFlight > 0) {
      return;
    }
    if ((type == AqlPacket.BARRIER_AND || type == AqlPacket.BARRIER_OR)
        && !signalsMet(slot, type == AqlPacket.BARRIER_OR)) {
      return;
    }
    long index = queue.next++;
    queue.inFlight++;
    queue.barrierInFlight = barrier;
    queue.starts[(int) (index & (queue.complete.length - 1))] = cycle;
    queue.due = -1;
    packets++;
    switch (type) {
      case AqlPacket.KERNEL_DISPATCH -> starter.start(id, index, slot, cycle);
      case AqlPacket.BARRIER_AND, AqlPacket.BARRIER_OR -> completeFenced(id, index, header, cycle);
      case AqlPacket.VENDOR -> {
        if (!starter.perform(id, index, memory.readLong(slot + AqlPacket.Vendor.TASK), cycle)) {
          completeFenced(id, index, header, cycle);
        }
      }
      case AqlPacket.AGENT_DISPATCH -> {
        agentDispatch(id, slot);
        completeFenced(id, index, header, cycle);
      }
      default ->
          throw new HsaException(
              String.format(
                  "queue %d, packet %d: packet type %d is not one of vendor (0), invalid (1),"
                      + " kernel dispatch (2), barrier-AND (3), agent dispatch (4), barrier-OR (5)",
                  id, index, type));
    }
    if (queue.hasWork()) {
      wake(queue, cycle);
    }
  }

  private void completeFenced(int id, long index, int header, long cycle) {
    long done = starter.fence(FenceScope.acquire(header), FenceScope.release(header), cycle);
    QueueState queue = queues.get(id);
    queue.ends[(int) (index & (queue.complete.length - 1))] = cycle;
    if (done <= cycle) {
      starter.passed(id, index, cycle, cycle);
      complete(id, index, cycle);
    } else {
      queue.fenced.add(done, index);
      events.add(done, FrontEnd.event(FrontEnd.COMPLETE_FENCED, id));
    }
  }

  /** When the doorbell was rung for a packet that is in flight. */
  long submitted(int id, long index) {
    QueueState queue = queues.get(id);
    return queue.submitted[(int) (index & (queue.submitted.length - 1))];
  }

  /** When a packet that is in flight was taken up. */
  long taken(int id, long index) {
    QueueState queue = queues.get(id);
    return queue.starts[(int) (index & (queue.starts.length - 1))];
  }

  /** The work of a kernel and its release, or of a transfer, are done. */
  void workComplete(int id, long index, long cycle) {
    QueueState queue = queues.get(id);
    queue.ends[(int) (index & (queue.complete.length - 1))] = cycle;
    complete(id, index, cycle);
  }

  /** Packets of a queue whose fences are done. */
  void completeFenced(int id, long cycle) {
    QueueState queue = queues.get(id);
    while (queue.fenced.nextTime() <= cycle) {
      long index = queue.fenced.remove();
      starter.passed(id, index, queue.ends[(int) (index & (queue.ends.length - 1))], cycle);
      complete(id, index, cycle);
    }
  }

  /**
   * A packet is complete and seen by all: signal it, free its slot, retire the completed prefix.
   */
  private void complete(int id, long index, long cycle) {
    QueueState queue = queues.get(id);
    long slot = queue.queue.slot(index);
    int ring = (int) (index & (queue.complete.length - 1));
    long signal = memory.readLong(slot + AqlPacket.COMPLETION_SIGNAL);
    if (signal != 0) {
      new Signal(memory, signal)
          .complete(clock.nanos(queue.starts[ring]), clock.nanos(queue.ends[ring]));
    }
    memory.writeShort(slot, AqlPacket.INVALID);
    queue.complete[ring] = true;
    queue.inFlight--;
    if (queue.inFlight == 0) {
      queue.barrierInFlight = false;
    }
    while (queue.read < queue.next
        && queue.complete[(int) (queue.read & (queue.complete.length - 1))]) {
      queue.complete[(int) (queue.read & (queue.complete.length - 1))] = false;
      queue.read++;
    }
    memory.writeLong(queue.queue.address() + HsaQueue.READ_DISPATCH_ID, queue.read);
    lookAgain(cycle);
  }

  /** Something a waiting packet may depend on has changed. */
  void lookAgain(long cycle) {
    for (int i = 0; i < queues.size(); i++) {
      QueueState queue = queues.get(i);
      if (queue.due >= 0 && queue.hasWork() && queue.mapped) {
        events.add(Math.max(cycle, queue.due), FrontEnd.event(FrontEnd.PROCESS_PACKET, i));
      }
    }
  }

  /** End of a quantum: waiting queues take the slots of queues with nothing in flight. */
  void quantum(long cycle) {
    quantumSet = false;
    boolean waiting = false;
    for (QueueState queue : queues) {
      if (queue.mapped || !queue.hasWork()) {
        continue;
      }
      QueueState victim = victim();
      if (victim == null) {
        waiting = true;
        continue;
      }
      victim.mapped = false;
      queue.mapped = true;
      queueSwitches++;
      wake(queue, cycle);
      waiting |= victim.hasWork();
    }
    if (waiting) {
      setQuantum(cycle);
    }
  }

  /** In words: which queues still wait for what. */
  String waiting() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < queues.size(); i++) {
      QueueState queue = queues.get(i);
      if (queue.hasWork() || queue.inFlight > 0) {
        text.append(text.isEmpty() ? "" : "; ")
            .append(
                String.format(
                    "queue %d: %d packets in flight, next packet %d of %d%s",
                    i,
                    queue.inFlight,
                    queue.next,
                    queue.write,
                    queue.mapped ? unmetSignals(queue) : " (not mapped)"));
      }
    }
    return text.toString();
  }

  private String unmetSignals(QueueState queue) {
    if (!queue.hasWork()) {
      return "";
    }
    long slot = queue.queue.slot(queue.next);
    int type = memory.readShort(slot) & 0xff;
    if (type != AqlPacket.BARRIER_AND && type != AqlPacket.BARRIER_OR) {
      return "";
    }
    StringBuilder text = new StringBuilder(" waits for signals");
    for (int i = 0; i < AqlPacket.Barrier.MAX_SIGNALS; i++) {
      long signal = memory.readLong(slot + 8 + 8L * i);
      if (signal != 0 && memory.readLong(signal + 8) != 0) {
        text.append(String.format(" 0x%x", signal));
      }
    }
    return text.toString();
  }

  private QueueState victim() {
    for (int i = 0; i < queues.size(); i++) {
      QueueState candidate = queues.get((nextVictim + i) % queues.size());
      if (candidate.mapped && candidate.mayUnmap()) {
        nextVictim = (nextVictim + i + 1) % queues.size();
        return candidate;
      }
    }
    return null;
  }

  private void wake(QueueState queue, long cycle) {
    if (queue.due < 0) {
      queue.due = cycle + clock.cycles(spec.packetNs());
    }
    events.add(
        Math.max(cycle, queue.due), FrontEnd.event(FrontEnd.PROCESS_PACKET, queue.queue.id()));
  }

  private void setQuantum(long cycle) {
    if (!quantumSet) {
      quantumSet = true;
      long cycles = Math.max(1, clock.cycles(spec.quantumNs()));
      events.add(cycle + cycles, FrontEnd.event(FrontEnd.QUANTUM, 0));
    }
  }

  private boolean signalsMet(long slot, boolean any) {
    boolean all = true;
    boolean one = false;
    boolean none = true;
    for (int i = 0; i < AqlPacket.Barrier.MAX_SIGNALS; i++) {
      long signal = memory.readLong(slot + 8 + 8L * i);
      if (signal != 0) {
        none = false;
        boolean zero = new Signal(memory, signal).value() == 0;
        all &= zero;
        one |= zero;
      }
    }
    return any ? one || none : all;
  }

  private void agentDispatch(int id, long slot) {
    int type = memory.readShort(slot + 2);
    switch (type) {
      case AqlPacket.AgentDispatch.NOOP -> {}
      case AqlPacket.AgentDispatch.SIGNAL_OF_TASK ->
          memory.writeLong(memory.readLong(slot + 8), starter.signalOf(memory.readLong(slot + 16)));
      default ->
          throw new HsaException(
              String.format(
                  "queue %d: agent dispatch of type %d; expected 0 (nothing) or 1 (completion signal"
                      + " of a task)",
                  id, type));
    }
  }
}
