package dev.warpline.amd.exec;

import dev.warpline.isa.gcn.GcnInstruction;
import java.util.Map;

/**
 * Executes instructions. {@link #bind} turns a decoded instruction into an {@link Operation}, once;
 * {@link #execute} runs it on a wave. An instance belongs to one thread at a time (it holds the
 * operands in flight); operations may be shared.
 */
public final class Semantics {
  private static final Map<String, VectorFunction> VECTOR = VectorTable.create();
  private static final Map<String, ScalarTable.Function> SCALAR = ScalarTable.create();
  private static final Map<String, AtomicFunction> ATOMIC = AtomicFunction.table();

  private final Lanes lanes = new Lanes();

  /**
   * Makes an instruction executable. One without semantics yields an operation that faults when it
   * is reached.
   */
  public static Operation bind(GcnInstruction i) {
    Operation operation = lookup(i);
    return operation == null ? new Unimplemented(i) : operation;
  }

  /** Whether executing the instruction would do what the ISA says. */
  public static boolean isImplemented(GcnInstruction i) {
    return lookup(i) != null;
  }

  private static Operation lookup(GcnInstruction i) {
    String name = i.opcode.mnemonic();
    if (SpecialOperation.handles(name)) {
      return SpecialOperation.of(i);
    }
    if (LaneExchange.handles(name)) {
      return new LaneExchange(i);
    }
    return switch (i.opcode.unit()) {
      case SCALAR_ALU, BRANCH, SEQUENCER ->
          SCALAR.containsKey(name) ? new ScalarOperation(i, SCALAR.get(name)) : null;
      case VECTOR_ALU -> vector(i, name);
      case MATRIX -> MatrixOperation.of(i);
      default -> memory(i, name);
    };
  }

  private static Operation vector(GcnInstruction i, String name) {
    if (MixOperation.handles(name)) {
      return new MixOperation(i);
    }
    if (i.isDpp && !Dpp.isDefined(i.dppControl)) {
      return null;
    }
    VectorFunction function = VECTOR.get(name);
    if (function == null || i.clamp && !VectorOperation.canClamp(function)) {
      return null;
    }
    return name.startsWith("v_pk_")
        ? new PackedOperation(i, function)
        : new VectorOperation(i, function);
  }

  private static Operation memory(GcnInstruction i, String name) {
    if (i.opcode.accessBytes() == 0 || i.gds || i.tfe) {
      return null;
    }
    AddressUnit addresses =
        switch (i.opcode.unit()) {
          case SCALAR_MEMORY ->
              name.startsWith("s_scratch")
                  ? null
                  : name.startsWith("s_buffer") ? AddressUnit.SCALAR_BUFFER : AddressUnit.SCALAR;
          case GLOBAL -> AddressUnit.GLOBAL;
          case FLAT -> AddressUnit.FLAT;
          case SCRATCH -> AddressUnit.SCRATCH;
          case BUFFER -> AddressUnit.BUFFER;
          case LDS ->
              name.contains("addtid")
                  ? AddressUnit.LDS_BY_LANE
                  : name.contains("st64") ? AddressUnit.LDS_STRIDE_64 : AddressUnit.LDS;
          default -> null;
        };
    if (addresses == null) {
      return null;
    }
    AtomicFunction atomic = null;
    if (i.opcode.isAtomic()) {
      atomic = ATOMIC.get(atomicName(name));
      if (atomic == null) {
        return null;
      }
    } else if (name.contains("src2") || name.contains("store_lds")) {
      return null;
    }
    return new MemoryOperation(i, addresses, atomic);
  }

  /**
   * {@code global_atomic_add_x2} gives {@code add_x2}, {@code ds_add_rtn_u32} gives {@code
   * add_u32}.
   */
  private static String atomicName(String mnemonic) {
    if (mnemonic.startsWith("ds_")) {
      return mnemonic.substring("ds_".length()).replace("_rtn", "");
    }
    return mnemonic.substring(mnemonic.indexOf("atomic_") + "atomic_".length());
  }

  /**
   * Executes one instruction and moves the PC. Where {@link Operation#isAccess}, {@code access} is
   * filled and has to be completed before its result is used.
   */
  public void execute(WaveState w, Operation operation, MemoryAccess access) {
    long pc = w.pc;
    w.pc = pc + operation.instruction.size;
    try {
      operation.run(w, lanes, access);
    } catch (ExecutionFault e) {
      throw e;
    } catch (IndexOutOfBoundsException e) {
      throw fault(
          w,
          operation.instruction,
          pc,
          -1,
          new IllegalStateException(
              "a register beyond the " + w.vgpr.length / 64 + " VGPRs of the wave is used", e));
    } catch (RuntimeException e) {
      throw fault(w, operation.instruction, pc, -1, e);
    }
  }

  /** A fault with everything that is known about its place. */
  static ExecutionFault fault(
      WaveState w, GcnInstruction i, long pc, int lane, RuntimeException cause) {
    String text =
        String.format(
            "%s: %s at PC 0x%x of kernel %s, work-group (%d, %d, %d), wave %d%s",
            cause.getMessage(),
            i,
            pc,
            w.group.kernel,
            w.group.x,
            w.group.y,
            w.group.z,
            w.indexInGroup,
            lane < 0 ? "" : ", lane " + lane);
    return new ExecutionFault(text, pc, cause);
  }

  /** Stops with the mnemonic and encoding when it is reached. */
  private static final class Unimplemented extends Operation {
    Unimplemented(GcnInstruction i) {
      super(i);
    }

    @Override
    void run(WaveState w, Lanes x, MemoryAccess access) {
      throw new IllegalStateException(
          String.format(
              "no semantics for %s (encoding 0x%08x 0x%08x)",
              instruction.name, instruction.word0, instruction.word1));
    }
  }
}
