package dev.warpline.isa;

/**
 * The registers of a thread in one numbering: regular (R), uniform (UR), predicates (P), uniform
 * predicates (UP) and convergence barriers (B), one kind after the other. What depends on what is
 * so a question of equal numbers.
 *
 * <p>Traces number regular registers alone, and those numbers are the same here.
 */
public final class Registers {
  /** R0; the others follow. */
  public static final int R = 0;

  /** RZ reads as zero: never a dependence. */
  public static final int RZ = 255;

  /** UR0. Up to Hopper there are 63 of them, later 80. */
  public static final int UR = 256;

  public static final int URZ = UR + 127;

  /** P0. */
  public static final int P = URZ + 1;

  /** PT reads as true: never a dependence. */
  public static final int PT = P + 7;

  /** UP0. */
  public static final int UP = PT + 1;

  public static final int UPT = UP + 7;

  /** B0. */
  public static final int B = UPT + 1;

  /** How many numbers there are. */
  public static final int COUNT = B + 16;

  /**
   * Where a trace without a listing hides which predicate is meant, it is this one, in PT's place:
   * a compare writes it, a branch reads it.
   */
  public static final int UNNAMED_PREDICATE = PT;

  /** Its like among the uniform predicates. */
  public static final int UNNAMED_UNIFORM_PREDICATE = UPT;

  /** Stands for no register. */
  public static final int NONE = -1;

  private Registers() {}

  /** Whether a register holds a constant: RZ, URZ, PT, UPT. */
  public static boolean isConstant(int register) {
    return register == RZ || register == URZ || register == PT || register == UPT;
  }

  public static boolean isRegular(int register) {
    return register >= R && register <= RZ;
  }

  public static boolean isUniform(int register) {
    return register >= UR && register <= URZ;
  }

  /** Whether it is a predicate of either kind. */
  public static boolean isPredicate(int register) {
    return register >= P && register <= UPT;
  }

  /**
   * The number of a register by its name, such as {@code UR12} or {@code PT}; {@link #NONE} if the
   * text is no such name.
   */
  public static int number(String name) {
    int digits = 0;
    while (digits < name.length() && Character.isUpperCase(name.charAt(digits))) {
      digits++;
    }
    switch (name) {
      case "RZ":
        return RZ;
      case "URZ":
        return URZ;
      case "PT":
        return PT;
      case "UPT":
        return UPT;
      default:
        break;
    }
    int index = AccessWidth.number(name, digits, name.length());
    if (index < 0) {
      return NONE;
    }
    return switch (name.substring(0, digits)) {
      case "R" -> index < RZ ? R + index : index == RZ ? RZ : NONE;
      case "UR" -> UR + index < URZ ? UR + index : NONE;
      case "P" -> P + index < PT ? P + index : NONE;
      case "UP" -> UP + index < UPT ? UP + index : NONE;
      case "B" -> B + index < COUNT ? B + index : NONE;
      default -> NONE;
    };
  }

  /** The name of a register, such as {@code UR12} or {@code PT}. */
  public static String name(int register) {
    if (register < UR) {
      return register == RZ ? "RZ" : "R" + register;
    }
    if (register < P) {
      return register == URZ ? "URZ" : "UR" + (register - UR);
    }
    if (register < UP) {
      return register == PT ? "PT" : "P" + (register - P);
    }
    if (register < B) {
      return register == UPT ? "UPT" : "UP" + (register - UP);
    }
    return "B" + (register - B);
  }
}
