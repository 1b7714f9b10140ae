package dev.warpline.nvidia.emulate;

import dev.warpline.isa.SassOperand.Kind;
import java.util.List;
import java.util.Set;

/** Read-modify-write of memory, lane after lane. */
final class Atomic extends MemoryInstruction {
  private static final Set<String> KNOWN =
      Set.of(
          "E", "SYS", "GPU", "SM", "CTA", "VC", "STRONG", "WEAK", "ADD", "MIN", "MAX", "INC", "DEC",
          "AND", "OR", "XOR", "EXCH", "CAS", "CAST", "SPIN", "POPC", "S32", "U32", "S64", "U64",
          "32", "64", "128", "F32", "F64", "F16x2", "F16x4", "F16x8", "BF16x2", "BF16x4", "BF16x8",
          "BF16_V2", "F32x2", "F32x4", "RN", "FTZ");

  private static final int MOST_WORDS = 4;

  private final Address address;
  private final Space space;
  private final String function;
  private final String type;

  /** Words of an access, and of each of its elements. */
  private final int words;

  private final int elementWords;
  private final boolean flush;
  private final boolean swaps;
  private final boolean spins;
  private final int destination;
  private final int value;
  private final int compared;
  private final int[] old = new int[MOST_WORDS];

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
            "U32", "S32", "S64", "U64", "F32", "F64", "F16x2", "F16x4", "F16x8", "BF16x2", "BF16x4",
            "BF16x8", "BF16_V2", "F32x2", "F32x4");
    words =
        switch (type) {
          case "S64", "U64", "F64", "F16x4", "BF16x4", "F32x2" -> 2;
          case "F16x8", "BF16x8", "F32x4" -> 4;
          default -> instruction.has("128") ? 4 : instruction.has("64") ? 2 : 1;
        };
    elementWords = type.contains("x") || words == 1 ? 1 : 2;
    flush = instruction.has("FTZ");
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

  private static int word(Warp warp, int register, int distance, int lane) {
    boolean zero = register == Warp.ZERO || register == Warp.UNIFORM_ZERO;
    return warp.registers[zero ? register : register + distance][lane];
  }

  @Override
  public void execute(Warp warp, int mask) {
    address.compute(warp, mask, addresses);
    for (int m = mask; m != 0; m &= m - 1) {
      int lane = Integer.numberOfTrailingZeros(m);
      long at = addresses[lane];
      align(at, 4 * words);
      Space where = space != null ? space : address.space(warp, at);
      boolean equal = true;
      for (int i = 0; i < words; i++) {
        old[i] = load(warp, where, at + 4 * i, lane, 4, false);
        equal &= old[i] == word(warp, compared, i, lane);
      }
      if (swaps || words > 2 && elementWords > 1) {
        for (int i = 0; i < words && (equal || !swaps); i++) {
          store(warp, where, at + 4 * i, lane, 4, word(warp, value, i, lane));
        }
      } else {
        update(warp, where, at, lane);
      }
      if (destination != Warp.DISCARD) {
        for (int i = 0; i < words; i++) {
          // CAST.SPIN says whether it succeeded; the others return what was there.
          warp.registers[destination + i][lane] = !spins ? old[i] : equal && i == 0 ? 1 : 0;
        }
      }
    }
  }

  private void update(Warp warp, Space where, long at, int lane) {
    for (int i = 0; i < words; i += elementWords) {
      if (elementWords == 1) {
        int result = (int) apply(old[i], word(warp, value, i, lane));
        store(warp, where, at + 4 * i, lane, 4, result);
      } else {
        long given = Words64.join(word(warp, value, i, lane), word(warp, value, i + 1, lane));
        long result = apply(Words64.join(old[i], old[i + 1]), given);
        store(warp, where, at + 4 * i, lane, 4, (int) result);
        store(warp, where, at + 4 * i + 4, lane, 4, (int) (result >>> 32));
      }
    }
  }

  private long apply(long before, long given) {
    return switch (function) {
      case "POPC" -> before + 1;
      case "EXCH" -> given;
      case "AND" -> before & given;
      case "OR" -> before | given;
      case "XOR" -> before ^ given;
      case "INC" -> Integer.compareUnsigned((int) before, (int) given) >= 0 ? 0 : before + 1;
      case "DEC" ->
          before == 0 || Integer.compareUnsigned((int) before, (int) given) > 0
              ? given
              : before - 1;
      case "MIN" ->
          type.contains("F") ? halves(before, given) : less(given, before) ? given : before;
      case "MAX" ->
          type.contains("F") ? halves(before, given) : less(before, given) ? given : before;
      default -> add(before, given);
    };
  }

  private boolean less(long a, long b) {
    return type.startsWith("S") ? a < b : Long.compareUnsigned(a, b) < 0;
  }

  private long add(long before, long given) {
    return switch (type) {
      case "F32", "F32x2", "F32x4" -> {
        float sum = number((int) before) + number((int) given);
        yield Real.bits(flush ? Real.flush(sum) : sum);
      }
      case "F64" -> {
        double first = Double.longBitsToDouble(before);
        double second = Double.longBitsToDouble(given);
        double sum = first + second;
        yield !Double.isNaN(sum)
            ? Double.doubleToRawLongBits(sum)
            : Double.isNaN(second) ? given : Double.isNaN(first) ? before : Real.DOUBLE_NAN;
      }
      case "S32", "S64", "U32", "U64" -> before + given;
      default -> halves(before, given);
    };
  }

  private float number(int bits) {
    float value = Float.intBitsToFloat(bits);
    return flush ? Real.flush(value) : value;
  }

  /** A function of the two halves of a word. */
  private int halves(long a, long b) {
    HalfFormat kind = type.startsWith("BF16") ? HalfFormat.BFLOAT : HalfFormat.HALF;
    int result = 0;
    for (int shift = 0; shift <= 16; shift += 16) {
      int x = (int) a >>> shift & 0xffff;
      int y = (int) b >>> shift & 0xffff;
      int half =
          function.equals("ADD")
              ? kind.nearest(Real.sumToOdd(kind.value(x), kind.value(y)))
              : HalfOperations.least(kind, x, y, false, function.equals("MIN"));
      result |= (half & 0xffff) << shift;
    }
    return result;
  }
}
