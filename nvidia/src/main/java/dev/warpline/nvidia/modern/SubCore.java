package dev.warpline.nvidia.modern;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.isa.ControlBits;
import dev.warpline.nvidia.modern.cache.LineCache;
import dev.warpline.nvidia.modern.code.Async;
import dev.warpline.nvidia.modern.code.CodeRows;
import java.util.Arrays;

/**
 * A quarter of an SM: issues at most one instruction per cycle, from the warp that issued last if
 * it can go on, else from the youngest that can.
 */
final class SubCore {
  private static final byte FETCH = (byte) StallReason.FETCH.ordinal();
  private static final byte BRANCH = (byte) StallReason.BRANCH.ordinal();
  private static final byte UNIT_BUSY = (byte) StallReason.UNIT_BUSY.ordinal();
  private static final byte DISPATCH = (byte) StallReason.DISPATCH.ordinal();
  private static final byte CONSTANT_MISS = (byte) StallReason.CONSTANT_MISS.ordinal();
  private static final byte MUFU = (byte) StallReason.MUFU.ordinal();
  private static final byte SPECIAL = (byte) StallReason.SPECIAL_REGISTER.ordinal();
  private static final byte CONSTANT_LOAD = (byte) StallReason.CONSTANT_LOAD.ordinal();
  private static final byte MEMBAR = (byte) StallReason.MEMBAR.ordinal();
  private static final byte SLEEPING = (byte) StallReason.SLEEPING.ordinal();
  private static final byte WAIT = (byte) StallReason.WAIT.ordinal();

  /** Stages between fetch and issue. */
  /**
   * Misses of one instruction after which a warp takes what came for it: others may push its line
   * out again before its turn comes, and it theirs, without end.
   */
  private static final int MOST_TRIES = 4;

  private static final int REFILL = 2;

  private final int index;
  private final ModernCoreSpec spec;
  private final SmCore sm;
  private final Warps warps;
  private final RegisterPorts ports;

  /** Null where nothing waits for a write port. */
  private final WritePorts writes;

  private final LineCache operandConstants;

  /** How often the operand of a warp's next instruction missed. */
  private final int[] constantTries;

  private final long[] unitFree = new long[CodeRows.UNITS];

  /** Resident warps in the order they are looked at. */
  private final int[] order;

  private final boolean youngestFirst;

  private int residents;
  private int greedy = -1;
  private long holdUntil;

  /** When the fetch stage, one instruction per cycle, has caught up. */
  private long fetchFree;

  private CodeRows code;

  /** Earliest cycle at which something may issue. */
  long next;

  @Counter("warp instructions issued")
  long warpInstructions;

  @Counter("lanes of the warp instructions issued")
  long threadInstructions;

  @Counter("operands that missed the constant cache")
  long constantMisses;

  SubCore(int index, ModernCoreSpec spec, SmCore sm, Warps warps) {
    this.index = index;
    this.spec = spec;
    this.sm = sm;
    this.warps = warps;
    ports = new RegisterPorts(spec.issue());
    writes = spec.issue().writePort() ? new WritePorts(warps, spec.issue().banks()) : null;
    operandConstants = new LineCache(spec.constants().operandLines());
    order = new int[warps.slots];
    constantTries = new int[warps.slots];
    youngestFirst = spec.issue().policy() == ModernCoreSpec.Policy.YOUNGEST;
  }

  void startKernel(CodeRows code) {
    this.code = code;
    ports.reset();
    if (writes != null) {
      writes.reset();
    }
    operandConstants.clear();
    Arrays.fill(constantTries, 0);
    Arrays.fill(unitFree, 0);
    residents = 0;
    greedy = -1;
    holdUntil = 0;
    fetchFree = 0;
    next = Warps.NEVER;
    warpInstructions = 0;
    threadInstructions = 0;
    constantMisses = 0;
  }

  RegisterPorts ports() {
    return ports;
  }

  /** The write ports; null where nothing waits for one. */
  WritePorts writes() {
    return writes;
  }

  /** When a load's result that comes at a cycle can be written. */
  long writeLoad(int w, int row, long when) {
    return writes == null || code.writeBanks[row] == 0
        ? when
        : writes.load(code.lastBank[row], when, w, row);
  }

  /** A warp arrives; it is the youngest. */
  void add(int w) {
    if (youngestFirst) {
      System.arraycopy(order, 0, order, 1, residents);
      order[0] = w;
    } else {
      order[residents] = w;
    }
    residents++;
    wake(warps.readyAt[w]);
  }

  void remove(int w) {
    int n = 0;
    for (int i = 0; i < residents; i++) {
      if (order[i] != w) {
        order[n++] = order[i];
      }
    }
    residents = n;
    if (greedy == w) {
      greedy = -1;
    }
  }

  void wake(long when) {
    if (when < next) {
      next = when;
    }
  }

  /** Issues in this cycle if a warp can; sets {@link #next}. */
  void step(long now) {
    long port = Math.max(ports.issueFree(), holdUntil);
    if (port > now) {
      refuseReady(now, port);
      next = port;
      return;
    }
    long soonest = Warps.NEVER;
    int g = greedy;
    if (g >= 0) {
      if (warps.readyAt[g] <= now) {
        long when = attempt(g, now);
        if (when == now) {
          next = now + 1;
          return;
        }
        if (holdUntil > now) {
          next = holdUntil;
          return;
        }
        soonest = when;
      } else {
        soonest = warps.readyAt[g];
      }
    }
    for (int i = 0; i < residents; i++) {
      int w = order[i];
      if (w == g) {
        continue;
      }
      long ready = warps.readyAt[w];
      if (ready <= now) {
        ready = attempt(w, now);
        if (ready == now) {
          next = now + 1;
          if (!youngestFirst) {
            moveToEnd(w);
          }
          return;
        }
      }
      soonest = Math.min(soonest, ready);
    }
    next = soonest;
  }

  private void moveToEnd(int w) {
    int i = 0;
    while (i < residents && order[i] != w) {
      i++;
    }
    if (i < residents) {
      System.arraycopy(order, i + 1, order, i, residents - i - 1);
      order[residents - 1] = w;
    }
  }

  private void refuseReady(long now, long until) {
    for (int i = 0; i < residents; i++) {
      int w = order[i];
      if (warps.readyAt[w] <= now) {
        refuse(w, until, DISPATCH);
      }
    }
  }

  private void refuse(int w, long until, byte why) {
    warps.refusedUntil[w] = until;
    warps.refusedReason[w] = why;
  }

  /** Issues a warp's instruction and returns {@code now}, or returns when to try again. */
  private long attempt(int w, long now) {
    int row = warps.row(w);
    int unit = code.unit[row];
    if (unit == CodeRows.UNIT_LSU) {
      long room = sm.loadStore().roomAt(index, now);
      if (room > now) {
        refuse(w, room, LoadStoreUnit.throttle(code, row));
        return room;
      }
    } else if (unit == CodeRows.UNIT_XU) {
      long slack = (long) spec.units().xuQueue() * spec.units().xu();
      if (unitFree[unit] > now + slack) {
        refuse(w, unitFree[unit] - slack, UNIT_BUSY);
        return unitFree[unit] - slack;
      }
    } else if (unitFree[unit] > now) {
      refuse(w, unitFree[unit], UNIT_BUSY);
      return unitFree[unit];
    }
    int constant = code.constantLine[row];
    if (constant >= 0) {
      int place = operandConstants.find(constant);
      long ready;
      if (place >= 0) {
        ready = operandConstants.readyAt(place);
      } else if (constantTries[w] == MOST_TRIES) {
        ready = now;
      } else {
        constantTries[w]++;
        constantMisses++;
        ready = sm.constantReady(constant, spec.constants().operandMissCycles(), index, now);
        operandConstants.add(constant, ready);
      }
      if (ready > now) {
        if (w == greedy) {
          holdUntil = Math.min(ready, now + spec.constants().patience());
        }
        warps.heldUntil[w] = ready;
        warps.heldReason[w] = CONSTANT_MISS;
        warps.schedule(w);
        return warps.readyAt[w];
      }
    }
    constantTries[w] = 0;
    issue(w, row, unit, now);
    return now;
  }

  private void issue(int w, int row, int unit, long now) {
    int i = warps.at[w];
    int lanes = Integer.bitCount(warps.trace[w].mask(i));
    warps.chargeIssue(w, row, now, lanes);
    warpInstructions++;
    fetchFree = Math.max(fetchFree + 1, now);
    threadInstructions += lanes;
    greedy = w;
    if (code.dispatch[row] > 1) {
      holdUntil = now + code.dispatch[row];
    }
    if (code.fixed[row]) {
      ports.issue(code, row, w, now);
      if (writes != null && code.writeBanks[row] != 0) {
        writes.fixed(code.writeBanks[row], now + code.latency[row]);
      }
    } else {
      ports.passControl();
    }
    int stall = code.stall[row];
    long until = now + Math.max(1, stall) + code.lateStall[row];
    if (code.yields[row]) {
      until =
          stall == 0 && code.controlled
              ? now + spec.issue().drainStall()
              : Math.max(until, now + 2);
    }
    warps.stallUntil[w] = until;
    act(w, row, unit, i, now);

    if (code.action[row] == CodeRows.ASYNC && code.async[row] == Async.BARRIER_WAIT) {
      int poll = sm.async().nextPoll(w, i);
      if (poll > i) {
        // The instructions of the loop are counted as executed but take no time.
        for (int k = i + 1; k < poll; k++) {
          warpInstructions++;
          threadInstructions += Integer.bitCount(warps.trace[w].mask(k));
        }
        warps.at[w] = poll;
        warps.schedule(w);
        return;
      }
    }
    warps.at[w] = i + 1;
    if (i + 1 == warps.end[w]) {
      sm.warpEnded(w, now);
      return;
    }
    follow(w, row, now);
    warps.schedule(w);
  }

  /** Occupies the unit and moves the dependence counters. */
  private void act(int w, int row, int unit, int i, long now) {
    long start = Math.max(now, unitFree[unit]);
    unitFree[unit] = start + code.interval[row];
    int wb = code.writeBarrier[row];
    int rb = code.readBarrier[row];
    switch (code.action[row]) {
      case CodeRows.MEMORY, CodeRows.SHUFFLE, CodeRows.CACHE_CONTROL -> {
        unitFree[unit] = 0;
        byte why = LoadStoreUnit.waitReason(code, row);
        if (wb != ControlBits.NO_BARRIER) {
          warps.open(w, wb, why, now);
        }
        if (rb != ControlBits.NO_BARRIER) {
          warps.open(w, rb, why, now);
        }
        if (!code.controlled) {
          warps.setRegisters(w, row, Warps.NEVER, why);
        }
        sm.loadStore().enqueue(index, w, row, i, now);
      }
      case CodeRows.XU -> {
        known(
            w,
            row,
            wb,
            rb,
            start + spec.units().xuCycles(),
            start + spec.units().xuReadCycles(),
            MUFU,
            now);
      }
      case CodeRows.SPECIAL_REGISTER ->
          known(w, row, wb, rb, now + code.latency[row], now + 9, SPECIAL, now);
      case CodeRows.CONSTANT_LOAD -> {
        unitFree[unit] = 0;
        long done = sm.constantLoads().issue(row, w, warps.trace[w].mask(i), index, now);
        ModernCoreSpec.Constants constants = spec.constants();
        int read =
            code.loadLine[row] >= 0 ? constants.immediateReadCycles() : constants.loadReadCycles();
        known(w, row, wb, rb, done, now + read, CONSTANT_LOAD, now);
      }
      case CodeRows.ASYNC -> sm.async().execute(w, row, i, now);
      case CodeRows.BARRIER, CodeRows.BARRIER_ARRIVE -> {
        if (warps.trace[w].mask(i) != 0) {
          sm.barrier(w, row, now, code.action[row] == CodeRows.BARRIER);
        }
      }
      case CodeRows.COPY_COMMIT -> sm.loadStore().commitCopies(w, wb, now);
      case CodeRows.MEMBAR -> {
        warps.heldUntil[w] = now + code.latency[row];
        warps.heldReason[w] = MEMBAR;
        known(w, row, wb, rb, now + code.latency[row], now + 9, MEMBAR, now);
      }
      case CodeRows.SLEEP -> {
        warps.heldUntil[w] = now + 85;
        warps.heldReason[w] = SLEEPING;
      }
      default -> known(w, row, wb, rb, now + code.latency[row], now + 5, WAIT, now);
    }
  }

  private void known(
      int w, int row, int wb, int rb, long result, long sourcesFree, byte why, long now) {
    warps.completes(w, row, now, result, false);
    if (wb != ControlBits.NO_BARRIER) {
      warps.open(w, wb, why, now);
      warps.close(w, wb, result, why);
    }
    if (rb != ControlBits.NO_BARRIER) {
      warps.open(w, rb, why, now);
      warps.close(w, rb, sourcesFree, why);
    }
    if (!code.controlled) {
      warps.setRegisters(w, row, result, why);
      if (code.writesPredicate[row]) {
        warps.setPredicate(w, now + spec.issue().guardCycles());
      }
    }
  }

  /** Finds the next instruction of the warp: in the buffer, in another line, behind a jump. */
  private void follow(int w, int row, long now) {
    int from = code.pc[row];
    int to = code.pc[warps.row(w)];
    if (to == from + 16) {
      if ((to & 127) == 0) {
        long ready = sm.supply().lineReady(index, to >> 7, now);
        warps.fetchAt[w] = ready > now ? ready + 1 : now;
        warps.fetchReason[w] = FETCH;
      }
      if (code.branches[row]) {
        long resolved = now + spec.supply().branchCycles();
        if (resolved > warps.fetchAt[w]) {
          warps.fetchAt[w] = resolved;
          warps.fetchReason[w] = BRANCH;
        }
      }
      return;
    }
    long ready = sm.supply().lineReady(index, to >> 7, now);
    // What was fetched behind the jump is thrown away; the slots it took are lost to other warps.
    fetchFree = Math.max(fetchFree, now) + spec.supply().flushedFetches();
    long refilled = Math.max(now + spec.supply().takenBranchCycles(), fetchFree + REFILL);
    warps.fetchAt[w] =
        ready > now ? Math.max(refilled, ready + spec.supply().takenBranchCycles()) : refilled;
    warps.fetchReason[w] = ready > now ? FETCH : BRANCH;
  }
}
