package dev.warpline.amd.cu;

import dev.warpline.amd.exec.MemoryAccess;
import dev.warpline.amd.memory.Interleave;
import dev.warpline.engine.Counter;
import dev.warpline.engine.EventHeap;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.memory.Client;
import dev.warpline.memory.Coalescer;
import dev.warpline.memory.MemoryRequest;
import dev.warpline.memory.cache.MissTable;
import dev.warpline.memory.cache.TimedTags;
import dev.warpline.policy.replacement.TreePseudoLru;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The vector memory path: issue queue, TLB, coalescer, vector cache (TCP), and the ordered return
 * of results. The TCP writes through and does not allocate on stores; a store or atomic throws its
 * line out.
 */
final class GlobalPipe {
  @Counter("vector loads")
  long loads;

  @Counter("vector stores")
  long stores;

  @Counter("vector atomics")
  long atomics;

  @Counter("FLAT instructions")
  long flatInstructions;

  @Counter("active lanes")
  long lanes;

  @Counter("lines after coalescing")
  long lines;

  @Counter("lines read from the vector cache")
  long tcpReads;

  @Counter("lines the vector cache had")
  long tcpHits;

  @Counter("lines that were already on their way")
  long tcpHitsPending;

  @Counter("lines written through")
  long tcpWrites;

  @Counter("pages looked up in the first-level TLB")
  long tlbAccesses;

  @Counter("pages the first-level TLB did not have")
  long tlbMisses;

  @Counter("pages fetched ahead")
  long tlbPrefetches;

  @Counter(value = "cycles from issue to return, over all instructions", unit = "cycles")
  long latencyCycles;

  final Distribution lanesDistribution = new Distribution("activeLanesPerGMemInstrDist", 1, 64, 4);
  final Distribution pagesDistribution = new Distribution("pageDivergenceDist", 1, 64, 4);
  final Distribution linesDistribution = new Distribution("coalsrLineAddresses", 0, 20, 1);
  final Distribution allLatency = new Distribution("allLatencyDist", 0, 1999, 100);
  final Distribution loadLatency = new Distribution("loadLatencyDist", 0, 1999, 100);
  final Distribution storeLatency = new Distribution("storeLatencyDist", 0, 1999, 100);
  final Distribution headTail = new Distribution("headTailLatency", 0, 999, 50);

  /** One vector memory instruction in flight. */
  private static final class Access {
    private final int number;
    private Wavefront wave;
    private TimedInstruction instruction;
    private boolean load;
    private boolean atomic;
    private boolean bypass;
    private long[] lines = new long[16];
    private int[] lanes = new int[16];

    /** 64-byte sectors of each line that are touched, as a mask. */
    private int[] sectors = new int[16];

    private int lineCount;
    private long[] pages = new long[4];
    private int pageCount;
    private int pendingPages;
    private int pendingLines;
    private long issued;

    /** When its first line was back from behind the vector cache, -1 if none was. */
    private long firstLineAt;

    private long doneAt;

    /** Row of the profile; lines found in the cache. */
    private int row;

    private int hits;

    /** The farthest level that answered, as the memory side names it; 0 if all lines hit. */
    private int level;

    /** When it may return, -1 while that is not known. */
    private long readyAt;

    private Access nextInOrder;

    /** Cycles its data take to the registers. */
    private int returnCycles;

    Access(int number) {
      this.number = number;
    }

    /** Takes over the lines that its lanes touch. */
    void take(Coalescer from, int lineShift) {
      lineCount = from.count;
      if (lineCount > lines.length) {
        lines = new long[lineCount];
        lanes = new int[lineCount];
        sectors = new int[lineCount];
      }
      for (int i = 0; i < lineCount; i++) {
        lines[i] = from.start[i] >>> lineShift;
        lanes[i] = from.lanes[i];
        sectors[i] = from.touched[i];
      }
    }

    void addPage(long page) {
      for (int i = pageCount - 1; i >= 0; i--) {
        if (pages[i] == page) {
          return;
        }
      }
      if (pageCount == pages.length) {
        pages = Arrays.copyOf(pages, pageCount * 2);
      }
      pages[pageCount++] = page;
    }
  }

  /** The cache takes and gives 64 bytes per cycle and bank. */
  private static final int SECTOR_BYTES = 64;

  /** A waiter is an access and, in these low bits, how many sectors of the line it reads. */
  private static final int SECTORS_BITS = 5;

  private final ComputeUnit cu;
  private final AmdSpec.MemoryPipes spec;
  private final AmdSpec.VectorCache cacheSpec;
  private final AmdSpec.Translation translation;
  private final int lineShift;
  private final int pageShift;
  private final TimedTags tlb;
  private final MissTable missingPages = MissTable.unbounded();
  private final TimedTags tags;
  private final MissTable missingLines = MissTable.unbounded();
  private final Coalescer coalescer = new Coalescer(Coalescer.Order.AS_TOUCHED, SECTOR_BYTES);
  private final long[] bankFree;

  /** Last page of the CU, of a SIMD or of a wave, for prefetches. */
  private final long[] lastPages;

  private final List<Access> all = new ArrayList<>();
  private final ArrayDeque<Access> unused = new ArrayDeque<>();
  private final ArrayDeque<Access> issueQueue = new ArrayDeque<>();
  private final EventHeap completions = new EventHeap();

  /** Accesses that must return in order: one list for the CU, or one per wave slot. */
  private final Access[] firstInOrder;

  private final Access[] lastInOrder;

  /** When tokens come back, oldest first: a ring. */
  private final long[] tokenReturns;

  private int firstToken;
  private int tokensOut;
  private int tokens;
  private long requestBusFree;
  private long returnBusFree;
  private final int fillCycles;
  private long fillFree;
  private long coalescerFree;
  private int loadsInFlight;
  private int storesInFlight;
  private long nextCycle = Long.MAX_VALUE;

  GlobalPipe(ComputeUnit cu) {
    this.cu = cu;
    spec = cu.spec.pipes();
    cacheSpec = cu.spec.tcp();
    translation = cu.spec.translation();
    lineShift = Integer.numberOfTrailingZeros(cacheSpec.lineBytes());
    fillCycles = Math.max(1, cacheSpec.lineBytes() / SECTOR_BYTES);
    pageShift = Integer.numberOfTrailingZeros(translation.pageBytes());
    tlb = new TimedTags(translation.l1().entries(), translation.l1().ways(), new TreePseudoLru());
    tags =
        new TimedTags(
            cacheSpec.bytes() / cacheSpec.lineBytes(),
            cacheSpec.ways(),
            cacheSpec.replacement().get());
    bankFree = new long[cacheSpec.banks()];
    lastPages = new long[cu.waves.length];
    int lists = spec.inOrderReturn() ? 1 : cu.waves.length;
    firstInOrder = new Access[lists];
    lastInOrder = new Access[lists];
    tokens = spec.maxCuTokens();
    tokenReturns = new long[tokens];
  }

  /** First cycle in which an instruction may be sent here, for it to execute in the next. */
  long readyAt(long now) {
    long bus = requestBusFree - 1;
    collectTokens(now);
    if (tokens > 0) {
      return bus;
    }
    return tokensOut == 0 ? Long.MAX_VALUE : Math.max(bus, tokenReturns[firstToken]);
  }

  /** Whether the bus from the registers is taken in the next cycle. */
  boolean isBusBusy(long now) {
    return requestBusFree - 1 > now;
  }

  boolean mayIssue(Wavefront wave) {
    return wave.vectorRequests < spec.maxWaveRequests();
  }

  void takeToken() {
    tokens--;
  }

  private void collectTokens(long now) {
    while (tokensOut > 0 && tokenReturns[firstToken] <= now) {
      firstToken = (firstToken + 1) % tokenReturns.length;
      tokensOut--;
      tokens++;
    }
  }

  /** A token comes back at {@code cycle}, but not before those given back earlier. */
  private void returnToken(long cycle) {
    long after =
        tokensOut == 0 ? 0 : tokenReturns[(firstToken + tokensOut - 1) % tokenReturns.length];
    tokenReturns[(firstToken + tokensOut) % tokenReturns.length] = Math.max(cycle, after);
    tokensOut++;
  }

  void execute(Wavefront wave, TimedInstruction instruction, long now) {
    MemoryAccess lanesAccess = cu.array.executor.access(wave, instruction, now);
    boolean writes = instruction.isStore || instruction.isAtomic;
    requestBusFree = now + (writes ? 2 : 1) * (long) spec.vrfGmBus();
    count(instruction, lanesAccess);
    Access access = unused.isEmpty() ? newAccess() : unused.removeLast();
    access.wave = wave;
    access.instruction = instruction;
    access.load = !writes;
    access.atomic = instruction.isAtomic;
    access.bypass = instruction.bypassesL1 || spec.bypassTcp();
    access.pageCount = 0;
    access.pendingPages = 0;
    access.pendingLines = 0;
    access.issued = now;
    access.firstLineAt = -1;
    access.row = wave.profile == null ? 0 : wave.profile.row(wave.bufferPc);
    access.hits = 0;
    access.level = 0;
    access.doneAt = 0;
    access.readyAt = -1;
    access.nextInOrder = null;
    access.returnCycles = returnCycles(instruction, lanesAccess);
    split(lanesAccess, access);
    if (lanesAccess.ldsLanes != 0) {
      access.doneAt = cu.lds.serve(lanesAccess, !writes, instruction.isAtomic, now);
    }
    wave.vectorRequests++;
    lines += access.lineCount;
    linesDistribution.sample(access.lineCount);
    issueQueue.addLast(access);
    setNextCycle();
    if (instruction.isMemoryControl) {
      invalidate();
    }
  }

  private int returnCycles(TimedInstruction instruction, MemoryAccess access) {
    if (spec.returnBytes() == 0 || instruction.vectorResults.length == 0) {
      return spec.vrfGmBus();
    }
    int bytes = instruction.vectorResults.length * 4 * Long.bitCount(access.lanes);
    return Math.max(spec.vrfGmBus(), (bytes + spec.returnBytes() - 1) / spec.returnBytes());
  }

  /** Finds the distinct lines the lanes touch in memory. */
  private void split(MemoryAccess from, Access access) {
    coalescer.begin(cacheSpec.lineBytes());
    if (isRun(from)) {
      coalescer.touchRun(from.address[0], 64, from.bytes);
      access.take(coalescer, lineShift);
      return;
    }
    for (long rest = from.lanes & ~from.ldsLanes; rest != 0; rest &= rest - 1) {
      int lane = Long.numberOfTrailingZeros(rest);
      long address = from.address[lane];
      if ((from.scratchLanes >>> lane & 1) != 0 && from.bytes > 4) {
        for (int piece = 0; piece < from.bytes / 4; piece++) {
          coalescer.touch(address + (long) piece * MemoryAccess.SCRATCH_STRIDE, 4);
        }
      } else {
        coalescer.touch(address, from.bytes);
      }
    }
    access.take(coalescer, lineShift);
  }

  /** Whether all lanes touch memory without a gap between them, none of them two lines. */
  private boolean isRun(MemoryAccess access) {
    return access.lanes == -1
        && (access.ldsLanes | access.scratchLanes) == 0
        && Integer.bitCount(access.bytes) == 1
        && coalescer.isRun(access.address[0], access.bytes, access.bytes)
        && access.isRun(0, 64);
  }

  private Access newAccess() {
    Access access = new Access(all.size());
    all.add(access);
    return access;
  }

  private void count(TimedInstruction instruction, MemoryAccess access) {
    lanes += Long.bitCount(access.lanes);
    lanesDistribution.sample(Long.bitCount(access.lanes));
    if (instruction.isFlat) {
      flatInstructions++;
    }
    if (instruction.isAtomic) {
      atomics++;
    } else if (instruction.isStore) {
      stores++;
    } else if (instruction.isLoad) {
      loads++;
    }
  }

  /** Returns one completed access, then issues one. */
  void tick(long now) {
    if (completions.nextTime() <= now && returnBusFree <= now) {
      complete(all.get((int) completions.remove()), now);
    }
    if (!issueQueue.isEmpty()) {
      Access access = issueQueue.peekFirst();
      if ((access.load ? loadsInFlight : storesInFlight) < spec.globalQueue()) {
        issueQueue.removeFirst();
        issue(access, now);
      }
    }
    setNextCycle();
  }

  /** The first cycle in which {@link #tick} has something to do. */
  long nextCycle() {
    return nextCycle;
  }

  private void setNextCycle() {
    nextCycle =
        issueQueue.isEmpty() ? Math.max(completions.nextTime(), returnBusFree) : Long.MIN_VALUE;
  }

  private void issue(Access access, long now) {
    if (access.load) {
      loadsInFlight++;
    } else {
      storesInFlight++;
    }
    if (access.instruction.isStore) {
      access.wave.expCount--;
      cu.check.add(access.wave);
    }
    int list = spec.inOrderReturn() ? 0 : access.wave.slot;
    if (firstInOrder[list] == null) {
      firstInOrder[list] = access;
    } else {
      lastInOrder[list].nextInOrder = access;
    }
    lastInOrder[list] = access;
    if (access.lineCount == 0) {
      // No lane active, everything out of range, LDS lanes only, or a cache control.
      returnToken(now);
      ready(access, Math.max(now + 1, access.doneAt));
      return;
    }
    if (translation.functional()) {
      coalesce(access, now);
      return;
    }
    translate(access, now);
  }

  private void translate(Access access, long now) {
    int linesPerPage = pageShift - lineShift;
    for (int i = 0; i < access.lineCount; i++) {
      access.addPage(access.lines[i] >>> linesPerPage);
    }
    tlbAccesses += access.pageCount;
    pagesDistribution.sample(access.pageCount);
    if (translation.prefetchDepth() > 0) {
      prefetch(access, now);
    }
    int probes = translation.probesPerCycle();
    for (int i = 0; i < access.pageCount; i++) {
      long page = access.pages[i];
      if (tlb.find(page) >= 0) {
        continue;
      }
      tlbMisses++;
      access.pendingPages++;
      int entry = missingPages.find(page);
      if (entry < 0) {
        entry = missingPages.add(page);
        long asked = now + i / probes + translation.l1().hitLatency();
        askFor(page, entry, asked);
      }
      missingPages.await(entry, access.number);
    }
    if (access.pendingPages == 0) {
      coalesce(access, now + (access.pageCount - 1) / probes + translation.l1().hitLatency());
    }
  }

  /** Asks for pages that follow at the distance the last access had. */
  private void prefetch(Access access, long now) {
    for (int i = 0; i < access.pageCount; i++) {
      long page = access.pages[i];
      int whose =
          switch (translation.prefetchType()) {
            case CU, FIXED -> 0;
            case PHASE -> access.wave.simd;
            case WAVE -> access.wave.slot;
          };
      long stride =
          translation.prefetchType() == AmdSpec.TlbPrefetch.FIXED
              ? translation.prefetchStride()
              : page - lastPages[whose];
      lastPages[whose] = page;
      if (stride == 0) {
        continue;
      }
      for (int n = 1; n <= translation.prefetchDepth(); n++) {
        long ahead = page + n * stride;
        if (ahead >= 0 && tlb.find(ahead) < 0 && missingPages.find(ahead) < 0) {
          tlbPrefetches++;
          long asked = now + translation.l1().hitLatency();
          int entry = missingPages.add(ahead);
          askFor(ahead, entry, asked);
        }
      }
    }
  }

  private void askFor(long page, int entry, long asked) {
    send(asked, page << pageShift, entry).translation = true;
  }

  private MemoryRequest send(long arrival, long address, int number) {
    return cu.array.outbox.send(arrival, Client.DATA, cu.id, address, number);
  }

  void pageReturned(int entry, long now) {
    tlb.insert(missingPages.line(entry), now);
    while (missingPages.hasWaiter(entry)) {
      Access access = all.get((int) missingPages.take(entry));
      if (--access.pendingPages == 0) {
        coalesce(access, now);
      }
    }
    missingPages.remove(entry);
  }

  /**
   * Reserves the coalescer and the cache for a translated access. It gets there after the request
   * latency, which is the same for all, so doing it now keeps the order.
   */
  private void coalesce(Access access, long translated) {
    int perCycle = spec.coalescesPerCycle();
    coalescerFree = Math.max((translated + spec.memReqLatency()) * perCycle, coalescerFree);
    long split = coalescerFree++ / perCycle;
    returnToken(split);
    for (int i = 0; i < access.lineCount; i++) {
      long line = access.lines[i];
      int bank = Interleave.part(line, bankFree.length);
      long at = Math.max(split + spec.mandatoryQueueLatency(), bankFree[bank]);
      bankFree[bank] = at + Integer.bitCount(access.sectors[i]);
      look(access, i, at);
    }
    if (access.wave.profile != null) {
      int sectors = cacheSpec.lineBytes() / 32;
      access.wave.profile.access(
          access.row, split, access.lineCount * sectors, access.hits * sectors, 0);
    }
    if (access.pendingLines == 0) {
      ready(access, access.doneAt + spec.memRespLatency());
    }
  }

  private void look(Access access, int index, long at) {
    long line = access.lines[index];
    long toTcc = at + cacheSpec.latency() + cacheSpec.requestLatency();
    if (access.atomic && access.instruction.vectorResults.length > 0) {
      toTcc += spec.glcAtomicLatency() - 1;
    }
    if (!access.load || access.bypass) {
      tags.invalidate(line);
      access.pendingLines++;
      if (!access.load) {
        tcpWrites++;
      }
      MemoryRequest request = send(toTcc, line << lineShift, access.number << 1 | 1);
      request.write = !access.load && !access.atomic;
      request.atomic = access.atomic;
      request.lanes = access.lanes[index];
      return;
    }
    tcpReads++;
    if (tags.find(line) >= 0) {
      tcpHits++;
      access.hits++;
      access.doneAt = Math.max(access.doneAt, at + cacheSpec.latency());
      return;
    }
    access.pendingLines++;
    int entry = missingLines.find(line);
    if (entry >= 0) {
      tcpHitsPending++;
      access.doneAt = Math.max(access.doneAt, at + cacheSpec.latency());
    } else {
      entry = missingLines.add(line);
      send(toTcc, line << lineShift, entry << 1);
    }
    int sectors = Integer.bitCount(access.sectors[index]);
    missingLines.await(entry, (long) access.number << SECTORS_BITS | sectors);
  }

  void lineReturned(int reference, int level, long now) {
    int index = reference >> 1;
    if ((reference & 1) != 0) {
      lineDone(all.get(index), level, now);
      return;
    }
    tags.insert(missingLines.line(index), now);
    long filled = Math.max(now, fillFree);
    fillFree = filled + fillCycles;
    while (missingLines.hasWaiter(index)) {
      long waiter = missingLines.take(index);
      if (!cacheSpec.fillPort()) {
        filled = fillFree;
        fillFree += waiter & (1 << SECTORS_BITS) - 1;
      }
      lineDone(all.get((int) (waiter >> SECTORS_BITS)), level, filled);
    }
    missingLines.remove(index);
  }

  private void lineDone(Access access, int level, long now) {
    access.level = Math.max(access.level, level);
    if (access.wave.profile != null) {
      access.wave.profile.filled(access.row, cacheSpec.lineBytes() / 32, level);
    }
    access.doneAt = Math.max(access.doneAt, now);
    if (access.firstLineAt < 0) {
      access.firstLineAt = now;
    }
    if (--access.pendingLines == 0) {
      ready(access, access.doneAt + spec.memRespLatency());
    }
  }

  private void ready(Access access, long cycle) {
    access.readyAt = cycle;
    int list = spec.inOrderReturn() ? 0 : access.wave.slot;
    if (firstInOrder[list] == access) {
      completions.add(cycle, access.number);
      setNextCycle();
    }
  }

  private void complete(Access access, long now) {
    returnBusFree = now + access.returnCycles;
    int list = spec.inOrderReturn() ? 0 : access.wave.slot;
    Access next = access.nextInOrder;
    firstInOrder[list] = next;
    if (next != null && next.readyAt >= 0) {
      completions.add(Math.max(now + 1, next.readyAt), next.number);
    }
    if (access.load) {
      loadsInFlight--;
    } else {
      storesInFlight--;
    }
    Wavefront wave = access.wave;
    wave.vectorRequests--;
    wave.vmCount--;
    if (access.instruction.isFlat) {
      wave.lgkmCount--;
    }
    Wavefront.setReady(wave.vectorReady, access.instruction.vectorResults, now + 1);
    latencyCycles += now - access.issued;
    allLatency.sample(now - access.issued);
    if (access.load) {
      loadLatency.sample(now - access.issued);
    } else if (!access.atomic) {
      storeLatency.sample(now - access.issued);
    }
    if (access.firstLineAt >= 0) {
      headTail.sample(access.doneAt - access.firstLineAt);
    }
    WaveTime.returned(wave, access.level);
    if (wave.profile != null) {
      wave.profile.returned(wave, access.row, access.issued, now);
    }
    cu.check.add(wave);
    access.wave = null;
    access.instruction = null;
    unused.addLast(access);
  }

  void invalidate() {
    tags.invalidateAll();
  }
}
