package dev.warpline.memory.detailed;

import dev.warpline.memory.MemoryRequest;
import dev.warpline.memory.RequestQueue;
import dev.warpline.policy.LowestBit;

/**
 * A DRAM channel as Accel-Sim has it, by its timing string: a scheduler that hands requests to
 * banks, the command bus, the data bus. Timing rules are kept as the first cycle at which a command
 * is allowed. It is no {@link StandardChannel} with other rules because its results are Accel-Sim's
 * to the cycle: there one request per cycle is handed to a bank, which keeps it until it is done,
 * the banks take turns, and one burst leaves per cycle.
 */
final class DramChannel extends DramController {
  private static final int NO_ROW = -1;

  private final DramSpec spec;
  private final BankQueues reads;
  private final BankQueues writes;
  private final RequestQueue inOrder = new RequestQueue(64);
  private final int returnLimit;

  // By bank: what it serves, and the bytes of it for which column commands were given.
  private final MemoryRequest[] serving;
  private final int[] commanded;
  private final int[] row;
  private final boolean[] open;
  private final long[] readAllowed;
  private final long[] writeAllowed;
  private final long[] prechargeAllowed;
  private final long[] activateAllowed;
  private final long[] groupColumnAllowed;
  private final long[] groupPrechargeAllowed;
  private final int[] group;
  private long servingBanks;
  private long columnAllowed;
  private long anyReadAllowed;
  private long anyWriteAllowed;
  private long anyActivateAllowed;
  private long refreshAt;
  private int priority;
  private boolean writing;

  /** Before this cycle no bank can be given a command, unless one is handed a request. */
  private long nothingBefore;

  // Bursts on the data bus: whose, whether its last, and when the data have passed.
  private final MemoryRequest[] burst;
  private final boolean[] burstLast;
  private final long[] burstDone;
  private int burstHead;
  private int burstCount;
  private long lastBurst = -1;

  DramChannel(DramSpec spec) {
    this.spec = spec;
    int banks = spec.banks();
    reads = new BankQueues(banks, spec.firstReady());
    writes = new BankQueues(banks, spec.firstReady());
    returnLimit = spec.returnQueue() == 0 ? 1024 : spec.returnQueue();
    serving = new MemoryRequest[banks];
    commanded = new int[banks];
    row = new int[banks];
    open = new boolean[banks];
    readAllowed = new long[banks];
    writeAllowed = new long[banks];
    prechargeAllowed = new long[banks];
    activateAllowed = new long[banks];
    groupColumnAllowed = new long[spec.bankGroups()];
    groupPrechargeAllowed = new long[spec.bankGroups()];
    group = new int[banks];
    int perGroup = Math.max(1, banks / spec.bankGroups());
    for (int b = 0; b < banks; b++) {
      group[b] = spec.groupByLowBits() ? b & spec.bankGroups() - 1 : b / perGroup;
    }
    refreshAt = spec.refreshInterval();
    burst = new MemoryRequest[Math.max(spec.readLatency(), spec.writeLatency()) + 2];
    burstLast = new boolean[burst.length];
    burstDone = new long[burst.length];
  }

  @Override
  boolean isFull(boolean write) {
    if (spec.schedulerQueue() == 0) {
      return false;
    }
    if (spec.writeQueue() > 0) {
      return write ? writes.size() >= spec.writeQueue() : reads.size() >= spec.schedulerQueue();
    }
    return reads.size() + inOrder.size() >= spec.schedulerQueue();
  }

  @Override
  void push(MemoryRequest request) {
    requests++;
    if (!spec.firstReady()) {
      inOrder.push(request);
    } else if (request.write && spec.writeQueue() > 0) {
      writes.add(request, bankOf(request));
    } else {
      reads.add(request, bankOf(request));
    }
  }

  /** The bank that has a request's row here: another one for every row where banks are hashed. */
  private int bankOf(MemoryRequest request) {
    return spec.bankHash() ? request.bank ^ request.row & spec.banks() - 1 : request.bank;
  }

  @Override
  boolean isIdle() {
    return servingBanks == 0
        && burstCount == 0
        && reads.size() == 0
        && writes.size() == 0
        && inOrder.isEmpty();
  }

  @Override
  MemoryRequest cycle(long now) {
    activeCycles++;
    MemoryRequest finished = moveData(now);
    if (spec.refreshInterval() > 0 && now >= refreshAt) {
      refresh(now);
    }
    handToBank();
    if (servingBanks != 0 && now >= nothingBefore) {
      issueCommands(now);
      nothingBefore = nextCommand(now);
    }
    return finished;
  }

  private MemoryRequest moveData(long now) {
    if (burstCount == 0 || burstDone[burstHead] > now || returned.size() >= returnLimit) {
      return null;
    }
    MemoryRequest request = burst[burstHead];
    boolean last = burstLast[burstHead];
    burst[burstHead] = null;
    burstHead = burstHead + 1 == burst.length ? 0 : burstHead + 1;
    burstCount--;
    if (!last) {
      return null;
    }
    if (request.write) {
      return request;
    }
    returned.push(request);
    return null;
  }

  private void refresh(long now) {
    refreshAt += spec.refreshInterval();
    nothingBefore = now;
    for (int b = 0; b < spec.banks(); b++) {
      open[b] = false;
      activateAllowed[b] = Math.max(activateAllowed[b], now + spec.refreshCycles());
    }
  }

  private void handToBank() {
    if (!spec.firstReady()) {
      if (!inOrder.isEmpty() && serving[bankOf(inOrder.peek())] == null) {
        serve(bankOf(inOrder.peek()), inOrder.pop());
      }
      return;
    }
    BankQueues queues = reads;
    if (spec.writeQueue() > 0) {
      if (writing ? writes.size() < spec.writeLow() : writes.size() >= spec.writeHigh()) {
        writing = !writing;
      }
      queues = writing || reads.size() == 0 ? writes : reads;
    }
    long candidates = queues.waitingBanks() & ~servingBanks;
    if (candidates != 0) {
      int bank = firstFrom(candidates, priority);
      priority = priority + 1 & spec.banks() - 1;
      serve(bank, queues.take(bank, row[bank]));
    }
  }

  private void serve(int bank, MemoryRequest request) {
    serving[bank] = request;
    nothingBefore = Math.min(nothingBefore, firstCommand(bank));
    commanded[bank] = 0;
    servingBanks |= 1L << bank;
  }

  private void issueCommands(long now) {
    long left = servingBanks;
    boolean columnDone = false;
    boolean rowDone = false;
    int from = priority;
    while (left != 0) {
      int bank = firstFrom(left, from);
      left &= ~(1L << bank);
      if (!columnDone) {
        columnDone = issueColumn(bank, now);
        if (columnDone && !spec.dualBus()) {
          return;
        }
      }
      if (!rowDone && serving[bank] != null) {
        rowDone = issueRow(bank, now);
        if (rowDone && !spec.dualBus()) {
          return;
        }
      }
      if (columnDone && rowDone) {
        return;
      }
    }
  }

  /** The first cycle after this one in which a bank may be given a command. */
  private long nextCommand(long now) {
    if (burstCount >= spec.readLatency() + 1) {
      return now + 1;
    }
    long next = Long.MAX_VALUE;
    for (long left = servingBanks; left != 0; left &= left - 1) {
      next = Math.min(next, firstCommand(LowestBit.of(left)));
      if (next <= now + 1) {
        return now + 1;
      }
    }
    return next;
  }

  /** The first cycle in which the timing rules let a bank have the command that it needs next. */
  private long firstCommand(int bank) {
    if (!open[bank]) {
      return Math.max(anyActivateAllowed, activateAllowed[bank]);
    }
    if (row[bank] != serving[bank].row) {
      return Math.max(prechargeAllowed[bank], groupPrechargeAllowed[group[bank]]);
    }
    long column = Math.max(columnAllowed, groupColumnAllowed[group[bank]]);
    return serving[bank].write
        ? Math.max(column, Math.max(writeAllowed[bank], anyWriteAllowed))
        : Math.max(column, Math.max(readAllowed[bank], anyReadAllowed));
  }

  private boolean issueColumn(int bank, long now) {
    MemoryRequest request = serving[bank];
    int g = group[bank];
    if (!open[bank]
        || row[bank] != request.row
        || now < columnAllowed
        || now < groupColumnAllowed[g]
        || burstCount >= spec.readLatency() + 1) {
      return false;
    }
    int latency;
    if (request.write) {
      if (now < writeAllowed[bank] || now < anyWriteAllowed) {
        return false;
      }
      anyReadAllowed = now + spec.writeToRead();
      prechargeAllowed[bank] = Math.max(prechargeAllowed[bank], now + spec.writeToPrecharge());
      latency = spec.writeLatency();
      writeBursts++;
    } else {
      if (now < readAllowed[bank] || now < anyReadAllowed) {
        return false;
      }
      anyWriteAllowed = now + spec.readToWrite();
      prechargeAllowed[bank] = Math.max(prechargeAllowed[bank], now + spec.burstCycles());
      groupPrechargeAllowed[g] = now + spec.tRTPL();
      latency = spec.readLatency();
      readBursts++;
    }
    columnAllowed = now + spec.tCCD();
    groupColumnAllowed[g] = now + spec.tCCDL();
    dataCycles += spec.burstCycles();
    lastBurst = Math.max(lastBurst + 1, now + latency);
    int tail = burstHead + burstCount;
    tail = tail >= burst.length ? tail - burst.length : tail;
    burst[tail] = request;
    burstDone[tail] = lastBurst;
    burstCount++;
    commanded[bank] += spec.burstBytes();
    burstLast[tail] = commanded[bank] >= request.bytes;
    if (burstLast[tail]) {
      serving[bank] = null;
      servingBanks &= ~(1L << bank);
    }
    return true;
  }

  private boolean issueRow(int bank, long now) {
    if (!open[bank]) {
      if (now < anyActivateAllowed || now < activateAllowed[bank]) {
        return false;
      }
      open[bank] = true;
      row[bank] = serving[bank].row;
      anyActivateAllowed = now + spec.tRRD();
      readAllowed[bank] = now + spec.tRCD();
      writeAllowed[bank] = now + spec.tRCDWrite();
      prechargeAllowed[bank] = Math.max(prechargeAllowed[bank], now + spec.tRAS());
      activateAllowed[bank] = now + spec.tRC();
      priority = bank + 1 & spec.banks() - 1;
      activates++;
      return true;
    }
    if (row[bank] != serving[bank].row
        && now >= prechargeAllowed[bank]
        && now >= groupPrechargeAllowed[group[bank]]) {
      open[bank] = false;
      activateAllowed[bank] = Math.max(activateAllowed[bank], now + spec.tRP());
      priority = bank + 1 & spec.banks() - 1;
      precharges++;
      return true;
    }
    return false;
  }

  private static int firstFrom(long mask, int from) {
    long after = mask & -1L << from;
    return LowestBit.of(after != 0 ? after : mask);
  }
}
