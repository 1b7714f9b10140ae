package dev.warpline.nvidia.emulate;

import dev.warpline.isa.SassOperand.Kind;
import java.util.Arrays;
import java.util.List;

/** Operations across lanes, special registers, and moves between kinds of registers. */
final class WarpOperations {
  private WarpOperations() {}

  /** The operation of an instruction, or null if it is not one of these. */
  static LaneOperation of(SassInstruction instruction, String mnemonic) {
    return switch (mnemonic) {
      case "SHFL" -> shuffle(Form.of(instruction));
      case "VOTE", "VOTEU" -> vote(instruction);
      case "MATCH" -> match(Form.of(instruction));
      case "REDUX" -> reduce(Form.of(instruction));
      case "ELECT" -> elect(Form.of(instruction));
      case "S2R", "S2UR" -> special(Form.of(instruction), false);
      case "CS2R" -> special(Form.of(instruction), !instruction.has("32"));
      case "R2UR" -> toUniform(Form.of(instruction));
      case "P2R" -> fromPredicates(Form.of(instruction));
      case "R2P" -> toPredicates(instruction);
      case "UP2UR" -> throw instruction.unsupported("is not emulated");
      case "BMOV" -> moveBarrier(instruction);
      case "B2R" -> barrierResult(instruction);
      case "LDC", "ULDC" -> loadConstant(Form.of(instruction));
      case "QSPC" -> space(instruction);
      case "LEPC" -> {
        Form form = Form.of(instruction);
        yield (warp, mask) -> {
          write(warp, form.destination, mask, instruction.pc());
          write(warp, form.next(1), mask, 0);
        };
      }
      default -> null;
    };
  }

  private static LaneOperation shuffle(Form form) {
    String mode = form.instruction.oneOf("", "IDX", "UP", "DOWN", "BFLY");
    form.instruction.allow("IDX", "UP", "DOWN", "BFLY");
    Source value = form.plain(0);
    Source lanes = form.integer(1);
    Source limits = form.integer(2);
    return (warp, mask) -> {
      int[] from = value.read(warp).clone();
      int[] b = lanes.read(warp);
      int[] c = limits.read(warp);
      int[] out = warp.registers[form.destination];
      int inside = 0;
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        int segment = c[lane] >> 8 & 31;
        int clamp = c[lane] & 31;
        int most = lane & segment | clamp & ~segment;
        int amount = b[lane] & 31;
        int wanted =
            switch (mode) {
              case "UP" -> lane - amount;
              case "DOWN" -> lane + amount;
              case "BFLY" -> lane ^ amount;
              default -> lane & segment | amount & ~segment;
            };
        boolean valid = mode.equals("UP") ? wanted >= most : wanted <= most;
        inside |= valid ? 1 << lane : 0;
        out[lane] = from[valid ? wanted : lane];
      }
      warp.setPredicate(form.output(0), mask, inside);
    };
  }

  private static int broadcast(boolean value) {
    return value ? -1 : 0;
  }

  private static LaneOperation vote(SassInstruction instruction) {
    instruction.allow("ANY", "ALL", "EQ");
    boolean register = instruction.operand(0).is(Kind.REGISTER);
    int destination = register ? Form.discard(instruction.operand(0).index()) : Warp.DISCARD;
    int next = register ? 1 : 0;
    int predicate = instruction.operand(next).index();
    int output =
        predicate % Warp.UNIFORM_PREDICATE == Warp.TRUE ? Warp.DISCARD_PREDICATE : predicate;
    Form.Input input = new Form.Input(instruction.operand(next + 1));
    String mode = instruction.oneOf("ANY", "ALL", "EQ");
    return (warp, mask) -> {
      int lanes = input.read(warp) & mask;
      boolean result =
          switch (mode) {
            case "ALL" -> lanes == mask;
            case "EQ" -> lanes == mask || lanes == 0;
            default -> lanes != 0;
          };
      write(warp, destination, mask, lanes);
      int written = output >= Warp.UNIFORM_PREDICATE ? -1 : mask;
      warp.setPredicate(output, written, broadcast(result));
    };
  }

  /** Writes one value to the lanes of a mask, or to a uniform register. */
  private static void write(Warp warp, int destination, int mask, int value) {
    int[] row = warp.registers[destination];
    if (destination >= Warp.UNIFORM) {
      Arrays.fill(row, value);
      return;
    }
    for (int m = mask; m != 0; m &= m - 1) {
      row[Integer.numberOfTrailingZeros(m)] = value;
    }
  }

  private static LaneOperation match(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow("ANY", "ALL", "U64", "U32");
    boolean all = instruction.has("ALL");
    boolean wide = instruction.has("U64");
    Source low = form.plain(0);
    Source high = wide ? Source.high(instruction, form.source(0)) : Source.constant(0);
    return (warp, mask) -> {
      int[] a = low.read(warp).clone();
      int[] b = high.read(warp).clone();
      int[] out = warp.registers[form.destination];
      int same = 0;
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        int equal = 0;
        for (int n = mask; n != 0; n &= n - 1) {
          int other = Integer.numberOfTrailingZeros(n);
          equal |= a[other] == a[lane] && b[other] == b[lane] ? 1 << other : 0;
        }
        out[lane] = all ? (equal == mask ? mask : 0) : equal;
        same |= equal == mask ? 1 << lane : 0;
      }
      warp.setPredicate(form.output(0), mask, same);
    };
  }

  private static LaneOperation reduce(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow("SUM", "MIN", "MAX", "AND", "OR", "XOR", "S32", "U32");
    String function = instruction.oneOf("AND", "SUM", "MIN", "MAX", "AND", "OR", "XOR");
    boolean signed = instruction.has("S32");
    Source source = form.plain(0);
    return (warp, mask) -> {
      int[] a = source.read(warp);
      int result = mask == 0 ? 0 : a[Integer.numberOfTrailingZeros(mask)];
      for (int m = mask & mask - 1; m != 0; m &= m - 1) {
        int value = a[Integer.numberOfTrailingZeros(m)];
        boolean less = signed ? value < result : Integer.compareUnsigned(value, result) < 0;
        result =
            switch (function) {
              case "SUM" -> result + value;
              case "MIN" -> less ? value : result;
              case "MAX" -> less ? result : value;
              case "OR" -> result | value;
              case "XOR" -> result ^ value;
              default -> result & value;
            };
      }
      if (mask != 0) {
        write(warp, form.destination, mask, result);
      }
    };
  }

  private static LaneOperation elect(Form form) {
    return (warp, mask) -> {
      int leader = Integer.numberOfTrailingZeros(mask);
      warp.setPredicate(form.output(0), mask, mask == 0 ? 0 : 1 << leader);
      if (mask != 0) {
        write(warp, form.destination, mask, leader);
      }
    };
  }

  private static LaneOperation special(Form form, boolean wide) {
    String name = form.source(0).text();
    SpecialRegister register = SpecialRegister.of(form.instruction, name);
    boolean looks = name.equals("SR_CLOCKLO") || name.equals("SR_GLOBALTIMERLO");
    int coordinate = List.of("SR_TID.X", "SR_TID.Y", "SR_TID.Z").indexOf(name);
    if (coordinate >= 0 && !wide && form.destination < Warp.UNIFORM) {
      return (warp, mask) -> {
        int[] out = warp.registers[form.destination];
        int[] threads = warp.threads()[coordinate];
        for (int m = mask; m != 0; m &= m - 1) {
          int lane = Integer.numberOfTrailingZeros(m);
          out[lane] = threads[lane];
        }
      };
    }
    return (warp, mask) -> {
      if (looks) {
        warp.look();
      }
      int[] out = warp.registers[form.destination];
      int[] outHigh = wide ? warp.registers[form.next(1)] : null;
      // A uniform register takes the value of one lane.
      int lanes = form.destination >= Warp.UNIFORM ? -1 : mask;
      int fixed = Integer.numberOfTrailingZeros(mask);
      for (int m = lanes; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        long value = register.value(warp, lanes == mask ? lane : fixed & 31);
        out[lane] = (int) value;
        if (wide) {
          outHigh[lane] = (int) (value >>> 32);
        }
      }
    };
  }

  /** R2UR P0, UR4, R2: one lane's value, and which lanes have another (.OR: or had before). */
  private static LaneOperation toUniform(Form form) {
    form.instruction.allow("OR");
    boolean or = form.instruction.has("OR");
    Source source = form.plain(0);
    int output = form.output(0);
    return (warp, mask) -> {
      if (mask == 0) {
        return;
      }
      int[] row = source.read(warp);
      int value = row[Integer.numberOfTrailingZeros(mask)];
      if (output != Warp.DISCARD_PREDICATE) {
        int others = or ? warp.predicates[output] : 0;
        for (int m = mask; m != 0; m &= m - 1) {
          int lane = Integer.numberOfTrailingZeros(m);
          others |= row[lane] != value ? 1 << lane : 0;
        }
        warp.setPredicate(output, mask, others);
      }
      write(warp, form.destination, mask, value);
    };
  }

  /** The bits by which a byte of a register, .B0 to .B3, is away from the lowest. */
  private static int byteShift(SassInstruction instruction, String name) {
    return switch (name) {
      case "", "B0" -> 0;
      case "B1" -> 8;
      case "B2" -> 16;
      case "B3" -> 24;
      default -> throw instruction.unsupported("expected a byte such as .B1");
    };
  }

  /** P2R R0, PR, R1, mask: the predicates that the mask names replace bits of a register. */
  private static LaneOperation fromPredicates(Form form) {
    form.instruction.allow("B0", "B1", "B2", "B3");
    int shift = byteShift(form.instruction, form.instruction.oneOf("", "B0", "B1", "B2", "B3"));
    Source kept = form.integer(1);
    Source bits = form.integer(2);
    return (warp, mask) -> {
      int[] a = kept.read(warp);
      int[] b = bits.read(warp);
      int[] out = warp.registers[form.destination];
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        int packed = 0;
        for (int p = 0; p < Warp.TRUE; p++) {
          packed |= (warp.predicates[p] >>> lane & 1) << p;
        }
        out[lane] = a[lane] & ~(b[lane] << shift) | (packed & b[lane]) << shift;
      }
    };
  }

  private static LaneOperation toPredicates(SassInstruction instruction) {
    instruction.allow();
    Source values = Source.integer(instruction, instruction.operand(1));
    int shift = byteShift(instruction, instruction.operand(1).selector());
    int chosen = (int) instruction.operand(2).value();
    return (warp, mask) -> {
      int[] a = values.read(warp);
      for (int p = 0; p < Warp.TRUE; p++) {
        if ((chosen >> p & 1) != 0) {
          int lanes = 0;
          for (int m = mask; m != 0; m &= m - 1) {
            int lane = Integer.numberOfTrailingZeros(m);
            lanes |= (a[lane] >>> shift + p & 1) << lane;
          }
          warp.setPredicate(p, mask, lanes);
        }
      }
    };
  }

  private static LaneOperation moveBarrier(SassInstruction instruction) {
    instruction.allow("32", "CLEAR");
    boolean clear = instruction.has("CLEAR");
    Operand to = instruction.operand(0);
    Operand from = instruction.operand(1);
    if (to.is(Kind.BARRIER)) {
      Source source = Source.integer(instruction, from);
      return (warp, mask) -> {
        int[] value = source.read(warp);
        for (int m = mask; m != 0; m &= m - 1) {
          int lane = Integer.numberOfTrailingZeros(m);
          warp.barriers[to.index()][lane] = value[lane];
        }
      };
    }
    if (!from.is(Kind.BARRIER)) {
      throw instruction.unsupported("expected a barrier register");
    }
    int destination = Form.discard(to.index());
    return (warp, mask) -> {
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        warp.registers[destination][lane] = warp.barriers[from.index()][lane];
        if (clear) {
          warp.barriers[from.index()][lane] = 0;
        }
      }
    };
  }

  private static LaneOperation barrierResult(SassInstruction instruction) {
    instruction.allow("RESULT");
    Form form = Form.of(instruction);
    int output =
        instruction.of(Kind.PREDICATE).isEmpty()
            ? Warp.DISCARD_PREDICATE
            : instruction.of(Kind.PREDICATE).get(0).index();
    return (warp, mask) -> {
      write(warp, form.destination, mask, warp.barrierResult);
      if (output % Warp.UNIFORM_PREDICATE != Warp.TRUE) {
        warp.setPredicate(output, mask, broadcast(warp.barrierResult != 0));
      }
    };
  }

  /** QSPC.E.S P0, RZ, [R4]: whether a generic address lies in a kind of memory. */
  private static LaneOperation space(SassInstruction instruction) {
    instruction.allow("E", "G", "S", "L");
    Form form = Form.of(instruction);
    MemoryInstruction.Address address =
        new MemoryInstruction.Address(
            instruction.of(Kind.MEMORY).get(0), MemoryInstruction.Space.GENERIC);
    MemoryInstruction.Space wanted =
        instruction.has("S")
            ? MemoryInstruction.Space.SHARED
            : instruction.has("L") ? MemoryInstruction.Space.LOCAL : MemoryInstruction.Space.GLOBAL;
    long[] addresses = new long[Warp.LANES];
    return (warp, mask) -> {
      address.compute(warp, mask, addresses);
      int inside = 0;
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        inside |= address.space(warp, addresses[lane]) == wanted ? 1 << lane : 0;
      }
      warp.setPredicate(form.output(0), mask, inside);
    };
  }

  private static LaneOperation loadConstant(Form form) {
    SassInstruction instruction = form.instruction;
    instruction.allow("64", "U8", "S8", "U16", "S16", "32");
    Operand operand = form.source(0);
    if (!operand.is(Kind.CONSTANT)) {
      throw instruction.unsupported("expected a constant c[bank][offset]");
    }
    boolean wide = instruction.has("64");
    String narrow = instruction.oneOf("", "U8", "S8", "U16", "S16");
    int bytes = narrow.isEmpty() ? 4 : Integer.parseInt(narrow.substring(1)) / 8;
    boolean signed = narrow.startsWith("S");
    int bank = operand.second();
    return (warp, mask) -> {
      ConstantBanks banks = warp.block.constants();
      int[] index = warp.registers[operand.index()];
      int[] out = warp.registers[form.destination];
      int[] outHigh = wide ? warp.registers[form.next(1)] : null;
      for (int m = mask; m != 0; m &= m - 1) {
        int lane = Integer.numberOfTrailingZeros(m);
        int at = (int) operand.value() + index[lane];
        out[lane] = banks.load(bank, at, bytes, signed);
        if (wide) {
          outHigh[lane] = banks.load(bank, at + 4, 4, false);
        }
      }
    };
  }
}
