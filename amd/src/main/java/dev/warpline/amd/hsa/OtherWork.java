package dev.warpline.amd.hsa;

import dev.warpline.engine.Activity;
import dev.warpline.engine.gpu.AmdSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * What vendor packets ask for besides kernels: copies and fills on the copy engines, and tasks of
 * the host. Packets name each by a number, from 1.
 */
final class OtherWork {
  /** One piece, from its registration to its end. */
  static final class Piece {
    private Transfer transfer;
    private DeviceTask task;
    private int queue;
    private long packetIndex;
    private long start;

    /** A task of the host where it is no transfer. */
    Activity.Kind kind() {
      return transfer == null ? Activity.Kind.HOST : transfer.kind();
    }

    String name() {
      return transfer == null ? kind().words() : transfer.name();
    }

    long bytes() {
      return transfer == null ? 0 : transfer.bytes();
    }

    int queue() {
      return queue;
    }

    long packetIndex() {
      return packetIndex;
    }

    long start() {
      return start;
    }
  }

  private final AmdSpec.Transfers spec;
  private final Clock clock;
  private final List<Piece> pieces = new ArrayList<>();

  /** By copy engine: when it has nothing to do. */
  private final long[] engineFree;

  OtherWork(AmdSpec.Transfers spec, Clock clock) {
    this.spec = spec;
    this.clock = clock;
    engineFree = new long[spec.engines()];
  }

  int add(Transfer transfer) {
    Piece piece = new Piece();
    piece.transfer = transfer;
    pieces.add(piece);
    return pieces.size();
  }

  int add(DeviceTask task) {
    Piece piece = new Piece();
    piece.task = task;
    pieces.add(piece);
    return pieces.size();
  }

  /** A packet asks for it; returns when it ends. */
  long start(long number, int queue, long packetIndex, long cycle) {
    Piece piece = number < 1 || number > pieces.size() ? null : pieces.get((int) number - 1);
    if (piece == null) {
      throw new HsaException(
          String.format(
              "queue %d, packet %d: a vendor packet names task %d, which is none",
              queue, packetIndex, number));
    }
    piece.queue = queue;
    piece.packetIndex = packetIndex;
    piece.start = cycle;
    if (piece.task != null) {
      return Math.max(cycle, clock.cycles(piece.task.perform(clock.nanos(cycle))));
    }
    int engine = 0;
    for (int e = 1; e < engineFree.length; e++) {
      if (engineFree[e] < engineFree[engine]) {
        engine = e;
      }
    }
    piece.start = Math.max(cycle, engineFree[engine]);
    engineFree[engine] = piece.start + clock.cycles(piece.transfer.nanos(spec));
    return engineFree[engine];
  }

  /** The end of a piece: its data move. It is forgotten, many more may follow. */
  Piece end(int index) {
    Piece piece = pieces.set(index, null);
    if (piece.transfer != null) {
      piece.transfer.move().run();
    }
    return piece;
  }
}
