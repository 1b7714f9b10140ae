package dev.warpline.nvidia.modern.energy;

import dev.warpline.engine.gpu.EnergyEvent;
import dev.warpline.isa.Instruction;
import dev.warpline.isa.MatrixShape;
import dev.warpline.isa.Registers;
import dev.warpline.isa.Role;
import java.util.Map;

/**
 * What one execution of a static instruction is, beside its issue.
 *
 * @param event what happens
 * @param perWarp how often for the warp
 * @param perLane how often for each active lane
 * @param registers how many registers each active lane reads; products of the tensor cores have
 *     theirs in the energy of a multiply-add
 */
record InstructionEvents(EnergyEvent event, double perWarp, double perLane, int registers) {
  /** Warps that make a product of a warpgroup together. */
  private static final int WARPGROUP = 4;

  static InstructionEvents of(Instruction in) {
    return switch (in.opcode().pipe()) {
      case FMA -> lane(EnergyEvent.FP32, in);
      case FMA_HEAVY -> lane(multiply(in), in);
      case FP16 -> lane(loadsImmediate(in) ? EnergyEvent.ALU : EnergyEvent.HALF, in);
      case FP64 -> lane(EnergyEvent.FP64, in);
      case XU -> lane(EnergyEvent.SPECIAL, in);
      case UNIFORM -> warp(EnergyEvent.UNIFORM, in);
      case TENSOR -> product(product(in, false), MatrixShape.of(in.text()).multiplyAdds());
      case GMMA -> group(in);
      case BRANCH, MISC, TMA -> warp(EnergyEvent.CONTROL, in);
      case CONSTANT -> warp(EnergyEvent.CONSTANT, in);
      case LSU, TEXTURE -> lane(access(in), in);
      default -> lane(EnergyEvent.ALU, in);
    };
  }

  /** Adds what so many executions with so many lanes are. */
  void add(long executed, long lanes, Map<EnergyEvent, Double> counts) {
    counts.merge(EnergyEvent.ISSUE, (double) executed, Double::sum);
    counts.merge(event, perWarp * executed + perLane * lanes, Double::sum);
    if (registers > 0) {
      counts.merge(EnergyEvent.REGISTER, (double) registers * lanes, Double::sum);
    }
  }

  private static InstructionEvents lane(EnergyEvent event, Instruction in) {
    return new InstructionEvents(event, 0, 1, registers(in));
  }

  private static InstructionEvents warp(EnergyEvent event, Instruction in) {
    return new InstructionEvents(event, 1, 0, registers(in));
  }

  private static InstructionEvents product(EnergyEvent event, double multiplyAdds) {
    return new InstructionEvents(event, multiplyAdds, 0, 0);
  }

  /** Registers that a lane reads; RZ is none. */
  private static int registers(Instruction in) {
    int count = 0;
    for (int register : in.reads()) {
      count += Registers.isRegular(register) && register != Registers.RZ ? 1 : 0;
    }
    return count;
  }

  private static EnergyEvent access(Instruction in) {
    return in.opcode().role() == Role.SHUFFLE ? EnergyEvent.SHUFFLE : EnergyEvent.LOAD_STORE;
  }

  private static InstructionEvents group(Instruction in) {
    boolean product = in.opcode().role() == Role.PRODUCT;
    return product
        ? product(product(in, true), (double) MatrixShape.of(in.text()).multiplyAdds() / WARPGROUP)
        : warp(EnergyEvent.CONTROL, in);
  }

  /** The multiplier also moves, adds and shifts, which costs as little as elsewhere. */
  private static EnergyEvent multiply(Instruction in) {
    if (in.hasModifier("WIDE") || in.hasModifier("HI")) {
      return EnergyEvent.WIDE_MULTIPLY;
    }
    boolean simple =
        !in.opcode().name().equals("IMAD") && !in.opcode().name().equals("IDP")
            || in.hasModifier("MOV")
            || in.hasModifier("SHL")
            || in.hasModifier("IADD")
            || in.hasModifier("U32")
            || in.hasModifier("X");
    return simple ? EnergyEvent.ALU : EnergyEvent.MULTIPLY;
  }

  /** Compilers load constants with a product of zeros. */
  private static boolean loadsImmediate(Instruction in) {
    return in.isListed() && in.disassembly().contains("-RZ, RZ");
  }

  private static EnergyEvent product(Instruction in, boolean group) {
    String name = in.opcode().name();
    if (name.startsWith("D")) {
      return EnergyEvent.TENSOR_F64;
    }
    if (name.startsWith("I") || name.startsWith("B")) {
      return group ? EnergyEvent.GROUP_INT8 : EnergyEvent.TENSOR_INT8;
    }
    if (name.startsWith("Q")) {
      return group ? EnergyEvent.GROUP_F8 : EnergyEvent.TENSOR_INT8;
    }
    if (in.hasModifier("TF32") || in.text().contains("TF32")) {
      return group ? EnergyEvent.GROUP_TF32 : EnergyEvent.TENSOR_TF32;
    }
    return group ? EnergyEvent.GROUP_F16 : EnergyEvent.TENSOR_F16;
  }
}
