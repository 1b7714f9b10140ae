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
 * Reads a kernel's blocks on a thread of its own, some ahead of who asks for them, as long as he
 * asks for them in order. He meets a code table that has the rows of the blocks he was given.
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
  private final Thread thread;

  // Between the two threads, guarded by this object.
  private final Deque<Piece> read = new ArrayDeque<>();
  private final Deque<BlockTrace> spare = new ArrayDeque<>();
  private long words;
  private boolean stopped;

  /** The block that comes next, -1 if they are no longer read ahead. */
  private long next;

  /**
   * Nothing is read before somebody asks for the first block.
   *
   * @param kernels how many may be read at once
   */
  public BlocksAhead(KernelTrace trace, int kernels) {
    this.trace = trace;
    mostWords = MOST_WORDS / kernels;
    thread = new Thread(this::readAll, "blocks of kernel " + trace.header().id());
    thread.setDaemon(true);
  }

  private void readAll() {
    long blocks = trace.header().grid().count();
    int rows = 0;
    boolean found = true;
    for (long id = 0; id < blocks && found && awaitRoom(); id++) {
      BlockTrace into = block();
      found = false;
      Throwable failure = null;
      try {
        found = trace.readBlock(id, into);
      } catch (IOException | RuntimeException | Error e) {
        failure = e;
      }
      List<Instruction> met = new ArrayList<>();
      for (; rows < trace.code().size(); rows++) {
        met.add(trace.code().get(rows));
      }
      put(new Piece(into, found, met, failure));
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
    } else if (next == 0) {
      thread.start();
    }
    if (next < 0) {
      boolean found = trace.readBlock(blockId, into);
      for (int row = table.size(); row < trace.code().size(); row++) {
        table.add(trace.code().get(row));
      }
      return found;
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
  public void close() throws IOException {
    stop();
    trace.close();
  }
}
