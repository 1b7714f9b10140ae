package dev.warpline.isa;

import dev.warpline.isa.Opcode.Result;
import dev.warpline.isa.SassOperand.Kind;
import java.util.BitSet;
import java.util.List;

/**
 * Which registers of every kind an instruction reads and writes, all registers of wide operands
 * included.
 *
 * <p>Regular registers come from the trace, which names them whether there is a listing or not: the
 * first operand as destination if it is a regular register, all others as sources. Where a
 * predicate stands first ({@code SHFL PT, R4, R2}), the result so is the first of the sources.
 * Everything else comes from the listing.
 *
 * @param reads numbers of {@link Registers}, ascending
 * @param writes likewise
 */
record RegisterUse(int[] reads, int[] writes) {
  /** Words of a descriptor in uniform registers, and of an address there. */
  private static final int DESCRIPTOR = 2;

  /** Words of the two descriptors of a warpgroup product, one if A comes in registers. */
  private static final int BOTH_DESCRIPTORS = 4;

  static RegisterUse of(Instruction in) {
    Numbers reads = new Numbers();
    Numbers writes = new Numbers();
    regular(in, reads, writes);
    reads.add(in.guard(), 1);
    if (in.isListed()) {
      listed(in, reads, writes);
    } else {
      unnamed(in, reads, writes);
    }
    return new RegisterUse(reads.sorted(), writes.sorted());
  }

  private static void regular(Instruction in, Numbers reads, Numbers writes) {
    for (int register : in.destinations()) {
      writes.add(register, RegisterGroups.destination(in));
    }
    int first = 0;
    if (in.destinations().length == 0
        && in.sources().length > 0
        && in.opcode().result() == Result.REGISTER) {
      writes.add(in.sources()[0], RegisterGroups.destination(in));
      first = 1;
    }
    for (int i = first; i < in.sources().length; i++) {
      reads.add(in.sources()[i], RegisterGroups.source(in, i - first));
    }
  }

  private static void unnamed(Instruction in, Numbers reads, Numbers writes) {
    boolean uniform = in.opcode().pipe() == Pipe.UNIFORM;
    if (in.opcode().result() == Result.PREDICATE) {
      writes.put(uniform ? Registers.UNNAMED_UNIFORM_PREDICATE : Registers.UNNAMED_PREDICATE);
    }
    if (in.opcode().pipe() == Pipe.BRANCH) {
      reads.put(
          in.hasModifier("U") ? Registers.UNNAMED_UNIFORM_PREDICATE : Registers.UNNAMED_PREDICATE);
    }
  }

  private static void listed(Instruction in, Numbers reads, Numbers writes) {
    List<SassOperand> operands = in.operands();
    int results = in.results();
    for (int i = 0; i < operands.size(); i++) {
      SassOperand operand = operands.get(i);
      Numbers set = i < results ? writes : reads;
      switch (operand.kind()) {
        case REGISTER -> {
          if (Registers.isUniform(operand.register())) {
            set.add(
                operand.register(), i < results ? uniformResult(in) : uniformSource(in, operand));
          }
        }
        case PREDICATE, BARRIER -> set.add(operand.register(), 1);
        case MEMORY -> memory(in, operand, reads);
        case CONSTANT -> {
          if (Registers.isUniform(operand.register())) {
            reads.add(operand.register(), 1);
          }
          reads.add(operand.descriptor(), DESCRIPTOR);
        }
        case NAME -> {
          if (operand.text().equals("PR")) {
            set.add(Registers.P, Registers.PT - Registers.P);
          } else if (operand.text().equals("UPR")) {
            set.add(Registers.UP, Registers.UPT - Registers.UP);
          }
        }
        default -> {}
      }
    }
  }

  /** How many operands, from the first on, are results. */
  static int results(Instruction in) {
    List<SassOperand> operands = in.operands();
    switch (in.opcode().result()) {
      case REGISTER, UNIFORM -> {
        int n = 0;
        boolean seen = false;
        while (n < operands.size()) {
          SassOperand operand = operands.get(n);
          if (operand.is(Kind.REGISTER) && !seen) {
            seen = true;
          } else if (!operand.is(Kind.PREDICATE)) {
            break;
          }
          n++;
        }
        return n;
      }
      case PREDICATE -> {
        int n = 0;
        while (n < Math.min(2, operands.size())
            && (operands.get(n).is(Kind.PREDICATE) || n == 0 && operands.get(n).is(Kind.NAME))) {
          n++;
        }
        return n;
      }
      case VOTE -> {
        return operands.size() - 1;
      }
      case FIRST -> {
        return operands.isEmpty() || operands.get(0).is(Kind.MEMORY) ? 0 : 1;
      }
      case BARRIER -> {
        return !operands.isEmpty() && operands.get(0).is(Kind.BARRIER) ? 1 : 0;
      }
      default -> {
        return 0;
      }
    }
  }

  private static void memory(Instruction in, SassOperand operand, Numbers reads) {
    boolean product = in.opcode().pipe() == Pipe.GMMA;
    boolean both = product && in.sources().length < 2;
    reads.add(operand.descriptor(), both ? BOTH_DESCRIPTORS : DESCRIPTOR);
    // Alone it is a whole address, beside a regular register an offset of a word.
    boolean alone = operand.register() == Registers.NONE || operand.register() == Registers.RZ;
    boolean wide = in.hasModifier("E") || in.opcode().pipe() == Pipe.TMA;
    reads.add(operand.uniform(), alone && wide ? DESCRIPTOR : 1);
  }

  private static int uniformResult(Instruction in) {
    if (in.opcode().space() == MemorySpace.CONSTANT) {
      return Math.max(1, AccessWidth.bytes(in.text()) / 4);
    }
    boolean wide =
        in.hasModifier("WIDE")
            || in.hasModifier("64")
            || in.opcode().name().equals("CS2UR") && !in.hasModifier("32");
    return wide ? 2 : 1;
  }

  private static int uniformSource(Instruction in, SassOperand operand) {
    boolean wide =
        operand.selector().equals("64")
            || in.opcode().pipe() == Pipe.FP64
            || in.opcode().name().equals("SYNCS") && in.hasModifier("64");
    // The addend of a wide product comes last.
    boolean addend =
        in.hasModifier("WIDE") && operand == in.operands().get(in.operands().size() - 1);
    return wide || addend ? 2 : 1;
  }

  /** Registers, each once. */
  private static final class Numbers {
    private final BitSet registers = new BitSet(Registers.COUNT);

    /** Adds a group unless it stands for a constant or is none. */
    void add(int first, int words) {
      if (first == Registers.NONE || Registers.isConstant(first)) {
        return;
      }
      int end =
          first < Registers.UR ? Registers.RZ : first < Registers.P ? Registers.URZ : first + words;
      registers.set(first, Math.min(first + words, end));
    }

    /** Adds one register, even one in a constant's place. */
    void put(int register) {
      registers.set(register);
    }

    int[] sorted() {
      int[] numbers = new int[registers.cardinality()];
      int next = 0;
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = registers.nextSetBit(next);
        next = numbers[i] + 1;
      }
      return numbers;
    }
  }
}
