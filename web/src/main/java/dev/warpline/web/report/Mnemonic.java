package dev.warpline.web.report;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the listing's text says of an instruction to people who read it: which memory it goes to,
 * how many bytes a lane moves, how many floating-point operations it does. SASS and GCN.
 */
record Mnemonic(String name, Space space, int bytesPerLane, double flopsPerLane, Kind kind) {
  /** Which memory an instruction goes to. */
  enum Space {
    NONE,
    GLOBAL,
    LOCAL,
    SHARED,
    CONSTANT,
    BULK
  }

  /** Which roofline an instruction counts for. */
  enum Kind {
    NONE,
    FP64,
    FP32,
    FP16,
    TENSOR
  }

  private static final Pattern PREDICATE = Pattern.compile("^(@!?U?P[T0-9]\\s+)");
  private static final Pattern SHAPE = Pattern.compile("\\.(\\d+)x(\\d+)x(\\d+)");
  private static final Pattern MMA = Pattern.compile("\\.(16|8)(8)(4|8|16|32|64)(\\.|$)");
  private static final Pattern GCN_WIDTH = Pattern.compile("dword(?:x(\\d+))?");
  private static final int LANES = 32;

  static Mnemonic of(String text) {
    String bare = PREDICATE.matcher(text).replaceFirst("");
    int end = bare.indexOf(' ');
    String name = end < 0 ? bare : bare.substring(0, end);
    Space space = space(name);
    // Compilers move constants with HFMA2.MMA R1, -RZ, RZ, ...: no arithmetic.
    boolean move = bare.contains("-RZ, RZ,");
    return new Mnemonic(
        name,
        space,
        space == Space.NONE ? 0 : width(name),
        move ? 0 : flops(name),
        move ? Kind.NONE : kind(name));
  }

  private static Space space(String name) {
    String op = stem(name);
    if (op.startsWith("ds_") || op.matches("LDS|STS|ATOMS|LDSM|STSM")) {
      return Space.SHARED;
    }
    if (op.startsWith("s_load") || op.startsWith("s_buffer_load") || op.matches("LDC|LDCU|ULDC")) {
      return Space.CONSTANT;
    }
    if (op.matches("LDL|STL") || op.startsWith("scratch_")) {
      return Space.LOCAL;
    }
    if (op.startsWith("UTMA") || op.equals("UBLKCP") || op.equals("UBLKRED")) {
      return Space.BULK;
    }
    boolean gcn = op.matches("(global|flat|buffer)_(load|store|atomic).*");
    return gcn || op.matches("LDG|STG|LD|ST|ATOMG|ATOM|RED|REDG|LDGSTS|TEX|TLD|TLD4|SULD|SUST")
        ? Space.GLOBAL
        : Space.NONE;
  }

  private static int width(String name) {
    Matcher gcn = GCN_WIDTH.matcher(name);
    if (gcn.find()) {
      return gcn.group(1) == null ? 4 : 4 * Integer.parseInt(gcn.group(1));
    }
    for (String part : name.split("[._]")) {
      switch (part) {
        case "128", "b128" -> {
          return 16;
        }
        case "64", "b64" -> {
          return 8;
        }
        case "U16", "S16", "u16", "ushort", "sshort", "short" -> {
          return 2;
        }
        case "U8", "S8", "u8", "ubyte", "sbyte", "byte" -> {
          return 1;
        }
        default -> {}
      }
    }
    return 4;
  }

  private static Kind kind(String name) {
    String op = stem(name);
    if (op.matches("HMMA|IMMA|BMMA|QMMA|HGMMA|QGMMA|IGMMA") || op.startsWith("v_mfma")) {
      return Kind.TENSOR;
    }
    if (op.matches("DADD|DMUL|DFMA") || op.matches("v_(add|mul|fma)_f64")) {
      return Kind.FP64;
    }
    if (op.matches("HADD2|HMUL2|HFMA2") || op.matches("v_(pk_)?(add|mul|fma|mac)_f16")) {
      return Kind.FP16;
    }
    return op.matches("FADD|FMUL|FFMA") || op.matches("v_(add|sub|mul|fma|mac|mad|fmac)_f32")
        ? Kind.FP32
        : Kind.NONE;
  }

  private static double flops(String name) {
    String op = stem(name);
    switch (kind(name)) {
      case TENSOR -> {
        Matcher shape = SHAPE.matcher(name);
        if (shape.find()) {
          // A warpgroup product is issued once by each of its four warps.
          return 2.0 * product(shape) / (4 * LANES);
        }
        Matcher mma = MMA.matcher(name);
        return mma.find() ? 2.0 * product(mma) / LANES : 0;
      }
      case FP32, FP64 -> {
        return op.matches("FFMA|DFMA") || op.matches("v_(fma|mac|mad|fmac)_.*") ? 2 : 1;
      }
      case FP16 -> {
        boolean fused = op.equals("HFMA2") || op.matches(".*_(fma|mac)_.*");
        boolean packed = !op.startsWith("v_") || op.startsWith("v_pk_");
        return (fused ? 2 : 1) * (packed ? 2 : 1);
      }
      default -> {
        return 0;
      }
    }
  }

  private static double product(Matcher shape) {
    return Double.parseDouble(shape.group(1))
        * Double.parseDouble(shape.group(2))
        * Double.parseDouble(shape.group(3));
  }

  private static String stem(String name) {
    int dot = name.indexOf('.');
    String stem = dot < 0 ? name : name.substring(0, dot);
    return stem.replaceAll("_e(32|64)$", "");
  }
}
