package dev.warpline.nvidia.classic;

import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.policy.BlockScheduler;
import dev.warpline.trace.BlockTrace;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/**
 * Gives blocks to SMs between windows. An SM gets as many as it can start or might come to start
 * within the window, so that it never waits for the window's end; blocks that it did not start go
 * back when the grid runs out and somebody else could use them.
 */
final class BlockDealer implements BlockScheduler.Sms {
  /** Where the last block was read to: the next one is likely as large. */
  private BlockTrace lastRead;

  private final List<ClassicSm> sms;
  private final boolean kernelsShareSms;
  private final Deque<BlockTrace> spare = new ArrayDeque<>();
  private final List<ClassicSm.Assigned> returned = new ArrayList<>();
  private final BlockScheduler scheduler;
  private final int[][] clusters;

  /** By SM: blocks that it could take, and those of them that the scheduler was told of. */
  private final int[] wanted;

  private final int[] told;

  BlockDealer(
      List<ClassicSm> sms, int smsPerCluster, boolean kernelsShareSms, BlockScheduler scheduler) {
    this.sms = sms;
    this.kernelsShareSms = kernelsShareSms;
    this.scheduler = scheduler;
    clusters = new int[sms.size() / smsPerCluster][smsPerCluster];
    for (int i = 0; i < sms.size(); i++) {
      clusters[i / smsPerCluster][i % smsPerCluster] = i;
    }
    wanted = new int[sms.size()];
    told = new int[sms.size()];
    scheduler.begin(this, 0, 0);
  }

  @Override
  public int[][] groups() {
    return clusters;
  }

  @Override
  public int ahead() {
    return 0;
  }

  @Override
  public int blocks(int sm) {
    return sms.get(sm).residentBlocks() + sms.get(sm).assigned.size();
  }

  @Override
  public boolean hasRoom(int sm) {
    return wanted[sm] > 0;
  }

  /** What is assigned waits until the SM takes it. */
  @Override
  public long busyUntil(int sm) {
    return 0;
  }

  /** Deals blocks of the kernels, in launch order, for a window of cycles. */
  void deal(List<ClassicKernel> kernels, long now, int window) throws IOException {
    for (ClassicKernel kernel : kernels) {
      if (kernel.allRead()) {
        takeBack(kernel);
      }
      boolean any = false;
      for (int i = 0; i < wanted.length; i++) {
        wanted[i] = wanted(sms.get(i), kernel, window);
        any |= wanted[i] > 0;
        // One after the other, so that each SM has a block before one has its second.
        for (; told[i] < wanted[i]; told[i]++) {
          scheduler.freed(i, now + Math.min(told[i], window - 1));
        }
      }
      if (any) {
        deal(kernel, now + window, kernel.startCycle() < now + window);
      }
    }
  }

  private int wanted(ClassicSm sm, ClassicKernel kernel, int window) {
    if (kernel.allRead() && returned.isEmpty()) {
      return 0;
    }
    if (!kernelsShareSms && sm.residentBlocks() > 0 && sm.residentKernel() != kernel) {
      return 0;
    }
    return sm.freeBlocks(kernel) + sm.mayFinishWithin(window) - sm.assigned.size();
  }

  /**
   * Deals as many as the SMs want and there are.
   *
   * @param starts whether the kernel may start blocks within the window
   */
  private void deal(ClassicKernel kernel, long windowEnd, boolean starts) throws IOException {
    while (hasNext(kernel)) {
      int s = scheduler.choose(windowEnd);
      if (s == BlockScheduler.NONE) {
        return;
      }
      if (s < 0 || s >= wanted.length || wanted[s] <= 0) {
        throw new UnfinishedSimulationException(
            String.format(
                "kernel %d, cycle %d: block scheduler %s chose SM %d, expected one with room",
                kernel.id, windowEnd, scheduler.getClass().getName(), s));
      }
      ClassicSm sm = sms.get(s);
      if (kernel.recorder != null && starts && sm.assigned.isEmpty() && sm.freeBlocks(kernel) > 0) {
        // This one is sure to start here; others may go to another SM before they do.
        kernel.recorder.placed(s);
      }
      sm.assigned.add(next(kernel));
      scheduler.given(s);
      wanted[s]--;
      told[s]--;
    }
  }

  private boolean hasNext(ClassicKernel kernel) {
    for (ClassicSm.Assigned block : returned) {
      if (block.kernel() == kernel) {
        return true;
      }
    }
    return !kernel.allRead();
  }

  private ClassicSm.Assigned next(ClassicKernel kernel) throws IOException {
    for (int i = 0; i < returned.size(); i++) {
      if (returned.get(i).kernel() == kernel) {
        return returned.remove(i);
      }
    }
    BlockTrace into = spare.isEmpty() ? new BlockTrace() : spare.pop();
    if (lastRead != null) {
      into.makeRoomFor(lastRead);
    }
    lastRead = into;
    kernel.trace.requireBlock(kernel.nextBlock++, into);
    kernel.tracedInstructions += into.instructions();
    kernel.code.update();
    return new ClassicSm.Assigned(kernel, into);
  }

  private void takeBack(ClassicKernel kernel) {
    for (ClassicSm sm : sms) {
      while (!sm.assigned.isEmpty() && sm.assigned.peekLast().kernel() == kernel) {
        returned.add(sm.assigned.pollLast());
      }
    }
    returned.sort(Comparator.comparingLong(a -> a.trace().blockId()));
  }

  /** Collects what ended in the last window. */
  void collect() {
    for (ClassicSm sm : sms) {
      for (ClassicSm.Finished block : sm.finished) {
        block.kernel().blocksDone++;
        block.kernel().lastEnd = Math.max(block.kernel().lastEnd, block.cycle());
        if (kernelsShareSms) {
          block.kernel().count(block.trace());
        }
        spare.push(block.trace());
      }
      sm.finished.clear();
    }
  }
}
