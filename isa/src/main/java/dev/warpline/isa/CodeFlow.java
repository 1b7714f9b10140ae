package dev.warpline.isa;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * How values flow through the executed instructions of a kernel: which ones an instruction waits
 * for, and how many registers are live at it. Branches whose target the listing does not name end
 * their way; instructions that never ran are not on any.
 */
public final class CodeFlow {
  /** Ways are followed back so far. */
  private static final int FARTHEST = 1000;

  /** Sources of one operand that are worth naming: on the several ways to an instruction. */
  private static final int SOURCES = 3;

  private static final int WORDS = Registers.UR / Long.SIZE;

  private final CodeTable code;
  private final int[] rows;
  private final int[] place;
  private final int[][] before;
  private final int[] live;
  private final int[] seen;
  private int search;

  /**
   * An instruction that another one waits for.
   *
   * @param row its number
   * @param distance instructions to the one that waits, on the shortest way
   * @param via register or dependence counter that carries the result
   * @param variable whether it takes a time that the compiler does not know
   */
  public record Source(int row, int distance, String via, boolean variable) {}

  /** Whether an instruction is what is looked for. */
  private interface Test {
    boolean is(Instruction in);
  }

  public CodeFlow(CodeTable code) {
    this.code = code;
    rows = byPc();
    place = new int[rows.length];
    for (int i = 0; i < rows.length; i++) {
      place[rows[i]] = i;
    }
    before = before();
    live = live();
    seen = new int[rows.length];
  }

  private Instruction at(int i) {
    return code.get(rows[i]);
  }

  private int[] byPc() {
    Integer[] sorted = new Integer[code.size()];
    Arrays.setAll(sorted, i -> i);
    Arrays.sort(sorted, Comparator.comparingInt(row -> code.get(row).pc()));
    return Arrays.stream(sorted).mapToInt(Integer::intValue).toArray();
  }

  /** By place: where the warp may have been just before. */
  private int[][] before() {
    List<List<Integer>> ways = new ArrayList<>();
    for (int i = 0; i < rows.length; i++) {
      ways.add(new ArrayList<>(2));
      if (i > 0 && goesOn(at(i - 1))) {
        ways.get(i).add(i - 1);
      }
    }
    for (int i = 0; i < rows.length; i++) {
      int target = at(i).opcode().role() == Role.BRANCH ? find(target(at(i))) : -1;
      if (target >= 0) {
        ways.get(target).add(i);
      }
    }
    return ways.stream()
        .map(list -> list.stream().mapToInt(Integer::intValue).toArray())
        .toArray(int[][]::new);
  }

  /** Whether the next instruction may follow. */
  private static boolean goesOn(Instruction in) {
    boolean leaves =
        in.opcode().role() == Role.EXIT
            || in.opcode().role() == Role.BRANCH && in.opcode().name().equals("BRA");
    return !leaves || in.guard() != Registers.PT;
  }

  /** Where a branch leads, -1 if the listing does not say. */
  private static long target(Instruction in) {
    List<SassOperand> operands = in.operands();
    SassOperand last = operands.isEmpty() ? null : operands.get(operands.size() - 1);
    return last != null && last.integer() ? last.value() : -1;
  }

  private int find(long pc) {
    for (int i = 0; i < rows.length; i++) {
      if (at(i).pc() == pc) {
        return i;
      }
    }
    return -1;
  }

  /** Registers that hold a value which is still needed, before and at an instruction. */
  public int live(int row) {
    return live[place[row]];
  }

  private int[] live() {
    long[][] needed = new long[rows.length][WORDS];
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int i = rows.length - 1; i >= 0; i--) {
        Instruction in = at(i);
        long[] here = needed[i].clone();
        for (int register : in.reads()) {
          if (Registers.isRegular(register)) {
            here[register >> 6] |= 1L << register;
          }
        }
        for (int from : before[i]) {
          changed |= pass(here, at(from), needed[from]);
        }
      }
    }
    int[] counts = new int[rows.length];
    for (int i = 0; i < rows.length; i++) {
      long[] here = needed[i];
      Instruction in = at(i);
      for (int register : in.reads()) {
        if (Registers.isRegular(register)) {
          here[register >> 6] |= 1L << register;
        }
      }
      counts[i] = Arrays.stream(here).map(Long::bitCount).mapToInt(n -> (int) n).sum();
    }
    return counts;
  }

  /**
   * What is needed at an instruction is needed in front of the one before it, unless that writes
   * it.
   */
  private static boolean pass(long[] here, Instruction in, long[] there) {
    long[] wanted = here.clone();
    if (in.guard() == Registers.PT) {
      for (int register : in.writes()) {
        if (Registers.isRegular(register)) {
          wanted[register >> 6] &= ~(1L << register);
        }
      }
    }
    boolean changed = false;
    for (int i = 0; i < WORDS; i++) {
      changed |= (wanted[i] & ~there[i]) != 0;
      there[i] |= wanted[i];
    }
    return changed;
  }

  /**
   * The instructions whose results one needs, those of variable latency first, then by distance.
   */
  public List<Source> sources(int row) {
    Instruction in = code.get(row);
    List<Source> found = new ArrayList<>();
    if (in.hasControl()) {
      int mask = ControlBits.waitMask(in.control());
      for (int m = mask; m != 0; m &= m - 1) {
        int counter = Integer.numberOfTrailingZeros(m);
        search(place[row], other -> counts(other, counter), "SB" + counter, found);
      }
    }
    for (int register : in.reads()) {
      if (!Registers.isConstant(register)) {
        String name = Registers.name(register);
        search(place[row], other -> writes(other, register), name, found);
      }
    }
    found.sort(
        Comparator.comparing((Source source) -> !source.variable())
            .thenComparingInt(Source::distance));
    List<Source> once = new ArrayList<>();
    for (Source source : found) {
      if (once.stream().noneMatch(other -> other.row() == source.row())) {
        once.add(source);
      }
    }
    return once;
  }

  private static boolean counts(Instruction in, int counter) {
    return in.hasControl()
        && (ControlBits.writeBarrier(in.control()) == counter
            || ControlBits.readBarrier(in.control()) == counter);
  }

  private static boolean writes(Instruction in, int register) {
    for (int written : in.writes()) {
      if (written == register) {
        return true;
      }
    }
    return false;
  }

  /** Goes back on all ways from a place to the nearest instructions that pass a test. */
  private void search(int from, Test test, String via, List<Source> found) {
    search++;
    int[] front = before[from];
    int count = 0;
    for (int distance = 1; front.length > 0 && distance <= FARTHEST; distance++) {
      List<Integer> next = new ArrayList<>();
      for (int i : front) {
        if (seen[i] == search) {
          continue;
        }
        seen[i] = search;
        Instruction in = at(i);
        if (test.is(in)) {
          found.add(new Source(rows[i], distance, via, !in.opcode().fixedLatency()));
          if (++count == SOURCES) {
            return;
          }
          if (in.guard() == Registers.PT) {
            continue;
          }
        }
        for (int earlier : before[i]) {
          next.add(earlier);
        }
      }
      front = next.stream().mapToInt(Integer::intValue).toArray();
    }
  }
}
