package dev.warpline.nvidia.emulate;

import dev.warpline.isa.SassOperand.Kind;
import java.util.List;
import java.util.Set;

/** An instruction made ready to run: its guard, its operation or its effect on control flow. */
final class Step {
  /** What an instruction does to the PC. */
  enum Flow {
    NEXT,
    BRANCH,
    BRANCH_IF_DIVERGENT,
    INDIRECT,
    EXIT,
    BEGIN,
    JOIN,
    LEAVE,
    SYNC_WARP,
    SYNC_BLOCK
  }

  /** Order and caches do not matter to what a kernel computes when accesses are done at once. */
  private static final Set<String> WITHOUT_EFFECT =
      Set.of(
          "NOP",
          "MEMBAR",
          "ERRBAR",
          "CCTL",
          "CCTLL",
          "FENCE",
          "LDGDEPBAR",
          "DEPBAR",
          "YIELD",
          "NANOSLEEP",
          "CGAERRBAR",
          "USETSHMSZ",
          "PMTRIG",
          "ENDCOLLECTIVE",
          "ACQBULK",
          "PREEXIT",
          "UTMACMDFLUSH",
          "UTMACCTL");

  /** Instructions of the uniform datapath that compute what their regular twins do. */
  private static final Set<String> UNIFORM =
      Set.of(
          "UMOV", "UIADD3", "UIMAD", "ULEA", "USHF", "ULOP3", "UPLOP3", "UPRMT", "USEL", "UISETP",
          "UPOPC", "UBREV", "UFLO", "USGXT", "UBMSK", "UIABS", "UIMNMX", "UVIADD");

  final SassInstruction instruction;

  final int guard;
  final boolean guardInverted;
  final Flow flow;

  /** What it computes, or null. */
  final LaneOperation operation;

  /** The operation, if it accesses memory. */
  final MemoryInstruction memory;

  /** The operation, if a trace says more of it than its lanes. */
  final RecordedOperation recorded;

  /** Whether it computes one value for the warp. */
  final boolean uniform;

  /** Whether other lanes or warps should get a turn, since this one may be waiting in a loop. */
  final boolean yields;

  /** Of a branch: whether all lanes take it if one does. */
  final boolean any;

  /** Of a branch: where to. */
  final int target;

  /** Of a branch: a second condition. Of BAR.RED: what is counted. */
  final Form.Input condition;

  /** Number of a barrier that a register holds below the count of its threads. */
  static final int PACKED = -1;

  /** Number of a barrier, or {@link #PACKED}. */
  final int barrier;

  /** Where the number of a barrier comes from if it is in a register; else null. */
  final Source barrierNumber;

  /** Lanes' targets, participants, or threads that a barrier expects; or null. */
  final Source value;

  Step(SassInstruction instruction) {
    this.instruction = instruction;
    guard = instruction.guard();
    guardInverted = instruction.guardInverted();
    String mnemonic = instruction.mnemonic();
    uniform = UNIFORM.contains(mnemonic) || mnemonic.equals("ULDC");
    yields = mnemonic.equals("YIELD") || mnemonic.equals("NANOSLEEP");
    flow = flow(instruction);
    any = instruction.has("ANY");
    List<Operand> barriers = instruction.of(Kind.BARRIER);
    List<Operand> numbers = instruction.of(Kind.IMMEDIATE);
    List<Operand> predicates = instruction.of(Kind.PREDICATE);
    condition = predicates.isEmpty() ? Form.Input.ALWAYS : new Form.Input(predicates.get(0));
    if (flow == Flow.NEXT) {
      operation = operation(instruction, mnemonic);
      memory = operation instanceof MemoryInstruction access ? access : null;
      recorded = operation instanceof RecordedOperation one ? one : null;
      target = 0;
      barrier = 0;
      barrierNumber = null;
      value = null;
      return;
    }
    operation = null;
    memory = null;
    recorded = null;
    target = numbers.isEmpty() ? 0 : (int) numbers.get(numbers.size() - 1).value();
    if (flow == Flow.BRANCH && numbers.isEmpty()) {
      throw instruction.unsupported("expected a target such as 0x120");
    }
    barrierNumber =
        flow == Flow.SYNC_BLOCK && instruction.operand(0).is(Kind.REGISTER)
            ? Source.integer(instruction, instruction.operand(0))
            : null;
    switch (flow) {
      case BEGIN, JOIN, LEAVE -> {
        if (barriers.isEmpty()) {
          throw instruction.unsupported("expected a barrier register");
        }
        barrier = barriers.get(0).index();
        value = null;
      }
      case SYNC_BLOCK -> {
        instruction.allow("SYNC", "DEFER_BLOCKING", "ARV", "RED", "POPC", "AND", "OR");
        Operand number = instruction.operand(0);
        boolean counted =
            instruction.operands().size() > 1 && !instruction.operand(1).is(Kind.PREDICATE);
        if (number.is(Kind.REGISTER)) {
          boolean packed =
              !counted
                  || instruction.operand(1).is(Kind.REGISTER)
                      && instruction.operand(1).index() == number.index();
          barrier = packed ? PACKED : 0;
          value = Source.integer(instruction, packed ? number : instruction.operand(1));
        } else {
          barrier = (int) number.value();
          value = counted ? Source.integer(instruction, instruction.operand(1)) : null;
        }
      }
      default -> {
        barrier = 0;
        List<Operand> registers = instruction.of(Kind.REGISTER);
        value = registers.isEmpty() ? null : Source.integer(instruction, registers.get(0));
        if (flow == Flow.INDIRECT && value == null) {
          throw instruction.unsupported("expected a register with the target");
        }
      }
    }
  }

  private static Flow flow(SassInstruction instruction) {
    return switch (instruction.mnemonic()) {
      case "BRA" -> {
        instruction.allow("U", "DIV", "ANY");
        yield instruction.has("DIV") ? Flow.BRANCH_IF_DIVERGENT : Flow.BRANCH;
      }
      case "JMP" -> Flow.BRANCH;
      case "CALL" -> {
        instruction.allow("REL", "ABS", "NOINC");
        yield instruction.of(Kind.REGISTER).isEmpty() ? Flow.BRANCH : Flow.INDIRECT;
      }
      case "RET" -> {
        instruction.allow("REL", "ABS", "NODEC");
        yield Flow.INDIRECT;
      }
      case "BRX", "BRXU", "JMX", "JMXU" -> Flow.INDIRECT;
      case "EXIT" -> {
        instruction.allow();
        yield Flow.EXIT;
      }
      case "BSSY" -> Flow.BEGIN;
      case "BSYNC" -> Flow.JOIN;
      case "BREAK" -> Flow.LEAVE;
      case "WARPSYNC" -> {
        instruction.allow("ALL", "EXCLUSIVE", "COLLECTIVE");
        yield Flow.SYNC_WARP;
      }
      case "BAR" -> Flow.SYNC_BLOCK;
      default -> Flow.NEXT;
    };
  }

  private static LaneOperation operation(SassInstruction instruction, String mnemonic) {
    if (WITHOUT_EFFECT.contains(mnemonic)) {
      return null;
    }
    if (MemoryInstruction.isMemory(instruction)) {
      return MemoryInstruction.of(instruction);
    }
    String twin = UNIFORM.contains(mnemonic) ? mnemonic.substring(1) : mnemonic;
    LaneOperation operation = IntegerOperations.of(instruction, twin);
    operation = operation != null ? operation : FloatOperations.of(instruction, twin);
    operation = operation != null ? operation : HalfOperations.of(instruction, twin);
    operation = operation != null ? operation : ConversionOperations.of(instruction, twin);
    operation = operation != null ? operation : WarpOperations.of(instruction, twin);
    operation = operation != null ? operation : MatrixOperations.of(instruction, twin);
    operation = operation != null ? operation : AsyncOperations.of(instruction, mnemonic);
    if (operation == null) {
      throw instruction.unsupported("is not emulated");
    }
    return operation;
  }

  /** The base that an indirect branch adds to its register. */
  int base() {
    // Relative ones are printed as a negative distance from the next instruction.
    return target < 0 ? target + instruction.pc() + SassInstruction.BYTES : target;
  }
}
