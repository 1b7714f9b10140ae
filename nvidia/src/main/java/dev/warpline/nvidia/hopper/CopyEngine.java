package dev.warpline.nvidia.hopper;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.memory.flow.Requests;
import dev.warpline.trace.Payload;
import java.util.Arrays;

/**
 * An SM's engine for bulk and tensor copies: takes commands one after the other, cuts each into
 * requests for 128-byte lines, sends these at its rate past L1, and knows when the last one was
 * answered.
 */
public final class CopyEngine {
  private static final int LINE = 128;
  private static final int SECTOR = 32;
  private static final int BATCH = 8;
  private static final int NONE = -1;

  /** What a command does. */
  public enum Kind {
    LOAD,
    STORE,
    REDUCTION,
    PREFETCH
  }

  private final ModernCoreSpec.Async spec;
  private final Requests requests;
  private boolean mapKnown;

  // Commands.
  private Kind[] kind = new Kind[16];
  private int[] owner = new int[16];
  private int[] barrier = new int[16];
  private int[] targets = new int[16];
  private long[] bytes = new long[16];
  private int[] lines = new int[16];
  private int[] open = new int[16];
  private long[] landed = new long[16];
  private int[] nextFree = new int[16];
  private int freeCommand = NONE;
  private int commands;

  // Lines of the commands in the queue, in order.
  private long[] line = new long[16];
  private byte[] sectors = new byte[16];
  private int[] lineCommand = new int[16];
  private double[] notBefore = new double[16];
  private int head;
  private int tail;
  private double free;

  @Counter("bulk and tensor copies")
  long copies;

  @Counter(value = "asked of L2 by copies", unit = "sectors")
  long copySectors;

  public CopyEngine(ModernCoreSpec.Async spec, Requests requests) {
    this.spec = spec;
    this.requests = requests;
  }

  /** Forgets everything. */
  public void startKernel() {
    freeCommand = NONE;
    commands = 0;
    head = 0;
    tail = 0;
    free = 0;
    mapKnown = false;
  }

  /**
   * Takes a command.
   *
   * @param what what it does
   * @param who handed back by {@link #owner}
   * @param tensor whether it uses a tensor map
   * @param data holds the payload of kind {@link Payload#BULK} at {@code at}
   * @return the command's number; right after, {@link #landed} says when its last request leaves
   */
  public int submit(Kind what, int who, boolean tensor, long[] data, int at, long cycle) {
    int c = newCommand();
    kind[c] = what;
    owner[c] = who;
    barrier[c] = (int) data[at + 1];
    targets[c] = (int) data[at + 2];
    bytes[c] = data[at + 3];
    lines[c] = 0;
    open[c] = 0;
    copies++;
    boolean out = what == Kind.STORE || what == Kind.REDUCTION;
    double start = cycle + (out ? spec.storeCycles() : spec.copyCycles());
    if (tensor && !mapKnown) {
      mapKnown = true;
      start += spec.mapCycles();
    }
    double rate = what == Kind.REDUCTION ? spec.reductionBytes() : spec.storeBytes();
    if (tail > line.length / 2) {
      closeUp();
    }
    int before = tail;
    int end = at + Payload.length(data, at);
    for (int r = at + 5; r + 2 < end; r += 3) {
      long address = data[r];
      for (long k = 0; k < data[r + 2]; k++) {
        touch(c, address, before);
        address += data[r + 1];
      }
    }
    double when = Math.max(free, start);
    for (int i = before; i < tail; i++) {
      notBefore[i] = when;
      when += out ? SECTOR * Integer.bitCount(sectors[i]) / rate : spec.copyLineCycles();
    }
    free = when;
    open[c] = lines[c];
    landed[c] = (long) Math.ceil(when);
    return c;
  }

  private void closeUp() {
    int n = tail - head;
    System.arraycopy(line, head, line, 0, n);
    System.arraycopy(sectors, head, sectors, 0, n);
    System.arraycopy(lineCommand, head, lineCommand, 0, n);
    System.arraycopy(notBefore, head, notBefore, 0, n);
    head = 0;
    tail = n;
  }

  private void touch(int c, long address, int first) {
    long its = address & -LINE;
    byte bit = (byte) (1 << (int) (address & LINE - 1) / SECTOR);
    if (tail > first && line[tail - 1] == its && (sectors[tail - 1] & bit) == 0) {
      sectors[tail - 1] |= bit;
      return;
    }
    if (tail == line.length) {
      int n = 2 * tail;
      line = Arrays.copyOf(line, n);
      sectors = Arrays.copyOf(sectors, n);
      lineCommand = Arrays.copyOf(lineCommand, n);
      notBefore = Arrays.copyOf(notBefore, n);
    }
    line[tail] = its;
    sectors[tail] = bit;
    lineCommand[tail++] = c;
    lines[c]++;
  }

  /** When the next request leaves; {@code Long.MAX_VALUE / 4} if none waits. */
  public long next() {
    return head == tail ? Long.MAX_VALUE / 4 : (long) notBefore[head];
  }

  /** Sends the requests that are due, and a few that soon will be. */
  public void step(long now) {
    for (int i = 0; i < BATCH && head < tail && notBefore[head] < now + BATCH; i++, head++) {
      int c = lineCommand[head];
      copySectors += Integer.bitCount(sectors[head]);
      int mask = sectors[head];
      int what =
          switch (kind[c]) {
            case LOAD, PREFETCH -> Requests.READ;
            case STORE -> Requests.WRITE;
            case REDUCTION -> Requests.REDUCTION;
          };
      boolean writes = kind[c] == Kind.STORE;
      requests.add(
          Math.max(now, (long) notBefore[head]),
          line[head],
          what,
          mask,
          writes ? allWords(mask) : 0,
          1,
          true,
          Requests.COPIES,
          c);
    }
    if (head == tail) {
      head = 0;
      tail = 0;
    }
  }

  /** The words of whole sectors: eight to a sector. */
  private static int allWords(int mask) {
    int words = 0;
    for (int m = mask; m != 0; m &= m - 1) {
      words |= 0xff << 8 * Integer.numberOfTrailingZeros(m);
    }
    return words;
  }

  /** A request was answered; true if it was the last of its command, see {@link #landed}. */
  public boolean answered(int command, long when) {
    int c = command;
    landed[c] = Math.max(landed[c], when);
    return --open[c] == 0;
  }

  public Kind kind(int command) {
    return kind[command];
  }

  /** Who gave the command. */
  public int owner(int command) {
    return owner[command];
  }

  /** The barrier that counts the bytes. */
  public int barrier(int command) {
    return barrier[command];
  }

  /** Ranks of the blocks that get the data, as a bit mask; 0: only the one that asked. */
  public int targets(int command) {
    int mask = targets[command];
    return (mask & 0xffff) != 0 ? mask & 0xffff : mask >>> 16;
  }

  /** Bytes that the copy brings, filled ones included. */
  public long bytes(int command) {
    return bytes[command];
  }

  /** Lines that were copied. */
  public int lines(int command) {
    return lines[command];
  }

  /**
   * When the last line came; before the first one did, when the last request leaves, which is when
   * a store has read its sources.
   */
  public long landed(int command) {
    return landed[command];
  }

  /** Gives a command's number back. */
  public void forget(int command) {
    int c = command;
    nextFree[c] = freeCommand;
    freeCommand = c;
  }

  private int newCommand() {
    int c = freeCommand;
    if (c != NONE) {
      freeCommand = nextFree[c];
      return c;
    }
    c = commands++;
    if (c == kind.length) {
      int n = 2 * c;
      kind = Arrays.copyOf(kind, n);
      owner = Arrays.copyOf(owner, n);
      barrier = Arrays.copyOf(barrier, n);
      targets = Arrays.copyOf(targets, n);
      bytes = Arrays.copyOf(bytes, n);
      lines = Arrays.copyOf(lines, n);
      open = Arrays.copyOf(open, n);
      landed = Arrays.copyOf(landed, n);
      nextFree = Arrays.copyOf(nextFree, n);
    }
    return c;
  }
}
