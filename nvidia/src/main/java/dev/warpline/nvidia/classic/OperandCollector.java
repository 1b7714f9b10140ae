package dev.warpline.nvidia.classic;

import dev.warpline.engine.gpu.ClassicCoreSpec;
import dev.warpline.engine.gpu.ClassicCoreSpec.Collectors;
import dev.warpline.isa.Registers;
import dev.warpline.policy.LowestBit;
import java.util.ArrayList;
import java.util.List;

/**
 * Operand collectors and the register banks they read. A step: units that have all operands hand
 * their instruction on; every bank that is not being written serves one read; free collector units
 * take new instructions.
 */
final class OperandCollector {
  private static final int GENERAL = 0;

  /** A way into the collectors: kinds it looks at, sets of units it may use. */
  private record Port(int kinds, int[] sets) {}

  private final Pipeline pipeline;
  private final InFlight flight;
  private final ClassicWarps warps;
  private final boolean subCores;
  private final int schedulers;
  private final boolean tracksReaders;

  // Collector units; a set is a range of them.
  private final int[] instruction;
  private final int[] kind;
  private final int[] missing;
  private long free;
  private long ready;

  /** Of those that are ready, the ones whose way was not found taken since a unit started. */
  private long untried;

  private final int[] setStart;
  private final int[] setEnd;

  /** By set and scheduler, the units that the scheduler's instructions may use. */
  private final long[] unitsFor;

  private final Port[] ports;
  private final boolean portsAlike;

  // Dispatch units: the set each serves, and the unit it served last.
  private final int[] dispatchSet;
  private final int[] lastServed;
  private final boolean everyUnitDispatches;

  // A register's bank: the first of its warp, and by the sum of their numbers which from there on.
  private final byte[] firstBank;
  private final byte[] bankAfter;

  // Reads waiting at each bank: rings of collector units.
  private final byte[][] reads;
  private final int[] readHead;
  private final int[] readCount;
  private long waitingBanks;
  private long writtenBanks;

  OperandCollector(ClassicCoreSpec spec, Pipeline pipeline, InFlight flight, ClassicWarps warps) {
    this.pipeline = pipeline;
    this.flight = flight;
    this.warps = warps;
    subCores = spec.frontEnd().subCoreModel();
    schedulers = spec.frontEnd().schedulers();
    tracksReaders = spec.scoreboard().pendingReaders() > 0;
    ClassicCoreSpec.Operands o = spec.operands();
    int banksPerScheduler = subCores ? o.banks() / schedulers : o.banks();
    firstBank = new byte[warps.slots];
    bankAfter = new byte[Registers.COUNT + 1 + warps.slots];
    for (int warp = 0; warp < firstBank.length; warp++) {
      firstBank[warp] = (byte) (subCores ? warp % schedulers * banksPerScheduler : 0);
    }
    for (int sum = 0; sum < bankAfter.length; sum++) {
      bankAfter[sum] = (byte) (sum % banksPerScheduler);
    }
    List<Collectors> sets = new ArrayList<>(List.of(o.general()));
    List<Port> ways = new ArrayList<>();
    if (o.specializedCollectors()) {
      addSet(sets, ways, o.sp(), UnitKind.SP);
      addSet(sets, ways, o.dp(), UnitKind.DP);
      addSet(sets, ways, o.sfu(), UnitKind.SFU);
      addSet(sets, ways, o.mem(), UnitKind.MEMORY);
      addSet(sets, ways, o.integer(), UnitKind.INT);
    }
    for (int i = 0; i < o.general().inPorts(); i++) {
      ways.add(new Port(UnitKind.ALL, new int[] {GENERAL}));
    }
    ports = ways.toArray(new Port[0]);
    portsAlike = !o.specializedCollectors();
    setStart = new int[sets.size()];
    setEnd = new int[sets.size()];
    int units = 0;
    List<Integer> dispatchers = new ArrayList<>();
    boolean enough = true;
    for (int s = 0; s < sets.size(); s++) {
      setStart[s] = units;
      units += sets.get(s).units();
      setEnd[s] = units;
      enough &= sets.get(s).outPorts() >= sets.get(s).units();
      for (int i = 0; i < sets.get(s).outPorts(); i++) {
        dispatchers.add(s);
      }
    }
    if (units > Long.SIZE || o.banks() > Long.SIZE) {
      throw new IllegalArgumentException(
          units + " collector units and " + o.banks() + " register banks: expected at most 64");
    }
    unitsFor = new long[sets.size() * schedulers];
    for (int i = 0; i < unitsFor.length; i++) {
      int from = setStart[i / schedulers];
      int size = setEnd[i / schedulers] - from;
      if (subCores) {
        size /= schedulers;
        from += i % schedulers * size;
      }
      unitsFor[i] = size == 0 ? 0 : -1L >>> Long.SIZE - size << from;
    }
    everyUnitDispatches = enough && subCores;
    dispatchSet = dispatchers.stream().mapToInt(Integer::intValue).toArray();
    lastServed = new int[dispatchSet.length];
    instruction = new int[units];
    kind = new int[units];
    missing = new int[units];
    free = units == Long.SIZE ? -1L : (1L << units) - 1;
    int ring = Integer.highestOneBit(units * ClassicCode.MAX_SOURCES) * 2;
    reads = new byte[o.banks()][ring];
    readHead = new int[o.banks()];
    readCount = new int[o.banks()];
  }

  private static void addSet(List<Collectors> sets, List<Port> ways, Collectors set, int kind) {
    if (set.units() == 0) {
      return;
    }
    sets.add(set);
    for (int i = 0; i < set.inPorts(); i++) {
      ways.add(new Port(1 << kind, new int[] {sets.size() - 1, GENERAL}));
    }
  }

  /** Bank of a register (its number plus 1). */
  int bank(int register, int warp) {
    return firstBank[warp] + bankAfter[register + warp];
  }

  /** An ALU result is written: its bank cannot be read in the next step. */
  void write(int register, int warp) {
    writtenBanks |= 1L << bank(register, warp);
  }

  /** A loaded value is written if its bank is free. */
  boolean tryWrite(int register, int warp) {
    long bit = 1L << bank(register, warp);
    if ((writtenBanks & bit) != 0) {
      return false;
    }
    writtenBanks |= bit;
    return true;
  }

  /**
   * One step.
   *
   * @return whether anything moved
   */
  boolean step(long now) {
    boolean moved = ready != 0 && dispatch(now);
    if (waitingBanks != 0) {
      readBanks();
      moved = true;
    }
    if (pipeline.issuedKinds != 0 && free != 0) {
      moved |= allocate();
    }
    writtenBanks = 0;
    return moved;
  }

  /** Forgets the writes of a cycle in which no step is made. */
  void endCycle() {
    writtenBanks = 0;
  }

  private boolean dispatch(long now) {
    boolean moved = false;
    if (everyUnitDispatches) {
      if (pipeline.started) {
        pipeline.started = false;
        untried = ready;
      }
      for (; untried != 0; untried &= untried - 1) {
        moved |= tryDispatch(LowestBit.of(untried), now);
      }
      return moved;
    }
    for (int d = 0; d < dispatchSet.length; d++) {
      int from = setStart[dispatchSet[d]];
      int size = setEnd[dispatchSet[d]] - from;
      int perScheduler = Math.max(1, size / schedulers);
      int start = lastServed[d] + (subCores ? perScheduler - lastServed[d] % perScheduler : 1);
      for (int i = 0; i < size; i++) {
        int at = (start + i) % size;
        if ((ready >>> from + at & 1) != 0 && tryDispatch(from + at, now)) {
          lastServed[d] = at;
          moved = true;
          break;
        }
      }
    }
    return moved;
  }

  private boolean tryDispatch(int unit, long now) {
    int held = instruction[unit];
    int scheduler = flight.scheduler[held];
    if (!pipeline.canDispatch(kind[unit], scheduler)) {
      return false;
    }
    pipeline.dispatch(kind[unit], scheduler, held);
    flight.collectedAt[held] = now + 1;
    ready &= ~(1L << unit);
    free |= 1L << unit;
    return true;
  }

  private void readBanks() {
    for (long left = waitingBanks & ~writtenBanks; left != 0; left &= left - 1) {
      int bank = LowestBit.of(left);
      byte[] ring = reads[bank];
      int unit = ring[readHead[bank]];
      readHead[bank] = readHead[bank] + 1 & ring.length - 1;
      if (--readCount[bank] == 0) {
        waitingBanks &= ~(1L << bank);
      }
      if (--missing[unit] == 0) {
        complete(unit);
      }
    }
  }

  private boolean allocate() {
    boolean any = false;
    int kinds = -1;
    for (Port port : ports) {
      for (int left = port.kinds & kinds & pipeline.issuedKinds; left != 0; left &= left - 1) {
        int k = LowestBit.of(left);
        if (allocate(port, k)) {
          any = true;
        } else if (portsAlike) {
          // What this port could not do the next cannot either.
          kinds &= ~(1 << k);
        }
      }
      if ((pipeline.issuedKinds & kinds) == 0 || free == 0) {
        break;
      }
    }
    return any;
  }

  private boolean allocate(Port port, int k) {
    PipelineRegister register = pipeline.issued[k];
    int slot = register.oldest(flight);
    int chosen = register.get(slot);
    int scheduler = flight.scheduler[chosen];
    for (int set : port.sets) {
      long candidates = free & unitsFor[set * schedulers + scheduler];
      if (candidates != 0) {
        int unit = LowestBit.of(candidates);
        pipeline.take(k, slot);
        collect(unit, k, chosen);
        return true;
      }
    }
    return false;
  }

  private void collect(int unit, int k, int chosen) {
    free &= ~(1L << unit);
    instruction[unit] = chosen;
    kind[unit] = k;
    int warp = flight.warp[chosen];
    ClassicCode code = warps.code[warp];
    int row = flight.row[chosen];
    int count = code.sources[row];
    missing[unit] = count;
    if (count == 0) {
      complete(unit);
      return;
    }
    for (int i = 0; i < count; i++) {
      int bank = bank(code.source[row * ClassicCode.MAX_SOURCES + i], warp);
      byte[] ring = reads[bank];
      ring[readHead[bank] + readCount[bank]++ & ring.length - 1] = (byte) unit;
      waitingBanks |= 1L << bank;
    }
  }

  /** A unit has all operands. */
  private void complete(int unit) {
    ready |= 1L << unit;
    untried |= 1L << unit;
    if (tracksReaders) {
      int held = instruction[unit];
      warps.operandsRead(flight.warp[held], flight.row[held]);
    }
  }

  /** Whether no instruction is being collected. */
  boolean isEmpty() {
    return free == (instruction.length == Long.SIZE ? -1L : (1L << instruction.length) - 1);
  }
}
