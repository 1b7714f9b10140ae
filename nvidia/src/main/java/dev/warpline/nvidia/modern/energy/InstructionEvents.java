package dev.warpline.nvidia.modern.energy;

import dev.warpline.engine.gpu.EnergyEvent;
import dev.warpline.isa.Instruction;
import dev.warpline.isa.MatrixShape;
import dev.warpline.isa.Role;
import java.util.Map;

/**
 * What one execution of a static instruction is, beside its issue.
 *
 * @param event what happens
 * @param perWarp how often for the warp
 * @param perLane how often for each active lane
 */
record InstructionEvents(EnergyEvent event, double perWarp, double perLane) {
  /** Warps that make a product of a warpgroup together. */
  private static final int WARPGROUP = 4;

  static InstructionEvents of(Instruction in) {
    return switch (in.opcode().pipe()) {
      case FMA -> lane(EnergyEvent.FP32);
      case FMA_HEAVY -> lane(multiply(in));
      case FP16 -> lane(loadsImmediate(in) ? EnergyEvent.ALU : EnergyEvent.HALF);
      case FP64 -> lane(EnergyEvent.FP64);
      case XU -> lane(EnergyEvent.SPECIAL);
      case UNIFORM -> warp(EnergyEvent.UNIFORM, 1);
      case TENSOR -> warp(product(in, false), MatrixShape.of(in.text()).multiplyAdds());
      case GMMA -> group(in);
      case BRANCH, MISC, TMA -> warp(EnergyEvent.CONTROL, 1);
      case CONSTANT -> warp(EnergyEvent.CONSTANT, 1);
      case LSU, TEXTURE ->
          lane(in.opcode().role() == Role.SHUFFLE ? EnergyEvent.SHUFFLE : EnergyEvent.LOAD_STORE);
      default -> lane(EnergyEvent.ALU);
    };
  }

  /** Adds what so many executions with so many lanes are. */
  void add(long executed, long lanes, Map<EnergyEvent, Double> counts) {
    counts.merge(EnergyEvent.ISSUE, (double) executed, Double::sum);
    counts.merge(event, perWarp * executed + perLane * lanes, Double::sum);
  }

  private static InstructionEvents lane(EnergyEvent event) {
    return new InstructionEvents(event, 0, 1);
  }

  private static InstructionEvents warp(EnergyEvent event, double count) {
    return new InstructionEvents(event, count, 0);
  }

  private static InstructionEvents group(Instruction in) {
    boolean product = in.opcode().role() == Role.PRODUCT;
    return product
        ? warp(product(in, true), (double) MatrixShape.of(in.text()).multiplyAdds() / WARPGROUP)
        : warp(EnergyEvent.CONTROL, 1);
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
