package dev.warpline.amd.dispatch;

import dev.warpline.engine.Counter;
import dev.warpline.engine.Counters;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.policy.BlockScheduler;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Gives work-groups to compute units: kernels in the order they came, group n of a kernel to die n
 * mod dies, there to the CU that the die's block scheduler chooses. A kernel that cannot place its
 * next group lets the next one try, so kernels run side by side. Calls must come in the order of
 * their cycles.
 */
public final class Dispatcher {
  @Counter("kernels started")
  private long kernelsLaunched;

  @Counter(value = "cycles in which groups waited for room", unit = "cycles")
  private long cyclesWaitingForDispatch;

  private final AmdSpec spec;
  private final int slotsPerCu;
  private final CuResources[] cus;
  private final ArrayDeque<DispatchTask> tasks = new ArrayDeque<>();

  /** By task in {@link #tasks} and die: CUs that may have room for its next group. */
  private final ArrayDeque<BitSet[]> mayFit = new ArrayDeque<>();

  /** By compute unit and wave slot. */
  private final Resident[] resident;

  private final Consumer<GroupPlacement> starts;
  private final int dies;

  private final Die[] byDie;

  private long wavesStarted;
  private long placeUnits;
  private long waitingSince = -1;

  public Dispatcher(AmdSpec spec, Consumer<GroupPlacement> starts) {
    this.spec = spec;
    this.starts = starts;
    slotsPerCu = spec.waves().simds() * spec.waves().slotsPerSimd();
    cus = new CuResources[spec.computeUnits()];
    Arrays.setAll(cus, i -> new CuResources(spec));
    dies = spec.dies();
    byDie = new Die[dies];
    Arrays.setAll(byDie, die -> new Die((cus.length - die + dies - 1) / dies));
    resident = new Resident[cus.length * slotsPerCu];
  }

  /**
   * Why a group of this kernel can never be placed, or null when an empty compute unit has room for
   * it.
   */
  public String misfit(DispatchTask task) {
    GroupDemand demand = task.demand();
    int waves = task.waves(0);
    CuResources empty = new CuResources(spec);
    if (empty.place(demand, waves)) {
      return null;
    }
    return String.format(
        "a work-group of %d waves, %d vector and %d scalar registers a wave and %d bytes of LDS does"
            + " not fit an empty compute unit (%d waves, %d vector and %d scalar registers a SIMD,"
            + " %d bytes of LDS)",
        waves,
        demand.vectorRegisters(),
        demand.scalarRegisters(),
        demand.ldsBytes(),
        slotsPerCu,
        spec.registers().vectorRegisters(),
        spec.registers().scalarRegisters(),
        spec.lds().bytes());
  }

  /** What limits the groups of a kernel that fit a compute unit, in a word. */
  public String limiter(DispatchTask task) {
    CuResources cu = new CuResources(spec);
    long fitting = 0;
    while (cu.place(task.demand(), task.waves(0))) {
      fitting++;
    }
    if (fitting * cus.length > task.groups()) {
      return "grid";
    }
    return cu.blocker();
  }

  /** Groups of so many waves that an empty compute unit has room for. */
  public static int occupancy(AmdSpec spec, GroupDemand demand, int waves) {
    CuResources cu = new CuResources(spec);
    int fitting = 0;
    while (cu.place(demand, waves)) {
      fitting++;
    }
    return fitting;
  }

  /** A kernel whose caches have been invalidated asks for compute units. */
  public void submit(DispatchTask task, long cycle) {
    kernelsLaunched++;
    task.started(cycle);
    tasks.addLast(task);
    task.spreadOver(dies);
    mayFit.addLast(all());
    place(cycle);
  }

  /** A wave ended; returns the task if that was its last. */
  public DispatchTask waveEnded(int cu, int slot, long cycle) {
    int at = cu * slotsPerCu + slot;
    Resident holder = resident[at];
    resident[at] = null;
    GroupPlacement group = holder.group;
    DispatchTask task = group.task();
    cus[cu].freeWave(slot, task.demand());
    for (int i = 0; i < group.waves(); i++) {
      if (group.slots()[i] == slot) {
        task.freeScratchSlot(group.scratchSlots()[i]);
      }
    }
    boolean finished = false;
    if (--holder.wavesLeft == 0) {
      cus[cu].freeGroup(task.demand(), group.waves());
      finished = task.groupFinished(cycle);
      byDie[cu % dies].resident[cu / dies]--;
      byDie[cu % dies].scheduler.freed(cu / dies, cycle);
    }
    for (BitSet[] may : mayFit) {
      may[cu % dies].set(cu / dies);
    }
    place(cycle);
    return finished ? task : null;
  }

  /** Whether groups wait for room. */
  public boolean isWaiting() {
    return !tasks.isEmpty();
  }

  /** Counters of the dispatcher and, added up, of the compute units' resources. */
  public Map<String, Number> statistics() {
    Map<String, Number> all = Counters.of(this);
    all.putAll(Counters.sum(Arrays.asList(cus)));
    return all;
  }

  private BitSet[] all() {
    BitSet[] sets = new BitSet[dies];
    for (int die = 0; die < dies; die++) {
      sets[die] = new BitSet();
      sets[die].set(0, byDie[die].groups[0].length);
    }
    return sets;
  }

  private void place(long cycle) {
    if (waitingSince >= 0) {
      cyclesWaitingForDispatch += cycle - waitingSince;
      waitingSince = -1;
    }
    int failed = 0;
    while (failed < tasks.size()) {
      DispatchTask task = tasks.removeFirst();
      BitSet[] may = mayFit.removeFirst();
      placeGroups(task, may, cycle);
      if (task.allPlaced()) {
        continue;
      }
      tasks.addLast(task);
      mayFit.addLast(may);
      failed++;
    }
    if (!tasks.isEmpty()) {
      waitingSince = cycle;
    }
  }

  private void placeGroups(DispatchTask task, BitSet[] may, long cycle) {
    boolean placed = true;
    while (placed) {
      placed = false;
      for (int die = 0; die < dies; die++) {
        placed |= task.hasNext(die) && placeOne(task, die, may[die], cycle);
      }
    }
  }

  private boolean placeOne(DispatchTask task, int die, BitSet may, long cycle) {
    long group = task.next(die);
    int waves = task.waves(group);
    byDie[die].may = may;
    while (!may.isEmpty()) {
      int place = byDie[die].scheduler.choose(cycle);
      if (place < 0 || !may.get(place)) {
        throw new IllegalStateException(
            String.format(
                "cycle %d: block scheduler %s chose compute unit %d of die %d, expected one that may"
                    + " have room",
                cycle, byDie[die].scheduler.getClass().getName(), place, die));
      }
      int cu = place * dies + die;
      if (cus[cu].place(task.demand(), waves)) {
        byDie[die].scheduler.given(place);
        byDie[die].resident[place]++;
        task.take(die);
        start(task, group, cu, waves, cycle);
        return true;
      }
      may.clear(place);
    }
    return false;
  }

  private void start(DispatchTask task, long group, int cu, int waves, long cycle) {
    int[] slots = new int[waves];
    int[] scratch = new int[waves];
    for (int i = 0; i < waves; i++) {
      slots[i] = cus[cu].placed(i);
      scratch[i] = task.takeScratchSlot();
    }
    long at = cycle + spec.dispatch().groupLaunchLatency() + turn(cycle);
    GroupPlacement placement =
        new GroupPlacement(task, group, cu, slots, scratch, wavesStarted, at);
    wavesStarted += waves;
    Resident holder = new Resident(placement);
    for (int slot : slots) {
      resident[cu * slotsPerCu + slot] = holder;
    }
    starts.accept(placement);
  }

  /** Cycles this group waits for its turn when only so many are placed per cycle. */
  private long turn(long cycle) {
    int perCycle = spec.dispatch().groupsPerCycle();
    if (perCycle == 0) {
      return 0;
    }
    placeUnits = Math.max(placeUnits, cycle * perCycle);
    return placeUnits++ / perCycle - cycle;
  }

  /** A die as its block scheduler sees it; compute units count within the die. */
  private final class Die implements BlockScheduler.Sms {
    private final BlockScheduler scheduler;
    private final int[][] groups;
    private final int[] resident;
    private BitSet may;

    Die(int units) {
      groups = new int[][] {IntStream.range(0, units).toArray()};
      resident = new int[units];
      scheduler = spec.dispatch().blockScheduler().get();
      scheduler.begin(this, slotsPerCu, 0);
    }

    @Override
    public int[][] groups() {
      return groups;
    }

    @Override
    public int ahead() {
      return 0;
    }

    @Override
    public int blocks(int unit) {
      return resident[unit];
    }

    @Override
    public boolean hasRoom(int unit) {
      return may.get(unit);
    }

    @Override
    public long busyUntil(int unit) {
      return 0;
    }
  }

  /** A group on a compute unit and its waves that have not ended. */
  private static final class Resident {
    private final GroupPlacement group;
    private int wavesLeft;

    Resident(GroupPlacement group) {
      this.group = group;
      wavesLeft = group.waves();
    }
  }
}
