package dev.warpline.memory.flow;

import dev.warpline.engine.Counter;
import dev.warpline.engine.Counters;
import dev.warpline.engine.gpu.ClockSpec;
import dev.warpline.engine.gpu.FlowMemorySpec;
import dev.warpline.engine.gpu.Topology;
import dev.warpline.engine.profile.Level;
import dev.warpline.engine.profile.LineTrail;
import dev.warpline.engine.profile.MemoryRecorder;
import dev.warpline.policy.AddressHash;
import dev.warpline.policy.Replacement;
import dev.warpline.policy.hash.Divisor;
import dev.warpline.policy.hash.Mix;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Supplier;

/**
 * L2 and device memory of a GPU with up to two L2 partitions. A line has a home partition; an SM
 * reads through the partition on its side, which keeps copies of far lines. Requests of a window
 * are taken in the order of their time, then SM, and their whole path is reserved at once.
 */
public final class FlowMemory {
  private static final int SECTOR = 32;
  private static final int NONE = LineDirectory.NONE;
  private static final int ALL_SECTORS = 15;

  /** No line has this address. */
  private static final long NOTHING = -1;

  /** Who answered, by level, in words. */
  private static final String[] ANSWERED = {"L2", "far L2", "DRAM", "merged"};

  private final FlowMemorySpec spec;
  private final FlowTimes times;
  private final Past past = new Past();
  private final int[] gpcOf;
  private final int[] sideOf;
  private final Lane[] smPort;
  private final Lane[] gpcRead;
  private final Lane[] gpcWrite;
  private final MergePoint[] merge;
  private final Lane[] slices;

  /** Between the partitions, by the side that the data goes to. */
  private final Lane[] link;

  private final int perPartition;
  private final Divisor spread;
  private final long homeMask;
  private final LineDirectory directory;
  private final L2Partition[] partitions;
  private final AddressHash sliceOf;
  private final Dram dram;

  /** Lines with sectors written in part, by partition. */
  private final PartialLines[] partials;

  private final LineTimes atomicFree = new LineTimes();
  private final RequestOrder order = new RequestOrder();

  /** Requests whose sets are read at once: one read of this machine's memory need not wait. */
  private static final int AHEAD = 32;

  private long glanced;

  /** Of each of these: slot of its line as it was then, {@link #NONE} if there was none. */
  private final int[] slots = new int[AHEAD];

  /** And its set in every partition, {@link #NONE} if nobody needed that. */
  private final int[] sets = new int[AHEAD];

  /** Of the line that is being served: these, and its slice in each partition. */
  private int slot;

  private int set;

  private int slice;

  private double stored;
  private MemoryRecorder recorder;

  /** Where requests for a line are followed; null if none is. */
  private LineTrail trail;

  private long followed = NOTHING;

  /** The same while a request for that line is served, else null. */
  private LineTrail following;

  private final Counters counters;

  @Counter(value = "lines asked for by SMs, reads that joined others included", unit = "requests")
  long smRequests;

  @Counter(value = "written by SMs", unit = "words of 4 bytes")
  long smWriteWords;

  @Counter(value = "read by SMs", unit = "sectors")
  long smReadSectors;

  @Counter(value = "read by SMs and found in the partition asked first", unit = "sectors")
  long smReadHits;

  @Counter(value = "written by SMs", unit = "sectors")
  long smWriteSectors;

  @Counter(value = "atomics of SMs", unit = "sectors")
  long smAtomicSectors;

  @Counter(value = "reads that joined one on its way", unit = "sectors")
  long mergedSectors;

  @Counter(value = "read lookups, traffic between partitions included", unit = "sectors")
  long readSectors;

  @Counter(value = "write lookups, traffic between partitions included", unit = "sectors")
  long writeSectors;

  @Counter(value = "atomic lookups, traffic between partitions included", unit = "sectors")
  long atomicSectors;

  /**
   * @param clocks what times of the links, L2 and device memory mean in core cycles
   * @param topology which SMs share a link, and the partition that it leads to
   */
  public FlowMemory(FlowMemorySpec spec, ClockSpec clocks, Topology topology) {
    this.spec = spec;
    times = FlowTimes.of(spec, clocks);
    int sms = topology.sms();
    int gpcs = topology.groups().size();
    gpcOf = new int[sms];
    sideOf = new int[sms];
    for (int g = 0; g < gpcs; g++) {
      for (int sm : topology.groups().get(g)) {
        gpcOf[sm] = g;
        sideOf[sm] = topology.sides().get(g);
      }
    }
    smPort = lanes(sms);
    homeMask = spec.homeBits().stream().mapToLong(bit -> 1L << bit).reduce(0, (a, b) -> a | b);
    gpcRead = lanes(gpcs);
    gpcWrite = lanes(gpcs);
    merge = new MergePoint[gpcs];
    Arrays.setAll(merge, i -> new MergePoint(spec.mergedReads(), spec.mergeLines()));
    slices = lanes(spec.slices());
    link = lanes(2);
    perPartition = spec.slices() / spec.partitions();
    spread = new Divisor(Math.max(1, times.spread()));
    partitions = new L2Partition[spec.partitions()];
    Supplier<Replacement> replacement = spec.l2Replacement();
    long bytes = ((long) spec.l2MiB() << 20) / spec.partitions();
    Supplier<AddressHash> setOf = spec.l2SetIndex();
    Arrays.setAll(partitions, i -> new L2Partition(bytes, spec.l2Ways(), replacement, setOf.get()));
    directory = new LineDirectory(partitions, ((long) spec.l2MiB() << 20) / FlowMemorySpec.LINE);
    sliceOf = spec.sliceHash().get();
    sliceOf.begin(perPartition, FlowMemorySpec.LINE);
    dram = Dram.of(spec, clocks, past);
    counters = new Counters().add("l2.", this).add("dram.", dram);
    int partial = Math.max(1, spec.partialLines() / spec.partitions());
    partials = new PartialLines[spec.partitions()];
    Arrays.setAll(partials, i -> new PartialLines(partitions[i], partial));
  }

  private Lane[] lanes(int count) {
    Lane[] lanes = new Lane[count];
    Arrays.setAll(lanes, i -> new Lane(past));
    return lanes;
  }

  /** Starts a kernel at cycle 0: resources are free, caches keep their content unless cold. */
  public void startKernel(boolean cold) {
    for (Lane[] lanes : new Lane[][] {smPort, gpcRead, gpcWrite, slices, link}) {
      for (Lane lane : lanes) {
        lane.reset();
      }
    }
    for (MergePoint point : merge) {
      point.reset();
    }
    past.reaches(0);
    atomicFree.clear();
    dram.reset();
    stored = 0;
    if (cold) {
      for (PartialLines lines : partials) {
        lines.clear();
      }
      directory.clear();
    }
    for (L2Partition partition : partitions) {
      if (cold) {
        partition.clear();
      } else {
        partition.forgetTimes();
      }
    }
    counters.reset();
  }

  /**
   * A copy has written memory, through the L2, outside of any kernel's time. What it pushes out has
   * gone to the DRAM by then.
   */
  public void put(long address, long bytes) {
    long end = address + bytes;
    long most = (long) spec.l2MiB() << 20;
    for (long line = Math.max(address, end - most) & -FlowMemorySpec.LINE;
        line < end;
        line += FlowMemorySpec.LINE) {
      int home = home(line);
      L2Partition partition = partitions[home];
      slot = directory.find(line);
      set = NONE;
      int place = find(home);
      partition.write(place < 0 ? allocate(line, home) : place, 15);
      dropCopy(home, 15);
    }
  }

  /** Writes the traffic of the kernel down, per slice and channel; null writes nothing. */
  public void record(MemoryRecorder into) {
    recorder = into;
    dram.record(into);
  }

  /** Follows the requests for a line; null follows none. */
  public void follow(LineTrail into) {
    trail = into;
    followed = into == null ? NOTHING : into.line();
  }

  private void recordLookup(int slice, double time, int sectors, int missing) {
    if (recorder != null) {
      recorder.l2(slice, (long) time, sectors, sectors - Integer.bitCount(missing));
    }
  }

  /** Something waited in a buffer and was served there. */
  private void recordStay(Level level, double from, double until) {
    if (recorder != null) {
      recorder.stays(level, from, until);
    }
  }

  /** A link was asked for bytes at a time and has moved them at another. */
  private void recordMove(Level level, double asked, double moved, int bytes) {
    if (recorder != null) {
      recorder.moved(level, moved, bytes);
      recorder.stays(Level.NETWORK_QUEUE, asked, moved);
    }
  }

  /** Answers what the first {@code count} SMs of a list by number have sent. */
  public void serve(Requests[] sms, int count) {
    for (int k = 0; k < count; k++) {
      locate(sms[k].sent);
    }
    int n = order.sort(sms, count);
    if (n > 0) {
      past.reaches(order.first());
    }
    answerAll(sms, n);
    for (int k = 0; k < count; k++) {
      sms[k].sent.clearRequests();
    }
  }

  /** Finds out in which slices the lines of an SM's requests are; SMs can do so side by side. */
  public void locate(Requests requests) {
    locate(requests.open);
  }

  private void locate(Batch batch) {
    while (batch.located < batch.size) {
      batch.locate(sliceOf.place(batch.line(batch.located)));
    }
  }

  /** Answers requests in their order. */
  private void answerAll(Requests[] sms, int n) {
    for (int from = 0; from < n; from += AHEAD) {
      int end = Math.min(n, from + AHEAD);
      for (int k = from; k < end; k++) {
        long line = order.line(k);
        glanced ^= directory.glance(line);
        if ((order.info(k) & 3) == Requests.READ) {
          glanced ^= merge[gpcOf[sms[order.sm(k)].sm]].glance(Mix.mix(line >>> 7));
        }
      }
      for (int k = from; k < end; k++) {
        slots[k - from] = directory.find(order.line(k));
      }
      for (int k = from; k < end; k++) {
        glanced ^= directory.glance(slots[k - from]);
      }
      for (int k = from; k < end; k++) {
        slot = slots[k - from];
        glanceAtRoom(order.line(k), sideOf[sms[order.sm(k)].sm]);
        sets[k - from] = set;
      }
      for (int k = from; k < end; k++) {
        Requests requests = sms[order.sm(k)];
        slot = directory.find(order.line(k), slots[k - from]);
        set = sets[k - from];
        slice = order.slice(k);
        takeBack(k, requests, answer(k, requests.sm));
        following = null;
        dram.trail = null;
      }
    }
  }

  /** Reads the state of the places that a line would get where it is asked for and absent. */
  private void glanceAtRoom(long line, int side) {
    set = NONE;
    int home = home(line);
    if (peek(home) == NONE) {
      findSet(line);
      glanced ^= partitions[home].glanceRoom(set);
    }
    if (home != side && peek(side) == NONE) {
      findSet(line);
      glanced ^= partitions[side].glanceRoom(set);
    }
  }

  private void findSet(long line) {
    if (set == NONE) {
      set = partitions[0].set(line);
    }
  }

  /** Place of the line that is being served in a partition, or {@link #NONE}. */
  private int peek(int side) {
    return directory.place(slot, side);
  }

  /** The same, and it was used by this. */
  private int find(int side) {
    int place = peek(side);
    if (place >= 0) {
      partitions[side].touch(place);
    }
    return place;
  }

  /** When L2 answers a request; {@link #level} has answered then. */
  private double answer(int k, int sm) {
    int info = order.info(k);
    int sectors = info >>> 4 & 15;
    long line = order.line(k);
    long time = order.time(k);
    smRequests++;
    if (line == followed) {
      following = trail;
      dram.trail = trail;
      boolean copies = Requests.client(order.tag(k)) == Requests.COPIES;
      trail.begin(sm, (info & 3) != Requests.READ, copies, sectors, time);
    }
    return switch (info & 3) {
      case Requests.READ -> read(sm, time, line, sectors);
      case Requests.WRITE -> write(sm, time, line, info, order.words(k));
      default -> atomic(sm, time, line, sectors, info);
    };
  }

  /** The way of an answer back to the SM. */
  private void takeBack(int k, Requests requests, double answer) {
    int info = order.info(k);
    int sm = requests.sm;
    int sectors = Integer.bitCount(info >>> 4 & 15);
    double arrives;
    if ((info & 3) == Requests.READ) {
      double sent = answer + times.reply() * 0.5;
      double atGroup = gpcRead[gpcOf[sm]].reserve(sent, times.groupRead(sectors));
      double arrival = smPort[sm].reserve(atGroup, times.smRead(sectors));
      recordMove(Level.TO_SMS, sent, arrival, sectors * SECTOR);
      arrives = arrival + times.reply() * 0.5;
    } else if ((info & 3) == Requests.WRITE) {
      arrives = answer + times.reply();
    } else {
      arrives = answer + times.hit() + times.reply();
      if ((info & 3) == Requests.ATOMIC) {
        arrives = smPort[sm].reserve(arrives, times.smRead(sectors));
      }
    }
    if (following != null) {
      boolean read = (info & 3) == Requests.READ;
      following.step(read ? "network to the SM" : "answer to the SM", answer, arrives);
    }
    recordStay(Level.IN_FLIGHT, order.time(k), arrives);
    if (following != null) {
      following.end(arrives, "answered by " + ANSWERED[level]);
    }
    requests.sent.replies.add((long) arrives, order.tag(k), level);
  }

  /** A slice in words, where a followed request is served. */
  private String at(int side, int missing, int wanted) {
    int slice = slice(side);
    String found = missing == 0 ? "hit" : missing == wanted ? "miss" : "partial hit";
    return "L2 slice " + slice + " of partition " + side + ": " + found;
  }

  private int level;

  /** When the place that {@link #allocate} gave last is free. */
  private double room;

  /** Sectors of the last {@link #lookUp} that the partition asked first had. */
  private int found;

  /**
   * A line for the cache of a GPC, half of the way between SMs and L2 away.
   *
   * @return when it is there
   */
  double line(int gpc, int side, double time, long line) {
    slot = directory.find(line);
    set = NONE;
    slice = sliceOf.place(line);
    double answer = lookUp(time + times.request() * 0.5, side, line, ALL_SECTORS);
    int sectors = Integer.bitCount(ALL_SECTORS);
    double sent = answer + times.reply() * 0.5;
    double there = gpcRead[gpc].reserve(sent, times.groupRead(sectors));
    recordMove(Level.TO_SMS, sent, there, sectors * SECTOR);
    return there;
  }

  private double read(int sm, double time, long line, int sectors) {
    int gpc = gpcOf[sm];
    long hash = Mix.mix(line >>> 7);
    double answer = 0;
    level = Requests.FROM_L2;
    int wanted = sectors;
    double atL2 = time + times.request() + position(sm, hash);
    if (spec.mergedReads() > 1) {
      merge[gpc].find(line, hash, sectors, atL2);
      if (merge[gpc].found != 0) {
        int found = merge[gpc].found;
        answer = merge[gpc].foundAt;
        mergedSectors += Integer.bitCount(found);
        level = Requests.MERGED;
        wanted &= ~found;
      }
    }
    if (following != null) {
      following.step("network to L2", time, atL2);
      if (wanted != sectors) {
        following.step("waits for a read of GPC " + gpc + " on its way", atL2, answer);
      }
    }
    if (wanted != 0) {
      smReadSectors += Integer.bitCount(wanted);
      answer = lookUp(atL2, sideOf[sm], line, wanted);
      smReadHits += found;
      if (spec.mergedReads() > 1) {
        merge[gpc].add(line, hash, wanted, atL2, answer);
      }
    }
    return answer;
  }

  /** Looks sectors up in a partition and, behind it, the home partition and device memory. */
  private double lookUp(double time, int side, long line, int wanted) {
    int count = Integer.bitCount(wanted);
    double served = slices[slice(side)].reserve(time, times.read(count));
    double port = served + times.hit();
    recordStay(Level.L2_QUEUE, time, served);
    readSectors += count;
    L2Partition near = partitions[side];
    int place = find(side);
    int missing = place < 0 ? wanted : wanted & ~near.valid(place);
    found = count - Integer.bitCount(missing);
    recordLookup(slice(side), port, count, missing);
    double ready = port;
    if (missing != wanted) {
      ready = Math.max(ready, near.arrives(place, wanted & ~missing));
    }
    if (following != null) {
      following.step(at(side, missing, wanted), time, port);
      if (missing == 0) {
        following.step("sectors on their way to L2", port, ready);
      }
    }
    if (missing == 0) {
      return ready;
    }
    int home = home(line);
    if (home == side) {
      level = Math.max(level, Requests.FROM_DRAM);
      int fetched = fetchUnits(missing, place < 0 ? 0 : near.valid(place));
      double there = fetch(port, line, home, fetched);
      if (place < 0) {
        place = allocate(near, line, side, port);
        there = Math.max(there, room);
      }
      near.fill(place, fetched, there);
      return Math.max(ready, there);
    }
    // The far partition holds it or gets it; the near one keeps a copy, of as much as device memory
    // is read by at a time.
    L2Partition far = partitions[home];
    int farPlace = find(home);
    int farValid = farPlace < 0 ? 0 : far.valid(farPlace);
    int farMissing = missing & ~farValid;
    int fetched = farMissing == 0 ? 0 : fetchUnits(farMissing, farValid);
    int carried = fetchUnits(missing, place < 0 ? 0 : near.valid(place)) & (farValid | fetched);
    int farCount = Integer.bitCount(carried);
    double atFar = port + times.far() * 0.5;
    double farPort = slices[slice(home)].reserve(atFar, times.read(farCount));
    recordStay(Level.L2_QUEUE, atFar, farPort);
    readSectors += farCount;
    recordLookup(slice(home), farPort, farCount, farMissing);
    double there = farPort;
    if (following != null) {
      following.step("link to partition " + home, port, atFar);
      following.step(at(home, farMissing, missing), atFar, farPort);
    }
    if (farValid != 0) {
      there = Math.max(there, far.arrives(farPlace, carried & farValid));
    }
    if (farMissing == 0) {
      level = Math.max(level, Requests.FROM_FAR);
    } else {
      level = Math.max(level, Requests.FROM_DRAM);
      double fetchedAt = fetch(farPort, line, home, fetched);
      if (farPlace < 0) {
        farPlace = allocate(far, line, home, farPort);
        fetchedAt = Math.max(fetchedAt, room);
      }
      far.fill(farPlace, fetched, fetchedAt);
      there = Math.max(there, fetchedAt);
    }
    double crossed = link[side].reserve(there, times.link(farCount));
    recordMove(Level.BETWEEN, there, crossed, farCount * SECTOR);
    double here = crossed + times.far() * 0.5;
    if (following != null) {
      following.step("link to partition " + side, there, here);
    }
    if (place < 0) {
      place = allocate(near, line, side, port);
      here = Math.max(here, room);
    }
    near.fill(place, carried, here);
    return Math.max(ready, here);
  }

  /** Sectors that come with the missing ones because device memory is read in larger units. */
  private int fetchUnits(int missing, int valid) {
    if (spec.dramFetchBytes() <= SECTOR) {
      return missing;
    }
    int fetched = missing;
    if (spec.dramFetchBytes() == 2 * SECTOR) {
      fetched |= (missing & 5) << 1 | (missing & 10) >> 1;
    } else {
      fetched = 15;
    }
    return fetched & ~valid | missing;
  }

  private double fetch(double time, long line, int home, int sectors) {
    double ready = 0;
    for (int half = 0; half < 4; half += 2) {
      int count = Integer.bitCount(sectors >>> half & 3);
      if (count != 0) {
        long address = line + (long) half * SECTOR;
        double moved = dram.access(time, address, home, count * SECTOR, false);
        ready = Math.max(ready, moved + dram.latency(moved, address, home));
      }
    }
    if (following != null) {
      following.fetched(time, ready);
    }
    return ready;
  }

  private int allocate(L2Partition partition, long line, int side, double time) {
    int place = allocate(line, side);
    int dirty = partition.victimDirty;
    if (trail != null && partition.victimLine == followed) {
      trail.evicted(side, time, dirty != 0);
    }
    room = dirty == 0 ? time : writeBack(partition.victimLine, dirty, side, time);
    return place;
  }

  private int allocate(long line, int side) {
    findSet(line);
    int place = partitions[side].allocate(set, line);
    slot = directory.put(slot, line, side, place);
    return place;
  }

  /** When device memory has taken what a line that leaves has to be written. */
  private double writeBack(long line, int dirty, int side, double time) {
    dram.trail = null; // another line's
    double taken = time;
    for (int half = 0; half < 4; half += 2) {
      int count = Integer.bitCount(dirty >>> half & 3);
      if (count != 0) {
        long address = line + (long) half * SECTOR;
        taken = Math.max(taken, dram.access(time, address, side, count * SECTOR, true));
      }
    }
    dram.trail = following;
    return taken;
  }

  private double write(int sm, double time, long line, int info, int words) {
    level = Requests.FROM_L2;
    int sectors = info >>> 4 & 15;
    int count = Integer.bitCount(sectors);
    int whole = wholeSectors(words);
    smWriteSectors += count;
    smWriteWords += Integer.bitCount(words);
    long hash = Mix.mix(line >>> 7);
    double sent = gpcWrite[gpcOf[sm]].reserve(time, times.groupWrite(count));
    recordMove(Level.FROM_SMS, time, sent, count * SECTOR);
    double arrival = sent + times.request() + position(sm, hash);
    int side = sideOf[sm];
    int home = home(line);
    L2Partition partition = partitions[home];
    int place = peek(home);
    int partly = sectors & ~whole;
    double cycles = Integer.bitCount(whole) * times.writeSector();
    if (partly != 0) {
      double first = (info & Requests.LOCAL) == 0 ? times.partialWrite() : times.localWrite();
      cycles += first + (Integer.bitCount(partly) - 1) * times.nextPartial();
      if (place >= 0 && partition.writtenAgain(place, arrival)) {
        cycles = Math.max(cycles, times.partialTurn());
      }
    }
    double done = slices[slice(side)].reserve(arrival, cycles);
    recordStay(Level.L2_QUEUE, arrival, done);
    if (following != null) {
      following.step("network to L2", time, arrival);
      following.step("L2 slice " + slice(side) + " of partition " + side, arrival, done);
    }
    writeSectors += count;
    recordLookup(slice(side), done, count, 0);
    if (home != side) {
      // A far line is written through the near partition, which keeps a clean copy.
      double crossed = link[home].reserve(done, times.link(count));
      recordMove(Level.BETWEEN, done, crossed, count * SECTOR);
      double atFar = crossed + times.far() * 0.5;
      double wrote = done;
      done = slices[slice(home)].reserve(atFar, cycles);
      recordStay(Level.L2_QUEUE, atFar, done);
      if (following != null) {
        following.step("link to partition " + home, wrote, atFar);
        following.step("L2 slice " + slice(home) + " of partition " + home, atFar, done);
      }
      writeSectors += count;
      L2Partition near = partitions[side];
      int copy = find(side);
      if (copy < 0) {
        copy = allocate(near, line, side, done);
        done = Math.max(done, room);
      }
      near.fill(copy, whole, 0);
    } else {
      dropCopy(home, sectors);
    }
    if (place < 0) {
      place = allocate(partition, line, home, done);
      done = Math.max(done, room);
    } else {
      partition.touch(place);
    }
    int present = sectors & (whole | partition.valid(place));
    partition.write(place, present);
    if (present != sectors) {
      if (partition.writeWords(place, sectors & ~present, words)) {
        partials[home].add(line, place);
        if (partials[home].full()) {
          done = Math.max(done, makeWhole(done, home));
        }
      }
    }
    stored = Math.max(stored, done);
    return done;
  }

  /**
   * A partition keeps byte masks of a limited number of lines that are written in part: the oldest
   * is made whole from memory and written there. Its slice has to do with it.
   *
   * @return when the place is free
   */
  private double makeWhole(double time, int home) {
    long line = partials[home].oldest();
    int place = partials[home].place;
    Lane slice = slices[home * perPartition + sliceOf.place(line)];
    int sectors = partitions[home].incomplete(place, line);
    double free = time;
    dram.trail = null; // another line's
    for (int m = sectors; m != 0; m &= m - 1) {
      long address = line + (long) SECTOR * Integer.numberOfTrailingZeros(m);
      double asked = slice.reserve(time, times.makeWhole());
      double read = dram.access(asked, address, home, SECTOR, false);
      double written = read + dram.latencyCycles();
      free = Math.max(free, dram.access(written, address, home, SECTOR, true));
      writeSectors++;
    }
    dram.trail = following;
    partitions[home].completed(place, sectors, free);
    return free;
  }

  /** What the other partition has of a line that is written at home is old. */
  private void dropCopy(int home, int sectors) {
    int place = partitions.length > 1 ? peek(1 - home) : NONE;
    if (place >= 0) {
      partitions[1 - home].drop(place, sectors);
    }
  }

  private static int wholeSectors(int words) {
    return ((words & 0xff) == 0xff ? 1 : 0)
        | ((words & 0xff00) == 0xff00 ? 2 : 0)
        | ((words & 0xff0000) == 0xff0000 ? 4 : 0)
        | ((words & 0xff000000) == 0xff000000 ? 8 : 0);
  }

  private double atomic(int sm, double time, long line, int sectors, int info) {
    int count = Integer.bitCount(sectors);
    int repeats = info >>> 12 & 0xff;
    boolean floating = (info >>> 20 & 1) != 0;
    smAtomicSectors += count;
    atomicSectors += count;
    long hash = Mix.mix(line >>> 7);
    int side = sideOf[sm];
    int home = home(line);
    double sent = gpcWrite[gpcOf[sm]].reserve(time, times.groupWrite(count));
    recordMove(Level.FROM_SMS, time, sent, count * SECTOR);
    double arrival = sent + times.request() + position(sm, hash);
    double cycles = count * times.atomic();
    if (home != side) {
      double passed = slices[slice(side)].reserve(arrival, cycles * 0.5);
      recordStay(Level.L2_QUEUE, arrival, passed);
      if (following != null) {
        following.step("network to L2", time, arrival);
        following.step("L2 slice " + slice(side) + " of partition " + side, arrival, passed);
        following.step("link to partition " + home, passed, passed + times.far() * 0.5);
      }
      arrival = passed + times.far() * 0.5;
    } else if (following != null) {
      following.step("network to L2", time, arrival);
      atomicSectors += count;
    }
    double done = slices[slice(home)].reserve(arrival, cycles);
    recordStay(Level.L2_QUEUE, arrival, done);
    // Operations on one word follow each other, wherever they come from.
    double word = floating ? times.atomicFloat() : times.atomicWord();
    int free = atomicFree.find(line, hash);
    done = Math.max(done, atomicFree.time(free) + repeats * word);
    L2Partition partition = partitions[home];
    int place = find(home);
    int missing = place < 0 ? sectors : sectors & ~partition.valid(place);
    recordLookup(slice(home), done, count, missing);
    if (following != null) {
      following.step(at(home, missing, sectors), arrival, done);
    }
    if (missing != 0) {
      int fetched = fetchUnits(missing, place < 0 ? 0 : partition.valid(place));
      done = fetch(done, line, home, fetched);
      if (place < 0) {
        place = allocate(partition, line, home, done);
        done = Math.max(done, room);
      }
      partition.fill(place, fetched, done);
    }
    atomicFree.set(free, done);
    dropCopy(home, sectors);
    partition.write(place, sectors);
    if (home != side) {
      done += times.far() * 0.5;
    }
    stored = Math.max(stored, done);
    level = missing != 0 ? Requests.FROM_DRAM : Requests.FROM_L2;
    return done;
  }

  private int slice(int side) {
    return side * perPartition + slice;
  }

  /** Slices lie nearer or farther from an SM: two lumps, a standard deviation of some cycles. */
  private int position(int sm, long hash) {
    int spread = times.spread();
    if (spread == 0) {
      return 0;
    }
    long h = Mix.mix(hash ^ (long) sm * 0x9e3779b97f4a7c15L);
    int lump = (h & 1) == 0 ? -spread / 2 : spread / 2;
    return lump + this.spread.remainder(h >>> 8) - spread / 2;
  }

  private int home(long line) {
    if (spec.partitions() == 1) {
      return 0;
    }
    return Long.bitCount(line & homeMask) & 1;
  }

  /** When all stores and atomics so far are done; 0 if there were none. */
  public long storedAt() {
    return (long) stored;
  }

  Past past() {
    return past;
  }

  /** Counters of the kernel, by dotted name. */
  public Map<String, Number> statistics() {
    return counters.read();
  }
}
