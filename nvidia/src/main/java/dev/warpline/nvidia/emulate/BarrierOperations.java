package dev.warpline.nvidia.emulate;

import dev.warpline.isa.SassOperand.Kind;
import dev.warpline.trace.WarpTrace;
import java.util.Arrays;
import java.util.List;

/** Instructions on mbarriers and on the barrier of a cluster. */
final class BarrierOperations {
  private BarrierOperations() {}

  /** The operation of an instruction, or null if it is not one of these. */
  static LaneOperation of(SassInstruction instruction, String mnemonic) {
    return switch (mnemonic) {
      case "SYNCS" -> mbarrier(instruction);
      case "ARRIVES" -> copiesArrive(instruction);
      case "UCGABAR_ARV" -> (warp, mask) -> warp.clusterArrivals++;
      case "UCGABAR_WAIT" ->
          (warp, mask) -> {
            if (!warp.block.cluster().arrived(warp.clusterArrivals)) {
              warp.waits = true;
            }
          };
      default -> null;
    };
  }

  private static LaneOperation mbarrier(SassInstruction instruction) {
    List<Operand> memory = instruction.of(Kind.MEMORY);
    if (memory.size() != 1) {
      throw instruction.unsupported("expected an address in brackets");
    }
    return switch (instruction.oneOf("", "EXCH", "ARRIVE", "PHASECHK", "CCTL")) {
      case "EXCH" -> new Exchange(instruction, memory.get(0));
      case "ARRIVE" -> new Arrive(instruction, memory.get(0));
      case "PHASECHK" -> new Test(instruction, memory.get(0));
      case "CCTL" -> (warp, mask) -> {};
      default -> throw instruction.unsupported("is not emulated");
    };
  }

  /** What all have: addresses of the lanes, and a value that is recorded. */
  private abstract static class Operation implements RecordedOperation {
    final MemoryInstruction.Address address;
    final long[] addresses = new long[Warp.LANES];
    final long[] values = new long[Warp.LANES];
    private final Source value;

    Operation(SassInstruction instruction, Operand memory) {
      address = new MemoryInstruction.Address(memory, MemoryInstruction.Space.SHARED);
      Operand last = instruction.operand(instruction.operands().size() - 1);
      value = last == memory ? null : Source.integer(instruction, last);
    }

    /** Computes addresses and values. */
    final void prepare(Warp warp, int mask) {
      address.compute(warp, mask, addresses);
      int[] row = value == null ? null : value.read(warp);
      for (int m = mask; row != null && m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        values[lane] = Words64.unsigned(row[lane]);
      }
    }

    @Override
    public void record(WarpTrace trace, int mask) {
      trace.addresses(addresses);
      int first = Integer.numberOfTrailingZeros(mask) & 31;
      boolean same = true;
      for (int m = mask; m != 0; m &= m - 1) {
        same &= values[Integer.numberOfTrailingZeros(m)] == values[first];
      }
      if (same) {
        trace.values(mask == 0 ? 0 : values[first]);
      } else {
        trace.values(values);
      }
      trace.values(second());
    }

    long second() {
      return 0;
    }
  }

  /** SYNCS.EXCH: sets an object. */
  private static final class Exchange extends Operation {
    private final int destination;
    private final int first;
    private long high;

    Exchange(SassInstruction instruction, Operand memory) {
      super(instruction, memory);
      instruction.allow("EXCH", "64");
      destination = Form.discard(instruction.operand(0).index());
      first = instruction.operand(2).index();
    }

    @Override
    public void execute(Warp warp, int mask) {
      prepare(warp, mask);
      boolean zero = first == Warp.ZERO || first == Warp.UNIFORM_ZERO;
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        int at = (int) addresses[lane];
        long before = Mbarrier.read(warp.block, at);
        high = Words64.unsigned(warp.registers[zero ? first : first + 1][lane]);
        Mbarrier.write(warp.block, at, high << 32 | values[lane]);
        if (destination != Warp.DISCARD) {
          warp.registers[destination][lane] = (int) before;
          warp.registers[destination + 1][lane] = (int) (before >>> 32);
        }
        if (destination >= Warp.UNIFORM && first >= Warp.UNIFORM) {
          break;
        }
      }
      warp.block.cluster().changed();
    }

    @Override
    long second() {
      return high;
    }
  }

  /**
   * SYNCS.ARRIVE: A0, A1, AR say how many arrivals (none, one, the register's), T0, T1, TR how many
   * bytes are announced, TX that the register's have come; both are A1TR if nothing is said.
   */
  private static final class Arrive extends Operation {
    private final boolean anyBlock;
    private final boolean leaves;
    private final boolean together;
    private final char arrivals;
    private final char bytes;
    private final int destination;

    Arrive(SassInstruction instruction, Operand memory) {
      super(instruction, memory);
      instruction.allow(
          "ARRIVE", "TRANS64", "RED", "OPTOUT", "TMASK", "A1T0", "ART0", "A0TR", "A0TX", "A0T1",
          "A1TR");
      String counts = instruction.oneOf("A1TR", "A1T0", "ART0", "A0TR", "A0TX", "A0T1", "A1TR");
      arrivals = counts.charAt(1);
      bytes = counts.charAt(3);
      anyBlock = instruction.has("RED");
      leaves = instruction.has("OPTOUT");
      together = instruction.has("TMASK");
      destination = Form.discard(instruction.operand(0).index());
    }

    @Override
    public void execute(Warp warp, int mask) {
      prepare(warp, mask);
      long before = 0;
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        int at = (int) addresses[lane];
        long count = arrivals == 'R' ? values[lane] : arrivals - '0';
        long announced = bytes == 'R' ? values[lane] : bytes == 'X' ? -values[lane] : bytes - '0';
        Block block = anyBlock ? warp.block.cluster().owner(warp.block, at) : warp.block;
        long object = Mbarrier.change(block, at, count, leaves ? count : 0, announced);
        before = !together || m == mask ? object : before;
        if (destination != Warp.DISCARD) {
          warp.registers[destination][lane] = together ? mask : 0;
          warp.registers[destination + 1][lane] = (int) (before >>> 32);
        }
      }
    }
  }

  /** SYNCS.PHASECHK: asks whether a phase is over; TRYWAIT waits for it a while. */
  private static final class Test extends Operation {
    private final boolean patient;
    private final int output;

    Test(SassInstruction instruction, Operand memory) {
      super(instruction, memory);
      instruction.allow("PHASECHK", "TRANS64", "TRYWAIT");
      patient = instruction.has("TRYWAIT");
      output = Form.compare(instruction).output(0);
    }

    @Override
    public void execute(Warp warp, int mask) {
      prepare(warp, mask);
      int passed = 0;
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        int parity = (int) (values[lane] >>> 31);
        passed |= Mbarrier.passed(warp.block, (int) addresses[lane], parity) ? 1 << lane : 0;
      }
      if (passed != mask && patient && warp.block.cluster().isPatient()) {
        warp.waits = true;
        return;
      }
      warp.yields = passed != mask;
      boolean uniform = output >= Warp.UNIFORM_PREDICATE && output != Warp.DISCARD_PREDICATE;
      warp.setPredicate(output, uniform ? -1 : mask, uniform ? passed == mask ? -1 : 0 : passed);
    }
  }

  /** ARRIVES.LDGSTSBAR: the copies so far arrive at an mbarrier when they are done: at once. */
  private static LaneOperation copiesArrive(SassInstruction instruction) {
    instruction.allow("LDGSTSBAR", "64", "ARVCNT", "TRANSCNT");
    boolean arrives = instruction.has("ARVCNT");
    List<Operand> memory = instruction.of(Kind.MEMORY);
    if (memory.size() != 1) {
      throw instruction.unsupported("expected an address in brackets");
    }
    return new Operation(instruction, memory.get(0)) {
      @Override
      public void execute(Warp warp, int mask) {
        prepare(warp, mask);
        for (int m = mask; m != 0; m &= m - 1) {
          int lane = Integer.numberOfTrailingZeros(m);
          Mbarrier.change(warp.block, (int) addresses[lane], arrives ? 1 : 0, 0, arrives ? 0 : -1);
        }
      }

      @Override
      public void record(WarpTrace trace, int mask) {
        if (mask == 0) {
          Arrays.fill(addresses, 0);
        }
        trace.addresses(addresses);
      }
    };
  }
}
