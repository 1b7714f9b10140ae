package dev.warpline.nvidia.modern.code;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.isa.AccessWidth;
import dev.warpline.isa.CodeTable;
import dev.warpline.isa.ControlBits;
import dev.warpline.isa.Instruction;
import dev.warpline.isa.MatrixShape;
import dev.warpline.isa.MemorySpace;
import dev.warpline.isa.Opcode;
import dev.warpline.isa.RegisterGroups;
import dev.warpline.isa.Registers;
import dev.warpline.nvidia.emulate.ConstantIndexProbe;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/**
 * A kernel's static instructions, decoded once into arrays by row: what the issue stage must know.
 * Grows when the trace shows new instructions; only between windows, so SMs may read it freely.
 */
public final class CodeRows {
  /** What an instruction does at issue, beside occupying a unit. */
  public static final byte PLAIN = 0;

  public static final byte MEMORY = 1;
  public static final byte CONSTANT_LOAD = 2;
  public static final byte XU = 3;
  public static final byte SPECIAL_REGISTER = 4;
  public static final byte BARRIER = 5;
  public static final byte EXIT = 6;
  public static final byte DEPBAR = 7;
  public static final byte COPY_COMMIT = 8;
  public static final byte MEMBAR = 9;
  public static final byte SLEEP = 10;
  public static final byte SHUFFLE = 11;
  public static final byte CACHE_CONTROL = 12;
  public static final byte BARRIER_ARRIVE = 13;
  public static final byte ASYNC = 14;

  /** Units of a sub-core. */
  public static final int UNIT_FMA = 0;

  public static final int UNIT_ALU = 1;
  public static final int UNIT_FP64 = 2;
  public static final int UNIT_XU = 3;
  public static final int UNIT_UNIFORM = 4;
  public static final int UNIT_TENSOR = 5;
  public static final int UNIT_BRANCH = 6;
  public static final int UNIT_NONE = 7;
  public static final int UNIT_LSU = 8;
  public static final int UNIT_CONSTANT = 9;
  public static final int UNITS = 10;

  /** What a memory instruction touches. */
  public static final byte SPACE_GLOBAL = 0;

  public static final byte SPACE_SHARED = 1;
  public static final byte SPACE_LOCAL = 2;
  public static final byte SPACE_GENERIC = 3;
  public static final byte SPACE_COPY = 4;

  public static final byte LOAD = 0;
  public static final byte STORE = 1;
  public static final byte ATOMIC = 2;
  public static final byte REDUCTION = 3;

  private static final int NO_LINE = -1;

  private static final Set<String> BRANCHES =
      Set.of("BRA", "BRX", "BRXU", "JMP", "JMX", "JMXU", "EXIT", "CALL", "RET", "BREAK", "BSYNC");

  /** Offsets in constant bank 0: the stack pointer, and where parameters begin. */
  private static final int STACK_POINTER = 0x28;

  private static final int VOLTA_PARAMETERS = 0x160;
  private static final int HOPPER_PARAMETERS = 0x210;

  /** A barrier whose number is not known. */
  public static final int UNNAMED = -1;

  private final ModernCoreSpec spec;
  private final CodeTable code;
  private final int parameters;
  private final Set<String> notModelled = new TreeSet<>();
  private int size;

  public int[] pc = new int[256];
  public byte[] action = new byte[256];
  public byte[] unit = new byte[256];
  public int[] interval = new int[256];

  /** Cycles that the dispatch port is held. */
  public int[] dispatch = new int[256];

  /** Cycles by which dispatch delays the stall counter's start. */
  public int[] lateStall = new int[256];

  /** Whether the next instruction is known only when this one is resolved. */
  public boolean[] branches = new boolean[256];

  public byte[] stall = new byte[256];
  public boolean[] yields = new boolean[256];
  public byte[] writeBarrier = new byte[256];
  public byte[] readBarrier = new byte[256];
  public byte[] waitMask = new byte[256];
  public boolean[] fixed = new boolean[256];
  public int[] latency = new int[256];
  public int[] constantLine = new int[256];

  /** Line that an LDC with an immediate address reads, -1 if not known. */
  public int[] loadLine = new int[256];

  /** Up to four source registers by position (A, B, C, wide part), -1 where none. */
  public short[] operands = new short[256 * 4];

  public byte[] operandWords = new byte[256 * 4];
  public byte[] reuse = new byte[256];

  public byte[] space = new byte[256];
  public byte[] access = new byte[256];
  public byte[] bytes = new byte[256];
  public boolean[] bypassesL1 = new boolean[256];
  public boolean[] floating = new boolean[256];
  public boolean[] compareSwap = new boolean[256];

  /** Whether it moves 8x8 matrices: LDSM, STSM. */
  public boolean[] matrix = new boolean[256];

  public int[] barrier = new int[256];
  public int[] barrierWarps = new int[256];
  public int[] depbarCounter = new int[256];
  public int[] depbarLimit = new int[256];
  public int[] depbarZero = new int[256];

  /** Whether a constant load has a register index that the listing names. */
  public boolean[] indexed = new boolean[256];

  /** Whether a memory address comes from uniform registers and immediates alone. */
  public boolean[] uniformAddress = new boolean[256];

  /** Numbers that {@link #reads} and {@link #writes} use, those of {@link Registers}. */
  public static final int REGISTERS = Registers.COUNT;

  /** For kernels without control bits: registers of every kind that are read and written. */
  public int[][] reads = new int[256][];

  public int[][] writes = new int[256][];

  /** For kernels without control bits: regular registers read and written. */
  public int[][] sources = new int[256][];

  public int[][] destinations = new int[256][];

  /** Register banks that the result goes to, as a mask, and that of its last register. */
  public byte[] writeBanks = new byte[256];

  public byte[] lastBank = new byte[256];
  public boolean[] writesPredicate = new boolean[256];
  public boolean[] guarded = new boolean[256];

  /** For {@link #ASYNC}: what of it, and its operands. */
  public byte[] async = new byte[256];

  /** Groups that may be left, or registers per thread. */
  public int[] groups = new int[256];

  public int[] columns = new int[256];
  public int[] operandLines = new int[256];
  public boolean[] sharedOperand = new boolean[256];
  public boolean[] commitsGroup = new boolean[256];
  public boolean[] announces = new boolean[256];
  public boolean[] clusterAddress = new boolean[256];
  public boolean[] tensorMap = new boolean[256];

  /** Whether the trace says which matrix product closes a group. */
  public boolean commitsKnown;

  public boolean controlled = true;
  public boolean hasDepbar;

  /** Whether any constant load has a register index that the listing names. */
  public boolean hasIndexed;

  /**
   * @param binaryVersion SM version that the code was compiled for
   */
  public CodeRows(ModernCoreSpec spec, CodeTable code, int binaryVersion) {
    this.spec = spec;
    this.code = code;
    parameters = binaryVersion >= 90 ? HOPPER_PARAMETERS : VOLTA_PARAMETERS;
  }

  public int size() {
    return size;
  }

  public Set<String> notModelled() {
    return notModelled;
  }

  /** Decodes the rows that were added to the code table since the last call. */
  public void update(boolean controlBits) {
    controlled = controlBits && spec.issue().controlBits();
    while (size < code.size()) {
      if (size == pc.length) {
        grow();
      }
      decode(size, code.get(size));
      size++;
    }
  }

  private void grow() {
    int n = 2 * pc.length;
    pc = Arrays.copyOf(pc, n);
    action = Arrays.copyOf(action, n);
    unit = Arrays.copyOf(unit, n);
    interval = Arrays.copyOf(interval, n);
    dispatch = Arrays.copyOf(dispatch, n);
    lateStall = Arrays.copyOf(lateStall, n);
    branches = Arrays.copyOf(branches, n);
    stall = Arrays.copyOf(stall, n);
    yields = Arrays.copyOf(yields, n);
    writeBarrier = Arrays.copyOf(writeBarrier, n);
    readBarrier = Arrays.copyOf(readBarrier, n);
    waitMask = Arrays.copyOf(waitMask, n);
    fixed = Arrays.copyOf(fixed, n);
    latency = Arrays.copyOf(latency, n);
    constantLine = Arrays.copyOf(constantLine, n);
    loadLine = Arrays.copyOf(loadLine, n);
    operands = Arrays.copyOf(operands, 4 * n);
    operandWords = Arrays.copyOf(operandWords, 4 * n);
    reuse = Arrays.copyOf(reuse, n);
    space = Arrays.copyOf(space, n);
    access = Arrays.copyOf(access, n);
    bytes = Arrays.copyOf(bytes, n);
    bypassesL1 = Arrays.copyOf(bypassesL1, n);
    floating = Arrays.copyOf(floating, n);
    compareSwap = Arrays.copyOf(compareSwap, n);
    matrix = Arrays.copyOf(matrix, n);
    barrier = Arrays.copyOf(barrier, n);
    barrierWarps = Arrays.copyOf(barrierWarps, n);
    depbarCounter = Arrays.copyOf(depbarCounter, n);
    depbarLimit = Arrays.copyOf(depbarLimit, n);
    depbarZero = Arrays.copyOf(depbarZero, n);
    indexed = Arrays.copyOf(indexed, n);
    uniformAddress = Arrays.copyOf(uniformAddress, n);
    reads = Arrays.copyOf(reads, n);
    writes = Arrays.copyOf(writes, n);
    sources = Arrays.copyOf(sources, n);
    destinations = Arrays.copyOf(destinations, n);
    writeBanks = Arrays.copyOf(writeBanks, n);
    lastBank = Arrays.copyOf(lastBank, n);
    writesPredicate = Arrays.copyOf(writesPredicate, n);
    guarded = Arrays.copyOf(guarded, n);
    async = Arrays.copyOf(async, n);
    groups = Arrays.copyOf(groups, n);
    columns = Arrays.copyOf(columns, n);
    operandLines = Arrays.copyOf(operandLines, n);
    sharedOperand = Arrays.copyOf(sharedOperand, n);
    commitsGroup = Arrays.copyOf(commitsGroup, n);
    announces = Arrays.copyOf(announces, n);
    clusterAddress = Arrays.copyOf(clusterAddress, n);
    tensorMap = Arrays.copyOf(tensorMap, n);
  }

  private void decode(int row, Instruction in) {
    pc[row] = in.pc();
    Opcode opcode = in.opcode();
    String name = opcode.name();
    if (!opcode.known()) {
      notModelled.add(name + ": unknown opcode, timed as a simple integer instruction");
    }
    decodeControl(row, in);
    if (spec.async() == null || !decodeAsync(row, in)) {
      decodeUnit(row, in);
    }
    if (action[row] == COPY_COMMIT && !controlled) {
      // The counter that the compiler uses for groups of copies, and DEPBAR waits for.
      writeBarrier[row] = 0;
    }
    decodeMemory(row, in);
    constantLine[row] = NO_LINE;
    Operands parsed = Operands.parse(in.disassembly());
    loadLine[row] = NO_LINE;
    if (parsed != null && fixed[row]) {
      constantLine[row] = parsed.constantLine();
    } else if (fixed[row] && name.equals("ULDC")) {
      constantLine[row] = likelyLine(in);
    } else if (action[row] == CONSTANT_LOAD) {
      boolean byRegister = ConstantIndexProbe.isIndexed(in);
      indexed[row] = byRegister && parsed != null;
      hasIndexed |= indexed[row];
      loadLine[row] =
          parsed != null ? parsed.constantLine() : byRegister ? NO_LINE : likelyLine(in);
      if (byRegister && parsed == null) {
        notModelled.add(
            String.format(
                "LDC at 0x%04x: no listing says its index; taken as one word for all lanes",
                pc[row]));
      }
    }
    decodeRegisters(row, in, parsed);
    guarded[row] = parsed != null && parsed.guarded();
    if (action[row] == DEPBAR) {
      decodeDepbar(row, in);
    }
    if (action[row] == BARRIER || action[row] == BARRIER_ARRIVE) {
      int[] numbers = Operands.numbers(in.disassembly());
      int recorded = (int) in.immediate();
      if (numbers.length == 0 && recorded >= 32) {
        // Without a listing only the number of threads is known.
        barrierWarps[row] = recorded / 32;
        barrier[row] = UNNAMED;
      } else {
        barrier[row] = numbers.length > 0 ? numbers[0] & 15 : recorded & 15;
        barrierWarps[row] = numbers.length > 1 ? numbers[1] / 32 : 0;
      }
    }
  }

  private void decodeControl(int row, Instruction in) {
    int control = in.control();
    reuse[row] = (byte) (in.hasControl() ? ControlBits.reuse(control) & 7 : 0);
    if (!controlled || !in.hasControl()) {
      stall[row] = 1;
      yields[row] = false;
      writeBarrier[row] = ControlBits.NO_BARRIER;
      readBarrier[row] = ControlBits.NO_BARRIER;
      waitMask[row] = 0;
      return;
    }
    stall[row] = (byte) ControlBits.stall(control);
    yields[row] = ControlBits.yields(control);
    writeBarrier[row] = (byte) ControlBits.writeBarrier(control);
    readBarrier[row] = (byte) ControlBits.readBarrier(control);
    waitMask[row] = (byte) ControlBits.waitMask(control);
  }

  private void decodeUnit(int row, Instruction in) {
    ModernCoreSpec.Units units = spec.units();
    Opcode opcode = in.opcode();
    String name = opcode.name();
    action[row] = PLAIN;
    dispatch[row] = 1;
    lateStall[row] = 0;
    branches[row] = BRANCHES.contains(name);
    fixed[row] = opcode.fixedLatency();
    latency[row] = spec.issue().resultCycles();
    writesPredicate[row] = name.endsWith("SETP") || name.equals("PLOP3");
    switch (opcode.pipe()) {
      case FMA -> set(row, UNIT_FMA, units.fma());
      case FMA_HEAVY -> {
        boolean wide = in.hasModifier("WIDE") || in.hasModifier("HI");
        set(row, UNIT_FMA, wide ? units.fmaWide() : units.fmaHeavy());
        dispatch[row] = wide ? units.wideDispatch() : 1;
        lateStall[row] = dispatch[row] - 1;
      }
      case FP16 -> {
        if (in.hasModifier("MMA")) {
          // HFMA2.MMA runs in the pipe of double precision and tensor work.
          set(row, UNIT_FP64, units.half());
        } else {
          set(row, UNIT_FMA, units.half());
        }
      }
      case FP64 -> {
        set(row, UNIT_FP64, units.fp64());
        latency[row] = 2 * spec.issue().resultCycles();
      }
      case XU -> {
        set(row, UNIT_XU, units.xu());
        dispatch[row] = units.xuDispatch();
        action[row] = XU;
        latency[row] = units.xuCycles();
      }
      case UNIFORM -> {
        set(row, UNIT_UNIFORM, units.uniform());
        if (!opcode.fixedLatency()) {
          action[row] = SPECIAL_REGISTER;
          latency[row] = units.specialRegisterCycles();
        }
      }
      case TENSOR -> decodeTensor(row, in);
      case BRANCH -> set(row, UNIT_BRANCH, units.branch());
      case CONSTANT -> {
        set(row, UNIT_CONSTANT, 1);
        action[row] = CONSTANT_LOAD;
        fixed[row] = false;
      }
      case LSU -> {
        set(row, UNIT_LSU, 1);
        fixed[row] = false;
        action[row] = MEMORY;
      }
      case TEXTURE, TMA, GMMA -> {
        set(row, UNIT_NONE, 1);
        notModelled.add(name + ": not modelled by this core, timed as a simple instruction");
      }
      case MISC -> {
        set(row, UNIT_NONE, 1);
        if (name.startsWith("UTC")) {
          notModelled.add(name + ": not modelled by this core, timed as a simple instruction");
        }
      }
      default -> set(row, UNIT_ALU, units.alu());
    }
    switch (name) {
      case "S2R", "S2UR", "B2R", "CS2UR" -> {
        set(row, UNIT_NONE, 1);
        action[row] = SPECIAL_REGISTER;
        fixed[row] = false;
        latency[row] = units.specialRegisterCycles();
      }
      case "SHFL", "MATCH" -> {
        action[row] = SHUFFLE;
        latency[row] = spec.loadStore().shuffleCycles();
      }
      case "EXIT" -> action[row] = EXIT;
      case "BAR" -> action[row] = in.text().startsWith("BAR.ARV") ? BARRIER_ARRIVE : BARRIER;
      case "DEPBAR" -> action[row] = DEPBAR;
      case "LDGDEPBAR" -> action[row] = COPY_COMMIT;
      case "MEMBAR" -> {
        action[row] = MEMBAR;
        ModernCoreSpec.LoadStore ls = spec.loadStore();
        latency[row] =
            in.hasModifier("SYS")
                ? ls.membarSystem()
                : in.hasModifier("CTA") ? ls.membarBlock() : ls.membarGpu();
      }
      case "NANOSLEEP" -> action[row] = SLEEP;
      case "CCTL", "CCTLL", "CCTLT", "QSPC" -> action[row] = CACHE_CONTROL;
      default -> {}
    }
  }

  /** Instructions of the asynchronous machine; false if this is none. */
  private boolean decodeAsync(int row, Instruction in) {
    String text = in.text();
    int what =
        switch (in.opcode().name()) {
          case "SYNCS" -> barrierKind(text);
          case "ARRIVES" -> Async.COPIES_ARRIVE;
          case "UTMALDG" -> Async.LOAD;
          case "UTMASTG" -> Async.STORE;
          case "UTMAREDG", "UBLKRED" -> Async.REDUCTION;
          case "UTMAPF", "UBLKPF" -> Async.PREFETCH;
          case "UBLKCP" -> text.contains(".G.S") ? Async.STORE : Async.LOAD;
          case "UTMACMDFLUSH" -> Async.FLUSH;
          case "HGMMA", "IGMMA", "QGMMA", "BGMMA" -> Async.PRODUCT;
          case "WARPGROUP" ->
              text.contains("DEPBAR")
                  ? Async.GROUP_WAIT
                  : text.contains("ARRIVE") ? Async.GROUP_ARRIVE : Async.NOTHING;
          case "USETMAXREG" ->
              text.contains("DEALLOC") ? Async.GIVE_REGISTERS : Async.TAKE_REGISTERS;
          case "UCGABAR_ARV" -> Async.CLUSTER_ARRIVE;
          case "UCGABAR_WAIT" -> Async.CLUSTER_WAIT;
          case "UTMACCTL", "FENCE" -> Async.NOTHING;
          default -> -1;
        };
    if (what < 0) {
      return false;
    }
    set(row, UNIT_NONE, 1);
    action[row] = ASYNC;
    async[row] = (byte) what;
    fixed[row] = false;
    latency[row] = spec.async().testCycles();
    groups[row] = (int) in.immediate();
    tensorMap[row] = in.opcode().name().startsWith("UTMA");
    clusterAddress[row] = in.hasModifier("RED");
    announces[row] = !in.hasModifier("A1T0") && !in.hasModifier("ART0") && !in.hasModifier("A0T1");
    if (what == Async.PRODUCT) {
      MatrixShape shape = MatrixShape.of(text);
      columns[row] = shape.n();
      sharedOperand[row] = in.sources().length < 2;
      commitsGroup[row] = in.commitsGroup();
      commitsKnown |= in.commitsGroup();
      // A row of an operand is 32 bytes deep for every type.
      operandLines[row] = (shape.n() + (sharedOperand[row] ? shape.m() : 0)) * 32 / 128;
    }
    if (text.startsWith("UBLKCP.S.S")) {
      async[row] = Async.NOTHING;
      notModelled.add(text + ": copies between shared memories are not modelled, it takes no time");
    }
    return true;
  }

  private static int barrierKind(String text) {
    if (text.contains("EXCH")) {
      return Async.BARRIER_INIT;
    }
    if (text.contains("PHASECHK")) {
      return Async.BARRIER_WAIT;
    }
    if (text.contains("A0TR")) {
      return Async.BARRIER_EXPECT;
    }
    if (text.contains("A0TX")) {
      return Async.BARRIER_BRING;
    }
    return text.contains("ARRIVE") ? Async.BARRIER_ARRIVE : Async.NOTHING;
  }

  private void set(int row, int theUnit, int cycles) {
    unit[row] = (byte) theUnit;
    interval[row] = cycles;
  }

  private void decodeTensor(int row, Instruction in) {
    ModernCoreSpec.Units units = spec.units();
    MatrixShape shape = MatrixShape.of(in.text());
    double rate = units.tensorRate();
    if (in.opcode().name().equals("DMMA")) {
      rate = units.dmmaRate();
    } else {
      rate *= 16.0 / Math.max(1, shape.inputBits());
    }
    int cycles = (int) Math.ceil(shape.multiplyAdds() / rate - 0.01);
    set(row, UNIT_TENSOR, Math.max(units.tensorFloor(), cycles));
    latency[row] = 18 + cycles;
  }

  private void decodeMemory(int row, Instruction in) {
    if (action[row] != MEMORY) {
      return;
    }
    Opcode opcode = in.opcode();
    String name = opcode.name();
    MemorySpace where = opcode.space();
    if (name.equals("LDGSTS")) {
      space[row] = SPACE_COPY;
    } else if (where == MemorySpace.SHARED) {
      space[row] = SPACE_SHARED;
    } else if (where == MemorySpace.LOCAL) {
      space[row] = SPACE_LOCAL;
    } else if (where == MemorySpace.GENERIC) {
      space[row] = SPACE_GENERIC;
    } else {
      space[row] = SPACE_GLOBAL;
    }
    if (where == MemorySpace.NONE) {
      action[row] = CACHE_CONTROL;
      notModelled.add(name + ": not modelled by this core, timed as a shuffle");
    }
    boolean returns = in.destinations().length > 0 && in.destinations()[0] != 255;
    if (opcode.atomic()) {
      access[row] =
          name.startsWith("RED") || !returns && where != MemorySpace.SHARED ? REDUCTION : ATOMIC;
    } else {
      access[row] = opcode.writes() && !name.equals("LDGSTS") ? STORE : LOAD;
    }
    bytes[row] = (byte) AccessWidth.bytes(in.text());
    uniformAddress[row] = Operands.uniformAddress(in.disassembly());
    String text = in.text();
    bypassesL1[row] =
        opcode.atomic()
            || text.contains(".STRONG.GPU")
            || text.contains(".STRONG.SYS")
            || text.contains(".BYPASS");
    floating[row] = text.contains(".F32") || text.contains(".F16") || text.contains(".F64");
    compareSwap[row] = text.contains(".CAS");
    matrix[row] = name.equals("LDSM") || name.equals("STSM");
  }

  /**
   * Line of a constant whose place no listing says: a function begins by reading its stack pointer,
   * and what else it reads at a fixed place is nearly always a parameter of the launch.
   */
  private int likelyLine(Instruction in) {
    boolean stackPointer =
        in.pc() == 0 && in.destinations().length == 1 && in.destinations()[0] == 1;
    return (stackPointer ? STACK_POINTER : parameters) >> 6;
  }

  private void decodeRegisters(int row, Instruction in, Operands parsed) {
    for (int i = 0; i < 4; i++) {
      operands[4 * row + i] = -1;
      operandWords[4 * row + i] = 0;
    }
    int[] named = in.sources();
    if (parsed != null && fixed[row]) {
      int source = 0;
      for (int i = 0; i < Math.min(3, parsed.sources().length); i++) {
        int register = parsed.sources()[i];
        if (register >= 0) {
          operands[4 * row + i] = (short) register;
          operandWords[4 * row + i] =
              (byte) (source < named.length ? RegisterGroups.source(in, source) : 1);
          source++;
        }
      }
    } else if (fixed[row]) {
      for (int i = 0; i < Math.min(3, named.length); i++) {
        if (named[i] != 255) {
          operands[4 * row + i] = (short) named[i];
          operandWords[4 * row + i] = (byte) RegisterGroups.source(in, i);
        }
      }
    }
    int[] written = expand(in, in.destinations(), true);
    writeBanks[row] = 0;
    for (int register : written) {
      lastBank[row] = (byte) (register % spec.issue().banks());
      writeBanks[row] |= (byte) (1 << lastBank[row]);
    }
    if (!controlled) {
      reads[row] = in.reads();
      writes[row] = in.writes();
      sources[row] = expand(in, named, false);
      destinations[row] = written;
    }
  }

  private static int[] expand(Instruction in, int[] first, boolean destination) {
    int[] all = new int[64];
    int n = 0;
    for (int i = 0; i < first.length; i++) {
      if (first[i] == 255) {
        continue;
      }
      int words = destination ? RegisterGroups.destination(in) : RegisterGroups.source(in, i);
      for (int k = 0; k < words && n < all.length; k++) {
        all[n++] = Math.min(254, first[i] + k);
      }
    }
    return Arrays.copyOf(all, n);
  }

  /**
   * Fields of DEPBAR.LE: counter in bits 44-46, limit in 38-43, counters that must be 0 in 32-37.
   */
  private void decodeDepbar(int row, Instruction in) {
    hasDepbar = true;
    int[] fields = Operands.depbar(in.disassembly());
    if (in.low() != 0) {
      boolean le = (in.low() >>> 47 & 1) != 0;
      depbarCounter[row] = le ? (int) (in.low() >>> 44) & 7 : ControlBits.NO_BARRIER;
      depbarLimit[row] = (int) (in.low() >>> 38) & 63;
      depbarZero[row] = (int) (in.low() >>> 32) & 63;
    } else if (fields != null) {
      depbarCounter[row] = fields[0] < 0 ? ControlBits.NO_BARRIER : fields[0];
      depbarLimit[row] = fields[1];
      depbarZero[row] = fields[2];
    } else {
      // Without word and listing: the form the compiler emits for copy groups.
      depbarCounter[row] = 0;
      depbarLimit[row] = (int) in.immediate();
      depbarZero[row] = 0;
    }
  }
}
