package dev.warpline.nvidia.emulate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Global memory: allocations, and pages that exist where something was written. Pages lie at
 * multiples of their size, so an aligned access never touches two.
 */
final class EmulatedMemory {
  /** Bytes of a page. */
  static final int PAGE = 1 << 16;

  private static final int SHIFT = 16;
  private static final int NEAR = 256;

  /** What a page without contents reads as; never written. */
  private final byte[] zeros = new byte[PAGE];

  /** A page. Read through {@link #content}; {@link EmulatedMemory#toWrite} before writing. */
  static final class Page {
    final long address;
    byte[] content;

    /** What it held before it was written, where that is kept. */
    private byte[] before;

    /** Whether one allocation has all of it, so that an access needs no further check. */
    private boolean whole;

    /** Whether it was written since {@link EmulatedMemory#forgetWritten}. */
    private boolean written;

    /** Whether it was read or written since {@link EmulatedMemory#forgetTouched}. */
    private boolean touched;

    /** Whether an aligned access at an address lies in it, in one allocation. */
    boolean has(long at) {
      return whole && address == (at & -PAGE);
    }

    private Page(long address, byte[] content) {
      this.address = address;
      this.content = content;
    }
  }

  /** An allocation. */
  record Allocation(String name, long address, long bytes) {
    long end() {
      return address + bytes;
    }

    boolean has(long first, long count) {
      return first >= address && count <= bytes && first - address <= bytes - count;
    }
  }

  private final TreeMap<Long, Allocation> allocations = new TreeMap<>();
  private final Page[] near = new Page[NEAR];

  /** Open addressing by page number. */
  private Page[] pages = new Page[1024];

  private int count;
  private long held;
  private boolean keepsBefore;
  private final List<Page> written = new ArrayList<>();
  private Allocation recent = new Allocation("", 0, 0);

  /** Adds an allocation, which holds zeros. */
  void add(String name, long address, long bytes) throws EmulationException {
    Map.Entry<Long, Allocation> before = allocations.lowerEntry(address + bytes);
    if (before != null && before.getValue().end() > address) {
      throw new EmulationException(
          "buffers " + before.getValue().name() + " and " + name + " overlap in memory");
    }
    Allocation added = new Allocation(name, address, bytes);
    allocations.put(address, added);
    forget(added);
  }

  /** Takes an allocation away. */
  void remove(long address) {
    Allocation removed = allocations.remove(address);
    recent = new Allocation("", 0, 0);
    if (removed != null) {
      forget(removed);
    }
  }

  /** Drops the contents of pages that an allocation comes into or leaves. */
  private void forget(Allocation changed) {
    Arrays.fill(near, null);
    long first = changed.address() >>> SHIFT;
    long last = changed.end() - 1 >>> SHIFT;
    if (last - first < count) {
      for (long number = first; number <= last; number++) {
        forget(find(number), changed);
      }
    } else {
      for (Page page : pages) {
        if (page != null && page.address >>> SHIFT >= first && page.address >>> SHIFT <= last) {
          forget(page, changed);
        }
      }
    }
  }

  private void forget(Page page, Allocation changed) {
    if (page == null) {
      return;
    }
    long from = Math.max(page.address, changed.address());
    long to = Math.min(page.address + PAGE, changed.end());
    if (page.content != zeros) {
      if (to - from == PAGE) {
        page.content = zeros;
        held -= PAGE;
      } else {
        Arrays.fill(page.content, (int) (from - page.address), (int) (to - page.address), (byte) 0);
      }
    }
    page.whole = isWhole(page.address);
    page.touched = false;
  }

  private boolean isWhole(long address) {
    Map.Entry<Long, Allocation> entry = allocations.floorEntry(address);
    return entry != null && entry.getValue().has(address, PAGE);
  }

  /** The page that holds all of an aligned access, for reading. */
  Page at(long address, int bytes) {
    Page page = near[(int) (address >>> SHIFT) & NEAR - 1];
    if (page == null || page.address != (address & -PAGE) || !page.whole) {
      page = look(address, bytes);
    }
    if ((address & PAGE - 1) + bytes > PAGE) {
      throw new AddressFault(
          String.format("accesses %d bytes at 0x%x, which is not aligned", bytes, address));
    }
    page.touched = true;
    return page;
  }

  /** The page that holds all of an aligned access, for writing. */
  Page toWrite(long address, int bytes) {
    Page page = at(address, bytes);
    if (!page.written || page.content == zeros) {
      beginWriting(page);
    }
    return page;
  }

  private void beginWriting(Page page) {
    if (!page.written) {
      page.written = true;
      written.add(page);
      if (keepsBefore) {
        page.before = page.content == zeros ? zeros : page.content.clone();
      }
    }
    if (page.content == zeros) {
      page.content = new byte[PAGE];
      held += PAGE;
    }
  }

  private Page look(long address, int bytes) {
    if (!recent.has(address, bytes)) {
      Map.Entry<Long, Allocation> entry = allocations.floorEntry(address);
      if (entry == null || !entry.getValue().has(address, bytes)) {
        throw new AddressFault(
            String.format(
                "accesses %d bytes at 0x%x, which is in no buffer; %s",
                bytes, address, neighbours(address)));
      }
      recent = entry.getValue();
    }
    long number = address >>> SHIFT;
    Page page = find(number);
    if (page == null) {
      page = new Page(number << SHIFT, zeros);
      page.whole = isWhole(page.address);
      put(page);
    }
    near[(int) number & NEAR - 1] = page;
    return page;
  }

  /** The allocations next to an address, in words. */
  private String neighbours(long address) {
    StringBuilder text = new StringBuilder("the buffers are:");
    if (allocations.size() > 8) {
      text = new StringBuilder("the nearest of " + allocations.size() + " buffers are:");
      for (Map.Entry<Long, Allocation> entry :
          Arrays.asList(allocations.floorEntry(address), allocations.higherEntry(address))) {
        if (entry != null) {
          append(text, entry.getValue());
        }
      }
    } else {
      for (Allocation allocation : allocations.values()) {
        append(text, allocation);
      }
    }
    return text.toString();
  }

  private static void append(StringBuilder text, Allocation allocation) {
    text.append(
        String.format(
            "%n  %s: 0x%x to 0x%x", allocation.name(), allocation.address(), allocation.end() - 1));
  }

  private static int slot(long number, int length) {
    return (int) ((number * 0x9E3779B97F4A7C15L) >>> 40) & length - 1;
  }

  private Page find(long number) {
    int at = slot(number, pages.length);
    while (pages[at] != null && pages[at].address >>> SHIFT != number) {
      at = at + 1 & pages.length - 1;
    }
    return pages[at];
  }

  private void put(Page page) {
    if (2 * count >= pages.length) {
      Page[] old = pages;
      pages = new Page[2 * old.length];
      for (Page one : old) {
        if (one != null) {
          insert(one);
        }
      }
    }
    insert(page);
    count++;
  }

  private void insert(Page page) {
    int at = slot(page.address >>> SHIFT, pages.length);
    while (pages[at] != null) {
      at = at + 1 & pages.length - 1;
    }
    pages[at] = page;
  }

  /** Reads any number of bytes of one allocation. */
  void read(long address, byte[] into, int at, int bytes) {
    require(address, bytes);
    for (int done = 0; done < bytes; ) {
      long next = address + done;
      int size = (int) Math.min(bytes - done, PAGE - (next & PAGE - 1));
      Page page = at(next, size);
      System.arraycopy(page.content, (int) (next - page.address), into, at + done, size);
      done += size;
    }
  }

  /** Writes any number of bytes of one allocation. */
  void write(long address, byte[] from, int at, int bytes) {
    require(address, bytes);
    for (int done = 0; done < bytes; ) {
      long next = address + done;
      int size = (int) Math.min(bytes - done, PAGE - (next & PAGE - 1));
      Page page = toWrite(next, size);
      System.arraycopy(from, at + done, page.content, (int) (next - page.address), size);
      done += size;
    }
  }

  private void require(long address, int bytes) {
    if (bytes > 0 && !recent.has(address, bytes)) {
      look(address, bytes);
    }
  }

  /** Copies contents out without counting as an access; zeros where there are none. */
  void peek(long address, byte[] into, int bytes) {
    for (int done = 0; done < bytes; ) {
      long next = address + done;
      int from = (int) (next & PAGE - 1);
      int size = Math.min(bytes - done, PAGE - from);
      Page page = find(next >>> SHIFT);
      System.arraycopy(page == null ? zeros : page.content, from, into, done, size);
      done += size;
    }
  }

  /** Whether there are contents in a stretch of memory, rather than zeros that nobody wrote. */
  boolean hasContent(long address, long bytes) {
    for (long number = address >>> SHIFT; number <= address + bytes - 1 >>> SHIFT; number++) {
      Page page = find(number);
      if (page != null && page.content != zeros) {
        return true;
      }
    }
    return false;
  }

  /** Addresses of the pages written since {@link #forgetWritten}, ascending. */
  long[] written() {
    return written.stream().mapToLong(page -> page.address).sorted().toArray();
  }

  /** From now on nothing counts as written. */
  void forgetWritten() {
    for (Page page : written) {
      page.written = false;
      page.before = null;
    }
    written.clear();
  }

  /** Keeps what pages hold that are written from now on, or stops doing so. */
  void keepBefore(boolean wanted) {
    keepsBefore = wanted;
  }

  /** Exchanges the contents of written pages and what they held before, where that was kept. */
  void swapBefore() {
    for (Page page : written) {
      if (page.before != null) {
        byte[] content = page.content;
        page.content = page.before;
        page.before = content;
        if (page.content == zeros) {
          page.content = new byte[PAGE];
        }
      }
    }
  }

  /** Whether a stretch of memory was read or written since {@link #forgetTouched}. */
  boolean touched(long address, long bytes) {
    for (long number = address >>> SHIFT; number <= address + bytes - 1 >>> SHIFT; number++) {
      Page page = find(number);
      if (page != null && page.touched) {
        return true;
      }
    }
    return false;
  }

  /** From now on nothing counts as read or written. */
  void forgetTouched() {
    for (Page page : pages) {
      if (page != null) {
        page.touched = false;
      }
    }
  }

  /** Bytes of all contents. */
  long held() {
    return held;
  }

  /** FNV-1a over the 32-bit words of a stretch of memory. */
  long checksum(long address, int bytes) {
    byte[] content = new byte[bytes + 3];
    peek(address, content, bytes);
    long hash = 0xcbf29ce484222325L;
    for (int at = 0; at < bytes; at += 4) {
      hash = (hash ^ Words64.unsigned(Bytes.word(content, at))) * 0x100000001b3L;
    }
    return hash;
  }
}
