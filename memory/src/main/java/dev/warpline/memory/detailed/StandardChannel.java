package dev.warpline.memory.detailed;

import dev.warpline.engine.gpu.DetailedMemorySpec;
import dev.warpline.engine.gpu.DramStandard;
import dev.warpline.engine.gpu.DramStandard.Command;
import dev.warpline.memory.MemoryRequest;
import dev.warpline.memory.dram.Banks;
import dev.warpline.memory.dram.Rules;
import dev.warpline.policy.DramScheduler;
import java.util.Arrays;

/** A channel of a DRAM standard: requests wait in one queue, and a policy says which goes on. */
final class StandardChannel extends DramController implements DramScheduler.Requests {
  private static final int UNLIMITED_RETURNS = 1024;

  private final Rules rules;
  private final Banks banks;
  private final DramScheduler scheduler;
  private final double commandsPerCycle;
  private final int burstBytes;
  private final int queue;
  private final int returns;

  // Requests that wait, and the bytes of each for which column commands were given.
  private MemoryRequest[] waiting = new MemoryRequest[16];
  private int[] commanded = new int[16];
  private int count;

  // Requests whose last command is given, and when their data have passed.
  private MemoryRequest[] moving = new MemoryRequest[16];
  private long[] movedAt = new long[16];
  private int movingCount;

  /** The command cycle. */
  private long now = -1;

  /**
   * @param dramMHz rate at which {@link #cycle} is called
   */
  StandardChannel(DetailedMemorySpec.Dram spec, double dramMHz) {
    DramStandard standard = DramStandard.known(spec.standard());
    rules = new Rules(standard, standard.clockMHz() * dramMHz / spec.ratedMHz());
    banks = new Banks(rules, spec.pages().get());
    scheduler = spec.scheduler().get();
    commandsPerCycle = rules.clockMHz() / dramMHz;
    burstBytes = standard.burstBytes();
    queue = spec.schedulerQueue() == 0 ? Integer.MAX_VALUE : spec.schedulerQueue();
    returns = spec.returnQueue() == 0 ? UNLIMITED_RETURNS : spec.returnQueue();
  }

  @Override
  boolean isFull(boolean write) {
    return count >= queue;
  }

  @Override
  void push(MemoryRequest request) {
    requests++;
    if (count == waiting.length) {
      waiting = Arrays.copyOf(waiting, 2 * count);
      commanded = Arrays.copyOf(commanded, 2 * count);
    }
    waiting[count] = request;
    commanded[count++] = 0;
  }

  @Override
  boolean isIdle() {
    return count == 0 && movingCount == 0;
  }

  @Override
  MemoryRequest cycle(long cycle) {
    activeCycles++;
    long command = (long) (cycle * commandsPerCycle);
    if (command != now) {
      now = command;
      // A row and a column command where they have buses of their own: a rule ends each one's turn.
      int next = choose();
      while (next != DramScheduler.NONE) {
        give(next);
        next = rules.standard().dualCommandBus() ? choose() : DramScheduler.NONE;
      }
    }
    return finished();
  }

  private int choose() {
    return count == 0 ? DramScheduler.NONE : scheduler.choose(this);
  }

  private void give(int index) {
    MemoryRequest request = waiting[index];
    Command command = banks.next(request.bank, request.row, request.write);
    long opened = banks.activates;
    long closed = banks.conflicts;
    banks.issue(command, request.bank, request.row, now);
    activates += banks.activates - opened;
    precharges += banks.conflicts - closed;
    if (command != Command.READ && command != Command.WRITE) {
      return;
    }
    dataCycles += rules.standard().burstCycles();
    if (request.write) {
      writeBursts++;
    } else {
      readBursts++;
    }
    commanded[index] += burstBytes;
    if (commanded[index] >= request.bytes) {
      System.arraycopy(waiting, index + 1, waiting, index, count - index - 1);
      System.arraycopy(commanded, index + 1, commanded, index, count - index - 1);
      waiting[--count] = null;
      move(request, now + rules.dataCycles(request.write));
    }
  }

  private void move(MemoryRequest request, long when) {
    if (movingCount == moving.length) {
      moving = Arrays.copyOf(moving, 2 * movingCount);
      movedAt = Arrays.copyOf(movedAt, 2 * movingCount);
    }
    moving[movingCount] = request;
    movedAt[movingCount++] = when;
  }

  /** Hands out one request whose data have passed, the earliest. */
  private MemoryRequest finished() {
    int first = 0;
    for (int i = 1; i < movingCount; i++) {
      first = movedAt[i] < movedAt[first] ? i : first;
    }
    if (movingCount == 0 || movedAt[first] > now || returned.size() >= returns) {
      return null;
    }
    MemoryRequest request = moving[first];
    movingCount--;
    System.arraycopy(moving, first + 1, moving, first, movingCount - first);
    System.arraycopy(movedAt, first + 1, movedAt, first, movingCount - first);
    moving[movingCount] = null;
    if (request.write) {
      return request;
    }
    returned.push(request);
    return null;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public boolean ready(int index) {
    MemoryRequest request = waiting[index];
    banks.catchUp(request.bank, now);
    Command command = banks.next(request.bank, request.row, request.write);
    return banks.earliest(command, request.bank) <= now;
  }

  @Override
  public boolean hits(int index) {
    return banks.row(waiting[index].bank) == waiting[index].row;
  }
}
