package dev.warpline.trace;

import dev.warpline.isa.CodeTable;
import dev.warpline.isa.Instruction;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Reads a kernel's blocks before somebody asks for them, as long as he asks for them in order: on a
 * thread of its own, or whenever {@link #readAhead} is called. He meets a code table that has the
 * rows of the blocks he was given.
 */
public final class BlocksAhead implements KernelTrace {
  /** Words of instructions and payloads that all kernels read ahead: memory stays bounded. */
  private static final long MOST_WORDS = 1 << 21;

  private final long mostWords;

  /** A block that was read, or why none was. */
  private record Piece(BlockTrace block, boolean found, List<Instruction> rows, Throwable failure) {
    long words() {
      return block.instructions() + block.dataSize;
    }

    void rethrow() throws IOException {
      if (failure instanceof IOException e) {
        throw e;
      }
      if (failure instanceof RuntimeException e) {
        throw e;
      }
      if (failure instanceof Error e) {
        throw e;
      }
    }
  }

  private final KernelTrace trace;
  private final CodeTable table = new CodeTable();

  /** Null if it has none of its own. */
  private final Thread thread;

  // Between the two threads, guarded by this object.
  private final Deque<Piece> read = new ArrayDeque<>();
  private final Deque<BlockTrace> spare = new ArrayDeque<>();
  private long words;
  private boolean stopped;

  /** The block that comes next, -1 if they are no longer read ahead. */
  private long next;

  /** The block that is read next, and rows of the code table that were met before it. */
  private long unread;

  private int rows;

  private BlocksAhead(KernelTrace trace, int kernels, boolean ownThread) {
    this.trace = trace;
    mostWords = MOST_WORDS / kernels;
    for (; rows < trace.code().size(); rows++) {
      table.add(trace.code().get(rows));
    }
    thread =
        ownThread ? new Thread(this::readAll, "blocks of kernel " + trace.header().id()) : null;
  }

  /**
   * Reads on a thread of its own, from when somebody asks for the first block, where it may.
   *
   * @param kernels how many may be read at once
   */
  public static KernelTrace onOwnThread(KernelTrace trace, int kernels) {
    if (!trace.isIndependent()) {
      return trace;
    }
    BlocksAhead ahead = new BlocksAhead(trace, kernels, true);
    ahead.thread.setDaemon(true);
    return ahead;
  }

  /**
   * Reads ahead when it is told to.
   *
   * @param kernels how many may be read at once
   */
  public static KernelTrace whenTold(KernelTrace trace, int kernels) {
    return new BlocksAhead(trace, kernels, false);
  }

  private void readAll() {
    while (hasUnread() && awaitRoom()) {
      readOne();
    }
  }

  private boolean hasUnread() {
    return unread >= 0 && unread < trace.header().grid().count();
  }

  /** Reads the next block; behind one that cannot be read there is none. */
  private void readOne() {
    BlockTrace into = block();
    boolean found = false;
    Throwable failure = null;
    try {
      found = trace.readBlock(unread, into);
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
    }
    unread = found ? unread + 1 : -1;
    List<Instruction> met = new ArrayList<>();
    for (; rows < trace.code().size(); rows++) {
      met.add(trace.code().get(rows));
    }
    put(new Piece(into, found, met, failure));
  }

  @Override
  public void readAhead(int blocks) {
    while (thread == null && next >= 0 && read.size() < blocks && words <= mostWords) {
      if (!hasUnread()) {
        return;
      }
      readOne();
    }
  }

  /** Waits until more may be read; false if nobody wants more. */
  private synchronized boolean awaitRoom() {
    try {
      while (words > mostWords && !stopped) {
        wait();
      }
    } catch (InterruptedException e) {
      return false;
    }
    return !stopped;
  }

  private synchronized BlockTrace block() {
    return spare.isEmpty() ? new BlockTrace() : spare.pop();
  }

  private synchronized void put(Piece piece) {
    read.add(piece);
    words += piece.words();
    notifyAll();
  }

  private synchronized Piece take() throws InterruptedIOException {
    try {
      while (read.isEmpty()) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
    Piece piece = read.poll();
    words -= piece.words();
    notifyAll();
    return piece;
  }

  @Override
  public boolean readBlock(long blockId, BlockTrace into) throws IOException {
    if (blockId != next || next == trace.header().grid().count()) {
      stop();
    } else if (next == 0 && thread != null) {
      thread.start();
    }
    if (next < 0) {
      boolean found = trace.readBlock(blockId, into);
      for (int row = table.size(); row < trace.code().size(); row++) {
        table.add(trace.code().get(row));
      }
      return found;
    }
    if (thread == null && read.isEmpty()) {
      readOne();
    }
    Piece piece = take();
    next = piece.found ? next + 1 : -1;
    piece.rows.forEach(table::add);
    piece.rethrow();
    if (piece.found) {
      into.exchange(piece.block);
      giveBack(piece.block);
    }
    return piece.found;
  }

  private synchronized void giveBack(BlockTrace block) {
    spare.push(block);
  }

  /** Lets the thread finish the block it is at: interrupted, its reader would speak of damage. */
  private void stop() {
    next = -1;
    if (thread == null) {
      return;
    }
    synchronized (this) {
      stopped = true;
      notifyAll();
    }
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public KernelHeader header() {
    return trace.header();
  }

  @Override
  public CodeTable code() {
    return table;
  }

  @Override
  public boolean hasControlBits() {
    return trace.hasControlBits();
  }

  @Override
  public boolean isIndependent() {
    return trace.isIndependent();
  }

  @Override
  public void close() throws IOException {
    stop();
    trace.close();
  }
}
