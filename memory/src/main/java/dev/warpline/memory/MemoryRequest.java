package dev.warpline.memory;

/**
 * One request on its way through a memory side: a sector or line to read or write, lines'
 * write-back, or a page to translate. A field means the same in every queue; what a part needs to
 * know of a request only while it has it (bytes that a DRAM bank still has to move, say) is kept by
 * that part. Owned by whoever created it (see {@link RequestPool}); every request comes back to its
 * owner once.
 *
 * <p>The memory side that reserves has a window of requests in columns instead, {@code
 * flow.Requests}; docs/memory.md says which column is which field.
 */
public final class MemoryRequest {
  /** Levels that answer, near to far; 0 is the asker's own cache. */
  public static final int FROM_L2 = 1;

  /** The cache in front of device memory. */
  public static final int FROM_MEMORY_CACHE = 2;

  public static final int FROM_DRAM = 3;

  // What is asked.

  /** Address of the first byte. */
  public long address;

  /** Bytes moved. */
  public int bytes;

  public boolean write;

  /** A read-modify-write, done at the L2. */
  public boolean atomic;

  /** Asks where the page of the address lies, not for data. */
  public boolean translation;

  /** Bytes of the sector that are written, bit 0 the first. */
  public int byteMask;

  /** Sectors of the line, for write-backs. */
  public int sectors;

  /** Lanes that take part, for atomics. */
  public int lanes;

  /** {@link AccessKind} ordinal, for Accel-Sim's statistics. */
  public int kind;

  // Who asks.

  /** The port of the memory side that the reply goes to: a cluster of SMs, a compute unit. */
  public int port;

  /** The SM within its cluster. */
  public int core;

  /** The cache that asks, and is told. */
  public Client client = Client.DATA;

  /** The client's own number of what waits for it, -1 if nothing does. */
  public int number;

  /** The warp it belongs to. */
  public int warp;

  /** Whether the answer goes past the first-level cache. */
  public boolean bypass;

  // Where it lies, as the memory side's address map says.

  /** L2 slice that owns the address. */
  public int slice;

  /** The address without the bits that chose channel and slice: indexes the slice's sets. */
  public long sliceAddress;

  /** Bank of the slice's channel. */
  public int bank;

  /** Row of the bank. */
  public int row;

  // When, and how it was answered.

  /** Core cycle of creation, for latency statistics. */
  public long born;

  /**
   * The first core cycle in which it may leave the queue that it stands in: of one sent, when it is
   * there; of a reply, when it is back.
   */
  public long ready;

  /** Who had the data, {@link #FROM_L2} to {@link #FROM_DRAM}. */
  public int level = FROM_L2;

  MemoryRequest nextFree;
}
