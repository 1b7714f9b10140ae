package dev.warpline.memory.detailed;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.DetailedMemorySpec.Arbiter;
import dev.warpline.memory.MemoryRequest;
import dev.warpline.memory.RequestQueue;
import dev.warpline.policy.LowestBit;

/**
 * A crossbar with a queue at every input and output, counted in packets. Each cycle every output
 * takes at most one packet: the head of the first input, from the output's pointer on, that wants
 * it. Outputs choose one after another, so an input whose head has left may send its next packet to
 * a later output in the same cycle.
 */
final class Crossbar {
  /**
   * @param inputs input ports
   * @param outputs output ports
   * @param inputLimit packets an input queue holds
   * @param outputLimit packets an output queue holds
   * @param grantCycles cycles with a packet to move between two moves of iSLIP's pointers
   * @param flitBytes what packets are counted in, besides packets
   * @param replies whether outputs are the packets' ports, not their slices
   */
  record Spec(
      int inputs,
      int outputs,
      int inputLimit,
      int outputLimit,
      Arbiter arbiter,
      int grantCycles,
      int flitBytes,
      boolean replies) {}

  private final Spec spec;
  private final RequestQueue[] in;
  private final RequestQueue[] out;

  /** For each output, the inputs whose head wants it: a bit each, {@link #words} longs. */
  private final long[] wanted;

  private final int words;
  private final long[] wantedOutputs;
  private final int[] headOutput;
  private final int[] pointer;
  private int turn;
  private int grants;
  private long now;
  private int waitingPackets;

  @Counter("packets that entered")
  long injectedPackets;

  @Counter("flits of these packets")
  long injectedFlits;

  @Counter(value = "packets that waited behind another for the same output", unit = "packet-cycles")
  long conflicts;

  @Counter(value = "cycles with a packet to move", unit = "cycles")
  long busyCycles;

  public Crossbar(Spec spec) {
    this.spec = spec;
    words = spec.inputs() + 63 >>> 6;
    in = new RequestQueue[spec.inputs()];
    out = new RequestQueue[spec.outputs()];
    for (int i = 0; i < in.length; i++) {
      in[i] = new RequestQueue(16);
    }
    for (int i = 0; i < out.length; i++) {
      out[i] = new RequestQueue(16);
    }
    wanted = new long[spec.outputs() * words];
    wantedOutputs = new long[spec.outputs() + 63 >>> 6];
    headOutput = new int[spec.inputs()];
    pointer = new int[spec.outputs()];
    grants = spec.grantCycles();
  }

  /** Packets waiting at an input. */
  public int waiting(int input) {
    return in[input].size();
  }

  public boolean hasRoom(int input) {
    return in[input].size() < spec.inputLimit();
  }

  /**
   * Lets a packet wait at an input.
   *
   * @param bytes its size
   */
  public void inject(int input, MemoryRequest packet, int bytes) {
    injectedPackets++;
    injectedFlits += (bytes + spec.flitBytes() - 1) / spec.flitBytes();
    waitingPackets++;
    RequestQueue queue = in[input];
    queue.push(packet);
    if (queue.size() == 1) {
      announce(input, outputOf(packet));
    }
  }

  private int outputOf(MemoryRequest packet) {
    return spec.replies() ? packet.port : packet.slice;
  }

  /** What has reached an output. */
  public RequestQueue output(int port) {
    return out[port];
  }

  /** Whether any packet waits at an input. */
  public boolean isBusy() {
    return waitingPackets > 0;
  }

  /**
   * One crossbar cycle; packets that move get {@code now} as their time.
   *
   * @param now core cycle
   * @return packets that moved
   */
  public int transfer(long now) {
    if (waitingPackets == 0) {
      return 0;
    }
    this.now = now;
    busyCycles++;
    int before = waitingPackets;
    if (spec.arbiter() == Arbiter.ROUND_ROBIN) {
      transferInTurn();
      return before - waitingPackets;
    }
    for (int w = 0; w < wantedOutputs.length; w++) {
      // Read the word again after each transfer: a new head may want a later output.
      int from = 0;
      while (from < 64) {
        long left = wantedOutputs[w] & -1L << from;
        if (left == 0) {
          break;
        }
        int bit = LowestBit.of(left);
        from = bit + 1;
        int port = w << 6 | bit;
        if (out[port].size() < spec.outputLimit()) {
          int input = choose(port);
          if (grants == 1) {
            pointer[port] = input + 1 == spec.inputs() ? 0 : input + 1;
          }
          move(input, port);
        }
      }
    }
    grants = grants == 1 ? spec.grantCycles() : grants - 1;
    return before - waitingPackets;
  }

  private int choose(int port) {
    int base = port * words;
    if (words == 1) {
      long mask = wanted[base];
      if ((mask & mask - 1) != 0) {
        conflicts += Long.bitCount(mask) - 1;
      }
      long after = mask & -1L << pointer[port];
      return LowestBit.of(after != 0 ? after : mask);
    }
    int start = pointer[port] >>> 6;
    long first = wanted[base + start] & -1L << pointer[port];
    if (first != 0) {
      return start << 6 | LowestBit.of(first);
    }
    for (int i = 1; i <= words; i++) {
      int w = start + i < words ? start + i : start + i - words;
      long mask = wanted[base + w];
      if (mask != 0) {
        return w << 6 | LowestBit.of(mask);
      }
    }
    throw new IllegalStateException("no input wants output " + port);
  }

  private void transferInTurn() {
    long taken = 0;
    long[] takenMore = spec.outputs() > 64 ? new long[wantedOutputs.length] : null;
    for (int i = 0; i < spec.inputs(); i++) {
      int input = turn + i < spec.inputs() ? turn + i : turn + i - spec.inputs();
      if (in[input].isEmpty()) {
        continue;
      }
      int port = headOutput[input];
      boolean used =
          takenMore == null ? (taken & 1L << port) != 0 : (takenMore[port >>> 6] & 1L << port) != 0;
      if (used) {
        conflicts++;
      } else if (out[port].size() < spec.outputLimit()) {
        move(input, port);
        if (takenMore == null) {
          taken |= 1L << port;
        } else {
          takenMore[port >>> 6] |= 1L << port;
        }
      }
    }
    turn = turn + 1 == spec.inputs() ? 0 : turn + 1;
  }

  private void move(int input, int port) {
    int at = port * words + (input >>> 6);
    wanted[at] &= ~(1L << input);
    boolean stillWanted = false;
    for (int w = 0; w < words; w++) {
      stillWanted |= wanted[port * words + w] != 0;
    }
    if (!stillWanted) {
      wantedOutputs[port >>> 6] &= ~(1L << port);
    }
    MemoryRequest packet = in[input].pop();
    waitingPackets--;
    packet.ready = now + 1;
    out[port].push(packet);
    if (!in[input].isEmpty()) {
      announce(input, outputOf(in[input].peek()));
    }
  }

  private void announce(int input, int port) {
    headOutput[input] = port;
    wanted[port * words + (input >>> 6)] |= 1L << input;
    wantedOutputs[port >>> 6] |= 1L << port;
  }
}
