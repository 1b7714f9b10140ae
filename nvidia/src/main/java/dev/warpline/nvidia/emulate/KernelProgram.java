package dev.warpline.nvidia.emulate;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The instructions of a kernel, each made ready to run when it is reached for the first time:
 * listings hold much that never runs, and what is not known fails only where it is reached.
 */
final class KernelProgram {
  private static final Pattern UNIFORM = Pattern.compile("\\bUR(\\d+)");

  /** A uniform operand takes up to this many registers. */
  private static final int WIDEST = 4;

  private final SassInstruction[] instructions;
  private final Step[] steps;
  private int uniforms = -1;

  KernelProgram(Map<Integer, SassInstruction> listed) {
    int last = listed.keySet().stream().mapToInt(pc -> pc).max().orElse(0);
    instructions = new SassInstruction[last / SassInstruction.BYTES + 1];
    steps = new Step[instructions.length];
    listed.forEach((pc, instruction) -> instructions[pc / SassInstruction.BYTES] = instruction);
  }

  int size() {
    return steps.length;
  }

  /** The instruction of an index, null if none is listed there. */
  SassInstruction instruction(int index) {
    return index >= 0 && index < instructions.length ? instructions[index] : null;
  }

  /**
   * The step of an index.
   *
   * @return null if no instruction is listed there
   * @throws UnsupportedInstructionException if it is not known
   */
  Step step(int index) {
    if (index < 0 || index >= steps.length) {
      return null;
    }
    Step step = steps[index];
    if (step == null && instructions[index] != null) {
      step = new Step(instructions[index]);
      steps[index] = step;
    }
    return step;
  }

  /** Uniform registers that it may use, from the first on. */
  int uniforms() {
    if (uniforms < 0) {
      uniforms = 0;
      for (SassInstruction instruction : instructions) {
        Matcher named = UNIFORM.matcher(instruction == null ? "" : instruction.text());
        while (named.find()) {
          uniforms = Math.max(uniforms, Integer.parseInt(named.group(1)) + WIDEST);
        }
      }
    }
    return uniforms;
  }

  /** Whether warps hand registers to each other, so that each may use any of them. */
  boolean movesRegisters() {
    for (SassInstruction instruction : instructions) {
      if (instruction != null && instruction.mnemonic().equals("USETMAXREG")) {
        return true;
      }
    }
    return false;
  }
}
