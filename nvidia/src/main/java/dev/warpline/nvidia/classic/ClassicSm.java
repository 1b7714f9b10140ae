package dev.warpline.nvidia.classic;

import dev.warpline.engine.Counter;
import dev.warpline.engine.Counters;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.CacheSpec;
import dev.warpline.engine.gpu.ClassicCoreSpec;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.profile.LogEvent;
import dev.warpline.engine.profile.SmRecorder;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.memory.MemoryRequest;
import dev.warpline.memory.cache.CacheOutcome;
import dev.warpline.memory.cache.DataCache;
import dev.warpline.policy.LowestBit;
import dev.warpline.policy.WarpScheduler;
import dev.warpline.trace.BlockTrace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/**
 * One SM, cycle by cycle, in reverse pipeline order: write-back, execute, read operands, issue,
 * decode and fetch. It knows when it has nothing to do and is then not called.
 */
final class ClassicSm {
  private static final int NONE = -1;

  /** A block that was given to this SM and has not started. */
  record Assigned(ClassicKernel kernel, BlockTrace trace) {}

  /** A block that has ended here. */
  record Finished(ClassicKernel kernel, BlockTrace trace, long cycle) {}

  private final int number;
  private final int core;
  private final int smCount;
  private final GpuDescription gpu;
  private final ClassicCoreSpec spec;
  private final int schedulers;
  private final int fetchThroughput;
  private final int issuesPerWarp;
  private final int portThroughput;
  private final InFlight flight = new InFlight();
  private final ClassicScoreboard scoreboard;
  private final ClassicWarps warps;
  private final BarrierUnit barriers;
  private final ClassicCopyGroups groups;
  private final Pipeline pipeline;
  private final OperandCollector collector;
  private final ExecutionUnits units;
  private final ClassicLoadStore loadStore;
  private final MemoryPort port;

  /** Null where instruction fetches always hit. */
  private final InstructionCache instructions;

  /** Warps that wait for a line of the instruction cache. */
  private long waitsForLine;

  private final WarpScheduler[] policy;
  private final long[] schedulerWarps;
  private final boolean memoryAware;

  private final ClassicKernel[] slotKernel;
  private final BlockTrace[] slotBlock;
  private final int[] slotWarps;
  private final int[] slotFirstWarp;
  private int freeSlots;
  private int residentBlocks;
  private int l1Ways;

  /** Charges warps' time to reasons, null if nobody asks. */
  private WarpStates states;

  final Deque<Assigned> assigned = new ArrayDeque<>();
  final List<Finished> finished = new ArrayList<>();

  private int latched = NONE;
  private int lastFetched;
  private long wakeAt = Long.MAX_VALUE;

  @Counter("warp instructions completed")
  long warpInstructions;

  @Counter("the same, each once per active lane")
  long threadInstructions;

  @Counter(value = "cycles with a resident warp", unit = "cycles")
  long activeCycles;

  @Counter(value = "resident warps, summed over cycles", unit = "warp-cycles")
  long warpCycles;

  @Counter(value = "no warp had an instruction it was not waiting with", unit = "scheduler-cycles")
  long idleCycles;

  @Counter(value = "every such instruction waited for a register", unit = "scheduler-cycles")
  long scoreboardCycles;

  @Counter(value = "an instruction had its registers but no free slot", unit = "scheduler-cycles")
  long pipelineCycles;

  @Counter("thread instructions that load global or local memory")
  long loadThreads;

  @Counter("thread instructions that store to global or local memory")
  long storeThreads;

  @Counter("thread instructions on shared memory")
  long sharedThreads;

  @Counter("thread instructions on constant memory")
  long constantThreads;

  @Counter("thread instructions on textures")
  long textureThreads;

  private final IssueCounts issues;
  private final Counters counters;

  ClassicSm(GpuDescription gpu, int number, int core, MemoryPort port) {
    this.number = number;
    this.core = core;
    this.port = port;
    spec = gpu.classic();
    this.gpu = gpu;
    boolean perfect = spec.frontEnd().perfectInstructionAndConstantCache();
    instructions =
        perfect || spec.instructionCache() == null
            ? null
            : new InstructionCache(spec.instructionCache(), port.pool);
    smCount = gpu.sm().count();
    schedulers = spec.frontEnd().schedulers();
    fetchThroughput = spec.frontEnd().fetchThroughput();
    issuesPerWarp = spec.frontEnd().issuesPerWarp();
    portThroughput = spec.operands().portThroughput();
    int slots = gpu.sm().warps();
    scoreboard = new ClassicScoreboard(slots, spec.scoreboard());
    warps = new ClassicWarps(slots, spec.frontEnd().instructionBuffer(), scoreboard);
    int blocks = gpu.sm().blocks();
    barriers = new BarrierUnit(blocks, warps);
    groups = new ClassicCopyGroups(slots, warps);
    pipeline = new Pipeline(spec);
    collector = new OperandCollector(spec, pipeline, flight, warps);
    units = new ExecutionUnits(spec, pipeline, flight, warps);
    l1Ways = Occupancy.maxWays(gpu.sm(), spec);
    loadStore =
        new ClassicLoadStore(
            this,
            spec,
            spec.l1().cache(),
            l1Ways,
            flight,
            warps,
            collector,
            groups,
            pipeline,
            port);
    Supplier<WarpScheduler> maker = spec.frontEnd().policy();
    policy = new WarpScheduler[schedulers];
    schedulerWarps = new long[schedulers];
    boolean aware = false;
    for (int s = 0; s < schedulers; s++) {
      for (int w = s; w < slots; w += schedulers) {
        schedulerWarps[s] |= 1L << w;
      }
      policy[s] = maker.get();
      policy[s].begin(schedulerWarps[s]);
      aware |= policy[s].looksAtMemory();
    }
    memoryAware = aware;
    issues = new IssueCounts(schedulers);
    counters = new Counters().add("sm.", this).add("loadStore.", loadStore);
    issues.register(counters);
    if (instructions != null) {
      counters.add("l1i.", instructions);
    }
    slotKernel = new ClassicKernel[blocks];
    slotBlock = new BlockTrace[blocks];
    slotWarps = new int[blocks];
    slotFirstWarp = new int[blocks];
    freeSlots = blocks == 32 ? -1 : (1 << blocks) - 1;
  }

  /** From now on time is charged to reasons. */
  void profile() {
    states = new WarpStates(warps);
    warps.observe(states);
  }

  /** Where the memory behaviour of a warp's instructions is written down, null if nowhere. */
  SmRecorder recorder(int warp) {
    ClassicKernel kernel = states == null ? null : slotKernel[warps.blockSlot[warp]];
    return kernel == null ? null : kernel.recorder.sm(number);
  }

  int number() {
    return number;
  }

  int core() {
    return core;
  }

  int smCount() {
    return smCount;
  }

  long paddedThreads(int warp) {
    return slotKernel[warps.blockSlot[warp]].warpsPerBlock * 32L;
  }

  long blocksPerSm(int warp) {
    return slotKernel[warps.blockSlot[warp]].occupancy.blocks();
  }

  ClassicLoadStore loadStore() {
    return loadStore;
  }

  /** All that this SM counts. */
  Counters counters() {
    return counters;
  }

  DataCache l1() {
    return loadStore.l1();
  }

  /** The first cycle in which this SM has something to do. */
  long wakeAt() {
    return wakeAt;
  }

  /** Something has come from outside: look at it in cycle {@code now}. */
  void wake(long now) {
    wakeAt = Math.min(wakeAt, now);
  }

  // ---- blocks

  /** Blocks of a kernel that could be started now. */
  int freeBlocks(ClassicKernel kernel) {
    if (gpu.launch().kernelsShareSms() && hasOther(kernel)) {
      return freeBlocksBeside(kernel);
    }
    int room = kernel.occupancy.blocks() - residentBlocks;
    return Math.min(room, Integer.bitCount(freeSlots));
  }

  private boolean hasOther(ClassicKernel kernel) {
    for (ClassicKernel resident : slotKernel) {
      if (resident != null && resident != kernel) {
        return true;
      }
    }
    return false;
  }

  /** Beside another kernel's blocks what is left of each resource counts. */
  private int freeBlocksBeside(ClassicKernel kernel) {
    long registers = gpu.sm().registers();
    long shared = gpu.sm().l1().sharedBytes();
    for (ClassicKernel resident : slotKernel) {
      if (resident != null) {
        registers -= Occupancy.registers(resident.header);
        shared -= resident.header.sharedBytes();
      }
    }
    int room = Integer.bitCount(freeSlots);
    if (Occupancy.registers(kernel.header) > 0) {
      room = (int) Math.min(room, registers / Occupancy.registers(kernel.header));
    }
    if (kernel.header.sharedBytes() > 0) {
      room = (int) Math.min(room, shared / kernel.header.sharedBytes());
    }
    int places = 0;
    for (int first = 0; first + kernel.warpsPerBlock <= warps.slots; ) {
      places += isTaken(first, kernel.warpsPerBlock) ? 0 : 1;
      first += kernel.warpsPerBlock;
    }
    return Math.min(room, places);
  }

  int residentBlocks() {
    return residentBlocks;
  }

  /** The kernel whose blocks are here, or null. */
  ClassicKernel residentKernel() {
    for (ClassicKernel kernel : slotKernel) {
      if (kernel != null) {
        return kernel;
      }
    }
    return null;
  }

  /** Resident blocks that could end within so many cycles. */
  int mayFinishWithin(int cycles) {
    int count = 0;
    for (int slot = 0; slot < slotKernel.length; slot++) {
      if (slotKernel[slot] != null) {
        boolean may = true;
        int first = slotFirstWarp[slot];
        for (int w = first; w < first + slotKernel[slot].warpsPerBlock; w++) {
          may &= (warps.live >>> w & 1) == 0 || warps.mayFinishWithin(w, cycles);
        }
        count += may ? 1 : 0;
      }
    }
    return count;
  }

  private boolean canStartBlock() {
    Assigned next = assigned.peek();
    return next != null && freeBlocks(next.kernel()) > 0;
  }

  private void startBlock(long now) {
    Assigned next = assigned.poll();
    ClassicKernel kernel = next.kernel();
    int perBlock = kernel.warpsPerBlock;
    if (warps.live == 0) {
      beginOnEmpty(kernel);
    }
    int slot = LowestBit.of(freeSlots);
    int first = 0;
    long needed = perBlock == Long.SIZE ? -1L : (1L << perBlock) - 1;
    while ((warps.live & needed << first) != 0 || isTaken(first, perBlock)) {
      first += perBlock;
    }
    freeSlots &= ~(1 << slot);
    residentBlocks++;
    slotKernel[slot] = kernel;
    slotBlock[slot] = next.trace();
    slotFirstWarp[slot] = first;
    slotWarps[slot] = 0;
    long members = 0;
    for (int w = 0; w < perBlock; w++) {
      if (next.trace().count(w) > 0) {
        int warp = first + w;
        members |= 1L << warp;
        slotWarps[slot]++;
        warps.launch(warp, next.trace(), w, kernel.code, slot);
        if (states != null) {
          states.start(warp, kernel.recorder.sm(number), now + 1);
        }
        groups.launch(warp);
        policy[warp % schedulers].arrived(warp);
      }
    }
    barriers.launch(slot, members);
    if (members == 0) {
      endBlock(slot, now);
    }
  }

  private boolean isTaken(int first, int count) {
    for (int slot = 0; slot < slotKernel.length; slot++) {
      if (slotKernel[slot] != null
          && first < slotFirstWarp[slot] + slotKernel[slot].warpsPerBlock
          && slotFirstWarp[slot] < first + count) {
        return true;
      }
    }
    return false;
  }

  private void beginOnEmpty(ClassicKernel kernel) {
    int ways = kernel.occupancy.l1Ways();
    if (ways != l1Ways) {
      l1Ways = ways;
      loadStore.l1().setWays(ways);
    } else if (spec.l1().flush()) {
      loadStore.invalidate();
    }
    if (spec.l1().cache().allocate() == CacheSpec.Allocate.STREAMING) {
      loadStore.l1().allocateOnMiss(gpu.sm().l1().unified() && kernel.header.sharedBytes() == 0);
    }
  }

  private void endBlock(int slot, long now) {
    finished.add(new Finished(slotKernel[slot], slotBlock[slot], now));
    slotKernel[slot] = null;
    slotBlock[slot] = null;
    freeSlots |= 1 << slot;
    residentBlocks--;
  }

  // ---- a cycle

  /** Accounts for cycles in which nothing changes. */
  void skip(long now, long cycles) {
    if (warps.live == 0) {
      return;
    }
    activeCycles += cycles;
    warpCycles += warps.resident * cycles;
    long valid = warps.valid();
    long ready = valid & warps.registersReady;
    for (int s = 0; s < schedulers; s++) {
      if ((valid & schedulerWarps[s]) == 0) {
        idleCycles += cycles;
      } else if ((ready & schedulerWarps[s]) == 0) {
        scoreboardCycles += cycles;
      } else {
        pipelineCycles += cycles;
      }
    }
    loadStore.skip(now, cycles);
  }

  void cycle(long now) {
    if (states != null) {
      states.begin(now);
    }
    if (warps.live != 0) {
      activeCycles++;
      warpCycles += warps.resident;
    }
    writeBack(now);
    long unitRetry = units.cycle(now);
    loadStore.cycle(now);
    boolean moved = false;
    if (pipeline.issuedKinds != 0 || !collector.isEmpty()) {
      for (int i = 0; i < portThroughput; i++) {
        moved |= collector.step(now);
      }
    } else {
      collector.endCycle();
    }
    boolean issued = warps.live != 0 && issue(now);
    fetch(now);
    if (!assigned.isEmpty() && canStartBlock()) {
      if (assigned.peek().kernel().startCycle() <= now) {
        startBlock(now);
      }
    }
    wakeAt = moved || issued ? now + 1 : nextActivity(now + 1, unitRetry);
  }

  private long nextActivity(long next, long unitRetry) {
    if (latched != NONE || (warps.needsFetch | warps.retirable) != 0 || canIssue()) {
      return next;
    }
    if (instructions != null && instructions.isActive()) {
      return next;
    }
    for (long left = warps.atFence; left != 0; left &= left - 1) {
      if (scoreboard.pendingWrites(LowestBit.of(left)) == 0) {
        return next;
      }
    }
    long wake = Math.min(unitRetry, loadStore.nextActivity(next));
    wake = Math.min(wake, units.nextWriteBack(next));
    if (!assigned.isEmpty() && canStartBlock()) {
      wake = Math.min(wake, Math.max(next, assigned.peek().kernel().startCycle()));
    }
    return wake;
  }

  private boolean canIssue() {
    long ready = warps.valid() & warps.registersReady;
    if (ready == 0) {
      return false;
    }
    for (int s = 0; s < schedulers; s++) {
      if (eligible(ready & schedulerWarps[s], s) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Of some ready warps, those whose unit has a free slot. */
  private long eligible(long ready, int scheduler) {
    for (int b = pipeline.blockedKinds(scheduler); b != 0; b &= b - 1) {
      ready &= ~warps.byUnit[LowestBit.of(b)];
    }
    return ready;
  }

  private void writeBack(long now) {
    int instruction = units.writeBack(now);
    while (instruction != InFlight.NONE) {
      int next = flight.next[instruction];
      int warp = flight.warp[instruction];
      ClassicCode code = warps.code[warp];
      int row = flight.row[instruction];
      if (code.destination[row] != 0) {
        collector.write(code.destination[row], warp);
      }
      if (code.writes[row] != 0) {
        release(instruction, WarpStates.ofUnit(code.unit[row]));
      }
      complete(instruction);
      ended(instruction, false);
      warps.inPipeline[warp]--;
      flight.giveBack(instruction);
      warps.checkRetirable(warp);
      instruction = next;
    }
  }

  /** An instruction has written its registers. */
  void release(int instruction, StallReason from) {
    int warp = flight.warp[instruction];
    scoreboard.release(warp, warps.code[warp], flight.row[instruction]);
    if (states != null) {
      states.written(warp, from);
      ClassicCode code = warps.code[warp];
      int row = flight.row[instruction];
      states.registers(warp, LogEvent.RELEASE, row, code.trackedFrom[row], code.writes[row]);
    }
    warps.checkRegisters(warp);
  }

  /** An instruction leaves the machine: for the timeline. */
  void ended(int instruction, boolean memory) {
    if (states != null) {
      states.ended(flight, instruction, memory);
    }
  }

  /** An instruction has done its work. */
  void complete(int instruction) {
    int lanes = flight.lanes[instruction];
    warpInstructions++;
    threadInstructions += lanes;
    int flags = flight.flags[instruction];
    if ((flags & ClassicCode.SHARED) != 0) {
      sharedThreads += lanes;
    } else if ((flags & ClassicCode.LOAD) != 0) {
      loadThreads += lanes;
    } else if ((flags & ClassicCode.STORE) != 0) {
      storeThreads += lanes;
    } else if ((flags & ClassicCode.CONSTANT) != 0) {
      constantThreads += lanes;
    } else if ((flags & ClassicCode.TEXTURE) != 0) {
      textureThreads += lanes;
    }
  }

  // ---- issue

  private boolean issue(long now) {
    for (long left = warps.atFence; left != 0; left &= left - 1) {
      int warp = LowestBit.of(left);
      if (scoreboard.pendingWrites(warp) == 0) {
        warps.atFence &= ~(1L << warp);
        if (spec.l1().flush()) {
          loadStore.invalidate();
        }
      }
    }
    if (states != null) {
      states.beginIssue();
    }
    boolean any = false;
    long couldIssue = 0;
    long allValid = warps.valid();
    int start = (int) ((activeCycles - 1) % schedulers);
    for (int i = 0; i < schedulers; i++) {
      int s = start + i < schedulers ? start + i : start + i - schedulers;
      long mine = schedulerWarps[s];
      long valid = allValid & mine;
      if (valid == 0) {
        idleCycles++;
        continue;
      }
      long ready = valid & warps.registersReady;
      if (ready == 0) {
        scoreboardCycles++;
        continue;
      }
      long eligible = eligible(ready, s);
      couldIssue |= eligible;
      int warp = NONE;
      if (eligible != 0) {
        long held = warps.waiting() | ~warps.live;
        warp = policy[s].choose(eligible, held, memoryAware ? onMemory(mine) : 0);
      }
      if (warp == NONE) {
        pipelineCycles++;
        continue;
      }
      if (warp < 0 || warp >= Long.SIZE || (eligible >>> warp & 1) == 0) {
        throw wrongChoice(warp, now);
      }
      issueFrom(warp, s, now);
      policy[s].issued(warp);
      // Who issues can end the wait of others, at a barrier.
      allValid = warps.valid();
      any = true;
    }
    if (states != null) {
      states.endIssue(couldIssue);
    }
    return any;
  }

  private UnfinishedSimulationException wrongChoice(int warp, long now) {
    return new UnfinishedSimulationException(
        String.format(
            "cycle %d: scheduler %s chose warp %d, expected one that can issue, or %d",
            now, spec.frontEnd().policy(), warp, NONE));
  }

  private long onMemory(long mine) {
    long result = 0;
    for (long left = warps.hasInstruction & mine; left != 0; left &= left - 1) {
      int warp = LowestBit.of(left);
      if (scoreboard.waitsForMemory(warp, warps.code[warp], warps.headRow[warp])) {
        result |= 1L << warp;
      }
    }
    return result;
  }

  private void issueFrom(int warp, int scheduler, long now) {
    int firstUnit = warps.code[warp].unit[warps.headRow[warp]];
    issueOne(warp, scheduler, now);
    int count = 1;
    long bit = 1L << warp;
    while (count < issuesPerWarp
        && (warps.valid() & warps.registersReady & bit) != 0
        && (eligible(bit, scheduler) & bit) != 0) {
      int unit = warps.code[warp].unit[warps.headRow[warp]];
      if (spec.frontEnd().dualIssueToDifferentUnits() && unit == firstUnit) {
        break;
      }
      issueOne(warp, scheduler, now);
      count++;
    }
    issues.count(scheduler, count);
  }

  private void issueOne(int warp, int scheduler, long now) {
    ClassicCode code = warps.code[warp];
    int row = warps.headRow[warp];
    BlockTrace block = warps.block[warp];
    int index = warps.next[warp];
    int instruction = flight.take();
    int mask = block.mask(index);
    flight.warp[instruction] = warp;
    flight.row[instruction] = row;
    flight.mask[instruction] = mask;
    int lanes = mask == -1 ? Integer.SIZE : Integer.bitCount(mask);
    flight.lanes[instruction] = lanes;
    flight.index[instruction] = index;
    flight.scheduler[instruction] = scheduler;
    flight.issuedAt[instruction] = now;
    int flags = code.flags[row];
    if ((flags & ClassicCode.GENERIC) != 0) {
      flags = resolve(flags, block, index, mask, slotKernel[warps.blockSlot[warp]]);
    }
    if ((flags & ClassicCode.GLOBAL) != 0 && spec.l1().globalBypasses()) {
      flags |= ClassicCode.BYPASS;
    }
    flight.flags[instruction] = flags;
    issues.lanes[lanes]++;
    if (states != null) {
      states.issue(warp, row, lanes);
    }
    pipeline.issue(code.unit[row], scheduler, instruction);
    warps.inPipeline[warp]++;
    boolean memory =
        (flags & ClassicCode.LOAD) != 0 && (flags & ClassicCode.SHARED) == 0
            || (flags & ClassicCode.TEXTURE) != 0;
    scoreboard.reserve(warp, code, row, memory);
    if (states != null) {
      states.registers(warp, LogEvent.RESERVE, row, code.trackedFrom[row], code.writes[row]);
    }
    if ((flags & ClassicCode.SPECIAL) != 0) {
      special(warp, instruction, flags, row, code, mask);
    }
    warps.advance(warp);
    if ((warps.finishing >>> warp & 1) != 0) {
      barriers.exit(warps.blockSlot[warp], warp);
    }
  }

  private void special(int warp, int instruction, int flags, int row, ClassicCode code, int mask) {
    if ((flags & ClassicCode.ATOMIC) != 0 && mask != 0) {
      warps.atomicLanes[warp] += Integer.bitCount(mask);
      warps.inAtomic |= 1L << warp;
    }
    if ((flags & ClassicCode.ASYNC_COPY) != 0) {
      flight.group[instruction] = groups.add(warp);
    }
    if ((flags & ClassicCode.GROUP_COMMIT) != 0) {
      groups.commit(warp);
    }
    if ((flags & ClassicCode.GROUP_WAIT) != 0) {
      groups.await(warp, code.immediate[row]);
    }
    if ((flags & ClassicCode.FENCE) != 0) {
      warps.atFence |= 1L << warp;
    }
    if ((flags & ClassicCode.BARRIER) != 0) {
      int slot = warps.blockSlot[warp];
      ClassicKernel kernel = slotKernel[slot];
      if (kernel.namesBarriers) {
        int barrier = code.immediate[row] & BarrierUnit.BARRIERS - 1;
        int count = code.immediate2[row] / 32;
        barriers.arrive(slot, barrier, warp, count, (flags & ClassicCode.ARRIVE_ONLY) == 0);
      } else {
        barriers.arrive(slot, 0, warp, 0, true);
      }
    }
  }

  /** The space of a generic access, by its first active lane. */
  private static int resolve(
      int flags, BlockTrace block, int index, int mask, ClassicKernel kernel) {
    int space = ClassicCode.GLOBAL;
    long sharedBase = kernel.header.sharedBase();
    long localBase = kernel.header.localBase();
    int payload = block.payload(index);
    if (sharedBase == 0 || localBase == 0) {
      space = ClassicCode.SHARED;
    } else if (mask != 0 && payload != BlockTrace.NO_PAYLOAD) {
      // Both payload kinds have the first active lane's address first.
      long address = block.data()[payload + 1];
      if (Long.compareUnsigned(address, sharedBase) >= 0
          && Long.compareUnsigned(address, localBase) < 0) {
        space = ClassicCode.SHARED;
      } else if (address - localBase >= 0 && address - localBase < 16384) {
        space = ClassicCode.LOCAL;
      }
    }
    return flags & ~ClassicCode.GENERIC | space;
  }

  // ---- fetch and decode

  private void fetch(long now) {
    for (int i = 0; i < fetchThroughput; i++) {
      if (latched != NONE) {
        warps.fill(latched);
        latched = NONE;
      }
      if (instructions != null) {
        instructions.cycle(port, core, now);
        int filled = instructions.takeReady();
        if (filled != NONE) {
          waitsForLine &= ~(1L << filled);
          latched = filled;
          continue;
        }
      }
      if ((warps.needsFetch | warps.retirable) == 0) {
        if (instructions == null) {
          return;
        }
        continue;
      }
      int found = NONE;
      long later = lastFetched == 63 ? 0 : -1L << lastFetched + 1;
      long passed;
      if ((warps.needsFetch & later) != 0) {
        found = LowestBit.of(warps.needsFetch & later);
        passed = later & (1L << found) - 1;
      } else if (warps.needsFetch != 0) {
        found = LowestBit.of(warps.needsFetch);
        passed = later | (1L << found) - 1;
      } else {
        passed = -1L;
      }
      for (long left = warps.retirable & passed; left != 0; left &= left - 1) {
        retire(LowestBit.of(left), now);
      }
      if (found != NONE) {
        lastFetched = found;
        latch(found, now);
      }
    }
  }

  private void latch(int warp, long now) {
    if (states != null) {
      states.fetch(warp);
    }
    if (instructions != null) {
      int pc = warps.code[warp].pc[warps.block[warp].row(warps.next[warp])];
      int outcome = instructions.fetch(warp, pc, now);
      if (outcome == CacheOutcome.RESERVATION_FAIL) {
        return;
      }
      if (outcome != CacheOutcome.HIT) {
        waitsForLine |= 1L << warp;
        warps.needsFetch &= ~(1L << warp);
        return;
      }
    }
    latched = warp;
    warps.needsFetch &= ~(1L << warp);
  }

  /** A sector of the instruction cache has come from the memory side. */
  void fillInstructions(MemoryRequest sector, long now) {
    instructions.arrive(sector, now);
  }

  /** The instruction cache, or null where fetches always hit. */
  InstructionCache instructions() {
    return instructions;
  }

  private void retire(int warp, long now) {
    int slot = warps.blockSlot[warp];
    if (states != null) {
      states.end(warp, now + 1);
    }
    warps.retire(warp);
    policy[warp % schedulers].left(warp);
    if (--slotWarps[slot] == 0) {
      endBlock(slot, now);
    }
  }

  /** Whether everything that was issued has completed and every answer has come. */
  boolean isDrained() {
    return warps.live == 0 && flight.inUse() == 0 && loadStore.isIdle();
  }

  /** Who waits for what. */
  String describe() {
    StringBuilder text = new StringBuilder("SM " + number + ": " + loadStore.describe());
    for (long left = warps.live; left != 0; left &= left - 1) {
      int warp = LowestBit.of(left);
      text.append("\n  warp ").append(warp).append(": ").append(waitReason(warp));
    }
    return text.toString();
  }

  private String waitReason(int warp) {
    long bit = 1L << warp;
    int left = warps.end[warp] - warps.next[warp];
    String what = left + " instructions left, ";
    if ((warps.atBarrier & bit) != 0) {
      return what + "at a barrier";
    }
    if ((warps.atFence & bit) != 0) {
      return what + "at a memory fence, waits for " + scoreboard.pendingWrites(warp) + " registers";
    }
    if ((warps.inAtomic & bit) != 0) {
      return what + "waits for " + warps.atomicLanes[warp] + " lanes of an atomic";
    }
    if ((warps.waitsForGroup & bit) != 0) {
      return what + "waits for a group of asynchronous copies";
    }
    if ((warps.finishing & bit) != 0) {
      return what
          + "waits for "
          + warps.stores[warp]
          + " stores, "
          + warps.inPipeline[warp]
          + " instructions, "
          + scoreboard.pendingWrites(warp)
          + " registers";
    }
    if ((waitsForLine & bit) != 0) {
      return what + "waits for a line of the instruction cache";
    }
    if ((warps.hasInstruction & bit) == 0) {
      return what + "waits for an instruction fetch";
    }
    return what + ((warps.registersReady & bit) == 0 ? "waits for a register" : "waits for a unit");
  }
}
