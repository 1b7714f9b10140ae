package dev.warpline.amd.cu;

import static dev.warpline.amd.cu.TimedInstruction.GLOBAL_PIPE;
import static dev.warpline.amd.cu.TimedInstruction.LDS_PIPE;
import static dev.warpline.amd.cu.TimedInstruction.SCALAR_PIPE;
import static dev.warpline.amd.cu.TimedInstruction.UNITS;

import dev.warpline.amd.cu.Wavefront.Phase;
import dev.warpline.amd.dispatch.GroupPlacement;
import dev.warpline.engine.Counter;
import dev.warpline.engine.EventHeap;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.memory.MemoryRequest;
import java.util.Arrays;

/** One compute unit: its wave slots, stages and pipes, and the clock that drives them. */
final class ComputeUnit {
  /** Kinds of events, in the top byte of a payload. */
  static final int WAKE = 0;

  static final int FETCHED = 1;
  static final int GROUP_START = 2;
  static final int LINE = 3;
  static final int PAGE = 4;
  static final int LDS_DONE = 5;
  static final int SCALAR_DONE = 6;

  private static final int WHEEL = 64;

  /** Cycles from the scoreboard check to execution. */
  private static final int STAGES = 2;

  @Counter("wave instructions executed")
  long instructions;

  @Counter("lanes that executed them")
  long laneInstructions;

  @Counter(value = "cycles in which an instruction was issued", unit = "cycles")
  long issueCycles;

  @Counter("times an idle compute unit issued again")
  long idlePeriods;

  @Counter("vector ALU instructions")
  long vectorAluInstructions;

  @Counter(value = "cycles SIMDs were taken by vector instructions", unit = "cycles")
  long vectorAluCycles;

  @Counter("active lanes of vector ALU instructions")
  long vectorAluLanes;

  @Counter("matrix instructions")
  long matrixInstructions;

  @Counter("scalar ALU, branch and sequencer instructions")
  long scalarAluInstructions;

  @Counter("branches taken")
  long branchesTaken;

  @Counter("barriers waves arrived at")
  long barriers;

  @Counter("waves that have ended")
  long wavesCompleted;

  @Counter("work-groups that have ended")
  long groupsCompleted;

  @Counter(value = "cycles with a resident wave", unit = "cycles")
  long activeCycles;

  @Counter(value = "cycles of all resident waves", unit = "wave-cycles")
  long waveCycles;

  private final Distribution lanesDistribution =
      new Distribution("controlFlowDivergenceDist", 1, 64, 4);
  private final Distribution rateDistribution = new Distribution("execRateDist", 0, 10, 2);
  private final Distribution unitsDistribution = new Distribution("spc", 0, 16, 1);
  private final Distribution idleDistribution = new Distribution("idleDur", 0, 75, 5);
  private final Distribution parallelism = new Distribution("waveLevelParallelism", 0, 40, 1);

  final AmdSpec spec;
  final int id;
  final ShaderArray array;
  final Wavefront[] waves;
  final EventHeap events = new EventHeap();

  final FetchStage fetch;
  final ScoreboardCheck scoreboard;
  final ScheduleStage schedule;
  final GlobalPipe global;
  final LdsPipe lds;
  final ScalarPipe scalar;

  /** Waves the scoreboard looks at this cycle, and those the fetch stage looks at. */
  final WaveSet check;

  final WaveSet fetchLook;

  /** When a unit is free again; when a SIMD's matrix core is. */
  private final long[] busyUntil = new long[UNITS];

  final long[] matrixFree;

  final WaveTime time = new WaveTime();

  /** Wake-ups of the next 64 cycles: words of waves by cycle, and which cycles have any. */
  private final long[] wheel;

  private final int words;
  private long wheelCycles;

  /** How many waves have a priority above 0. */
  private int raised;

  private final int wavePeriod;

  /** By SIMD; empty without. */
  final RegisterCache[] registerCaches;

  /** All distributions of the unit. */
  final Distribution[] distributions;

  /** Cycle of the last instruction of each SIMD. */
  private final long[] lastIssue;

  private long lastIssueCycle;
  private int resident;

  /** Whether it ever had a wave, and so may have counted anything. */
  boolean used;

  private long activeSince;

  /** Cycle of the next call of {@link #tick}. */
  long nextCycle = Long.MAX_VALUE;

  ComputeUnit(AmdSpec spec, int id, ShaderArray array) {
    this.spec = spec;
    this.id = id;
    this.array = array;
    waves = new Wavefront[spec.waves().simds() * spec.waves().slotsPerSimd()];
    for (int i = 0; i < waves.length; i++) {
      waves[i] = new Wavefront(i, spec);
    }
    check = new WaveSet(waves.length);
    fetchLook = new WaveSet(waves.length);
    words = WaveSet.words(waves.length);
    wheel = new long[WHEEL * words];
    matrixFree = new long[spec.waves().simds()];
    lastIssue = new long[spec.waves().simds()];
    wavePeriod = spec.issue().wavePeriod();
    registerCaches = RegisterCache.perSimd(spec);
    fetch = new FetchStage(this);
    scoreboard = new ScoreboardCheck(this);
    schedule = new ScheduleStage(this);
    global = new GlobalPipe(this);
    lds = new LdsPipe(this);
    scalar = new ScalarPipe(this);
    distributions =
        new Distribution[] {
          lanesDistribution,
          rateDistribution,
          parallelism,
          unitsDistribution,
          idleDistribution,
          fetch.wordsDistribution,
          global.lanesDistribution,
          global.pagesDistribution,
          global.linesDistribution,
          global.allLatency,
          global.loadLatency,
          global.storeLatency,
          global.headTail,
          lds.lanesDistribution,
          lds.conflictDistribution
        };
  }

  /** Enters something to happen; may be called from the shared side between windows. */
  void at(long cycle, int kind, long what) {
    events.add(cycle, (long) kind << 56 | what);
    nextCycle = Math.min(nextCycle, cycle);
  }

  /** One cycle, stages back to front; returns the next cycle in which something may happen. */
  long tick(long now) {
    while (events.nextTime() <= now) {
      handle(events.remove(), now);
    }
    if ((wheelCycles >>> now & 1) != 0) {
      turnWheel((int) now & WHEEL - 1);
    }
    if (global.nextCycle() <= now) {
      global.tick(now);
    }
    if (schedule.dispatchedUnits() != 0) {
      countIssue(now);
      for (long units = schedule.dispatchedUnits(); units != 0; units &= units - 1) {
        int unit = Long.numberOfTrailingZeros(units);
        execute(unit, schedule.takeDispatched(unit), now);
      }
    }
    if (!schedule.isIdle()) {
      schedule.run(now);
    }
    for (int slot = check.take(); slot >= 0; slot = check.take()) {
      scoreboard.look(waves[slot], now);
    }
    if (fetchHasWork()) {
      fetch.run(fetchLook, now);
    }
    return next(now);
  }

  private boolean fetchHasWork() {
    return !fetchLook.isEmpty() || !fetch.isIdle();
  }

  private void turnWheel(int cycle) {
    for (int word = 0; word < words; word++) {
      check.add(word, wheel[cycle * words + word]);
      wheel[cycle * words + word] = 0;
    }
    wheelCycles &= ~(1L << cycle);
  }

  private void countIssue(long now) {
    issueCycles++;
    unitsDistribution.sample(Long.bitCount(schedule.dispatchedUnits()));
    if (now > lastIssueCycle + 1) {
      idlePeriods++;
      idleDistribution.sample(now - lastIssueCycle - 1);
    }
    lastIssueCycle = now;
  }

  private long next(long now) {
    if (schedule.dispatchedUnits() != 0 || fetchHasWork()) {
      return now + 1;
    }
    long next = Math.min(schedule.nextCycle(now), Math.min(events.nextTime(), global.nextCycle()));
    if (wheelCycles != 0) {
      long ahead = Long.rotateRight(wheelCycles, (int) (now + 1) & (WHEEL - 1));
      next = Math.min(next, now + 1 + Long.numberOfTrailingZeros(ahead));
    }
    return Math.max(next, now + 1);
  }

  /**
   * Has the scoreboard look at a wave again at a later cycle; not at all for a pending register.
   */
  void wakeAt(Wavefront wave, long cycle, long now) {
    if (cycle == Wavefront.PENDING) {
      return;
    }
    if (cycle - now < WHEEL) {
      int slot = (int) cycle & (WHEEL - 1);
      wheel[slot * words + wave.word] |= wave.bit;
      wheelCycles |= 1L << slot;
    } else {
      at(cycle, WAKE, wave.slot);
    }
  }

  void setStatus(Wavefront wave, Stall status, long now) {
    if (wave.profile != null) {
      wave.profile.status(wave, now);
    }
    time.status(wave, status, now);
  }

  /** Leaves only those of these waves that have the highest priority. */
  void keepMostUrgent(WaveSet some) {
    if (raised == 0) {
      return;
    }
    int highest = 0;
    for (int slot = some.first(); slot >= 0; slot = some.after(slot)) {
      highest = Math.max(highest, waves[slot].priority);
    }
    for (int slot = some.first(); slot >= 0; slot = some.after(slot)) {
      if (waves[slot].priority < highest) {
        some.remove(waves[slot]);
      }
    }
  }

  private void setPriority(Wavefront wave, int priority) {
    raised += Integer.signum(priority) - Integer.signum(wave.priority);
    wave.priority = priority;
  }

  /** Whether the unit and its bus are free in the next cycle. */
  boolean pipeReady(int unit, long now) {
    return pipeReadyAt(unit, now) <= now;
  }

  /** Whether the unit itself, whatever its bus and queue, takes nothing in the next cycle. */
  boolean isBusy(int unit, long now) {
    return busyUntil[unit] - 1 > now;
  }

  long pipeReadyAt(int unit, long now) {
    long free = busyUntil[unit] - 1;
    return switch (unit) {
      case GLOBAL_PIPE -> Math.max(free, global.readyAt(now));
      case LDS_PIPE -> Math.max(free, lds.readyAt());
      case SCALAR_PIPE -> Math.max(free, scalar.readyAt());
      default -> free;
    };
  }

  private void handle(long event, long now) {
    int what = (int) event;
    switch ((int) (event >>> 56)) {
      case WAKE -> check.add(waves[what]);
      case FETCHED -> fetch.returned(waves[what]);
      case GROUP_START -> start(array.takeStart(what), now);
      case LINE -> global.lineReturned(what, (int) (event >>> 32) & 0xff, now);
      case PAGE -> global.pageReturned(what, now);
      case LDS_DONE -> lds.done(what, now);
      case SCALAR_DONE -> scalar.done(what, now);
      default -> throw new IllegalStateException("event " + event);
    }
  }

  /** An answer of the shared side for this unit's vector memory. */
  void answer(MemoryRequest reply) {
    at(reply.ready, reply.translation ? PAGE : LINE, (long) reply.level << 32 | reply.number);
  }

  private void start(GroupPlacement placement, long now) {
    if (resident == 0) {
      activeSince = now;
      lastIssueCycle = now;
      Arrays.fill(lastIssue, now);
    }
    ResidentGroup group = new ResidentGroup(placement);
    array.startWaves(group, this, now);
    used = true;
    resident += placement.waves();
    for (int i = 0; i < placement.waves(); i++) {
      parallelism.sample(resident);
    }
  }

  void startWave(Wavefront wave) {
    schedule.start(wave);
    fetch.start(wave);
    fetchLook.add(wave);
  }

  private void execute(int unit, Wavefront wave, long now) {
    TimedInstruction instruction = wave.head();
    wave.headTaken = false;
    int lanes = instruction.isVector ? Long.bitCount(wave.state.exec()) : 1;
    instructions++;
    laneInstructions += instruction.isVector ? lanes : 64;
    if (instruction.isVector) {
      lanesDistribution.sample(lanes);
    }
    rateDistribution.sample(now - lastIssue[wave.simd]);
    lastIssue[wave.simd] = now;
    long pc = wave.bufferPc;
    if (wave.profile != null) {
      wave.profile.issue(wave, lanes, now);
    }
    time.issue(wave, now);
    switch (unit) {
      case GLOBAL_PIPE -> {
        busyUntil[unit] = now + instruction.occupancy;
        if (instruction.isFlat) {
          busyUntil[LDS_PIPE] = now + instruction.occupancy;
          wave.lgkmCause = StallReason.L1_MISS;
        }
        global.execute(wave, instruction, now);
      }
      case LDS_PIPE -> {
        busyUntil[unit] = now + instruction.occupancy;
        wave.lgkmCause = StallReason.SHARED;
        lds.execute(wave, instruction, now);
      }
      case SCALAR_PIPE -> {
        busyUntil[unit] = now + instruction.occupancy;
        wave.lgkmCause = StallReason.CONSTANT_LOAD;
        scalar.execute(wave, instruction, now);
      }
      default -> executeAlu(unit, wave, instruction, lanes, now);
    }
    if (wave.phase == Phase.STOPPED) {
      return;
    }
    if (wavePeriod > STAGES) {
      // The next instruction still has to pass scoreboard and schedule.
      schedule.forget(wave);
      wave.notBefore = Math.max(wave.notBefore, now + wavePeriod - STAGES);
    }
    fetchLook.add(wave);
    // Decoding ended at a jump, also at one to the place behind it.
    if (wave.state.pc == pc + instruction.size && !instruction.neverFallsThrough) {
      wave.pop();
    } else {
      branchesTaken++;
      schedule.forget(wave);
      wave.flush(wave.state.pc);
    }
    if (wavePeriod > STAGES && wave.phase == Phase.RUNNING && wave.buffered > 0) {
      // It is on no ready list, and the scoreboard check would only say that it is too early.
      setStatus(wave, Stall.INSTR_READY, now);
      wakeAt(wave, wave.notBefore, now);
    } else {
      schedule.executed(wave);
      check.add(wave);
    }
  }

  private void executeAlu(
      int unit, Wavefront wave, TimedInstruction instruction, int lanes, long now) {
    busyUntil[unit] = now + instruction.occupancy;
    array.executor.execute(wave, instruction);
    Wavefront.setReady(
        wave.vectorReady, instruction.vectorResults, now + instruction.vectorLatency);
    if (registerCaches.length > 0 && instruction.isVector) {
      registerCaches[wave.simd].execute(wave, instruction, now);
    }
    Wavefront.setReady(
        wave.scalarReady, instruction.scalarResults, now + spec.issue().scalarPipe());
    if (instruction.isVector) {
      vectorAluInstructions++;
      vectorAluCycles += instruction.occupancy;
      vectorAluLanes += lanes;
      if (instruction.isMatrix) {
        matrixInstructions++;
        matrixFree[wave.simd] = now + instruction.matrixCycles;
        check.addAll(schedule.ready[wave.simd]);
      }
      return;
    }
    scalarAluInstructions++;
    switch (instruction.control) {
      case WAITCNT -> {
        wave.vmLimit = limit(instruction.code.vmcnt(), 63);
        wave.lgkmLimit = limit(instruction.code.lgkmcnt(), 15);
        wave.expLimit = limit(instruction.code.expcnt(), 7);
        wave.waitArmed = true;
      }
      case SLEEP -> {
        wave.sleepUntil = now + 64L * (instruction.code.simm16 & 0x7f);
        wakeAt(wave, wave.sleepUntil, now);
      }
      case PRIORITY -> {
        if (spec.issue().priorities()) {
          setPriority(wave, instruction.code.simm16 & 3);
        }
      }
      case NOP -> wave.notBefore = now + 1 + (instruction.code.simm16 & 0xf);
      case BARRIER -> {
        barriers++;
        if (wave.group.hasBarrier() && wave.group.arrive()) {
          release(wave.group);
        }
      }
      case END -> end(wave, now);
      default -> {}
    }
  }

  /** A field of all ones means no limit. */
  private static int limit(int field, int none) {
    return field == none ? Integer.MAX_VALUE : field;
  }

  private void release(ResidentGroup group) {
    for (int slot : group.placement.slots()) {
      Wavefront wave = waves[slot];
      if (wave.group == group && wave.phase == Phase.BARRIER) {
        wave.phase = Phase.RUNNING;
        wave.state.atBarrier = false;
        check.add(wave);
        fetchLook.add(wave);
      }
    }
  }

  private void end(Wavefront wave, long now) {
    time.end(wave, now);
    waveCycles += now - wave.startCycle;
    if (wave.profile != null) {
      wave.profile.end(wave, now);
    }
    wavesCompleted++;
    wave.flush(0);
    fetch.end(wave);
    schedule.end(wave);
    wave.phase = Phase.STOPPED;
    wave.state = null;
    resident--;
    setPriority(wave, 0);
    ResidentGroup group = wave.group;
    wave.group = null;
    if (group.leave()) {
      release(group);
    }
    if (group.hasEnded()) {
      groupsCompleted++;
    }
    if (resident == 0) {
      activeCycles += now - activeSince;
    }
    array.waveEnded(id, wave.slot, now);
  }

  void describe(StringBuilder text) {
    for (Wavefront wave : waves) {
      if (wave.phase != Phase.STOPPED) {
        text.append(
            String.format(
                "CU %d slot %d: kernel %s, group (%d, %d, %d), wave %d: PC 0x%x, %s, vmcnt %d,"
                    + " lgkmcnt %d%n",
                id,
                wave.slot,
                wave.state.group.kernel,
                wave.state.group.x,
                wave.state.group.y,
                wave.state.group.z,
                wave.state.indexInGroup,
                wave.state.pc,
                WaveTime.gem5(wave),
                wave.vmCount,
                wave.lgkmCount));
      }
    }
  }
}
