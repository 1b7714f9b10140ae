package dev.warpline.nvidia;

import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.KernelRecorder;
import dev.warpline.isa.CodeTable;
import dev.warpline.isa.Instruction;
import dev.warpline.trace.Dim3;
import dev.warpline.trace.KernelHeader;
import java.util.Map;
import java.util.StringJoiner;

/** What a profile shows of a traced kernel besides what recorders count. */
public record KernelListing(CodeTable code) implements KernelRecorder.Listing {
  private static final int ZERO_REGISTER = 255;

  /**
   * How a kernel was launched.
   *
   * @param warpSlots warps an SM can hold
   * @param limits blocks an SM can hold, by what limits them
   */
  public static KernelProfile.Launch launch(
      KernelHeader header, int warpSlots, Map<String, Integer> limits) {
    return new KernelProfile.Launch(
        text(header.grid()),
        text(header.block()),
        header.registers(),
        header.sharedBytes(),
        header.warpsPerBlock(),
        warpSlots,
        limits);
  }

  @Override
  public int pc(int row) {
    return code.get(row).pc();
  }

  @Override
  public int sourceLine(int row) {
    return code.get(row).sourceLine();
  }

  /** The disassembly where the code was found, else the mnemonic with the recorded registers. */
  @Override
  public String text(int row) {
    Instruction instruction = code.get(row);
    if (instruction.disassembly() != null) {
      return instruction.disassembly();
    }
    StringJoiner operands = new StringJoiner(", ", " ", "").setEmptyValue("");
    for (int register : instruction.destinations()) {
      operands.add(name(register));
    }
    for (int register : instruction.sources()) {
      operands.add(name(register));
    }
    return instruction.text() + operands;
  }

  private static String name(int register) {
    return register == ZERO_REGISTER ? "RZ" : "R" + register;
  }

  private static String text(Dim3 size) {
    return size.x() + " x " + size.y() + " x " + size.z();
  }
}
