package dev.warpline.nvidia.classic;

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
final class BlockDealer {
  private final List<ClassicSm> sms;
  private final boolean kernelsShareSms;
  private final Deque<BlockTrace> spare = new ArrayDeque<>();
  private final List<ClassicSm.Assigned> returned = new ArrayList<>();
  private int lastServed = -1;

  BlockDealer(List<ClassicSm> sms, boolean kernelsShareSms) {
    this.sms = sms;
    this.kernelsShareSms = kernelsShareSms;
  }

  /** Deals blocks of the kernels, in launch order, for a window of cycles. */
  void deal(List<ClassicKernel> kernels, long now, int window) throws IOException {
    for (ClassicKernel kernel : kernels) {
      if (kernel.allRead()) {
        takeBack(kernel);
      }
      int[] wanted = new int[sms.size()];
      boolean any = false;
      for (int i = 0; i < wanted.length; i++) {
        wanted[i] = wanted(sms.get(i), kernel, window);
        any |= wanted[i] > 0;
      }
      if (any) {
        deal(kernel, wanted, kernel.startCycle() < now + window);
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
   * Round by round, one block per SM, as the hardware's one block per cycle would.
   *
   * @param starts whether the kernel may start blocks within the window
   */
  private void deal(ClassicKernel kernel, int[] wanted, boolean starts) throws IOException {
    int n = wanted.length;
    boolean dealt = true;
    while (dealt) {
      dealt = false;
      int first = lastServed + 1;
      for (int i = 0; i < n; i++) {
        int s = (first + i) % n;
        if (wanted[s] > 0) {
          ClassicSm.Assigned block = next(kernel);
          if (block == null) {
            return;
          }
          ClassicSm sm = sms.get(s);
          if (kernel.recorder != null
              && starts
              && sm.assigned.isEmpty()
              && sm.freeBlocks(kernel) > 0) {
            // This one is sure to start here; others may go to another SM before they do.
            kernel.recorder.placed(s);
          }
          sm.assigned.add(block);
          wanted[s]--;
          lastServed = s;
          dealt = true;
        }
      }
    }
  }

  private ClassicSm.Assigned next(ClassicKernel kernel) throws IOException {
    for (int i = 0; i < returned.size(); i++) {
      if (returned.get(i).kernel() == kernel) {
        return returned.remove(i);
      }
    }
    if (kernel.allRead()) {
      return null;
    }
    BlockTrace into = spare.isEmpty() ? new BlockTrace() : spare.pop();
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
