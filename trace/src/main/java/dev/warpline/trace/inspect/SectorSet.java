package dev.warpline.trace.inspect;

import java.util.Arrays;

/**
 * The 32-byte sectors that were touched: a bit per sector, in pages of 128 KiB of addresses found
 * by a hash table. Takes 1/256 of the memory it describes.
 */
final class SectorSet {
  private static final int PAGE_SHIFT = 17;
  private static final int SECTOR_SHIFT = 5;
  private static final int PAGE_WORDS = 1 << PAGE_SHIFT - SECTOR_SHIFT - 6;

  private long[] pages = new long[64];
  private int[] slots = new int[64];
  private int pageCount;
  private long[] bits = new long[16 * PAGE_WORDS];
  private long size;

  private long lastPage = -1;
  private int lastWord;

  /** Adds the sector of an address. */
  void add(long address) {
    long page = address >>> PAGE_SHIFT;
    if (page != lastPage) {
      lastWord = find(page) * PAGE_WORDS;
      lastPage = page;
    }
    int sector = (int) (address >>> SECTOR_SHIFT) & PAGE_WORDS * 64 - 1;
    int word = lastWord + (sector >>> 6);
    long bit = 1L << sector;
    if ((bits[word] & bit) == 0) {
      bits[word] |= bit;
      size++;
    }
  }

  /** Distinct sectors. */
  long size() {
    return size;
  }

  private int find(long page) {
    int slot = slot(page);
    while (slots[slot] != 0) {
      int index = slots[slot] - 1;
      if (pages[index] == page) {
        return index;
      }
      slot = slot + 1 & slots.length - 1;
    }
    slots[slot] = pageCount + 1;
    if (pageCount == pages.length) {
      pages = Arrays.copyOf(pages, pageCount * 2);
    }
    if ((pageCount + 1) * PAGE_WORDS > bits.length) {
      bits = Arrays.copyOf(bits, bits.length * 2);
    }
    pages[pageCount++] = page;
    if (pageCount * 2 > slots.length) {
      slots = new int[slots.length * 4];
      for (int i = 0; i < pageCount; i++) {
        int free = slot(pages[i]);
        while (slots[free] != 0) {
          free = free + 1 & slots.length - 1;
        }
        slots[free] = i + 1;
      }
    }
    return pageCount - 1;
  }

  private int slot(long page) {
    return (int) (page * 0x9e3779b97f4a7c15L >>> 33) & slots.length - 1;
  }
}
