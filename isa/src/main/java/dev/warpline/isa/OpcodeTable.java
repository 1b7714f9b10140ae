package dev.warpline.isa;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The SASS opcodes of one GPU generation, read from the data files {@code sass/*.tsv} beside this
 * class. Immutable, safe for use by many threads.
 */
public final class OpcodeTable {
  private final String generation;
  private final Map<String, Opcode> opcodes;

  private OpcodeTable(String generation, Map<String, Opcode> opcodes) {
    this.generation = generation;
    this.opcodes = Collections.unmodifiableMap(opcodes);
  }

  /**
   * The table for a trace's binary version (SM number, e.g. 90). A number between two known ones
   * gets the table of the lower one: NVIDIA numbers the members of a family upwards.
   */
  public static OpcodeTable forBinaryVersion(int binaryVersion) {
    Generation best = Generation.KEPLER;
    for (Generation candidate : Generation.values()) {
      if (candidate.firstVersion <= binaryVersion) {
        best = candidate;
      }
    }
    return best.table();
  }

  /** Name of the generation, e.g. {@code hopper}. */
  public String generation() {
    return generation;
  }

  /** All opcodes, those of the oldest generation first. */
  public Collection<Opcode> opcodes() {
    return opcodes.values();
  }

  /**
   * What is known of an instruction by its mnemonic, modifiers allowed ({@code LDG.E.64}). An
   * unknown opcode gets a stand-in with {@link Opcode#known} false that behaves like a simple
   * integer (or, for names in U, uniform) instruction.
   */
  public Opcode lookup(String mnemonic) {
    int dot = mnemonic.indexOf('.');
    String name = dot < 0 ? mnemonic : mnemonic.substring(0, dot);
    Opcode opcode = opcodes.get(name);
    return opcode != null ? opcode : standIn(name);
  }

  private Opcode standIn(String name) {
    boolean uniform = name.startsWith("U") && opcodes.containsKey("UMOV");
    return new Opcode(
        name,
        uniform ? Category.SPEC4 : Category.INT,
        uniform ? Pipe.UNIFORM : Pipe.ALU,
        MemorySpace.NONE,
        false,
        false,
        false,
        true,
        uniform ? Opcode.Result.UNIFORM : Opcode.Result.REGISTER,
        Role.NONE,
        0,
        false);
  }

  /** Ascending by the first SM number that uses the table. */
  private enum Generation {
    KEPLER(30),
    PASCAL(50),
    VOLTA(70),
    TURING(75),
    AMPERE(80),
    AMPERE86(86),
    ADA(89),
    HOPPER(90),
    BLACKWELL(100),
    BLACKWELL120(120);

    final int firstVersion;

    /** Null until somebody asks: a program is of one generation. */
    private OpcodeTable table;

    Generation(int firstVersion) {
      this.firstVersion = firstVersion;
    }

    synchronized OpcodeTable table() {
      if (table == null) {
        String name = name().toLowerCase(Locale.ROOT);
        table = new OpcodeTable(name, load(name));
      }
      return table;
    }
  }

  private static Map<String, Opcode> load(String generation) {
    Map<String, Opcode> rows = new LinkedHashMap<>();
    String file = "sass/" + generation + ".tsv";
    int lineNumber = 0;
    try (InputStream stream = OpcodeTable.class.getResourceAsStream(file);
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lineNumber++;
        if (line.isBlank() || line.startsWith("#") || line.startsWith("name\t")) {
          continue;
        }
        List<String> cells = List.of(line.split("\t"));
        if (cells.get(0).equals("inherits")) {
          rows.putAll(load(cells.get(1)));
        } else {
          rows.put(cells.get(0), parse(line));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (RuntimeException e) {
      throw new IllegalStateException(file + ":" + lineNumber + ": " + e.getMessage(), e);
    }
    return rows;
  }

  /** Reads a row of a table: columns with tabs between them, as {@code sass/volta.tsv} explains. */
  public static Opcode parse(String line) {
    List<String> cells = List.of(line.split("\t"));
    if (cells.size() != 9) {
      throw new IllegalArgumentException("expected 9 columns, found " + cells.size());
    }
    String access = cells.get(4);
    if (!List.of("-", "read", "write", "atomic", "copy").contains(access)) {
      throw new IllegalArgumentException("unknown access " + access);
    }
    String latency = cells.get(5);
    if (!List.of("fixed", "variable").contains(latency)) {
      throw new IllegalArgumentException("unknown latency " + latency);
    }
    boolean atomic = access.equals("atomic");
    boolean both = atomic || access.equals("copy");
    return new Opcode(
        cells.get(0),
        Category.valueOf(cells.get(1)),
        Pipe.valueOf(cells.get(2)),
        MemorySpace.valueOf(cells.get(3)),
        both || access.equals("read"),
        both || access.equals("write"),
        atomic,
        latency.equals("fixed"),
        Opcode.Result.valueOf(orNone(cells.get(6))),
        Role.valueOf(orNone(cells.get(7))),
        flops(cells.get(8)),
        true);
  }

  private static int flops(String cell) {
    return cell.equals("-") ? 0 : cell.equals("shape") ? Opcode.BY_SHAPE : Integer.parseInt(cell);
  }

  /** The name of an enum's constant for a cell. */
  private static String orNone(String cell) {
    return cell.equals("-") ? "NONE" : cell.toUpperCase(Locale.ROOT);
  }
}
