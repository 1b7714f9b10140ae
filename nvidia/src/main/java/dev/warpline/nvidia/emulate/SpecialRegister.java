package dev.warpline.nvidia.emulate;

/** A special register: what a lane reads from it. */
interface SpecialRegister {
  long value(Warp warp, int lane);

  static SpecialRegister of(SassInstruction instruction, String name) {
    return switch (name) {
      case "SRZ" -> (warp, lane) -> 0;
      case "SR_LANEID" -> (warp, lane) -> lane;
      case "SR_TID.X" -> (warp, lane) -> thread(warp, lane) % warp.block.size().x();
      case "SR_TID.Y" ->
          (warp, lane) -> thread(warp, lane) / warp.block.size().x() % warp.block.size().y();
      case "SR_TID.Z" ->
          (warp, lane) -> thread(warp, lane) / (warp.block.size().x() * warp.block.size().y());
      case "SR_CTAID.X" -> (warp, lane) -> warp.block.x();
      case "SR_CTAID.Y" -> (warp, lane) -> warp.block.y();
      case "SR_CTAID.Z" -> (warp, lane) -> warp.block.z();
      case "SR_EQMASK" -> (warp, lane) -> 1 << lane;
      case "SR_LTMASK" -> (warp, lane) -> (1 << lane) - 1;
      case "SR_LEMASK" -> (warp, lane) -> (2 << lane) - 1;
      case "SR_GTMASK" -> (warp, lane) -> -(2L << lane);
      case "SR_GEMASK" -> (warp, lane) -> -(1L << lane);
      case "SR_CgaCtaId" -> (warp, lane) -> warp.block.rank();
      case "SR_VIRTUALSMID" -> (warp, lane) -> 0;
      case "SR_WARPID", "SR_VIRTID" -> (warp, lane) -> warp.id;
      case "SR_SWINHI" -> (warp, lane) -> warp.block.sharedBase() >>> 32;
      case "SR_CLOCKLO", "SR_GLOBALTIMERLO" -> (warp, lane) -> warp.clock;
      case "SR_CLOCKHI", "SR_GLOBALTIMERHI" -> (warp, lane) -> warp.clock >>> 32;
      default -> throw instruction.unsupported("special register " + name + " is not emulated");
    };
  }

  private static int thread(Warp warp, int lane) {
    return warp.id * Warp.LANES + lane;
  }
}
