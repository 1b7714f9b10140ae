package dev.warpline.nvidia;

import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.KernelRecorder;
import dev.warpline.engine.profile.LaneWork;
import dev.warpline.engine.profile.LaneWork.Kind;
import dev.warpline.engine.profile.LaneWork.Space;
import dev.warpline.isa.CodeFlow;
import dev.warpline.isa.CodeTable;
import dev.warpline.isa.Demangler;
import dev.warpline.isa.Instruction;
import dev.warpline.isa.Opcode;
import dev.warpline.isa.Pipe;
import dev.warpline.isa.Registers;
import dev.warpline.isa.SourcePlace;
import dev.warpline.trace.Dim3;
import dev.warpline.trace.KernelHeader;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** What a profile shows of a traced kernel besides what recorders count. */
public final class KernelListing implements KernelRecorder.Listing {
  /** Sources of an instruction that are worth showing. */
  private static final int SOURCES = 6;

  private final CodeTable code;
  private CodeFlow flow;

  public KernelListing(CodeTable code) {
    this.code = code;
  }

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
  public KernelProfile.Source source(int row) {
    return source(code.get(row).source());
  }

  private static KernelProfile.Source source(SourcePlace place) {
    return place == null
        ? null
        : new KernelProfile.Source(
            place.file(),
            place.line(),
            place.function() == null ? null : Demangler.demangle(place.function()),
            source(place.caller()),
            place.ptx());
  }

  @Override
  public String register(int number) {
    return number < Registers.COUNT ? Registers.name(number) : "SB" + (number - Registers.COUNT);
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
      operands.add(Registers.name(register));
    }
    for (int register : instruction.sources()) {
      operands.add(Registers.name(register));
    }
    return instruction.text() + operands;
  }

  @Override
  public KernelProfile.Code code(int row) {
    if (flow == null) {
      flow = new CodeFlow(code);
    }
    List<KernelProfile.Producer> sources =
        flow.sources(row).stream()
            .limit(SOURCES)
            .map(s -> new KernelProfile.Producer(pc(s.row()), s.distance(), s.via()))
            .toList();
    String pipe = code.get(row).opcode().pipe().name();
    return new KernelProfile.Code(pipe, flow.live(row), sources);
  }

  @Override
  public LaneWork work(int row) {
    return work(code.get(row));
  }

  /** What a lane of an instruction does. */
  public static LaneWork work(Instruction in) {
    Space space = space(in.opcode());
    return space == Space.NONE
        ? LaneWork.arithmetic(kind(in), in.flops())
        : LaneWork.memory(space, in.accessBytes());
  }

  private static Space space(Opcode opcode) {
    if (opcode.isMemory() && opcode.pipe() == Pipe.TMA) {
      return Space.BULK;
    }
    return switch (opcode.space()) {
      case NONE -> Space.NONE;
      case SHARED -> Space.SHARED;
      case LOCAL -> Space.LOCAL;
      case CONSTANT -> Space.CONSTANT;
      default -> Space.GLOBAL;
    };
  }

  private static Kind kind(Instruction in) {
    return switch (in.opcode().pipe()) {
      case FMA -> Kind.FP32;
      case FP64 -> Kind.FP64;
      case FP16 -> Kind.FP16;
      case TENSOR, GMMA -> Kind.TENSOR;
      default -> Kind.NONE;
    };
  }

  private static String text(Dim3 size) {
    return size.x() + " x " + size.y() + " x " + size.z();
  }
}
