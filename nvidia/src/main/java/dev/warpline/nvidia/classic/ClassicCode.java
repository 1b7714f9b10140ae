package dev.warpline.nvidia.classic;

import dev.warpline.engine.gpu.ClassicCoreSpec;
import dev.warpline.engine.gpu.ClassicCoreSpec.Tracked;
import dev.warpline.isa.AccessWidth;
import dev.warpline.isa.Category;
import dev.warpline.isa.CodeTable;
import dev.warpline.isa.Instruction;
import dev.warpline.isa.Opcode;
import dev.warpline.isa.Pipe;
import dev.warpline.isa.Registers;
import dev.warpline.isa.Role;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A kernel's static instructions in the terms of the classic core, one array element per row of the
 * code table. Rows are decoded when a block that uses them is read, never while SMs run.
 */
final class ClassicCode {
  static final int LOAD = 1;
  static final int STORE = 1 << 1;
  static final int GLOBAL = 1 << 2;
  static final int LOCAL = 1 << 3;
  static final int SHARED = 1 << 4;

  /** Generic address: the first active lane's address tells the space. */
  static final int GENERIC = 1 << 5;

  static final int ATOMIC = 1 << 6;

  /** Goes past the L1. */
  static final int BYPASS = 1 << 7;

  static final int EXIT = 1 << 8;
  static final int BARRIER = 1 << 9;
  static final int FENCE = 1 << 10;

  /** Copies from global to shared memory; tracked by groups, not by a register. */
  static final int ASYNC_COPY = 1 << 11;

  static final int GROUP_COMMIT = 1 << 12;
  static final int GROUP_WAIT = 1 << 13;

  /** Arrives at a barrier without waiting there. */
  static final int ARRIVE_ONLY = 1 << 14;

  static final int CONSTANT = 1 << 15;
  static final int TEXTURE = 1 << 16;

  /** Anything that the rest of the SM must look at beyond the registers. */
  static final int SPECIAL =
      EXIT | BARRIER | FENCE | ASYNC_COPY | GROUP_COMMIT | GROUP_WAIT | ATOMIC;

  /** The most source registers that the collectors take. */
  static final int MAX_SOURCES = 4;

  private final CodeTable table;
  private final ClassicCoreSpec spec;
  private final Set<String> warnings = new LinkedHashSet<>();
  private int rows;
  byte[] unit = new byte[64];
  short[] latency = new short[64];
  short[] interval = new short[64];
  int[] flags = new int[64];
  byte[] width = new byte[64];
  int[] immediate = new int[64];
  int[] immediate2 = new int[64];
  int[] pc = new int[64];

  /** Register written plus 1, 0 for none. */
  short[] destination = new short[64];

  /** Distinct registers read plus 1, {@link #MAX_SOURCES} per row. */
  short[] source = new short[64 * MAX_SOURCES];

  byte[] sources = new byte[64];

  /** Registers plus 1 that the scoreboard tracks: of each row first those written, then read. */
  short[] tracked = new short[512];

  /** Where a row's begin, and so where those of the row before end. */
  int[] trackedFrom = new int[65];

  /** The same registers, as bits of their numbers modulo 64. */
  long[] joined = new long[64];

  short[] writes = new short[64];
  short[] reads = new short[64];
  private int trackedEnd;

  ClassicCode(CodeTable table, ClassicCoreSpec spec) {
    this.table = table;
    this.spec = spec;
  }

  /** What could not be modelled as it stands, in words. */
  Set<String> warnings() {
    return warnings;
  }

  /** Decodes the rows added since the last call. */
  void update() {
    for (; rows < table.size(); rows++) {
      if (rows == unit.length) {
        grow();
      }
      decode(table.get(rows), rows);
    }
  }

  private void grow() {
    int size = rows * 2;
    unit = Arrays.copyOf(unit, size);
    latency = Arrays.copyOf(latency, size);
    interval = Arrays.copyOf(interval, size);
    flags = Arrays.copyOf(flags, size);
    width = Arrays.copyOf(width, size);
    immediate = Arrays.copyOf(immediate, size);
    immediate2 = Arrays.copyOf(immediate2, size);
    pc = Arrays.copyOf(pc, size);
    destination = Arrays.copyOf(destination, size);
    source = Arrays.copyOf(source, size * MAX_SOURCES);
    sources = Arrays.copyOf(sources, size);
    trackedFrom = Arrays.copyOf(trackedFrom, size + 1);
    joined = Arrays.copyOf(joined, size);
    writes = Arrays.copyOf(writes, size);
    reads = Arrays.copyOf(reads, size);
  }

  private void decode(Instruction in, int row) {
    if (!in.opcode().known()) {
      warnings.add("opcode " + in.opcode().name() + " is not known: timed as a simple one");
    }
    Category category = in.opcode().category();
    flags[row] = flagsOf(in, category);
    boolean inMemoryPipe = (flags[row] & (LOAD | STORE | FENCE)) != 0;
    int kind = inMemoryPipe ? UnitKind.MEMORY : kindOf(category);
    unit[row] = (byte) kind;
    ClassicCoreSpec.Units units = spec.units();
    switch (kind) {
      case UnitKind.MEMORY -> timing(row, 1, 1);
      case UnitKind.SP -> timing(row, units.sp());
      case UnitKind.DP -> timing(row, units.dp());
      case UnitKind.INT -> timing(row, units.integer());
      case UnitKind.SFU -> timing(row, units.sfu());
      default -> {
        ClassicCoreSpec.SpecializedUnit s = units.specialized().get(kind - UnitKind.SPECIALIZED);
        timing(row, s.latency(), s.interval());
      }
    }
    // A category keeps its own latency where another unit runs it.
    if (category == Category.DP) {
      timing(row, units.dp());
    } else if (category == Category.EXIT || category == Category.BARRIER) {
      timing(row, 1, 1);
    }
    if (in.opcode().role() == Role.DOUBLE_RATE) {
      interval[row] = (short) Math.max(1, interval[row] / 2);
    }
    width[row] = (byte) widthOf(in);
    pc[row] = in.pc();
    immediate[row] = (int) in.immediate();
    immediate2[row] = (int) in.immediate2();
    destination[row] = (short) (in.destinations().length > 0 ? in.destinations()[0] + 1 : 0);
    int count = 0;
    int recorded = Math.min(in.sources().length, MAX_SOURCES);
    for (int i = 0; i < recorded; i++) {
      short register = (short) (in.sources()[i] + 1);
      boolean seen = false;
      for (int j = 0; j < count; j++) {
        seen |= source[row * MAX_SOURCES + j] == register;
      }
      if (!seen) {
        source[row * MAX_SOURCES + count++] = register;
      }
    }
    sources[row] = (byte) count;
    track(in, row);
    trackedFrom[row + 1] = trackedEnd;
    for (int i = trackedFrom[row]; i < trackedEnd; i++) {
      joined[row] |= 1L << tracked[i];
    }
  }

  private void track(Instruction in, int row) {
    trackedFrom[row] = trackedEnd;
    Tracked tracks = spec.scoreboard().tracks();
    if (tracks == Tracked.FIRST) {
      if (destination[row] != 0) {
        track(destination[row]);
      }
      writes[row] = (short) (trackedEnd - trackedFrom[row]);
      for (int i = 0; i < sources[row]; i++) {
        track(source[row * MAX_SOURCES + i]);
      }
      reads[row] = sources[row];
      return;
    }
    // What a memory instruction without a destination returns, nobody here waits for.
    if (unit[row] != UnitKind.MEMORY || destination[row] != 0) {
      track(in.writes(), tracks);
    }
    writes[row] = (short) (trackedEnd - trackedFrom[row]);
    track(in.reads(), tracks);
    reads[row] = (short) (trackedEnd - trackedFrom[row] - writes[row]);
  }

  private void track(int[] registers, Tracked tracks) {
    for (int register : registers) {
      if (tracks == Tracked.ALL || Registers.isRegular(register)) {
        track(register + 1);
      }
    }
  }

  private void track(int register) {
    if (trackedEnd == tracked.length) {
      tracked = Arrays.copyOf(tracked, 2 * trackedEnd);
    }
    tracked[trackedEnd++] = (short) register;
  }

  private int flagsOf(Instruction in, Category category) {
    Opcode opcode = in.opcode();
    switch (opcode.role()) {
      case COMMIT:
        return GROUP_COMMIT;
      case DEPBAR:
        return GROUP_WAIT;
      default:
        break;
    }
    return switch (category) {
      case MEMBAR -> FENCE;
      case EXIT -> EXIT;
      case BARRIER -> BARRIER | (in.hasModifier("ARV") ? ARRIVE_ONLY : 0);
      case LOAD, STORE -> memoryFlags(in);
      case SPEC2 -> TEXTURE;
      default -> opcode.pipe() == Pipe.CONSTANT && opcode.isMemory() ? CONSTANT : 0;
    };
  }

  private int memoryFlags(Instruction in) {
    Opcode opcode = in.opcode();
    int space =
        switch (opcode.space()) {
          case SHARED -> SHARED;
          case LOCAL -> LOCAL;
          case GENERIC -> GENERIC;
          case GLOBAL -> GLOBAL;
          case SURFACE -> in.recordedWidth() == 0 ? 0 : GLOBAL;
          default -> 0;
        };
    if (space == 0) {
      warnings.add(opcode.name() + ": memory traffic is not modelled by the classic core");
      return 0;
    }
    if (opcode.atomic()) {
      // Accel-Sim sends what has a generic address to global memory.
      return LOAD | ATOMIC | (space == SHARED ? SHARED : GLOBAL | BYPASS);
    }
    if (opcode.role() == Role.COPY) {
      return LOAD | GLOBAL | ASYNC_COPY | bypass(in);
    }
    if (opcode.writes()) {
      return STORE | space;
    }
    return LOAD | space | ((space & (GLOBAL | LOCAL)) != 0 ? bypass(in) : 0);
  }

  private static int bypass(Instruction in) {
    return in.hasModifier("STRONG") && in.hasModifier("GPU") ? BYPASS : 0;
  }

  private int kindOf(Category category) {
    ClassicCoreSpec.Units units = spec.units();
    int simple = units.integer().count() > 0 ? UnitKind.INT : UnitKind.SP;
    return switch (category) {
      case SP -> UnitKind.SP;
      case DP -> units.dp().count() > 0 ? UnitKind.DP : UnitKind.SFU;
      case SFU -> UnitKind.SFU;
      case SPEC1, SPEC2, SPEC3, SPEC4, SPEC5, SPEC6, SPEC7, SPEC8 ->
          specialized(category.ordinal() - Category.SPEC1.ordinal(), simple);
      case TMA -> {
        warnings.add("bulk and tensor copies move no data on the classic core");
        yield simple;
      }
      case SYNC -> {
        warnings.add("asynchronous barriers do not wait on the classic core");
        yield simple;
      }
      default -> simple;
    };
  }

  private int specialized(int number, int simple) {
    if (number < spec.units().specialized().size()) {
      return UnitKind.SPECIALIZED + number;
    }
    // Warpgroup products fall back to the tensor unit, everything else to the simple one.
    boolean tensor = number == 4 && spec.units().specialized().size() > 2;
    warnings.add(
        "the GPU has no specialised unit "
            + (number + 1)
            + ": its instructions go to "
            + (tensor ? "the tensor unit" : "the integer unit"));
    return tensor ? UnitKind.SPECIALIZED + 2 : simple;
  }

  private void timing(int row, ClassicCoreSpec.Unit u) {
    timing(row, u.latency(), u.interval());
  }

  private void timing(int row, int cycles, int between) {
    latency[row] = (short) cycles;
    interval[row] = (short) between;
  }

  private static int widthOf(Instruction in) {
    int bytes = AccessWidth.accelSim(in.text());
    return Integer.bitCount(bytes) == 1 && bytes <= 16 ? bytes : 4;
  }
}
