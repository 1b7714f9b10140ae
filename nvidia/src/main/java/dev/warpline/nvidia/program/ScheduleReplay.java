package dev.warpline.nvidia.program;

import dev.warpline.trace.Agenda;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Runs an agenda with kernels whose times are known: measured ones, or those of launches that stand
 * for others. Kernels that run at a time share the GPU: whoever came first (the smaller priority
 * number before that) has the room it can fill, the next ones what is left.
 */
public final class ScheduleReplay {
  /**
   * What is known of a kernel.
   *
   * @param cycles that it takes alone
   * @param width the share of the GPU that its blocks fill, 0 to 1; 0 if its time has everything in
   *     it and nothing slows it down
   */
  public record Kernel(double cycles, double width) {}

  private static final class Running {
    final Agenda.Start start;
    final Kernel kernel;
    double left;
    double rate;

    /** Whether the agenda was told that it has begun. */
    boolean begun;

    Running(Agenda.Start start, Kernel kernel) {
      this.start = start;
      this.kernel = kernel;
      left = kernel.cycles();
    }
  }

  private final Agenda agenda;
  private final IntFunction<Kernel> kernels;
  private final List<Running> running = new ArrayList<>();
  private double now;

  /**
   * @param kernels what is known of a launch, by its index
   */
  public ScheduleReplay(Agenda agenda, IntFunction<Kernel> kernels) {
    this.agenda = agenda;
    this.kernels = kernels;
  }

  /** Runs it to its end. */
  public void run() {
    while (true) {
      Running first = soonest();
      double end = first == null ? Double.MAX_VALUE : now + first.left / first.rate;
      Agenda.Start next = agenda.next(first == null ? Agenda.NEVER : (long) Math.floor(end));
      if (next == null && first == null) {
        if (running.isEmpty()) {
          return;
        }
        throw new IllegalStateException("kernels that nothing lets go on");
      }
      if (next != null && next.cycle() <= end) {
        advance(Math.max(now, next.cycle()));
        running.add(new Running(next, kernels.apply(next.launch())));
        agenda.started(next.launch(), Math.round(now));
        share();
      } else {
        advance(end);
        running.remove(first);
        share();
        agenda.released(first.start.launch(), Math.round(now));
        agenda.ended(first.start.launch(), Math.round(now));
      }
    }
  }

  private Running soonest() {
    Running first = null;
    for (Running one : running) {
      if (one.rate > 0 && (first == null || one.left / one.rate < first.left / first.rate)) {
        first = one;
      }
    }
    return first;
  }

  private void advance(double until) {
    for (Running one : running) {
      one.left = Math.max(0, one.left - one.rate * (until - now));
    }
    now = until;
  }

  /** Hands out the GPU anew, and tells who begins only now. */
  private void share() {
    List<Running> order = new ArrayList<>(running);
    order.sort(Comparator.comparingInt(one -> one.start.priority()));
    double free = 1;
    for (Running one : order) {
      double width = one.kernel.width();
      double given = Math.min(width, free);
      one.rate = width == 0 ? 1 : given / width;
      free -= given;
      if (one.rate > 0 && !one.begun) {
        one.begun = true;
        agenda.began(one.start.launch(), Math.round(now));
      }
    }
  }
}
