package dev.warpline.web.server;

/** A trace on its way into the store, and how far it is. Read by any thread. */
final class Upload {
  /** Where it stands. */
  enum State {
    RECEIVING,
    WAITING,
    UNPACKING
  }

  /** What the page shows; {@code size} is -1 where the client did not say it. */
  record Snapshot(
      String id, String name, State state, long received, long size, long read, long unpacked) {}

  final String id;
  final String name;
  private final long size;
  private final Limits limits;
  private State state = State.RECEIVING;
  private long received;
  private long read;
  private long unpacked;
  private long deadline;
  private boolean cancelled;

  Upload(String id, String name, long size, Limits limits) {
    this.id = id;
    this.name = name;
    this.size = size;
    this.limits = limits;
  }

  synchronized void cancel() {
    cancelled = true;
  }

  /** So many bytes more have come. */
  synchronized void received(int bytes) throws Refused {
    received += bytes;
    if (received > limits.uploadBytes()) {
      throw new Refused(413, name + ": larger than " + limits.uploadBytes() + " bytes");
    }
    refuseCancelled();
  }

  synchronized void waits() {
    state = State.WAITING;
  }

  synchronized void unpacks() {
    state = State.UNPACKING;
    deadline = System.nanoTime() + limits.unpackSeconds() * 1_000_000_000L;
  }

  /** So many bytes of the archive have been read. */
  synchronized void read(int bytes) {
    read += bytes;
  }

  /** They have become so many more bytes of files. */
  synchronized void unpacked(int bytes) throws Refused {
    unpacked += bytes;
    if (unpacked > limits.unpackedBytes()) {
      throw new Refused(413, name + ": unpacks to more than " + limits.unpackedBytes() + " bytes");
    }
    if (System.nanoTime() - deadline > 0) {
      throw new Refused(413, name + ": unpacks for more than " + limits.unpackSeconds() + " s");
    }
    refuseCancelled();
  }

  synchronized void refuseCancelled() throws Refused {
    if (cancelled) {
      throw new Refused(409, name + ": cancelled");
    }
  }

  synchronized Snapshot snapshot() {
    return new Snapshot(id, name, state, received, size, read, unpacked);
  }
}
