package dev.warpline.amd.exec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The memory a GPU sees: a sparse 48-bit address space of zero-filled pages. An allocation starts
 * on a page of its own and is followed by an unmapped page, and its last page is only as long as
 * the allocation, so an access one byte past the end of a buffer is found. A {@link SharedWindow}
 * may be part of it, which a process of the host sees too.
 */
public final class DeviceMemory {
  private static final VarHandle SHORT = view(short[].class);
  private static final VarHandle INT = view(int[].class);
  private static final VarHandle LONG = view(long[].class);

  private static final int PAGE_BITS = 16;
  private static final int PAGE_SIZE = 1 << PAGE_BITS;
  private static final int PAGE_MASK = PAGE_SIZE - 1;
  private static final int ADDRESS_BITS = 48;

  /**
   * First address handed out; the zero page and everything near it stay unmapped so that null
   * pointers fault.
   */
  private static final long FIRST_ADDRESS = 0x7000_0000_0000L;

  /** Pages by address bits 47:32, then 31:16. */
  private final byte[][][] pages = new byte[1 << (ADDRESS_BITS - 32)][][];

  /** What a process of the host sees too, or null. */
  private final SharedWindow window;

  private long nextAddress = FIRST_ADDRESS;
  private long allocatedBytes;

  /** Memory that nobody else sees. */
  public DeviceMemory() {
    this(null);
  }

  /** Memory with a part that a process of the host sees. */
  public DeviceMemory(SharedWindow window) {
    this.window = window;
  }

  private static VarHandle view(Class<?> arrayType) {
    return MethodHandles.byteArrayViewVarHandle(arrayType, ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Reserves and zeroes {@code bytes} bytes; the address is a multiple of the page size (64 KiB).
   */
  public long allocate(long bytes) {
    if (bytes <= 0) {
      throw new IllegalArgumentException("an allocation needs at least one byte, found " + bytes);
    }
    long address = nextAddress;
    map(address, bytes);
    nextAddress = ((address + bytes + PAGE_MASK) & ~(long) PAGE_MASK) + PAGE_SIZE;
    return address;
  }

  /** Reserves and zeroes memory that the host sees too, where there is a window. */
  public long allocateVisible(long bytes) {
    if (window == null) {
      return allocate(bytes);
    }
    try {
      long address = window.allocate(bytes);
      if (address == 0) {
        throw new MemoryFault("no room for " + bytes + " bytes in the shared window", 0, 0);
      }
      fill(address, bytes, 0);
      return address;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Maps zeroed memory at a chosen page-aligned address. */
  public void map(long address, long bytes) {
    if ((address & PAGE_MASK) != 0
        || address >>> ADDRESS_BITS != 0
        || (address + bytes) >>> ADDRESS_BITS != 0) {
      throw new IllegalArgumentException(
          String.format(
              "cannot map 0x%x: expected a multiple of 0x%x below 2^48", address, PAGE_SIZE));
    }
    for (long done = 0; done < bytes; done += PAGE_SIZE) {
      long at = address + done;
      byte[][] directory = pages[(int) (at >>> 32)];
      if (directory == null) {
        directory = new byte[1 << (32 - PAGE_BITS)][];
        pages[(int) (at >>> 32)] = directory;
      }
      int page = (int) (at >>> PAGE_BITS) & 0xffff;
      if (directory[page] != null) {
        throw new IllegalArgumentException(String.format("cannot map 0x%x: already mapped", at));
      }
      directory[page] = new byte[(int) Math.min(PAGE_SIZE, bytes - done)];
    }
    allocatedBytes += bytes;
  }

  /** Gives back an allocation of {@code bytes} bytes at {@code address}; later accesses fault. */
  public void free(long address, long bytes) {
    for (long done = 0; done < bytes; done += PAGE_SIZE) {
      long at = address + done;
      if (page(at) == null) {
        throw new MemoryFault(String.format("free of unmapped address 0x%x", at), at, 1);
      }
      pages[(int) (at >>> 32)][(int) (at >>> PAGE_BITS) & 0xffff] = null;
    }
    allocatedBytes -= bytes;
  }

  /** Bytes mapped now. */
  public long allocatedBytes() {
    return allocatedBytes;
  }

  private byte[] page(long address) {
    if (address >>> ADDRESS_BITS != 0) {
      return null;
    }
    byte[][] directory = pages[(int) (address >>> 32)];
    return directory == null ? null : directory[(int) (address >>> PAGE_BITS) & 0xffff];
  }

  /** Bytes of the address' page that may be accessed, from the page's start. */
  private int pageBytes(long address) {
    byte[] page = page(address);
    if (page != null) {
      return page.length;
    }
    return window == null ? 0 : window.usedOfPage(address);
  }

  /** Whether all of {@code bytes} bytes at {@code address} are mapped. */
  public boolean isMapped(long address, long bytes) {
    long at = address;
    long end = address + bytes;
    while (at < end) {
      int length = pageBytes(at);
      int offset = (int) at & PAGE_MASK;
      if (offset >= length) {
        return false;
      }
      long next = (at | PAGE_MASK) + 1;
      if (next >= end) {
        return offset + (end - at) <= length;
      }
      if (length < PAGE_SIZE) {
        return false;
      }
      at = next;
    }
    return true;
  }

  /** The page of an address of which {@code bytes} are there; null if it is in the window. */
  private byte[] pageFor(long address, int bytes) {
    byte[] page = page(address);
    int offset = (int) address & PAGE_MASK;
    if (page != null && offset + bytes <= page.length) {
      return page;
    }
    if (page == null && window != null && offset + bytes <= window.usedOfPage(address)) {
      return null;
    }
    throw new MemoryFault(describe(address, bytes), address, bytes);
  }

  private String describe(long address, int bytes) {
    int length = pageBytes(address);
    if (length == 0) {
      return String.format(
          "address 0x%x is not mapped%s",
          address, pageBytes(address - PAGE_SIZE) == 0 ? "" : " (just past the end of a buffer)");
    }
    long end = (address & ~(long) PAGE_MASK) + length;
    return String.format(
        "%d bytes at 0x%x reach past the end of a buffer at 0x%x", bytes, address, end);
  }

  private static boolean crossesPage(long address, int bytes) {
    return ((int) address & PAGE_MASK) > PAGE_SIZE - bytes;
  }

  public int readByte(long address) {
    byte[] page = pageFor(address, 1);
    return (page != null
            ? page[(int) address & PAGE_MASK]
            : window.segment(address).get(SharedWindow.index(address)))
        & 0xff;
  }

  public void writeByte(long address, int value) {
    byte[] page = pageFor(address, 1);
    if (page != null) {
      page[(int) address & PAGE_MASK] = (byte) value;
    } else {
      window.segment(address).put(SharedWindow.index(address), (byte) value);
    }
  }

  public int readShort(long address) {
    if (crossesPage(address, 2)) {
      return readByte(address) | readByte(address + 1) << 8;
    }
    byte[] page = pageFor(address, 2);
    return (page != null
            ? (short) SHORT.get(page, (int) address & PAGE_MASK)
            : window.segment(address).getShort(SharedWindow.index(address)))
        & 0xffff;
  }

  public void writeShort(long address, int value) {
    if (crossesPage(address, 2)) {
      writeByte(address, value);
      writeByte(address + 1, value >> 8);
      return;
    }
    byte[] page = pageFor(address, 2);
    if (page != null) {
      SHORT.set(page, (int) address & PAGE_MASK, (short) value);
    } else {
      window.segment(address).putShort(SharedWindow.index(address), (short) value);
    }
  }

  public int readInt(long address) {
    if (crossesPage(address, 4)) {
      return readShort(address) | readShort(address + 2) << 16;
    }
    byte[] page = pageFor(address, 4);
    return page != null
        ? (int) INT.get(page, (int) address & PAGE_MASK)
        : window.segment(address).getInt(SharedWindow.index(address));
  }

  public void writeInt(long address, int value) {
    if (crossesPage(address, 4)) {
      writeShort(address, value);
      writeShort(address + 2, value >> 16);
      return;
    }
    byte[] page = pageFor(address, 4);
    if (page != null) {
      INT.set(page, (int) address & PAGE_MASK, value);
    } else {
      window.segment(address).putInt(SharedWindow.index(address), value);
    }
  }

  public long readLong(long address) {
    if (crossesPage(address, 8)) {
      return (readInt(address) & 0xffffffffL) | (long) readInt(address + 4) << 32;
    }
    byte[] page = pageFor(address, 8);
    return page != null
        ? (long) LONG.get(page, (int) address & PAGE_MASK)
        : window.segment(address).getLong(SharedWindow.index(address));
  }

  public void writeLong(long address, long value) {
    if (crossesPage(address, 8)) {
      writeInt(address, (int) value);
      writeInt(address + 4, (int) (value >> 32));
      return;
    }
    byte[] page = pageFor(address, 8);
    if (page != null) {
      LONG.set(page, (int) address & PAGE_MASK, value);
    } else {
      window.segment(address).putLong(SharedWindow.index(address), value);
    }
  }

  /**
   * Reads a dword per lane from {@code addresses[lane] + offset} into {@code target[first + lane]}.
   * Neighbouring lanes mostly share a page, so the last one is kept.
   */
  void gather(long[] addresses, long offset, long lanes, int[] target, int first) {
    long number = -1;
    byte[] page = null;
    for (long left = lanes; left != 0; left &= left - 1) {
      int lane = Long.numberOfTrailingZeros(left);
      long at = addresses[lane] + offset;
      if (at >>> PAGE_BITS != number) {
        number = at >>> PAGE_BITS;
        page = page(at);
      }
      int within = (int) at & PAGE_MASK;
      target[first + lane] =
          page != null && within <= page.length - 4 ? (int) INT.get(page, within) : readInt(at);
    }
  }

  /** Writes a dword per lane; as {@link #gather}. */
  void scatter(long[] addresses, long offset, long lanes, int[] source, int first) {
    long number = -1;
    byte[] page = null;
    for (long left = lanes; left != 0; left &= left - 1) {
      int lane = Long.numberOfTrailingZeros(left);
      long at = addresses[lane] + offset;
      if (at >>> PAGE_BITS != number) {
        number = at >>> PAGE_BITS;
        page = page(at);
      }
      int within = (int) at & PAGE_MASK;
      if (page != null && within <= page.length - 4) {
        INT.set(page, within, source[first + lane]);
      } else {
        writeInt(at, source[first + lane]);
      }
    }
  }

  /** Copies from the host into device memory. */
  public void copyIn(long address, byte[] source, int from, int length) {
    long at = address;
    int done = 0;
    while (done < length) {
      int chunk = Math.min(length - done, PAGE_SIZE - ((int) at & PAGE_MASK));
      byte[] page = pageFor(at, chunk);
      if (page != null) {
        System.arraycopy(source, from + done, page, (int) at & PAGE_MASK, chunk);
      } else {
        window.segment(at).put(SharedWindow.index(at), source, from + done, chunk);
      }
      done += chunk;
      at += chunk;
    }
  }

  public void copyIn(long address, byte[] source) {
    copyIn(address, source, 0, source.length);
  }

  /** Copies from device memory to the host. */
  public void copyOut(long address, byte[] target, int from, int length) {
    long at = address;
    int done = 0;
    while (done < length) {
      int chunk = Math.min(length - done, PAGE_SIZE - ((int) at & PAGE_MASK));
      byte[] page = pageFor(at, chunk);
      if (page != null) {
        System.arraycopy(page, (int) at & PAGE_MASK, target, from + done, chunk);
      } else {
        window.segment(at).get(SharedWindow.index(at), target, from + done, chunk);
      }
      done += chunk;
      at += chunk;
    }
  }

  public byte[] copyOut(long address, int length) {
    byte[] bytes = new byte[length];
    copyOut(address, bytes, 0, length);
    return bytes;
  }

  /** Copies inside device memory; the ranges must not overlap. */
  public void copy(long from, long to, long length) {
    long done = 0;
    while (done < length) {
      long source = from + done;
      long target = to + done;
      int chunk =
          (int)
              Math.min(
                  length - done,
                  PAGE_SIZE - Math.max((int) source & PAGE_MASK, (int) target & PAGE_MASK));
      byte[] page = pageFor(source, chunk);
      if (page != null) {
        copyIn(target, page, (int) source & PAGE_MASK, chunk);
      } else {
        byte[] bytes = new byte[chunk];
        window.segment(source).get(SharedWindow.index(source), bytes);
        copyIn(target, bytes, 0, chunk);
      }
      done += chunk;
    }
  }

  public void fill(long address, long length, int value) {
    long at = address;
    long end = address + length;
    while (at < end) {
      int chunk = (int) Math.min(end - at, PAGE_SIZE - ((int) at & PAGE_MASK));
      int offset = (int) at & PAGE_MASK;
      byte[] page = pageFor(at, chunk);
      if (page != null) {
        Arrays.fill(page, offset, offset + chunk, (byte) value);
      } else {
        byte[] same = new byte[chunk];
        Arrays.fill(same, (byte) value);
        window.segment(at).put(SharedWindow.index(at), same);
      }
      at += chunk;
    }
  }

  public void writeInts(long address, int... values) {
    for (int i = 0; i < values.length; i++) {
      writeInt(address + 4L * i, values[i]);
    }
  }

  public int[] readInts(long address, int count) {
    int[] values = new int[count];
    for (int i = 0; i < count; i++) {
      values[i] = readInt(address + 4L * i);
    }
    return values;
  }
}
