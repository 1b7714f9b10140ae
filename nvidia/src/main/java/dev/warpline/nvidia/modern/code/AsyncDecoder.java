package dev.warpline.nvidia.modern.code;

import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.isa.Instruction;
import dev.warpline.isa.MatrixShape;
import dev.warpline.isa.Pipe;
import dev.warpline.isa.Role;
import java.util.List;

/** Instructions of the asynchronous units: bulk copies, mbarriers, warpgroup products, clusters. */
final class AsyncDecoder {
  private static final int NONE = -1;

  /** Bytes of a row of an operand of a warpgroup product, for every type. */
  private static final int OPERAND_ROW_BYTES = 32;

  private static final int LINE_BYTES = 128;

  private final CodeRows rows;
  private final ModernCoreSpec spec;

  AsyncDecoder(CodeRows rows, ModernCoreSpec spec) {
    this.rows = rows;
    this.spec = spec;
  }

  /** Fills a row; false if the instruction is none of these or the GPU has no such units. */
  boolean decode(CodeRow row, Instruction in) {
    int what = spec.async() == null ? NONE : what(in);
    if (what == NONE) {
      return false;
    }
    row.unit(CodeRow.UNIT_NONE, 1);
    row.action = CodeRow.ASYNC;
    row.async = (byte) what;
    row.fixed = false;
    row.latency = spec.async().testCycles();
    row.groups = (int) in.immediate();
    row.tensorMap = in.opcode().pipe() == Pipe.TMA && in.opcode().name().startsWith("UTMA");
    row.clusterAddress = in.hasModifier("RED");
    row.announces = !in.hasModifier("A1T0") && !in.hasModifier("ART0") && !in.hasModifier("A0T1");
    if (what == Async.PRODUCT) {
      product(row, in);
    }
    if (in.opcode().role() == Role.BULK_COPY && direction(in).equals(List.of("S", "S"))) {
      row.async = Async.NOTHING;
      rows.note(in.text() + ": copies between shared memories are not modelled, it takes no time");
    }
    return true;
  }

  private static int what(Instruction in) {
    return switch (in.opcode().role()) {
      case MBARRIER -> barrier(in);
      case ARRIVE -> Async.COPIES_ARRIVE;
      case BULK_LOAD -> Async.LOAD;
      case BULK_STORE -> Async.STORE;
      case BULK_REDUCE -> Async.REDUCTION;
      case BULK_PREFETCH -> Async.PREFETCH;
      case BULK_COPY -> direction(in).equals(List.of("G", "S")) ? Async.STORE : Async.LOAD;
      case BULK_FLUSH -> Async.FLUSH;
      case PRODUCT -> Async.PRODUCT;
      case WARPGROUP ->
          in.hasModifier("DEPBAR")
              ? Async.GROUP_WAIT
              : in.hasModifier("ARRIVE") ? Async.GROUP_ARRIVE : Async.NOTHING;
      case POOL -> in.hasModifier("DEALLOC") ? Async.GIVE_REGISTERS : Async.TAKE_REGISTERS;
      case CLUSTER_ARRIVE -> Async.CLUSTER_ARRIVE;
      case CLUSTER_WAIT -> Async.CLUSTER_WAIT;
      case ORDER -> Async.NOTHING;
      default -> NONE;
    };
  }

  /** Where a bulk copy goes and where it comes from, as its first two modifiers say. */
  private static List<String> direction(Instruction in) {
    return in.modifiers().subList(0, Math.min(2, in.modifiers().size()));
  }

  private static int barrier(Instruction in) {
    if (in.hasModifier("EXCH")) {
      return Async.BARRIER_INIT;
    }
    if (in.hasModifier("PHASECHK")) {
      return Async.BARRIER_WAIT;
    }
    if (in.hasModifier("A0TR")) {
      return Async.BARRIER_EXPECT;
    }
    if (in.hasModifier("A0TX")) {
      return Async.BARRIER_BRING;
    }
    return in.hasModifier("ARRIVE") ? Async.BARRIER_ARRIVE : Async.NOTHING;
  }

  private void product(CodeRow row, Instruction in) {
    MatrixShape shape = MatrixShape.of(in.text());
    row.columns = shape.n();
    row.sharedOperand = in.sources().length < 2;
    row.commitsGroup = in.commitsGroup();
    rows.commitsKnown |= in.commitsGroup();
    int operandRows = shape.n() + (row.sharedOperand ? shape.m() : 0);
    row.operandLines = operandRows * OPERAND_ROW_BYTES / LINE_BYTES;
  }
}
