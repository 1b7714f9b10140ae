package dev.warpline.memory.detailed;

import dev.warpline.engine.Counter;
import dev.warpline.engine.Counters;
import dev.warpline.engine.Workers;
import dev.warpline.engine.gpu.ClockSpec;
import dev.warpline.engine.gpu.DetailedMemorySpec;
import dev.warpline.memory.MemoryRequest;
import dev.warpline.memory.RequestQueue;
import dev.warpline.memory.cache.DataCache;
import java.util.ArrayList;
import java.util.List;

/**
 * Everything beyond the SMs' ports, in windows of core cycles. A caller does for each window:
 * {@link #runChannels}, then its SMs (which take replies from {@link #replies} and put requests
 * into {@link #outbox}), then {@link #takeRequests}.
 */
public final class MemorySide {
  private static final int HEADER_BYTES = 8;

  private final int inputLimit;
  private final int window;
  private final WindowEdges edges;
  private final AddressMap map;
  private final Channel[] channels;
  private final Crossbar requestNetwork;
  private final Crossbar replyNetwork;
  private final RequestQueue[] outbox;
  private final int slicesPerChannel;

  /** What the slices send, by slice. */
  private final RequestQueue[] replyBox;

  /** Slices, then ports, that have something to send in the window under way. */
  private final int[] senders;

  private long windowStart;
  private long windowEnd;

  /** Packets handed to slices. */
  @Counter("packets that slices took from the crossbar")
  long slicePackets;

  @Counter(value = "cycles in which a slice took a packet", unit = "cycles")
  long slicePacketCycles;

  /**
   * @param ports SM-side ports (clusters)
   * @param window core cycles of a window; less than the L2's delay
   */
  public MemorySide(DetailedMemorySpec spec, ClockSpec clockSpec, int ports, int window) {
    if (window >= spec.l2().latency()) {
      throw new IllegalArgumentException(
          "window of " + window + " cycles: expected less than " + spec.l2().latency());
    }
    this.window = window;
    edges = new WindowEdges(ClockDomains.of(clockSpec, spec), window);
    map = new AddressMap(spec);
    slicesPerChannel = spec.slicesPerChannel();
    channels = new Channel[spec.channels()];
    inputLimit = spec.crossbar().inBuffer();
    DramSpec dram = DramSpec.of(spec.dram());
    for (int i = 0; i < channels.length; i++) {
      DramController controller =
          spec.dram().standard() == null
              ? new DramChannel(dram)
              : new StandardChannel(spec.dram(), clockSpec.dramMHz());
      channels[i] =
          new Channel(
              spec.l2(), dram, controller, map, slicesPerChannel, edges, inputLimit, window);
    }
    int slices = map.slices();
    requestNetwork = new Crossbar(network(spec.crossbar(), ports, slices, false));
    replyNetwork = new Crossbar(network(spec.crossbar(), slices, ports, true));
    replyBox = new RequestQueue[slices];
    for (int i = 0; i < slices; i++) {
      replyBox[i] = channels[i / slicesPerChannel].outbox[i % slicesPerChannel];
    }
    senders = new int[Math.max(slices, ports)];
    outbox = new RequestQueue[ports];
    for (int i = 0; i < outbox.length; i++) {
      outbox[i] = new RequestQueue(64);
    }
  }

  private static Crossbar.Spec network(
      DetailedMemorySpec.Crossbar spec, int inputs, int outputs, boolean replies) {
    return new Crossbar.Spec(
        inputs,
        outputs,
        spec.inBuffer(),
        spec.outBuffer(),
        spec.arbiter(),
        spec.grantCycles(),
        spec.flitBytes(),
        replies);
  }

  /** A packet is a header and, on one of its two ways, data. */
  private static int packetBytes(MemoryRequest request, boolean data) {
    return HEADER_BYTES + (data ? request.bytes : 0);
  }

  /** Which slice an address belongs to. */
  public AddressMap addresses() {
    return map;
  }

  /** Core cycles of a window. */
  public int window() {
    return window;
  }

  /** Replies that have reached a port, each with the cycle of its arrival as its time. */
  public RequestQueue replies(int port) {
    return replyNetwork.output(port);
  }

  /**
   * Where a port puts its requests, each with the cycle it is sent in as its time. Allowed while
   * {@link #room} is positive.
   */
  public RequestQueue outbox(int port) {
    return outbox[port];
  }

  /**
   * Packets that a port may still send in this window. Packets that leave the port's queue during
   * the window make room only in the next.
   */
  public int room(int port) {
    return inputLimit - requestNetwork.waiting(port) - outbox[port].size();
  }

  /** First half of a window: L2, DRAM and the way back to the ports. */
  public void runChannels(long from, long to, Workers workers) {
    windowStart = from;
    windowEnd = to;
    edges.begin(from);
    for (int c = 0; c < channels.length; c++) {
      for (int s = 0; s < slicesPerChannel; s++) {
        channels[c].heldByCrossbar[s] = replyNetwork.waiting(c * slicesPerChannel + s);
      }
    }
    workers.run(channels.length, c -> channels[c].run(windowStart, windowEnd));
    int sending = findSenders(replyBox);
    if (sending == 0 && !replyNetwork.isBusy()) {
      return;
    }
    for (long cycle = from; cycle < to; cycle++) {
      sending = inject(replyNetwork, replyBox, sending, true, cycle);
      int at = (int) (cycle - from);
      for (long e = edges.icnt[at]; e < edges.icnt[at + 1]; e++) {
        replyNetwork.transfer(cycle);
      }
    }
  }

  private int findSenders(RequestQueue[] boxes) {
    int found = 0;
    for (int i = 0; i < boxes.length; i++) {
      if (!boxes[i].isEmpty()) {
        senders[found++] = i;
      }
    }
    return found;
  }

  /** Packets whose time has come enter a network; returns how many still have some to send. */
  private int inject(
      Crossbar network, RequestQueue[] boxes, int sending, boolean replies, long cycle) {
    int left = 0;
    for (int i = 0; i < sending; i++) {
      int input = senders[i];
      RequestQueue box = boxes[input];
      while (!box.isEmpty() && box.peek().ready <= cycle) {
        MemoryRequest packet = box.pop();
        boolean data = replies ? !packet.write : packet.write || packet.atomic;
        network.inject(input, packet, packetBytes(packet, data));
      }
      if (!box.isEmpty()) {
        senders[left++] = input;
      }
    }
    return left;
  }

  /** Second half of a window: what the ports sent goes through the crossbar to the slices. */
  public void takeRequests() {
    int sending = findSenders(outbox);
    long arrivals = 0;
    for (int slice = 0; slice < map.slices(); slice++) {
      arrivals += requestNetwork.output(slice).size();
    }
    for (long cycle = windowStart; cycle < windowEnd; cycle++) {
      if (sending == 0 && arrivals == 0 && !requestNetwork.isBusy()) {
        return;
      }
      int at = (int) (cycle - windowStart);
      boolean any = false;
      for (int slice = 0; arrivals > 0 && slice < map.slices(); slice++) {
        RequestQueue arrived = requestNetwork.output(slice);
        if (!arrived.isEmpty()) {
          Channel channel = channels[slice / slicesPerChannel];
          int s = slice % slicesPerChannel;
          for (int n = channel.room[s][at]; n > 0 && !arrived.isEmpty(); n--) {
            channel.slices[s].accept(arrived.pop(), cycle);
            slicePackets++;
            arrivals--;
            any = true;
          }
        }
      }
      if (any) {
        slicePacketCycles++;
      }
      sending = inject(requestNetwork, outbox, sending, false, cycle);
      for (long e = edges.icnt[at]; e < edges.icnt[at + 1]; e++) {
        arrivals += requestNetwork.transfer(cycle);
      }
    }
  }

  /** The next core cycle at which something happens here if the SMs send nothing. */
  public long wakeAt(long now) {
    if (requestNetwork.isBusy() || replyNetwork.isBusy()) {
      return now;
    }
    for (int slice = 0; slice < map.slices(); slice++) {
      if (!requestNetwork.output(slice).isEmpty()) {
        return now;
      }
    }
    for (RequestQueue box : outbox) {
      if (!box.isEmpty()) {
        return now;
      }
    }
    long wake = Long.MAX_VALUE;
    for (Channel channel : channels) {
      wake = Math.min(wake, channel.wakeAt(now));
    }
    return wake;
  }

  /** Whether nothing is on its way anywhere. */
  public boolean isDrained() {
    for (Channel channel : channels) {
      if (!channel.isDrained()) {
        return false;
      }
    }
    return wakeAt(0) == Long.MAX_VALUE;
  }

  /** Requests that needed no reply, back to their owner. */
  public void takeDropped(java.util.function.Consumer<MemoryRequest> owner) {
    for (Channel channel : channels) {
      for (L2Slice slice : channel.slices) {
        while (!slice.dropped.isEmpty()) {
          owner.accept(slice.dropped.pop());
        }
      }
    }
  }

  /** Fills a range into the L2 without any time passing. */
  public void preload(long address, long bytes) {
    MemoryRequest sector = new MemoryRequest();
    for (long a = address & -32; a < address + bytes; a += 32) {
      sector.address = a;
      map.decode(sector);
      channels[sector.slice / slicesPerChannel]
          .slices[sector.slice % slicesPerChannel]
          .cache()
          .preload(sector);
    }
  }

  /** Drops what the L2 holds that differs from the DRAM, without writing it there. */
  public void dropModified() {
    for (DataCache cache : caches()) {
      cache.dropModified();
    }
  }

  /** The slices' caches in slice order. */
  public List<DataCache> caches() {
    List<DataCache> caches = new ArrayList<>();
    for (Channel channel : channels) {
      for (L2Slice slice : channel.slices) {
        caches.add(slice.cache());
      }
    }
    return caches;
  }

  /** All that the memory side counts, but for what caches know by kind and outcome. */
  public Counters counters() {
    Counters all = new Counters();
    for (Channel channel : channels) {
      all.addAll("l2.", List.of(channel.slices));
    }
    all.add("memory.", this);
    for (Channel channel : channels) {
      all.add("dram.", channel.dram);
    }
    return all.add("requestNetwork.", requestNetwork).add("replyNetwork.", replyNetwork);
  }

  /** DRAM channels. */
  public int channels() {
    return channels.length;
  }

  /** Bursts that a channel has moved so far. */
  public long dramBursts(int channel, boolean write) {
    return write ? channels[channel].dram.writeBursts : channels[channel].dram.readBursts;
  }
}
