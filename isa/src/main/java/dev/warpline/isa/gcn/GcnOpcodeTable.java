package dev.warpline.isa.gcn;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All opcodes and encodings of the three targets, read from {@code opcodes.tsv}. Immutable. */
public final class GcnOpcodeTable {
  private static final int NUMBERS = 1024;
  private static final GcnOpcodeTable STANDARD = read("opcodes.tsv");

  private final List<GcnOpcode> opcodes = new ArrayList<>();
  private final Map<String, GcnOpcode> byMnemonic = new HashMap<>();
  private final List<GcnEncoding> encodings = new ArrayList<>();
  private final GcnEncoding[] lookup =
      new GcnEncoding[GcnTarget.values().length * GcnFormat.values().length * NUMBERS];

  private GcnOpcodeTable() {}

  /** The table that comes with Warpline. */
  public static GcnOpcodeTable standard() {
    return STANDARD;
  }

  /** All opcodes; the position is the {@link GcnOpcode#id}. */
  public List<GcnOpcode> opcodes() {
    return Collections.unmodifiableList(opcodes);
  }

  /** The opcode with this mnemonic (without encoding suffix). */
  public GcnOpcode opcode(String mnemonic) {
    GcnOpcode opcode = byMnemonic.get(mnemonic);
    if (opcode == null) {
      throw new IllegalArgumentException("no GCN opcode is called " + mnemonic);
    }
    return opcode;
  }

  List<GcnEncoding> encodings() {
    return Collections.unmodifiableList(encodings);
  }

  /** The encoding with this opcode number, or null where the target has none. */
  GcnEncoding encoding(GcnTarget target, GcnFormat format, int number) {
    return lookup[index(target, format, number)];
  }

  private static int index(GcnTarget target, GcnFormat format, int number) {
    return (target.ordinal() * GcnFormat.values().length + format.ordinal()) * NUMBERS + number;
  }

  private static GcnOpcodeTable read(String resource) {
    GcnOpcodeTable table = new GcnOpcodeTable();
    int line = 0;
    try (InputStream in = GcnOpcodeTable.class.getResourceAsStream(resource);
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String row = reader.readLine(); row != null; row = reader.readLine()) {
        line++;
        if (!row.startsWith("#")) {
          table.add(row.split("\t"));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (RuntimeException e) {
      throw new IllegalStateException(resource + ":" + line + ": malformed row", e);
    }
    return table;
  }

  private void add(String[] row) {
    GcnFormat format = GcnFormat.valueOf(row[0]);
    int number = Integer.parseInt(row[1]);
    String name = row[3];
    GcnOpcode opcode =
        byMnemonic.computeIfAbsent(
            name.replaceFirst("_e(32|64)$", ""), m -> newOpcode(m, format, row[5]));
    int targets = 0;
    for (String processor : row[2].split(",")) {
      targets |= 1 << GcnTarget.ofProcessor(processor).orElseThrow().ordinal();
    }
    GcnEncoding encoding =
        new GcnEncoding(
            format,
            number,
            targets,
            name,
            opcode,
            GcnEncoding.parseOperands(row[4]),
            Modifiers.parse(row[6]));
    encodings.add(encoding);
    for (GcnTarget target : GcnTarget.values()) {
      if ((targets >> target.ordinal() & 1) != 0) {
        lookup[index(target, format, number)] = encoding;
      }
    }
  }

  private GcnOpcode newOpcode(String mnemonic, GcnFormat format, String implicit) {
    int reads = 0;
    int writes = 0;
    if (!implicit.equals("-")) {
      for (String part : implicit.split(" ")) {
        int mask = ImplicitRegisters.parse(part.substring(2));
        if (part.startsWith("r:")) {
          reads = mask;
        } else {
          writes = mask;
        }
      }
    }
    GcnUnit unit = unit(mnemonic, format);
    MemoryShape shape = MemoryShape.of(unit, mnemonic);
    GcnOpcode opcode =
        new GcnOpcode(
            opcodes.size(),
            mnemonic,
            unit,
            reads,
            writes,
            shape.access(),
            shape.bytes(),
            shape.elements());
    opcodes.add(opcode);
    return opcode;
  }

  private static GcnUnit unit(String mnemonic, GcnFormat format) {
    if (mnemonic.matches("s_(branch|cbranch_.*|setpc_b64|swappc_b64|call_b64|rfe_.*)")) {
      return GcnUnit.BRANCH;
    }
    if (mnemonic.matches("v_s?mfmac?_.*")) {
      return GcnUnit.MATRIX;
    }
    return switch (format) {
      case SOP2, SOPK, SOP1, SOPC -> GcnUnit.SCALAR_ALU;
      case SOPP -> GcnUnit.SEQUENCER;
      case SMEM -> GcnUnit.SCALAR_MEMORY;
      case VOP1, VOP2, VOPC, VOP3, VOP3P -> GcnUnit.VECTOR_ALU;
      case DS -> GcnUnit.LDS;
      case FLAT -> GcnUnit.FLAT;
      case GLOBAL -> GcnUnit.GLOBAL;
      case SCRATCH -> GcnUnit.SCRATCH;
      case MUBUF, MTBUF -> GcnUnit.BUFFER;
      case MIMG -> GcnUnit.IMAGE;
    };
  }
}
