package dev.warpline.isa.gcn;

import dev.warpline.isa.gcn.GcnOpcode.Access;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads a memory instruction's access kind and width from its mnemonic. */
record MemoryShape(Access access, int bytes, int elements) {
  private static final MemoryShape NONE = new MemoryShape(Access.NONE, 0, 0);
  private static final MemoryShape CONTROL = new MemoryShape(Access.CONTROL, 0, 0);

  private static final Pattern DWORDS = Pattern.compile("_dword(?:x(\\d+))?(?:_|$)");
  private static final Pattern DS_BITS = Pattern.compile("_[biuf](8|16|32|64|96|128)(?:_|$)");

  static MemoryShape of(GcnUnit unit, String mnemonic) {
    return switch (unit) {
      case LDS -> lds(mnemonic);
      case SCALAR_MEMORY, FLAT, GLOBAL, SCRATCH, BUFFER, IMAGE -> memory(mnemonic);
      default -> NONE;
    };
  }

  private static MemoryShape lds(String mnemonic) {
    if (mnemonic.startsWith("ds_gws") || mnemonic.equals("ds_nop")) {
      return CONTROL;
    }
    if (mnemonic.matches("ds_(bpermute|permute|swizzle)_b32")) {
      return NONE; // lanes exchange data, no memory is touched
    }
    Matcher bits = DS_BITS.matcher(mnemonic);
    int bytes = bits.find() ? Integer.parseInt(bits.group(1)) / 8 : 4;
    boolean two = mnemonic.matches("ds_(read|write|wrxchg)2.*");
    Access access = Access.ATOMIC;
    if (mnemonic.startsWith("ds_read")) {
      access = Access.LOAD;
    } else if (mnemonic.startsWith("ds_write")) {
      access = Access.STORE;
    }
    return new MemoryShape(access, bytes, two ? 2 : 1);
  }

  private static MemoryShape memory(String mnemonic) {
    Access access;
    if (mnemonic.contains("atomic")) {
      boolean wide = mnemonic.endsWith("_x2") || mnemonic.endsWith("_f64");
      return new MemoryShape(Access.ATOMIC, wide ? 8 : 4, 1);
    } else if (mnemonic.contains("_store")) {
      access = Access.STORE;
    } else if (mnemonic.contains("_load") || mnemonic.matches("image_(sample|gather).*")) {
      access = Access.LOAD;
    } else if (mnemonic.matches("s_mem(real)?time")) {
      return new MemoryShape(Access.LOAD, 8, 1);
    } else {
      return CONTROL;
    }
    Matcher dwords = DWORDS.matcher(mnemonic);
    int bytes = 0;
    if (mnemonic.contains("byte")) {
      bytes = 1;
    } else if (mnemonic.contains("short")) {
      bytes = 2;
    } else if (dwords.find()) {
      bytes = dwords.group(1) == null ? 4 : 4 * Integer.parseInt(dwords.group(1));
    }
    return new MemoryShape(access, bytes, 1);
  }
}
