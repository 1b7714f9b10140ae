package dev.warpline.nvidia.emulate;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The special function unit (MUFU) of an H200, to the last bit.
 *
 * <p>Every function is a table of quadratic polynomials: the leading bits of a reduced argument
 * choose one, the 17 bits X below are its variable. The unit's squarer adds the partial products of
 * X in the columns from 2^19 on and leaves out the others. What follows differs by function: most
 * results lose the bits that do not fit, few are rounded, by a constant that is part of the tables'
 * C0. Subnormal arguments count as zero, subnormal results become zero, but for TANH.
 */
final class SpecialFunctions {
  /** A function of the bits of a number. */
  interface Function {
    int apply(int bits);
  }

  private static final int SIGN = 0x80000000;
  private static final int INFINITY = 0x7f800000;
  private static final int ONE = 0x3f800000;
  private static final int MANTISSA = 0x7fffff;
  private static final int HIDDEN = 1 << 23;
  private static final int BIAS = 127;
  private static final int SPECIAL = 255;

  private static final int X_BITS = 17;
  private static final int X_MASK = (1 << X_BITS) - 1;
  private static final int FIRST_COLUMN = 19;

  /** Upper word of a double. */
  private static final int WIDE_INFINITY = 0x7ff00000;

  private static final int WIDE_MANTISSA = 0xfffff;
  private static final int WIDE_HIDDEN = 1 << 20;
  private static final int WIDE_BIAS = 1023;
  private static final int WIDE_SPECIAL = 0x7ff;

  /** The polynomials of a function. */
  private static final class Table {
    private static final char[] SQUARES = squares();
    private final long[] c0;
    private final int[] c1;
    private final int[] c2;

    private Table(List<String[]> rows) {
      c0 = rows.stream().mapToLong(row -> Long.parseLong(row[1])).toArray();
      c1 = rows.stream().mapToInt(row -> Integer.parseInt(row[2])).toArray();
      c2 = rows.stream().mapToInt(row -> Integer.parseInt(row[3])).toArray();
    }

    private static char[] squares() {
      char[] squares = new char[1 << X_BITS];
      for (int x = 0; x < squares.length; x++) {
        long sum = 0;
        for (int i = 0; i < X_BITS; i++) {
          if ((x >> i & 1) != 0) {
            // 2^2i, and 2^(i+j+1) for every higher bit j.
            int least = Math.max(i + 1, FIRST_COLUMN - 1 - i);
            sum += 2 * i >= FIRST_COLUMN ? 1L << 2 * i : 0;
            sum += (long) (x >> least << least) << i + 1;
          }
        }
        squares[x] = (char) (sum >> FIRST_COLUMN);
      }
      return squares;
    }

    long at(int interval, int x) {
      return c0[interval]
          + ((long) c1[interval] * x << 18)
          + ((long) c2[interval] * SQUARES[x] << FIRST_COLUMN);
    }
  }

  private static final Table RCP = table("rcp");
  private static final Table RSQ = table("rsq");
  private static final Table SQRT = table("sqrt");
  private static final Table EX2 = table("ex2");
  private static final Table LG2 = table("lg2");
  private static final Table SIN = table("sin");
  private static final Table TANH = table("tanh");

  private SpecialFunctions() {}

  private static Table table(String function) {
    try (InputStream in = SpecialFunctions.class.getResourceAsStream("mufu.tsv");
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))) {
      List<String[]> rows = new ArrayList<>();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        String[] row = line.split("\t", -1);
        if (row[0].equals(function)) {
          rows.add(row);
        }
      }
      return new Table(rows);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The function of a modifier such as RCP, or null. */
  static Function of(String name) {
    return switch (name) {
      case "RCP" -> SpecialFunctions::reciprocal;
      case "RSQ" -> SpecialFunctions::reciprocalRoot;
      case "SQRT" -> SpecialFunctions::root;
      case "EX2" -> SpecialFunctions::powerOfTwo;
      case "LG2" -> SpecialFunctions::logarithm;
      case "SIN" -> bits -> sine(bits, 0);
      case "COS" -> bits -> sine(bits & ~SIGN, 1);
      case "TANH" -> SpecialFunctions::tangent;
      case "RCP64H" -> SpecialFunctions::reciprocal64;
      case "RSQ64H" -> SpecialFunctions::reciprocalRoot64;
      default -> null;
    };
  }

  private static int exponent(int bits) {
    return bits >>> 23 & 0xff;
  }

  private static int reciprocal(int bits) {
    int exponent = exponent(bits);
    int mantissa = bits & MANTISSA;
    int sign = bits & SIGN;
    if (exponent == SPECIAL) {
      return mantissa != 0 ? Real.NAN : sign;
    }
    if (exponent == 0) {
      return sign | INFINITY;
    }
    int value = (int) (RCP.at(mantissa >> 16, (mantissa & 0xffff) << 1) >> 34);
    int result = (2 * BIAS - 1 - exponent << 23) + value - HIDDEN;
    return result < HIDDEN ? sign : sign | result;
  }

  private static int reciprocalRoot(int bits) {
    int exponent = exponent(bits);
    int mantissa = bits & MANTISSA;
    if (exponent == 0) {
      return bits & SIGN | INFINITY;
    }
    if (bits < 0 || exponent == SPECIAL) {
      return bits == INFINITY ? 0 : Real.NAN;
    }
    int power = exponent - BIAS;
    int odd = power & 1;
    int value =
        odd == 0 && mantissa == 0
            ? 2 * HIDDEN
            : (int) (RSQ.at((mantissa >> X_BITS) + 64 * odd, mantissa & X_MASK) >> 34);
    return (BIAS - 1 - (power >> 1) << 23) + value - HIDDEN;
  }

  private static int root(int bits) {
    int exponent = exponent(bits);
    int mantissa = bits & MANTISSA;
    if (exponent == 0) {
      return bits & SIGN;
    }
    if (bits < 0 || exponent == SPECIAL) {
      return bits == INFINITY ? INFINITY : Real.NAN;
    }
    int power = exponent - BIAS;
    int interval = (mantissa >> X_BITS) + 64 * (power & 1);
    int value = (int) (SQRT.at(interval, mantissa & X_MASK) >> 35);
    return (BIAS + (power >> 1) << 23) + value - HIDDEN;
  }

  private static int powerOfTwo(int bits) {
    int exponent = exponent(bits);
    int mantissa = bits & MANTISSA;
    if (exponent == SPECIAL) {
      return mantissa != 0 ? Real.NAN : bits < 0 ? 0 : INFINITY;
    }
    int power = exponent - BIAS;
    if (power > 7) {
      return bits < 0 ? 0 : INFINITY;
    }
    long magnitude = power < -23 ? 0 : shift(mantissa | HIDDEN, power);
    // A minus inverts the bits, which is little less than it should be, but for whole numbers.
    long fixed = bits >= 0 ? magnitude : (magnitude & MANTISSA) == 0 ? -magnitude : ~magnitude;
    int whole = (int) (fixed >> 23);
    int part = (int) fixed & MANTISSA;
    if (whole > BIAS) {
      return INFINITY;
    }
    if (whole <= -BIAS) {
      return 0;
    }
    int value = (int) (EX2.at(part >> X_BITS, part & X_MASK) >> 34);
    return (BIAS + whole << 23) + value - HIDDEN;
  }

  private static long shift(int value, int left) {
    return left >= 0 ? (long) value << left : value >> -left;
  }

  private static int logarithm(int bits) {
    int exponent = exponent(bits);
    int mantissa = bits & MANTISSA;
    if (exponent == 0) {
      return SIGN | INFINITY;
    }
    if (bits < 0 || exponent == SPECIAL) {
      return bits == INFINITY ? INFINITY : Real.NAN;
    }
    if (bits == ONE) {
      return 0;
    }
    long part = LG2.at(mantissa >> X_BITS, mantissa & X_MASK) >> 20;
    long fixed = ((long) (exponent - BIAS) << 36) + part;
    return fixed < 0 ? SIGN | normalise(~fixed, 36) : normalise(fixed, 36);
  }

  /** The number of turns is taken to 2^-25; odd quarters run backwards. */
  private static int sine(int bits, int quarters) {
    int exponent = exponent(bits);
    if (exponent == SPECIAL) {
      return Real.NAN;
    }
    int left = exponent - BIAS + 2;
    int turns =
        exponent == 0 || left < -23 || left > 25
            ? 0
            : (int) shift(bits & MANTISSA | HIDDEN, left) & (1 << 25) - 1;
    int quarter = (turns >> 23) + quarters;
    int part = (quarter & 1) != 0 ? ~turns & MANTISSA : turns & MANTISSA;
    int sign = bits & SIGN ^ (quarter & 2) << 30;
    long fixed = SIN.at(part >> X_BITS, part & X_MASK) >> 18;
    return sign | (fixed >= 1L << 38 ? ONE : normalise(fixed, 38));
  }

  private static int tangent(int bits) {
    int exponent = exponent(bits);
    int mantissa = bits & MANTISSA;
    int sign = bits & SIGN;
    int power = exponent - BIAS;
    if (exponent == SPECIAL && mantissa != 0) {
      return Real.NAN;
    }
    if (power < -8) {
      return bits;
    }
    if (power > 2) {
      return sign | ONE;
    }
    // Intervals from 2^power to twice that, and the first of them.
    int intervalBits =
        switch (power) {
          case -8, -7, -6 -> 0;
          case -5, -4 -> 1;
          case -3, -2, -1 -> 2;
          case 1 -> 4;
          default -> 3;
        };
    int first =
        switch (power) {
          case -8, -7, -6 -> power + 8;
          case -5, -4 -> 3 + 2 * (power + 5);
          case -3, -2, -1 -> 7 + 4 * (power + 3);
          case 0 -> 19;
          case 1 -> 27;
          default -> 43;
        };
    int interval = first + (mantissa >> 23 - intervalBits);
    int x = mantissa >> 6 - intervalBits & X_MASK;
    int point = 38 - Math.min(power, 0);
    long fixed = TANH.at(interval, x) >> 20;
    return sign | (fixed >= 1L << point ? ONE : normalise(fixed, point));
  }

  /** A fixed-point number as a float, without the bits that do not fit. */
  private static int normalise(long fixed, int point) {
    if (fixed == 0) {
      return 0;
    }
    int power = 63 - Long.numberOfLeadingZeros(fixed);
    int mantissa = (int) (power > 23 ? fixed >> power - 23 : fixed << 23 - power);
    return (BIAS + power - point << 23) + mantissa - HIDDEN;
  }

  private static int reciprocal64(int high) {
    int exponent = high >>> 20 & WIDE_SPECIAL;
    int mantissa = (high & WIDE_MANTISSA) << 3;
    int sign = high & SIGN;
    if (exponent == WIDE_SPECIAL) {
      return mantissa != 0 ? Real.NAN : sign;
    }
    if (exponent == 0) {
      return sign | WIDE_INFINITY;
    }
    int value = (int) (RCP.at(mantissa >> 16, (mantissa & 0xffff) << 1) >> 37);
    int result = (2 * WIDE_BIAS - 1 - exponent << 20) + value - WIDE_HIDDEN;
    return result < WIDE_HIDDEN ? sign : sign | result;
  }

  private static int reciprocalRoot64(int high) {
    int exponent = high >>> 20 & WIDE_SPECIAL;
    int mantissa = (high & WIDE_MANTISSA) << 3;
    if (exponent == 0) {
      return high & SIGN | WIDE_INFINITY;
    }
    if (high < 0 || exponent == WIDE_SPECIAL) {
      return high == WIDE_INFINITY ? 0 : Real.NAN;
    }
    int power = exponent - WIDE_BIAS;
    int odd = power & 1;
    int value =
        odd == 0 && mantissa == 0
            ? 2 * WIDE_HIDDEN
            : (int) (RSQ.at((mantissa >> X_BITS) + 64 * odd, mantissa & X_MASK) >> 37);
    return (WIDE_BIAS - 1 - (power >> 1) << 20) + value - WIDE_HIDDEN;
  }
}
