package dev.warpline.nvidia.modern.echo;

import dev.warpline.engine.EventHeap;
import dev.warpline.engine.gpu.Topology;
import dev.warpline.isa.CodeTable;
import dev.warpline.memory.flow.Requests;
import dev.warpline.nvidia.modern.launch.Placer;
import dev.warpline.trace.BlockTrace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/**
 * The SMs of a kernel, some of them simulated and the others echoes of these. The block scheduler
 * gives blocks to all of them; a block on an echo ends when the one does that it goes with.
 */
public final class Echoes {
  /** Simulated SMs of a kind, at least: one says nothing of how they differ. */
  private static final int LEAST = 2;

  /** One SM in so many is simulated. */
  private static final double SHARE = 8;

  /**
   * Half of the 95 % interval that is left where all simulated SMs end together: echoes go in step
   * with the SM that they repeat, and their own would not (from the calibration kernels of
   * docs/sampling.md).
   */
  public static final double BEST = 0.03;

  private static final int PLACE_BITS = 8;

  private final GlobalRows global;

  /** By SM: blocks that it gets before any ends. */
  private final int[] first;

  private final SimulatedSm[] simulated;
  private final SimulatedSm[] standsFor;
  private final int[] number;
  private final List<Echo> all = new ArrayList<>();

  /** SMs that do alike work. */
  private final List<List<Integer>> kinds = new ArrayList<>();

  /** By SM: warp instructions of its blocks. */
  private final double[] work;

  /** By SM: warp instructions of its longest warp. */
  private final double[] longest;

  private final Deque<BlockTrace> spare = new ArrayDeque<>();

  /** Blocks on echoes that will end: cycle, SM, place. */
  private final EventHeap ending = new EventHeap();

  private Requests[] requests = new Requests[0];
  private int asking;
  private long instructions;
  private long left;

  /**
   * @param first blocks that each SM gets before any ends: those with as many do alike work
   * @param blocks of the grid
   */
  public Echoes(Topology topology, int[] first, long blocks, CodeTable code) {
    left = blocks;
    this.first = first.clone();
    global = new GlobalRows(code);
    simulated = new SimulatedSm[topology.sms()];
    standsFor = new SimulatedSm[topology.sms()];
    number = new int[topology.sms()];
    work = new double[topology.sms()];
    longest = new double[topology.sms()];
    int most = Arrays.stream(first).max().orElse(0);
    for (int count = 0; count <= most; count++) {
      List<Integer> alike = new ArrayList<>();
      for (List<Integer> group : topology.groups()) {
        for (int sm : group) {
          if (first[sm] == count) {
            alike.add(sm);
          }
        }
      }
      // Where an SM is decides how late its code comes: each stands for those as far away.
      alike.sort(Comparator.comparingDouble(sm -> topology.hops().get(sm)));
      if (!alike.isEmpty()) {
        kinds.add(alike);
        divide(alike);
      }
    }
    all.sort((a, b) -> a.sm - b.sm);
  }

  /** Simulates some of SMs that do alike work, each in the middle of those it stands for. */
  private void divide(List<Integer> alike) {
    int count = Math.min(alike.size(), Math.max(LEAST, (int) Math.round(alike.size() / SHARE)));
    int begin = 0;
    for (int i = 0; i < count; i++) {
      int end = (int) ((long) alike.size() * (i + 1) / count);
      int middle = alike.get((begin + end) / 2);
      simulated[middle] = new SimulatedSm(middle);
      for (int k = begin; k < end; k++) {
        int sm = alike.get(k);
        standsFor[sm] = simulated[middle];
        if (sm != middle) {
          number[sm] = simulated[middle].echoes().size();
          Echo echo = new Echo(sm);
          simulated[middle].add(echo);
          all.add(echo);
        }
      }
      begin = end;
    }
  }

  /** Whether there is an SM with blocks that is not simulated. */
  public boolean leaveOutSome() {
    return all.stream().anyMatch(echo -> first[echo.sm] > 0);
  }

  /** Whether an SM is simulated. */
  public boolean simulates(int sm) {
    return simulated[sm] != null;
  }

  /** A buffer for a block of an echo. */
  public BlockTrace buffer() {
    return spare.isEmpty() ? new BlockTrace() : spare.remove();
  }

  /** A block that was read arrives at its SM. */
  public void place(Placer at, BlockTrace block) {
    instructions += block.instructions();
    work[at.sm] += block.instructions();
    left--;
    SimulatedSm stands = standsFor[at.sm];
    boolean here = simulates(at.sm);
    PlacedBlock placed =
        new PlacedBlock(at.sm, at.place, at.time, block, here ? stands.echoes().size() : 0);
    longest[at.sm] = Math.max(longest[at.sm], placed.longest);
    if (here) {
      stands.place(placed, global, spare);
    } else {
      stands.placeEcho(number[at.sm], placed, global, spare);
    }
  }

  /** Told of blocks that end. */
  public interface Ends {
    void ended(int sm, int place, long when);
  }

  /** A block of a simulated SM ended; those that go with it end when they do. */
  public void ended(int sm, int place, long when) {
    PlacedBlock block = simulated[sm].end(place, when);
    for (PlacedBlock echo : block.echoes) {
      if (echo != null) {
        end(echo, when + echo.time - block.time);
      }
    }
  }

  private void end(PlacedBlock echo, long when) {
    long which = (long) echo.sm << PLACE_BITS | echo.place;
    ending.add(when, which, which);
  }

  /** Tells of the blocks on echoes that end before a cycle, in the order of their ends. */
  public void takeEnds(long from, long until, Ends ends) {
    if (left == 0) {
      endLone();
    }
    while (nextEnd() < until) {
      long when = Math.max(from, nextEnd());
      int which = (int) ending.remove();
      ends.ended(which >>> PLACE_BITS, which & (1 << PLACE_BITS) - 1, when);
    }
  }

  /** When the next block on an echo ends, as far as is known. */
  public long nextEnd() {
    return ending.nextTime();
  }

  /** Ends blocks on echoes that wait for one of a simulated SM that gets none any more. */
  private void endLone() {
    for (SimulatedSm sm : simulated) {
      for (int e = 0; sm != null && sm.resident().isEmpty() && e < sm.echoes().size(); e++) {
        for (PlacedBlock alone : sm.takeWaiting(e)) {
          spare.add(alone.trace);
          end(alone, Math.max(alone.time, sm.lastEnd));
        }
      }
    }
  }

  /** Asks for the lines of code and constants that simulated SMs ask for. */
  public void askLines(Requests[] of, int count) {
    gather(of, count);
    for (int i = 0; i < count; i++) {
      SimulatedSm sm = simulated[of[i].sm()];
      for (int e = 0; e < sm.echoes().size(); e++) {
        if (sm.asks(e)) {
          sm.echoes().get(e).requests.addLinesLike(of[i]);
        }
      }
    }
  }

  /** Asks memory for what simulated SMs ask for in a window that ended at a cycle. */
  public void ask(Requests[] of, int count, long end) {
    gather(of, count);
    for (int i = 0; i < count; i++) {
      SimulatedSm sm = simulated[of[i].sm()];
      for (int e = 0; e < sm.echoes().size(); e++) {
        if (sm.asks(e)) {
          sm.echoes().get(e).repeat(of[i], end, sm.asksAll(e));
        }
      }
    }
    send(end);
  }

  /** Simulated SMs at work and all echoes, by number. */
  private void gather(Requests[] of, int count) {
    if (asking == count) {
      return;
    }
    asking = count;
    requests = new Requests[count + all.size()];
    int a = 0;
    int b = 0;
    for (int i = 0; i < requests.length; i++) {
      boolean echo = a == count || b < all.size() && all.get(b).sm < of[a].sm();
      requests[i] = echo ? all.get(b++).requests : of[a++];
    }
  }

  /** Who asks, simulated or not, after {@link #ask} or {@link #askLines}. */
  public Requests[] requests() {
    return requests;
  }

  /** What echoes asked is on its way; nobody waits for what they are answered. */
  private void send(long end) {
    for (Echo echo : all) {
      echo.requests.send(end);
      echo.requests.replies().clear();
    }
  }

  /** Nobody waits for lines of code that echoes get. */
  public void clearLineReplies() {
    for (Echo echo : all) {
      echo.requests.lineReplies().clear();
    }
  }

  /**
   * How much later than what was seen the last block ends, over the kind of SMs that makes the
   * latest end.
   */
  public double later() {
    return latest().later();
  }

  /** Half of the 95 % interval of a kernel's cycles, relative to them. */
  public double plusMinus(long cycles) {
    return Math.hypot(BEST, 2 * latest().deviation() / cycles);
  }

  private LatestEnd latest() {
    LatestEnd latest = LatestEnd.KNOWN;
    double most = 0;
    double seen = 0;
    for (List<Integer> kind : kinds) {
      List<Integer> these = kind.stream().filter(this::simulates).toList();
      double[] ends = these.stream().mapToDouble(sm -> simulated[sm].lastEnd).toArray();
      LatestEnd one =
          LatestEnd.of(ends, of(work, these), of(work, kind))
              .surer(LatestEnd.of(ends, of(longest, these), of(longest, kind)));
      double last = Arrays.stream(ends).max().orElse(0);
      seen = Math.max(seen, last);
      if (last + one.later() > most) {
        most = last + one.later();
        latest = one;
      }
    }
    return new LatestEnd(Math.max(0, most - seen), latest.deviation());
  }

  private static double[] of(double[] values, List<Integer> sms) {
    return sms.stream().mapToDouble(sm -> values[sm]).toArray();
  }

  /** Warp instructions of all blocks so far, simulated or not. */
  public long instructions() {
    return instructions;
  }

  @Override
  public String toString() {
    int used = 0;
    int count = 0;
    for (int sm = 0; sm < first.length; sm++) {
      used += first[sm] > 0 ? 1 : 0;
      count += first[sm] > 0 && simulates(sm) ? 1 : 0;
    }
    return "the blocks of " + count + " of " + used + " SMs";
  }
}
