package dev.warpline.amd.cu;

import dev.warpline.amd.memory.Interleave;
import dev.warpline.amd.memory.Outbox;
import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.memory.Client;
import dev.warpline.memory.cache.MissTable;
import dev.warpline.memory.cache.TimedTags;
import dev.warpline.policy.replacement.TreePseudoLru;

/** An instruction or scalar cache that a few compute units share, with its TLB. */
final class SharedCache {
  @Counter("lines looked up")
  long accesses;

  @Counter("lines that were there")
  long hits;

  @Counter("lines fetched from the TCC")
  long misses;

  @Counter("pages the TLB did not have")
  long tlbMisses;

  @Counter(value = "cycles accesses waited for their bank", unit = "cycles")
  long bankCycles;

  private final AmdSpec.Cache spec;
  private final AmdSpec.Translation translation;
  private final Outbox outbox;
  private final Client client;
  private final int cu;
  private final int index;
  private final int lineShift;
  private final int pageShift;
  private final TimedTags tags;
  private final TimedTags tlb;
  private final long[] bankFree;
  private final MissTable missingLines = MissTable.unbounded();
  private final MissTable missingPages = MissTable.unbounded();

  /**
   * @param cu a compute unit of the die, in whose name requests are sent
   * @param index number among the caches of its kind in the array
   */
  SharedCache(AmdSpec gpu, AmdSpec.Cache spec, Outbox outbox, Client client, int cu, int index) {
    this.spec = spec;
    this.translation = gpu.translation();
    this.outbox = outbox;
    this.client = client;
    this.cu = cu;
    this.index = index;
    lineShift = Integer.numberOfTrailingZeros(spec.lineBytes());
    pageShift = Integer.numberOfTrailingZeros(translation.pageBytes());
    bankFree = new long[spec.banks()];
    tags = new TimedTags(spec.bytes() / spec.lineBytes(), spec.ways(), spec.replacement().get());
    tlb = new TimedTags(translation.l1().entries(), translation.l1().ways(), new TreePseudoLru());
  }

  /** Index of the cache that sent a request with this reference, and its entry. */
  static int index(int reference) {
    return reference >>> 20;
  }

  private static int entry(int reference) {
    return reference & 0xfffff;
  }

  /** When the line's page is translated, or -1: the waiter is then told by {@link #nextForPage}. */
  long translate(long line, long now, long waiter) {
    if (translation.functional()) {
      return now;
    }
    long page = line >>> pageShift - lineShift;
    if (tlb.find(page) >= 0) {
      return now + translation.l1().hitLatency();
    }
    tlbMisses++;
    int entry = missingPages.find(page);
    if (entry < 0) {
      entry = missingPages.add(page);
      long asked = now + translation.l1().hitLatency();
      outbox.send(asked, client, cu, page << pageShift, index << 20 | entry).translation = true;
    }
    missingPages.await(entry, waiter);
    return -1;
  }

  /** When the line is there, or -1: the waiter is then told by {@link #nextForLine}. */
  long look(long line, long at, long waiter) {
    accesses++;
    int bank = Interleave.part(line, bankFree.length);
    long served = Math.max(at, bankFree[bank]);
    bankCycles += served - at;
    bankFree[bank] = served + 1;
    if (tags.find(line) >= 0) {
      hits++;
      return served + spec.latency();
    }
    int entry = missingLines.find(line);
    if (entry < 0) {
      misses++;
      entry = missingLines.add(line);
      long toTcc = served + spec.latency() + spec.requestLatency();
      outbox.send(toTcc, client, cu, line << lineShift, index << 20 | entry);
    }
    missingLines.await(entry, waiter);
    return -1;
  }

  void pageArrived(int reference, long now) {
    tlb.insert(missingPages.line(entry(reference)), now);
  }

  void lineArrived(int reference, long now) {
    tags.insert(missingLines.line(entry(reference)), now);
  }

  /** The next waiter for a page that has arrived, or -1 after the last. */
  long nextForPage(int reference) {
    return next(missingPages, entry(reference));
  }

  long nextForLine(int reference) {
    return next(missingLines, entry(reference));
  }

  private static long next(MissTable table, int entry) {
    if (table.hasWaiter(entry)) {
      return table.take(entry);
    }
    table.remove(entry);
    return -1;
  }

  void invalidate() {
    tags.invalidateAll();
  }
}
