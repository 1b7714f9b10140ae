package dev.warpline.nvidia.modern.echo;

import dev.warpline.memory.flow.Requests;
import dev.warpline.trace.BlockTrace;
import dev.warpline.trace.Payload;

/** An SM that is not simulated: asks memory for what a simulated one asks, at its own addresses. */
final class Echo {
  /** Local memory, of which traces tell nothing that differs between SMs, begins here. */
  private static final long LOCAL = 1L << 45;

  /** Local memory of echoes is as far apart as that of SMs never is. */
  private static final int APART = 46;

  private static final int LINE = 128;

  /**
   * Instructions to look ahead for the one that corresponds, where two warps went different ways.
   */
  private static final int AHEAD = 32;

  final int sm;
  final Requests requests;
  private final LinePairs lines = new LinePairs();

  /** From the last line that was paired to what it is here. */
  private long apart;

  Echo(int sm) {
    this.sm = sm;
    requests = new Requests(sm);
  }

  /**
   * Asks for what a simulated SM asks for in a window.
   *
   * @param end the cycle at which it ends
   * @param unknown whether also for lines that its blocks do not tell of
   */
  void repeat(Requests of, long end, boolean unknown) {
    for (int i = 0; i < of.size(); i++) {
      if (of.time(i) >= end) {
        continue;
      }
      long line = of.line(i);
      long own = lines.get(line);
      if (own >= 0) {
        requests.addLike(of, i, own);
      } else if (unknown) {
        requests.addLike(of, i, line >= LOCAL ? line ^ (sm + 1L) << APART : near(line));
      }
    }
  }

  /** What is likely asked for instead of a line that no block told of: what lies beside it does. */
  private long near(long line) {
    long before = lines.get(line - LINE);
    if (before >= 0) {
      return before + LINE;
    }
    long after = lines.get(line + LINE);
    return after >= LINE ? after - LINE : Math.max(0, line + apart);
  }

  /** A block of its own does what a block of the simulated SM does. */
  void pair(BlockTrace simulated, BlockTrace own, GlobalRows global) {
    int warps = Math.min(simulated.warps(), own.warps());
    for (int w = 0; w < warps; w++) {
      int i = simulated.start(w);
      int j = own.start(w);
      int endI = i + simulated.count(w);
      int endJ = j + own.count(w);
      while ((i = global.next(simulated, i, endI)) < endI) {
        int row = simulated.row(i);
        int match = global.next(own, j, endJ);
        for (int n = 0; n < AHEAD && match < endJ && own.row(match) != row; n++) {
          match = global.next(own, match + 1, endJ);
        }
        if (match < endJ && own.row(match) == row) {
          pair(
              simulated.data(),
              simulated.payload(i),
              Integer.bitCount(simulated.mask(i)),
              own.data(),
              own.payload(match),
              Integer.bitCount(own.mask(match)));
          apart =
              first(own.data(), own.payload(match)) - first(simulated.data(), simulated.payload(i));
          apart &= -LINE;
          j = match + 1;
        }
        i++;
      }
    }
  }

  private void pair(long[] a, int atA, int lanesA, long[] b, int atB, int lanesB) {
    int kind = Payload.kind(a, atA);
    if (kind != Payload.kind(b, atB)) {
      long first = first(a, atA);
      long other = first(b, atB);
      lines.put(first & -LINE, other & -LINE);
      return;
    }
    switch (kind) {
      case Payload.STRIDE -> run(a[atA + 1], a[atA + 2], lanesA, b[atB + 1], b[atB + 2], lanesB);
      case Payload.LIST -> {
        int lanes = Math.min(Payload.listed(a, atA), Payload.listed(b, atB));
        long last = -1;
        for (int i = 0; i < lanes; i++) {
          long line = Payload.listed(a, atA, i) & -LINE;
          if (line != last) {
            lines.put(line, Payload.listed(b, atB, i) & -LINE);
            last = line;
          }
        }
      }
      case Payload.BULK -> {
        int words = Math.min(Payload.length(a, atA), Payload.length(b, atB));
        for (int i = 5; i + 2 < words; i += 3) {
          run(
              a[atA + i],
              a[atA + i + 1],
              (int) a[atA + i + 2],
              b[atB + i],
              b[atB + i + 1],
              (int) b[atB + i + 2]);
        }
      }
      default -> {
        // Values, not addresses.
      }
    }
  }

  private static long first(long[] data, int at) {
    return switch (Payload.kind(data, at)) {
      case Payload.STRIDE, Payload.LIST -> data[at + 1];
      case Payload.BULK -> data[at + 5];
      default -> 0;
    };
  }

  private void run(long a, long strideA, int countA, long b, long strideB, int countB) {
    int count = Math.min(countA, countB);
    long last = -1;
    for (int i = 0; i < count; i++) {
      long line = a + i * strideA & -LINE;
      if (line != last) {
        lines.put(line, b + i * strideB & -LINE);
        last = line;
      }
    }
  }
}
