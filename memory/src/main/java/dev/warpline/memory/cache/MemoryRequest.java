package dev.warpline.memory.cache;

/**
 * One request on its way through the memory system: a sector to read or write, or lines'
 * write-back. Owned by whoever created it (see {@link RequestPool}); every request comes back to
 * its owner once.
 */
public final class MemoryRequest {
  /** Address of the first byte. */
  public long address;

  /** {@link AccessKind} ordinal, for statistics. */
  public int kind;

  public boolean write;

  /** A read-modify-write, done at the L2. */
  public boolean atomic;

  /** Bytes of the sector that are written, bit 0 the first. */
  public int byteMask;

  /** Bytes moved. */
  public int bytes;

  /** Sectors of the line, for write-backs. */
  public int sectors;

  /** The crossbar port (cluster) that the reply goes to. */
  public int port;

  /** The SM within its cluster. */
  public int core;

  /** The SM's instruction that waits for it, -1 if none does. */
  public int instruction;

  /** The warp it belongs to. */
  public int warp;

  /** Lanes of an atomic. */
  public int lanes;

  /** Whether the answer goes past the L1. */
  public boolean bypass;

  /** Whether its data came from device memory rather than from a cache on the way. */
  public boolean fromDram;

  /** L2 slice that owns the address. */
  public int slice;

  /** The address without the bits that chose channel and slice: indexes the slice's sets. */
  public long sliceAddress;

  public int bank;
  public int row;

  /** Bytes for which the DRAM got its column commands so far. */
  public int commanded;

  /** Bytes moved so far over the DRAM's data bus. */
  public int transferred;

  /** The output of the crossbar that it waits for. */
  public int output;

  /** The first core cycle in which it may leave the queue that it stands in. */
  public long ready;

  /** Core cycle of creation, for latency statistics. */
  public long born;

  MemoryRequest nextFree;
}
