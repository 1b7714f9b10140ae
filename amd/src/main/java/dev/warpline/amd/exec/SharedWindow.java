package dev.warpline.amd.exec;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * A part of a GPU's address space that a process of the host sees at the same addresses: a file
 * that both have mapped. Allocations start on pages of 64 KiB, keep a page free behind them, and
 * end at their last byte, as those of {@link DeviceMemory} do.
 */
public final class SharedWindow {
  /** First address, the same in the GPU and in the process. */
  public static final long BASE = 0x6000_0000_0000L;

  private static final int PAGE_BITS = 16;
  private static final int PAGE_SIZE = 1 << PAGE_BITS;
  private static final int PAGE_MASK = PAGE_SIZE - 1;
  private static final int SEGMENT_BITS = 30;
  private static final int SEGMENT_MASK = (1 << SEGMENT_BITS) - 1;

  private final FileChannel file;
  private final long size;

  /** The file's contents by GiB; null until something is allocated there. */
  private final MappedByteBuffer[] segments;

  /** By page: its bytes that belong to an allocation, from its start. */
  private final int[] used;

  private final TreeMap<Long, Long> free = new TreeMap<>();
  private final Map<Long, Long> allocations = new HashMap<>();
  private long allocatedBytes;

  /**
   * @param file of at least {@code size} bytes, open for reading and writing; stays open
   * @param size a multiple of 1 GiB
   */
  public SharedWindow(FileChannel file, long size) {
    this.file = file;
    this.size = size;
    segments = new MappedByteBuffer[(int) (size >>> SEGMENT_BITS)];
    used = new int[(int) (size >>> PAGE_BITS)];
    free.put(0L, size);
  }

  public long size() {
    return size;
  }

  /** Bytes allocated now. */
  public long allocatedBytes() {
    return allocatedBytes;
  }

  /**
   * Reserves {@code bytes} bytes, first fit; their contents are whatever was there.
   *
   * @return the address, or 0 if there is no room
   */
  public synchronized long allocate(long bytes) throws IOException {
    long need = ((bytes + PAGE_MASK) & ~(long) PAGE_MASK) + PAGE_SIZE;
    for (Map.Entry<Long, Long> hole : free.entrySet()) {
      if (hole.getValue() >= need) {
        long offset = hole.getKey();
        long length = hole.getValue();
        free.remove(offset);
        if (length > need) {
          free.put(offset + need, length - need);
        }
        for (long done = 0; done < bytes; done += PAGE_SIZE) {
          int segment = (int) (offset + done >>> SEGMENT_BITS);
          if (segments[segment] == null) {
            segments[segment] =
                file.map(
                    FileChannel.MapMode.READ_WRITE,
                    (long) segment << SEGMENT_BITS,
                    1L << SEGMENT_BITS);
            segments[segment].order(ByteOrder.LITTLE_ENDIAN);
          }
          used[(int) (offset + done >>> PAGE_BITS)] = (int) Math.min(PAGE_SIZE, bytes - done);
        }
        allocations.put(BASE + offset, bytes);
        allocatedBytes += bytes;
        return BASE + offset;
      }
    }
    return 0;
  }

  /** Gives an allocation back; false if {@code address} is not the start of one. */
  public synchronized boolean free(long address) {
    Long bytes = allocations.remove(address);
    if (bytes == null) {
      return false;
    }
    allocatedBytes -= bytes;
    long offset = address - BASE;
    for (long done = 0; done < bytes; done += PAGE_SIZE) {
      used[(int) (offset + done >>> PAGE_BITS)] = 0;
    }
    long length = ((bytes + PAGE_MASK) & ~(long) PAGE_MASK) + PAGE_SIZE;
    Long next = free.remove(offset + length);
    if (next != null) {
      length += next;
    }
    Map.Entry<Long, Long> before = free.lowerEntry(offset);
    if (before != null && before.getKey() + before.getValue() == offset) {
      free.put(before.getKey(), before.getValue() + length);
    } else {
      free.put(offset, length);
    }
    return true;
  }

  /** Whether an address lies in the window. */
  boolean contains(long address) {
    return address >= BASE && address < BASE + size;
  }

  /** Bytes of the address' page that belong to an allocation, from the page's start. */
  int usedOfPage(long address) {
    return contains(address) ? used[(int) (address - BASE >>> PAGE_BITS)] : 0;
  }

  /** The memory around an address of the window; {@link #index} says where in it. */
  MappedByteBuffer segment(long address) {
    return segments[(int) (address - BASE >>> SEGMENT_BITS)];
  }

  static int index(long address) {
    return (int) (address - BASE) & SEGMENT_MASK;
  }
}
