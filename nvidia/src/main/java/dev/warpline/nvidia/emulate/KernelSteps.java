package dev.warpline.nvidia.emulate;

import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.nvidia.emulate.Step.Flow;
import dev.warpline.trace.ExecutedCode;
import dev.warpline.trace.WarpTrace;
import java.util.Arrays;
import java.util.Map;

/** The steps of a kernel, and the loop that runs warps through them. */
final class KernelSteps {
  /** Instructions after which another warp gets a turn. */
  private static final int TURN = 1 << 14;

  private final KernelProgram program;

  /** Rows of the code table by instruction, -1 where it was not recorded yet. */
  private final int[] rows;

  private final ExecutedCode code;
  private final int version;
  private final long limit;
  private long executed;

  /**
   * @param code takes the rows of instructions that are recorded
   * @param version of the tracer whose records these are
   * @param limit warp instructions after which the launch counts as endless
   */
  KernelSteps(KernelProgram program, ExecutedCode code, int version, long limit) {
    this.program = program;
    this.code = code;
    this.version = version;
    this.limit = limit;
    rows = new int[program.size()];
    Arrays.fill(rows, -1);
  }

  KernelSteps(
      Map<Integer, SassInstruction> instructions, ExecutedCode code, int version, long limit) {
    this(new KernelProgram(instructions), code, version, limit);
  }

  /** What it runs. */
  KernelProgram program() {
    return program;
  }

  /** Warp instructions executed so far. */
  long executed() {
    return executed;
  }

  /**
   * Runs a warp until it waits, ends, or has had its turn.
   *
   * @return whether it executed something
   */
  boolean run(Warp warp) throws EmulationException {
    Paths paths = warp.paths;
    int turn = TURN;
    try {
      while (paths.active != 0 && turn-- > 0) {
        Step step = step(warp, paths.pc);
        int mask = warp.predicates[step.guard];
        mask = paths.active & (step.guardInverted ? ~mask : mask);
        warp.executed++;
        executed++;
        if (step.flow == Flow.NEXT) {
          if (step.operation != null && mask != 0) {
            step.operation.execute(warp, step.uniform ? -1 : mask);
            if (warp.waits) {
              warp.waits = false;
              warp.executed--;
              executed--;
              turn++;
              paths.rotate();
              break;
            }
          }
          trace(warp, step, mask);
          paths.pc += SassInstruction.BYTES;
          if (step.yields || warp.yields) {
            warp.yields = false;
            paths.rotate();
            break;
          }
        } else {
          trace(warp, step, mask);
          control(warp, step, mask);
        }
      }
    } catch (AddressFault e) {
      throw new EmulationException(place(warp) + " " + e.getMessage());
    } catch (IndexOutOfBoundsException | NullPointerException | ArithmeticException e) {
      throw new EmulationException(place(warp) + ": " + e);
    }
    if (turn <= 0) {
      paths.rotate();
    }
    if (executed > limit) {
      throw new UnfinishedSimulationException(
          place(warp) + ": more than " + limit + " warp instructions; an endless loop?");
    }
    return turn < TURN;
  }

  private void trace(Warp warp, Step step, int mask) {
    WarpTrace trace = warp.trace;
    if (trace == null) {
      return;
    }
    SassInstruction instruction = step.instruction;
    int index = instruction.pc() / SassInstruction.BYTES;
    if (rows[index] < 0) {
      rows[index] =
          code.add(instruction.pc(), TraceLine.of(instruction, version), instruction.text());
    }
    trace.add(rows[index], mask);
    if (step.recorded != null) {
      step.recorded.record(trace, mask);
    }
  }

  private void control(Warp warp, Step step, int mask) {
    Paths paths = warp.paths;
    switch (step.flow) {
      case BRANCH -> {
        int taken = mask & step.condition.read(warp);
        paths.branch(step.any && taken != 0 ? paths.active : taken, step.target);
      }
      case BRANCH_IF_DIVERGENT -> {
        int whole =
            step.value == null || mask == 0
                ? -1
                : step.value.read(warp)[Integer.numberOfTrailingZeros(mask)];
        paths.branch(paths.active != whole ? mask : 0, step.target);
      }
      case INDIRECT -> {
        int[] targets = step.value.read(warp).clone();
        for (int lane = 0; lane < Warp.LANES; lane++) {
          targets[lane] += step.base();
        }
        paths.branch(mask, targets);
      }
      case EXIT -> {
        // As a branch: lanes that stay go on with the next instruction.
        paths.exit(mask & step.condition.read(warp));
        warp.block.lanesExited();
      }
      case BEGIN -> paths.begin(step.barrier, mask);
      case JOIN -> paths.join(step.barrier, mask & step.condition.read(warp));
      case LEAVE -> paths.leave(step.barrier, mask & step.condition.read(warp));
      case SYNC_WARP -> {
        if (step.value != null && step.instruction.has("EXCLUSIVE")) {
          paths.syncGroups(mask, step.value.read(warp));
          return;
        }
        int wanted =
            step.value == null || mask == 0
                ? -1
                : step.value.read(warp)[Integer.numberOfTrailingZeros(mask)];
        paths.syncWarp(mask, wanted);
      }
      default -> {
        if (mask == 0) {
          paths.pc += SassInstruction.BYTES;
          return;
        }
        int count =
            step.value == null ? 0 : step.value.read(warp)[Integer.numberOfTrailingZeros(mask)];
        int barrier = step.barrier;
        if (step.barrierNumber != null) {
          int lane = Integer.numberOfTrailingZeros(mask);
          count = barrier == Step.PACKED ? count >>> 16 & 0xfff : count;
          barrier = step.barrierNumber.read(warp)[lane] & 0xf;
        }
        boolean waits = !step.instruction.has("ARV");
        int votes = step.condition.read(warp);
        warp.block.arrive(warp, step, barrier, mask, waits, count, votes);
      }
    }
  }

  private Step step(Warp warp, int pc) throws EmulationException {
    try {
      Step step = program.step(pc / SassInstruction.BYTES);
      if (step != null) {
        return step;
      }
    } catch (UnsupportedInstructionException e) {
      throw new EmulationException(place(warp) + ": " + e.getMessage());
    }
    throw new EmulationException(
        place(warp)
            + (pc == EmulatedModule.NOWHERE
                ? ": calls a function of the driver, such as malloc or printf, which are not"
                    + " emulated"
                : ": no instruction is listed there"));
  }

  private String place(Warp warp) {
    int pc = warp.paths.pc;
    SassInstruction instruction = program.instruction(pc / SassInstruction.BYTES);
    String opcode = instruction == null ? "" : " (" + instruction.opcode() + ")";
    return String.format("%s, warp %d, PC %04x%s", warp.block.place(), warp.id, pc, opcode);
  }
}
