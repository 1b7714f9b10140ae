package dev.warpline.nvidia.emulate;

import dev.warpline.isa.SassOperand.Kind;
import java.util.List;

/** Instructions of Hopper's asynchronous units. */
final class AsyncOperations {
  private AsyncOperations() {}

  /** The operation of an instruction, or null if it is not one of these. */
  static LaneOperation of(SassInstruction instruction, String mnemonic) {
    return switch (mnemonic) {
      case "UTMALDG", "UTMASTG", "UTMAREDG", "UTMAPF" -> new TensorCopy(instruction);
      case "UBLKCP", "UBLKRED", "UBLKPF" -> new BulkCopy(instruction);
      case "STAS", "REDAS" -> new RemoteStore(instruction);
      case "HGMMA", "QGMMA", "IGMMA", "BGMMA" -> new WarpgroupProduct(instruction);
      case "WARPGROUP" -> warpgroup(instruction);
      case "USETMAXREG" -> registers(instruction);
      default -> BarrierOperations.of(instruction, mnemonic);
    };
  }

  /** Bytes that tracers give for an access, 0 for other instructions. */
  static int width(SassInstruction instruction) {
    return switch (instruction.mnemonic()) {
      case "UTMALDG", "UTMASTG", "UTMAREDG", "UTMAPF", "UBLKCP", "UBLKRED", "UBLKPF" -> 32;
      case "SYNCS" -> instruction.has("CCTL") ? 0 : instruction.has("EXCH") ? 8 : 4;
      case "STAS", "REDAS" -> instruction.has("128") ? 16 : instruction.has("64") ? 8 : 4;
      case "ARRIVES" -> 8;
      default -> 0;
    };
  }

  /**
   * ARRIVE and WAIT are a barrier of four warps; DEPBAR waits until the others have done their part
   * of the products that are waited for.
   */
  private static LaneOperation warpgroup(SassInstruction instruction) {
    instruction.allow("ARRIVE", "DEPBAR", "LE", "WAIT");
    if (instruction.has("ARRIVE")) {
      return (warp, mask) -> warp.groupArrivals++;
    }
    if (instruction.has("WAIT")) {
      return (warp, mask) -> warp.waits = !warp.block.groupArrived(warp);
    }
    List<Operand> numbers = instruction.of(Kind.IMMEDIATE);
    int groups = numbers.isEmpty() ? 0 : (int) numbers.get(numbers.size() - 1).value();
    return (warp, mask) -> warp.waits = !warp.block.productsDone(warp, warp.productsBefore(groups));
  }

  /** Registers are there for everybody. */
  private static LaneOperation registers(SassInstruction instruction) {
    instruction.allow("TRY_ALLOC", "DEALLOC", "CTAPOOL");
    int output = Form.compare(instruction).output(0);
    return (warp, mask) -> warp.setPredicate(output, -1, -1);
  }
}
