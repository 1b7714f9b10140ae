package dev.warpline.nvidia.emulate;

import dev.warpline.isa.SassOperand.Kind;
import java.util.List;
import java.util.Set;

/** Read-modify-write of memory, lane after lane. */
final class Atomic extends MemoryInstruction {
  private static final Set<String> KNOWN =
      Set.of(
          "E", "SYS", "GPU", "SM", "CTA", "STRONG", "WEAK", "ADD", "MIN", "MAX", "INC", "DEC",
          "AND", "OR", "XOR", "EXCH", "CAS", "CAST", "SPIN", "POPC", "S32", "U32", "S64", "U64",
          "32", "64", "F32", "F64", "F16x2", "BF16x2", "BF16_V2", "RN", "FTZ");

  private final Address address;
  private final Space space;
  private final String function;
  private final String type;
  private final boolean wide;
  private final boolean swaps;
  private final boolean spins;
  private final int destination;
  private final int value;
  private final int compared;

  Atomic(SassInstruction instruction, Address address) {
    for (String modifier : instruction.modifiers()) {
      if (!KNOWN.contains(modifier)) {
        throw instruction.unsupported("modifier ." + modifier + " is not emulated");
      }
    }
    this.address = address;
    space = instruction.mnemonic().equals("ATOMS") ? Space.SHARED : null;
    boolean popc = instruction.has("POPC");
    function =
        popc
            ? "POPC"
            : instruction.oneOf(
                "ADD", "ADD", "MIN", "MAX", "INC", "DEC", "AND", "OR", "XOR", "EXCH", "CAS",
                "CAST");
    type =
        instruction.oneOf(
            "U32", "S32", "S64", "U64", "F32", "F64", "F16x2", "BF16x2", "BF16_V2", "U32");
    wide = instruction.has("64") || type.equals("S64") || type.equals("U64") || type.equals("F64");
    swaps = function.equals("CAS") || function.equals("CAST");
    spins = function.equals("CAST");
    boolean returns = instruction.mnemonic().startsWith("ATOM");
    List<Operand> registers = instruction.of(Kind.REGISTER);
    int first = returns ? 1 : 0;
    destination = returns ? Form.discard(registers.get(0).index()) : Warp.DISCARD;
    int needed = first + (popc ? 0 : swaps ? 2 : 1);
    if (registers.size() < needed) {
      throw instruction.unsupported("expected " + needed + " registers");
    }
    compared = swaps ? registers.get(first).index() : Warp.ZERO;
    value = popc ? Warp.ZERO : registers.get(swaps ? first + 1 : first).index();
  }

  private long operand(Warp warp, int register, int lane) {
    int low = warp.registers[register][lane];
    if (!wide) {
      return low;
    }
    boolean zero = register == Warp.ZERO || register == Warp.UNIFORM_ZERO;
    return Words64.join(low, warp.registers[zero ? register : register + 1][lane]);
  }

  @Override
  public void execute(Warp warp, int mask) {
    address.compute(warp, mask, addresses);
    int bytes = wide ? 8 : 4;
    for (int m = mask; m != 0; m &= m - 1) {
      int lane = Integer.numberOfTrailingZeros(m);
      long at = addresses[lane];
      align(at, bytes);
      Space where = space != null ? space : address.space(warp, at);
      long old = load(warp, where, at, lane, 4, false);
      if (wide) {
        old = Words64.join((int) old, load(warp, where, at + 4, lane, 4, false));
      }
      long given = operand(warp, value, lane);
      boolean equal = swaps && operand(warp, compared, lane) == old;
      long result = swaps ? (equal ? given : old) : apply(old, given);
      store(warp, where, at, lane, 4, (int) result);
      if (wide) {
        store(warp, where, at + 4, lane, 4, (int) (result >>> 32));
      }
      // CAST.SPIN says whether it succeeded; the others return what was there.
      warp.registers[destination][lane] = spins ? (equal ? 1 : 0) : (int) old;
      if (wide && destination != Warp.DISCARD) {
        warp.registers[destination + 1][lane] = (int) (old >>> 32);
      }
    }
  }

  private long apply(long old, long given) {
    return switch (function) {
      case "POPC" -> old + 1;
      case "EXCH" -> given;
      case "AND" -> old & given;
      case "OR" -> old | given;
      case "XOR" -> old ^ given;
      case "INC" -> Integer.compareUnsigned((int) old, (int) given) >= 0 ? 0 : old + 1;
      case "DEC" ->
          old == 0 || Integer.compareUnsigned((int) old, (int) given) > 0 ? given : old - 1;
      case "MIN" -> less(given, old) ? given : old;
      case "MAX" -> less(old, given) ? given : old;
      default -> add(old, given);
    };
  }

  private boolean less(long a, long b) {
    return type.startsWith("S") ? a < b : Long.compareUnsigned(a, b) < 0;
  }

  private long add(long old, long given) {
    return switch (type) {
      case "F32" ->
          Real.bits(
              Real.flush(Float.intBitsToFloat((int) old) + Float.intBitsToFloat((int) given)));
      case "F64" ->
          Double.doubleToRawLongBits(Double.longBitsToDouble(old) + Double.longBitsToDouble(given));
      case "F16x2" -> halves((int) old, (int) given, false);
      case "BF16x2", "BF16_V2" -> halves((int) old, (int) given, true);
      default -> old + given;
    };
  }

  private static int halves(int a, int b, boolean bfloat) {
    int result = 0;
    for (int shift = 0; shift <= 16; shift += 16) {
      int x = a >>> shift & 0xffff;
      int y = b >>> shift & 0xffff;
      int sum =
          bfloat
              ? Real.toBfloat(Real.sumToOdd(Real.fromBfloat(x), Real.fromBfloat(y)))
              : Real.toHalf(Real.sumToOdd(Real.fromHalf(x), Real.fromHalf(y)));
      result |= (sum & 0xffff) << shift;
    }
    return result;
  }
}
