package dev.warpline.isa;

import dev.warpline.isa.SassOperand.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * One static instruction of a kernel: a row of its {@link CodeTable}. Immutable.
 *
 * <p>What the trace recorded and what the files beside it say is taken apart once, here: modifiers,
 * guard, operands, the registers of every kind that it reads and writes. Both cores, profiles,
 * reports and the emulator ask this class and read no text of their own.
 */
public final class Instruction {
  private final int row;
  private final int pc;
  private final Supplier<SourcePlace> source;
  private final String text;
  private final Opcode opcode;
  private final int[] destinations;
  private final int[] sources;
  private final int recordedWidth;
  private final long immediate;
  private final long immediate2;
  private final boolean commitsGroup;
  private final int control;
  private final long low;
  private final long high;
  private final String disassembly;
  private final List<String> modifiers;
  private final int guard;
  private final boolean guardInverted;
  private final List<SassOperand> operands;
  private final int results;
  private final ConstantOperand constant;
  private final int[] reads;
  private final int[] writes;

  /**
   * @param row index of this row in its code table
   * @param pc byte offset in the function, as recorded
   * @param source finds where it comes from, null where neither the trace nor the code says; asked
   *     when somebody asks, which is seldom, for finding out takes a while
   * @param text mnemonic with all modifiers, e.g. {@code LDG.E.64.STRONG.GPU}
   * @param opcode what the opcode table knows of the first token
   * @param destinations regular registers written, as recorded (255 is RZ); never null
   * @param sources regular registers read, as recorded (255 is RZ); never null
   * @param recordedWidth bytes per lane as recorded in the trace, 0 if not a memory instruction
   * @param immediate first recorded immediate, 0 if none
   * @param immediate2 second recorded immediate (version 6), 0 if none
   * @param commitsGroup whether a warpgroup matrix product closes its group (version 6)
   * @param control packed {@link ControlBits}, or {@link ControlBits#ABSENT}
   * @param low first word of the encoding, 0 where the code was not found (or only a sidecar was)
   * @param high second word of the encoding, likewise
   * @param disassembly the whole instruction as a disassembler prints it, or null
   * @param knownConstant the constant that it reads where a file other than the listing says it,
   *     {@link ConstantOperand#NONE} if it reads none, null if nothing says
   */
  public Instruction(
      int row,
      int pc,
      Supplier<SourcePlace> source,
      String text,
      Opcode opcode,
      int[] destinations,
      int[] sources,
      int recordedWidth,
      long immediate,
      long immediate2,
      boolean commitsGroup,
      int control,
      long low,
      long high,
      String disassembly,
      ConstantOperand knownConstant) {
    this.row = row;
    this.pc = pc;
    this.source = source;
    this.text = text;
    this.opcode = opcode;
    this.destinations = destinations;
    this.sources = sources;
    this.recordedWidth = recordedWidth;
    this.immediate = immediate;
    this.immediate2 = immediate2;
    this.commitsGroup = commitsGroup;
    this.control = control;
    this.low = low;
    this.high = high;
    this.disassembly = disassembly;
    List<String> tokens = Arrays.asList(text.split("\\."));
    modifiers = List.copyOf(tokens.subList(1, tokens.size()));
    Disassembly listed = Disassembly.of(disassembly);
    guard = listed.guard();
    guardInverted = listed.guardInverted();
    operands = listed.operands();
    results = RegisterUse.results(this);
    constant = isListed() ? listed.constant() : knownConstant;
    RegisterUse use = RegisterUse.of(this);
    reads = use.reads();
    writes = use.writes();
  }

  /**
   * An instruction of which only the listing is known: what a tracer would record of it, a regular
   * register as destination only where it is the first operand.
   */
  public static Instruction listed(int row, int pc, String disassembly, OpcodeTable opcodes) {
    Disassembly listing = Disassembly.of(disassembly);
    List<Integer> named = new ArrayList<>();
    for (SassOperand operand : listing.operands()) {
      if (Registers.isRegular(operand.register())) {
        named.add(operand.register());
      }
    }
    List<SassOperand> operands = listing.operands();
    boolean result =
        !operands.isEmpty()
            && operands.get(0).is(Kind.REGISTER)
            && Registers.isRegular(operands.get(0).register());
    int[] registers = named.stream().mapToInt(Integer::intValue).toArray();
    int results = result ? 1 : 0;
    return new Instruction(
        row,
        pc,
        null,
        listing.mnemonic(),
        opcodes.lookup(listing.mnemonic()),
        Arrays.copyOf(registers, results),
        Arrays.copyOfRange(registers, results, registers.length),
        0,
        0,
        0,
        false,
        ControlBits.ABSENT,
        0,
        0,
        disassembly,
        null);
  }

  public int row() {
    return row;
  }

  public int pc() {
    return pc;
  }

  /** Where it comes from, null if not known. */
  public SourcePlace source() {
    return source == null ? null : source.get();
  }

  /** Its source line, 0 if not known. */
  public int sourceLine() {
    SourcePlace place = source();
    return place == null ? 0 : place.line();
  }

  /** Mnemonic with all modifiers. */
  public String text() {
    return text;
  }

  public Opcode opcode() {
    return opcode;
  }

  /** Regular registers written, as recorded: the first of each group. */
  public int[] destinations() {
    return destinations;
  }

  /** Regular registers read, as recorded: the first of each group. */
  public int[] sources() {
    return sources;
  }

  public int recordedWidth() {
    return recordedWidth;
  }

  public long immediate() {
    return immediate;
  }

  public long immediate2() {
    return immediate2;
  }

  public boolean commitsGroup() {
    return commitsGroup;
  }

  public int control() {
    return control;
  }

  public long low() {
    return low;
  }

  public long high() {
    return high;
  }

  /** The whole instruction as a disassembler prints it, or null. */
  public String disassembly() {
    return disassembly;
  }

  /** Whether a listing says its operands. */
  public boolean isListed() {
    return disassembly != null && !disassembly.isBlank();
  }

  /** What follows the opcode between dots, e.g. E, 64, STRONG, GPU. */
  public List<String> modifiers() {
    return modifiers;
  }

  /** Whether the dot-separated modifier stands in the mnemonic, e.g. {@code "STRONG"}. */
  public boolean hasModifier(String modifier) {
    return modifiers.contains(modifier);
  }

  /** Bytes that a lane of a memory instruction moves, by its modifiers. */
  public int accessBytes() {
    return AccessWidth.bytes(text);
  }

  /**
   * Arithmetic operations of a lane. Compilers move constants with {@code HFMA2.MMA R1, -RZ, RZ, 0,
   * 1}: that is none.
   */
  public double flops() {
    int[] named = sources.length < 2 ? new int[] {Registers.NONE, 0} : sources;
    if (named[0] == Registers.RZ && named[1] == Registers.RZ) {
      return 0;
    }
    if (opcode.flops() != Opcode.BY_SHAPE) {
      return opcode.flops();
    }
    // A warpgroup product is issued once by each of its four warps.
    int lanes = opcode.pipe() == Pipe.GMMA ? 128 : 32;
    return 2.0 * MatrixShape.of(text).multiplyAdds() / lanes;
  }

  /** Predicate that guards it, {@link Registers#PT} if none does or it is not known. */
  public int guard() {
    return guard;
  }

  /** Whether it runs where the guard is false. */
  public boolean guardInverted() {
    return guardInverted;
  }

  /** The operands in the listing's order; empty where there is no listing. */
  public List<SassOperand> operands() {
    return operands;
  }

  /** How many of the operands, from the first on, are results. */
  public int results() {
    return results;
  }

  /** The operands in their positions A, B, C, ...: what is neither a result nor a predicate. */
  public List<SassOperand> inputs() {
    return operands.subList(results, operands.size()).stream()
        .filter(operand -> !operand.is(Kind.PREDICATE) && !operand.text().equals("PR"))
        .toList();
  }

  /** The integers among the operands, e.g. barrier and threads of {@code BAR.SYNC 0x1, 0x80}. */
  public int[] integers() {
    return operands.stream()
        .filter(SassOperand::integer)
        .mapToInt(operand -> (int) operand.value())
        .toArray();
  }

  /** Whether one of the modifiers begins so, e.g. {@code F16} for F16x2 and F16_V2. */
  public boolean hasModifierLike(String beginning) {
    return modifiers.stream().anyMatch(modifier -> modifier.startsWith(beginning));
  }

  /**
   * The constant that it reads, {@link ConstantOperand#NONE} if it reads none; null where nothing
   * beside the trace says.
   */
  public ConstantOperand constant() {
    return constant;
  }

  /** The same instruction where a file says which constant it reads. */
  public Instruction withConstant(ConstantOperand known) {
    return with(source, known);
  }

  /** The same instruction where it is known where it comes from. */
  public Instruction withSource(SourcePlace place) {
    return with(() -> place, constant);
  }

  private Instruction with(Supplier<SourcePlace> place, ConstantOperand known) {
    return new Instruction(
        row,
        pc,
        place,
        text,
        opcode,
        destinations,
        sources,
        recordedWidth,
        immediate,
        immediate2,
        commitsGroup,
        control,
        low,
        high,
        disassembly,
        known);
  }

  /** Whether an LDC has a register index, as far as is known: each lane reads where it wants. */
  public boolean isIndexedByLane() {
    if (constant != null) {
      return constant.isIndexedByLane();
    }
    if (opcode.pipe() == Pipe.CONSTANT) {
      for (int register : sources) {
        if (register != Registers.RZ) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Every register read, by its number in {@link Registers}, with all registers of wide operands,
   * once each. Without a listing: the regular ones that the trace names, and of predicates {@link
   * Registers#UNNAMED_PREDICATE} for branches.
   */
  public int[] reads() {
    return reads;
  }

  /** Every register written, likewise; compares without a listing write an unnamed predicate. */
  public int[] writes() {
    return writes;
  }

  /** Whether the kernel's code was found, so that {@link #control} means something. */
  public boolean hasControl() {
    return control != ControlBits.ABSENT;
  }

  @Override
  public String toString() {
    return String.format("%04x %s", pc, isListed() ? disassembly : text);
  }
}
