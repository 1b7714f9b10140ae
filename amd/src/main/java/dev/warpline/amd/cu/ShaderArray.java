package dev.warpline.amd.cu;

import dev.warpline.amd.dispatch.GroupPlacement;
import dev.warpline.amd.exec.GroupState;
import dev.warpline.amd.memory.Outbox;
import dev.warpline.engine.EventHeap;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.memory.Client;
import dev.warpline.memory.MemoryRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Compute units that share instruction and scalar caches. They run in step on one thread; what they
 * send to the rest of the GPU is collected and handed over between windows.
 */
final class ShaderArray {
  private static final int FETCH_LINE = 0;
  private static final int FETCH_PAGE = 1;
  private static final int SCALAR_LINE = 2;
  private static final int SCALAR_PAGE = 3;
  private static final int INVALIDATE = 4;

  /** Bits of a wave slot's number, and of a compute unit's, where both are in one. */
  static final int SLOT_BITS = 10;

  static final int SLOT_MASK = (1 << SLOT_BITS) - 1;
  static final int CU_BITS = 16;

  final AmdSpec spec;
  final Executor executor;
  final Outbox outbox = new Outbox();
  final ComputeUnit[] cus;
  final SharedCache[] sqcs;
  final SharedCache[] scalarCaches;

  /** Waves that ended: cycle, CU and slot in one number each. */
  private long[] ended = new long[16];

  private int endedCount;

  /** Cycles of compute units simulated since somebody asked. */
  private long work;

  private final EventHeap events = new EventHeap();
  private final List<GroupPlacement> starts = new ArrayList<>();
  private final WaveFactory factory;

  ShaderArray(AmdSpec spec, int[] cuIds, Executor executor, WaveFactory factory) {
    this.spec = spec;
    this.executor = executor;
    this.factory = factory;
    cus = new ComputeUnit[cuIds.length];
    for (int i = 0; i < cus.length; i++) {
      cus[i] = new ComputeUnit(spec, cuIds[i], this);
    }
    sqcs = new SharedCache[(cus.length + spec.cusPerSqc() - 1) / spec.cusPerSqc()];
    Arrays.setAll(sqcs, i -> cache(spec.sqc(), Client.INSTRUCTIONS, i));
    int perScalar = spec.cusPerScalarCache();
    scalarCaches = new SharedCache[(cus.length + perScalar - 1) / perScalar];
    Arrays.setAll(scalarCaches, i -> cache(spec.scalarCache(), Client.SCALARS, i));
  }

  private SharedCache cache(AmdSpec.Cache cacheSpec, Client client, int index) {
    return new SharedCache(spec, cacheSpec, outbox, client, cus[0].id, index);
  }

  long nextCycle() {
    long next = events.nextTime();
    for (ComputeUnit cu : cus) {
      next = Math.min(next, cu.nextCycle);
    }
    return next;
  }

  /** Runs all that happens before {@code end}. */
  void run(long end) {
    for (long now = nextCycle(); now < end; now = nextCycle()) {
      while (events.nextTime() <= now) {
        handle(events.remove(), now);
      }
      for (ComputeUnit cu : cus) {
        if (cu.nextCycle <= now) {
          cu.nextCycle = Long.MAX_VALUE;
          cu.nextCycle = cu.tick(now);
          work++;
        }
      }
    }
  }

  /** An answer of the shared side; called between windows. */
  void answer(MemoryRequest reply, int cuIndex) {
    boolean page = reply.translation;
    switch (reply.client) {
      case DATA -> cus[cuIndex].answer(reply);
      case INSTRUCTIONS -> happens(reply, page ? FETCH_PAGE : FETCH_LINE);
      case SCALARS -> happens(reply, page ? SCALAR_PAGE : SCALAR_LINE);
    }
    outbox.giveBack(reply);
  }

  private void happens(MemoryRequest reply, int event) {
    events.add(reply.ready, (long) event << 56 | reply.number);
  }

  private void handle(long event, long now) {
    int reference = (int) event;
    int index = SharedCache.index(reference);
    switch ((int) (event >>> 56)) {
      case FETCH_LINE -> {
        SharedCache cache = sqcs[index];
        cache.lineArrived(reference, now);
        for (long w = cache.nextForLine(reference); w >= 0; w = cache.nextForLine(reference)) {
          cus[(int) w >> SLOT_BITS].at(now, ComputeUnit.FETCHED, w & SLOT_MASK);
        }
      }
      case FETCH_PAGE -> {
        SharedCache cache = sqcs[index];
        cache.pageArrived(reference, now);
        for (long w = cache.nextForPage(reference); w >= 0; w = cache.nextForPage(reference)) {
          ComputeUnit cu = cus[(int) w >> SLOT_BITS];
          fetchLine(cu, cu.waves[(int) w & SLOT_MASK], cache, now, w);
        }
      }
      case SCALAR_LINE -> {
        SharedCache cache = scalarCaches[index];
        cache.lineArrived(reference, now);
        for (long w = cache.nextForLine(reference); w >= 0; w = cache.nextForLine(reference)) {
          cus[cuOf(w)].scalar.lineDone(numberOf(w), now);
        }
      }
      case SCALAR_PAGE -> {
        SharedCache cache = scalarCaches[index];
        cache.pageArrived(reference, now);
        for (long w = cache.nextForPage(reference); w >= 0; w = cache.nextForPage(reference)) {
          scalarLine(cache, w, now);
        }
      }
      case INVALIDATE -> {
        // Fences are about data; gem5's launch acquire empties the instruction caches too.
        if (!spec.dispatch().packetFences()) {
          for (SharedCache cache : sqcs) {
            cache.invalidate();
          }
        }
        for (SharedCache cache : scalarCaches) {
          cache.invalidate();
        }
        for (ComputeUnit cu : cus) {
          cu.global.invalidate();
        }
      }
      default -> throw new IllegalStateException("event " + event);
    }
  }

  private int indexOf(ComputeUnit cu) {
    for (int i = 0; i < cus.length; i++) {
      if (cus[i] == cu) {
        return i;
      }
    }
    throw new IllegalStateException("compute unit " + cu.id + " is not here");
  }

  /** Fetches the line a wave wants. */
  void fetch(ComputeUnit cu, Wavefront wave, long now) {
    int index = indexOf(cu);
    SharedCache cache = sqcs[index / spec.cusPerSqc()];
    long waiter = (long) index << SLOT_BITS | wave.slot;
    long translated = cache.translate(wave.fetchLine, now, waiter);
    if (translated >= 0) {
      fetchLine(cu, wave, cache, translated, waiter);
    }
  }

  private void fetchLine(ComputeUnit cu, Wavefront wave, SharedCache cache, long now, long waiter) {
    long done = cache.look(wave.fetchLine, now, waiter);
    if (done >= 0) {
      cu.at(done, ComputeUnit.FETCHED, wave.slot);
    }
  }

  /** Waiters on scalar lines: CU in bits 62:56, access in 55:44, line below. */
  private static int cuOf(long waiter) {
    return (int) (waiter >>> 56);
  }

  private static int numberOf(long waiter) {
    return (int) (waiter >>> 44) & 0xfff;
  }

  /** A scalar load or store of one line, issued at {@code issue}. */
  void scalarAccess(ComputeUnit cu, int number, long line, long issue) {
    int index = indexOf(cu);
    SharedCache cache = scalarCaches[index / spec.cusPerScalarCache()];
    long waiter = (long) index << 56 | (long) number << 44 | line;
    long translated = cache.translate(line, issue, waiter);
    if (translated >= 0) {
      scalarLine(cache, waiter, translated);
    }
  }

  private void scalarLine(SharedCache cache, long waiter, long translated) {
    long at = translated + spec.pipes().scalarMemReqLatency();
    long line = waiter & (1L << 44) - 1;
    long done = cache.look(line, at, waiter);
    if (done >= 0) {
      cus[cuOf(waiter)].scalar.lineDone(numberOf(waiter), done);
    }
  }

  void invalidateScalar(ComputeUnit cu, boolean instructions) {
    int index = indexOf(cu);
    scalarCaches[index / spec.cusPerScalarCache()].invalidate();
    if (instructions) {
      sqcs[index / spec.cusPerSqc()].invalidate();
    }
  }

  /** First-level caches are emptied before a kernel starts. */
  void invalidate(long cycle) {
    events.add(cycle, (long) INVALIDATE << 56);
  }

  /** A work-group will start on one of the compute units; called between windows. */
  void start(GroupPlacement placement, int cuIndex) {
    int number = starts.indexOf(null);
    if (number < 0) {
      number = starts.size();
      starts.add(placement);
    } else {
      starts.set(number, placement);
    }
    cus[cuIndex].at(placement.cycle(), ComputeUnit.GROUP_START, number);
  }

  GroupPlacement takeStart(int number) {
    return starts.set(number, null);
  }

  void startWaves(ResidentGroup group, ComputeUnit cu, long now) {
    GroupState state = factory.group(group.placement);
    CodeImage code = factory.code(group.placement);
    WaveProfile profile = factory.profile(group.placement);
    for (int i = 0; i < group.placement.waves(); i++) {
      Wavefront wave = cu.waves[group.placement.slots()[i]];
      wave.start(
          factory.wave(group.placement, state, i), group, code, group.placement.age() + i, now);
      wave.profile = profile;
      if (profile != null) {
        profile.start(wave, now);
      }
      cu.startWave(wave);
    }
  }

  void waveEnded(int cu, int slot, long now) {
    if (endedCount == ended.length) {
      ended = Arrays.copyOf(ended, endedCount * 2);
    }
    ended[endedCount++] = now << CU_BITS + SLOT_BITS | (long) cu << SLOT_BITS | slot;
  }

  /** Moves the ended waves to a list; returns how many there are in it then. */
  int drainEnded(long[] list, int count) {
    System.arraycopy(ended, 0, list, count, endedCount);
    int total = count + endedCount;
    endedCount = 0;
    return total;
  }

  long takeWork() {
    long done = work;
    work = 0;
    return done;
  }

  int endedCount() {
    return endedCount;
  }
}
