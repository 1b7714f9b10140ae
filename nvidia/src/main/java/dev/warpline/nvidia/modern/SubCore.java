package dev.warpline.nvidia.modern;

import dev.warpline.engine.Counter;
import dev.warpline.engine.Counters;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.profile.LogEvent;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.nvidia.modern.async.AsyncUnits;
import dev.warpline.nvidia.modern.async.CopyGroups;
import dev.warpline.nvidia.modern.block.Barriers;
import dev.warpline.nvidia.modern.block.Blocks;
import dev.warpline.nvidia.modern.code.Async;
import dev.warpline.nvidia.modern.code.CodeRow;
import dev.warpline.nvidia.modern.constant.ConstantLoads;
import dev.warpline.nvidia.modern.constant.OperandConstants;
import dev.warpline.nvidia.modern.fetch.Fetch;
import dev.warpline.nvidia.modern.memory.LoadStoreUnit;
import dev.warpline.nvidia.modern.operand.ReadPorts;
import dev.warpline.nvidia.modern.operand.WritePorts;
import dev.warpline.nvidia.modern.warp.ReadyWarps;
import dev.warpline.nvidia.modern.warp.ResidentWarp;
import dev.warpline.nvidia.modern.warp.Warps;
import dev.warpline.policy.WarpScheduler;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * A quarter of an SM: fetches and issues at most one instruction per cycle. The scheduler chooses
 * among the warps whose next instruction is there and waits for nothing; the chosen one issues if
 * its unit takes it, and hands its instruction to that unit.
 */
final class SubCore {
  private static final byte MIO_QUEUE = (byte) StallReason.MIO_QUEUE.ordinal();
  private static final byte UNIT_BUSY = (byte) StallReason.UNIT_BUSY.ordinal();
  private static final byte DISPATCH = (byte) StallReason.DISPATCH.ordinal();
  private static final byte CONSTANT_MISS = (byte) StallReason.CONSTANT_MISS.ordinal();
  private static final byte MUFU = (byte) StallReason.MUFU.ordinal();
  private static final byte SPECIAL = (byte) StallReason.SPECIAL_REGISTER.ordinal();
  private static final byte CONSTANT_LOAD = (byte) StallReason.CONSTANT_LOAD.ordinal();
  private static final byte MEMBAR = (byte) StallReason.MEMBAR.ordinal();
  private static final byte SLEEPING = (byte) StallReason.SLEEPING.ordinal();
  private static final byte MISC = (byte) StallReason.MISC.ordinal();
  private static final byte WAIT = (byte) StallReason.WAIT.ordinal();

  private final int index;
  private final ModernCoreSpec spec;
  private final Warps warps;
  private final Supplier<WarpScheduler> schedulers;
  private final Fetch fetch;
  private final ReadPorts readPorts;
  private final WritePorts writePorts;
  private final OperandConstants operandConstants;
  private final Shared sm;
  private final long xuQueueCycles;
  private final ReadyWarps readyWarps;
  private final long[] unitFree = new long[CodeRow.UNITS];
  private WarpScheduler scheduler;
  private boolean looksAtHeld;
  private boolean looksAtMemory;
  private boolean records;

  /** Its warp slots, and those in which a warp is. */
  private final long slots;

  private long residents;

  /** Warps that may still be chosen in this cycle. */
  private long eligible;

  /** No issue before this: a wide instruction, a constant that the scheduler waits for. */
  private long holdUntil;

  /** Part of a cycle by which special functions hold up multiply-adds. */
  private double xuDebt;

  /** The warp that issued its last instruction, -1 if none did: the SM takes note. */
  int ended = -1;

  @Counter("warp instructions issued")
  long warpInstructions;

  @Counter("lanes of the warp instructions issued")
  long threadInstructions;

  /**
   * What the sub-cores of an SM share.
   *
   * @param async null where the GPU has no such units
   */
  record Shared(
      Warps warps,
      Blocks blocks,
      Barriers barriers,
      LoadStoreUnit loadStore,
      CopyGroups copies,
      ConstantLoads constantLoads,
      AsyncUnits async) {}

  SubCore(
      int index,
      ModernCoreSpec spec,
      Shared sm,
      Supplier<WarpScheduler> schedulers,
      Fetch fetch,
      OperandConstants operandConstants,
      ReadPorts readPorts,
      WritePorts writePorts,
      Counters counters) {
    this.index = index;
    this.spec = spec;
    this.sm = sm;
    warps = sm.warps();
    slots = slots(index, warps);
    readyWarps = warps.ready(index);
    this.schedulers = schedulers;
    this.fetch = fetch;
    this.operandConstants = operandConstants;
    this.readPorts = readPorts;
    this.writePorts = writePorts;
    xuQueueCycles = (long) spec.units().xuQueue() * spec.units().xu();
    counters.add("issue.", this).add("issue.", operandConstants).add("issue.", fetch);
    counters.add("registers.", readPorts).add("registers.", writePorts);
  }

  private static long slots(int index, Warps warps) {
    long its = 0;
    for (int w = index; w < warps.slots; w += warps.wakeAt.length) {
      its |= 1L << w;
    }
    return its;
  }

  void startKernel() {
    records = warps.time.records();
    fetch.startKernel();
    readPorts.startKernel();
    writePorts.startKernel();
    operandConstants.startKernel();
    scheduler = schedulers.get();
    looksAtHeld = scheduler.looksAtHeld();
    looksAtMemory = scheduler.looksAtMemory();
    scheduler.begin(slots);
    Arrays.fill(unitFree, 0);
    residents = 0;
    holdUntil = 0;
    xuDebt = 0;
  }

  /** Warps that arrive from now on are of another block. */
  void addBlock() {
    scheduler.blockArrived();
  }

  /** A warp arrives; it is the youngest, and may fetch from a cycle on. */
  void add(int w, long from) {
    residents |= 1L << w;
    ResidentWarp warp = warps.get(w);
    if (warp.at < warp.end) {
      threadInstructions += warp.trace.lanes(warp.warpOfBlock);
    }
    scheduler.arrived(w);
    fetch.add(w, from);
  }

  void remove(int w) {
    residents &= ~(1L << w);
    scheduler.left(w);
    fetch.remove(w);
  }

  /** Fetches, and issues in this cycle if a warp can; sets when to be called again. */
  void step(long now) {
    warps.wakeAt[index] = Warps.NEVER;
    fetch.run(now, scheduler);
    long when = issue(now);
    warps.wake(index, Math.min(when, fetch.next()));
  }

  /** Issues if a warp can; when to try again. */
  private long issue(long now) {
    long ready = readyWarps.at(now);
    long port = Math.max(readPorts.issueFree(), holdUntil);
    if (port > now) {
      for (long m = ready; m != 0; m &= m - 1) {
        warps.time.refuse(warps.get(Long.numberOfTrailingZeros(m)), now, port, DISPATCH);
      }
      return port;
    }
    int favourite = scheduler.favourite();
    long soonest = Warps.NEVER;
    if (favourite >= 0) {
      if ((residents >>> favourite & 1) == 0) {
        throw wrongChoice(favourite, now);
      }
      if ((ready >>> favourite & 1) != 0) {
        eligible = 1L << favourite;
        soonest = attempt(favourite, now);
        if (soonest == now) {
          boolean alone = residents == 1L << favourite && ended < 0;
          return alone ? warps.readyAt[favourite] : now + 1;
        }
        if (holdUntil > now) {
          return holdUntil;
        }
        ready &= ~(1L << favourite);
      }
    }
    eligible = ready;
    soonest = Math.min(soonest, readyWarps.next());
    long held = looksAtHeld ? held(now) : 0;
    long onMemory = looksAtMemory ? onMemory(now) : 0;
    while (eligible != 0) {
      int w = scheduler.choose(eligible, held, onMemory);
      if (w == WarpScheduler.NONE) {
        return soonest;
      }
      if (w < 0 || w >= Long.SIZE || (eligible >>> w & 1) == 0) {
        throw wrongChoice(w, now);
      }
      long when = attempt(w, now);
      eligible &= ~(1L << w);
      if (when == now) {
        return eligible == 0 && ended < 0 ? Math.min(soonest, warps.readyAt[w]) : now + 1;
      }
      soonest = Math.min(soonest, when);
    }
    return soonest;
  }

  private UnfinishedSimulationException wrongChoice(int warp, long now) {
    return new UnfinishedSimulationException(
        String.format(
            "cycle %d: scheduler %s chose warp %d, expected one that can issue, or %d",
            now, spec.issue().policy(), warp, WarpScheduler.NONE));
  }

  private long held(long now) {
    long held = slots & ~residents;
    for (long m = residents; m != 0; m &= m - 1) {
      held |= warps.isHeld(Long.numberOfTrailingZeros(m), now) ? m & -m : 0;
    }
    return held;
  }

  private long onMemory(long now) {
    long waiting = 0;
    for (long m = residents; m != 0; m &= m - 1) {
      waiting |= warps.waitsForMemory(Long.numberOfTrailingZeros(m), now) ? m & -m : 0;
    }
    return waiting;
  }

  /**
   * Issues a warp's instruction and returns {@code now}, or returns when to try again. A unit that
   * takes nothing refuses all that want to go there.
   */
  private long attempt(int w, long now) {
    ResidentWarp warp = warps.get(w);
    CodeRow row = warp.row;
    int unit = row.unit;
    if (unit == CodeRow.UNIT_LSU) {
      long room = sm.loadStore().roomAt(index, now);
      if (room > now) {
        for (long m = eligible; m != 0; m &= m - 1) {
          ResidentWarp other = warps.get(Long.numberOfTrailingZeros(m));
          if (other.row.unit == unit) {
            warps.time.refuse(other, now, room, LoadStoreUnit.throttle(other.row));
            eligible &= ~(m & -m);
          }
        }
        return room;
      }
    } else {
      long free = unitFree[unit];
      byte why = UNIT_BUSY;
      if (unit == CodeRow.UNIT_XU) {
        free -= xuQueueCycles;
      } else if (unit == CodeRow.UNIT_CONSTANT) {
        free = sm.constantLoads().roomAt(index);
        why = MIO_QUEUE;
      }
      if (free > now) {
        for (long m = eligible; m != 0; m &= m - 1) {
          ResidentWarp other = warps.get(Long.numberOfTrailingZeros(m));
          if (other.row.unit == unit) {
            warps.time.refuse(other, now, free, why);
            eligible &= ~(m & -m);
          }
        }
        return free;
      }
    }
    if (row.constantLine >= 0) {
      long ready = operandConstants.ready(w, row.constantLine | warp.kernel.constants, now);
      if (ready > now) {
        if (w == scheduler.favourite()) {
          holdUntil = Math.min(ready, now + spec.constants().patience());
        }
        warps.hold(w, ready, CONSTANT_MISS);
        warps.schedule(warp);
        return warps.readyAt[w];
      }
      operandConstants.issued(w);
    }
    issue(warp, row, now);
    return now;
  }

  private void issue(ResidentWarp warp, CodeRow row, long now) {
    int w = warp.slot;
    warps.issues(warp, now);
    warpInstructions++;
    scheduler.issued(w);
    warps.stall(warp, stall(warp, row, now));
    if (row.simple && !(records && warps.time.follows(w))) {
      readPorts.issue(row, w, now);
      writePorts.fixed(row, now + row.latency);
      unitFree[row.unit] = now + row.interval;
      goOn(warp, row, now);
      return;
    }
    if (row.dispatch > 1) {
      holdUntil = now + row.dispatch;
    }
    if (row.fixed) {
      readPorts.issue(row, w, now);
      writePorts.fixed(row, now + row.latency);
    } else {
      readPorts.passControl();
    }
    if (records) {
      record(w, row, now);
    }
    dispatch(warp, row, now);

    if (row.action == CodeRow.ASYNC && row.async == Async.BARRIER_WAIT) {
      int poll = sm.async().nextPoll(w, warp.at);
      if (poll > warp.at) {
        // The instructions of the loop are counted as executed but take no time.
        warpInstructions += poll - warp.at - 1;
        warps.moveTo(warp, poll);
        fetch.skipped(warp, now);
        warps.schedule(warp);
        return;
      }
    }
    goOn(warp, row, now);
  }

  /** A warp issued an instruction and comes to the next one of its trace, if there is one. */
  private void goOn(ResidentWarp warp, CodeRow row, long now) {
    if (warps.moveTo(warp, warp.at + 1)) {
      fetch.issued(warp, row, now);
      warps.schedule(warp);
    } else {
      ended = warp.slot;
    }
  }

  private void record(int w, CodeRow row, long now) {
    warps.time.log(now, LogEvent.ISSUE, w, row);
    if (warps.time.seesStages(w)) {
      long allocated = row.fixed ? readPorts.allocated() : 0;
      warps.time.stages(w, row, fetch.fetchedAt(w), fetch.decodedAt(w), now, allocated);
    }
  }

  /** When the warp's next instruction may issue, as far as its stall count is concerned. */
  private long stall(ResidentWarp warp, CodeRow row, long now) {
    long until = now + row.nextAfter;
    if (!row.yields) {
      return until;
    }
    return row.stall == 0 && warp.controlled
        ? now + spec.issue().drainStall()
        : Math.max(until, now + spec.issue().yieldStall());
  }

  /** Hands an instruction to its unit, and its dependences to the warp. */
  private void dispatch(ResidentWarp warp, CodeRow row, long now) {
    int w = warp.slot;
    int i = warp.at;
    int unit = row.unit;
    long start = Math.max(now, unitFree[unit]);
    switch (row.action) {
      case CodeRow.MEMORY, CodeRow.SHUFFLE, CodeRow.CACHE_CONTROL -> {
        sm.loadStore().enqueue(index, w, row, i, now);
        return;
      }
      case CodeRow.CONSTANT_LOAD -> {
        long done = sm.constantLoads().issue(row, w, warp.trace.mask(i), now);
        ModernCoreSpec.Constants constants = spec.constants();
        int read = row.loadLine >= 0 ? constants.immediateReadCycles() : constants.loadReadCycles();
        known(w, row, done, now + read, CONSTANT_LOAD, now);
        return;
      }
      case CodeRow.XU -> {
        // Multiply-adds share the dispatch of their operands with it.
        xuDebt += spec.units().xuDispatch();
        long held = (long) xuDebt;
        xuDebt -= held;
        unitFree[CodeRow.UNIT_FMA] = Math.max(now, unitFree[CodeRow.UNIT_FMA]) + held;
        start = readPorts.leaveQueue(start, now);
        known(
            w,
            row,
            start + spec.units().xuCycles(),
            start + spec.units().xuReadCycles(),
            MUFU,
            now);
      }
      case CodeRow.SPECIAL_REGISTER -> {
        if (unit == CodeRow.UNIT_LSU) {
          sm.loadStore().enqueue(index, w, row, i, now);
          return;
        }
        long read = sm.constantLoads().special(w, now);
        int sourcesFree = spec.units().specialRegisterReadCycles();
        known(w, row, read + row.latency, read + sourcesFree, SPECIAL, now);
        return;
      }
      case CodeRow.ASYNC -> sm.async().execute(w, row, i, now);
      case CodeRow.BARRIER, CodeRow.BARRIER_ARRIVE -> {
        if (warp.trace.mask(i) != 0) {
          sm.barriers().arrive(w, row, now, row.action == CodeRow.BARRIER);
        }
      }
      case CodeRow.COPY_COMMIT -> sm.copies().commit(w, row.writeBarrier, now);
      case CodeRow.MEMBAR -> {
        warps.hold(w, now + row.latency, MEMBAR);
        known(w, row, now + row.latency, now + spec.issue().fixedReadCycles(), MEMBAR, now);
      }
      case CodeRow.SLEEP -> warps.hold(w, now + spec.units().sleepCycles(), SLEEPING);
      case CodeRow.LET_GO -> {
        if (warp.trace.mask(i) != 0) {
          sm.blocks().letGo(warp.block, now);
        }
        plain(w, row, now);
      }
      case CodeRow.AWAIT_KERNEL -> {
        long until = warp.trace.mask(i) == 0 ? 0 : warp.kernel.await(w);
        if (until > now) {
          warps.hold(w, until, MISC);
        }
        plain(w, row, now);
      }
      default -> plain(w, row, now);
    }
    unitFree[unit] = start + row.interval;
  }

  /** Of most instructions with control bits nobody needs to know more than the stall count. */
  private void plain(int w, CodeRow row, long now) {
    if (!row.quiet || records && warps.time.follows(w)) {
      known(w, row, now + row.latency, now + spec.issue().fixedReadCycles(), WAIT, now);
    }
  }

  private void known(int w, CodeRow row, long result, long sourcesFree, byte why, long now) {
    long begins = row.fixed ? readPorts.allocated() + 1 : now + spec.issue().toAllocate();
    warps.time.completes(w, row, now, begins, result, false);
    warps.known(w, row, result, sourcesFree, why, now);
  }
}
