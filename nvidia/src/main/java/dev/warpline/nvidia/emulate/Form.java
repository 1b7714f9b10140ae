package dev.warpline.nvidia.emulate;

import dev.warpline.isa.SassOperand.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * The operands of an instruction by their part: predicates and a register that are written, the
 * sources, and predicates that are read. A listing has them in this order; predicates may also
 * stand before the register.
 */
final class Form {
  final SassInstruction instruction;

  /** Predicates written. */
  final List<Operand> outputs = new ArrayList<>();

  /** Operands that are neither predicates nor the destination. */
  final List<Operand> sources = new ArrayList<>();

  /** Predicates read. */
  final List<Operand> inputs = new ArrayList<>();

  /** First register written, {@link Warp#DISCARD} for RZ. */
  final int destination;

  private Form(SassInstruction instruction, boolean hasDestination) {
    this.instruction = instruction;
    boolean seen = !hasDestination;
    int register = Warp.DISCARD;
    for (Operand operand : instruction.operands()) {
      if (!seen && operand.is(Kind.REGISTER)) {
        register = discard(operand.index());
        seen = true;
      } else if (operand.is(Kind.PREDICATE)) {
        (sources.isEmpty() ? outputs : inputs).add(operand);
      } else {
        sources.add(operand);
      }
    }
    destination = register;
  }

  /** An instruction that writes a register, and perhaps predicates. */
  static Form of(SassInstruction instruction) {
    return new Form(instruction, true);
  }

  /** An instruction that writes only predicates. */
  static Form compare(SassInstruction instruction) {
    return new Form(instruction, false);
  }

  static int discard(int register) {
    return register == Warp.ZERO || register == Warp.UNIFORM_ZERO ? Warp.DISCARD : register;
  }

  /** The register after the destination. */
  int next(int distance) {
    return destination == Warp.DISCARD ? Warp.DISCARD : destination + distance;
  }

  Operand source(int index) {
    if (index >= sources.size()) {
      throw instruction.unsupported("found " + sources.size() + " sources, expected more");
    }
    return sources.get(index);
  }

  Source integer(int index) {
    return Source.integer(instruction, whole(index));
  }

  Source plain(int index) {
    return Source.plain(instruction, whole(index));
  }

  Source single(int index) {
    return Source.single(instruction, whole(index));
  }

  /** A source of which all bits are meant. */
  private Operand whole(int index) {
    Operand operand = source(index);
    if (operand.is(Kind.REGISTER) && !operand.selector().isEmpty()) {
      throw instruction.unsupported("selector ." + operand.selector() + " is not emulated");
    }
    return operand;
  }

  /** A predicate that is read; true where the instruction names none. */
  Input input(int index) {
    return index < inputs.size() ? new Input(inputs.get(index)) : Input.ALWAYS;
  }

  /** A predicate that is written; discarded where the instruction names none. */
  int output(int index) {
    if (index >= outputs.size()) {
      return Warp.DISCARD_PREDICATE;
    }
    int predicate = outputs.get(index).index();
    return predicate % Warp.UNIFORM_PREDICATE == Warp.TRUE ? Warp.DISCARD_PREDICATE : predicate;
  }

  /** A predicate operand that is read. */
  record Input(int index, boolean inverted) {
    static final Input ALWAYS = new Input(Warp.TRUE, false);
    static final Input NEVER = new Input(Warp.TRUE, true);

    Input(Operand operand) {
      this(operand.index(), operand.inverted());
    }

    int read(Warp warp) {
      int lanes = warp.predicates[index];
      return inverted ? ~lanes : lanes;
    }
  }
}
