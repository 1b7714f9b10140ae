package dev.warpline.engine.gpu;

/**
 * What events cost in joules. Energies hold at the clock of {@link ClockSpec#coreMHz} and for data
 * whose bits look random; {@link EnergyEvent} names the events one by one.
 */
public record EnergySpec(
    @Field("power that no event explains") Power power,
    @Field("how far cards differ from their mean, whose energies these are: standard deviation")
        Cards cards,
    @Field("energy of a warp instruction") Warp warp,
    @Field("energy of a lane's part in an instruction") Lane lane,
    @Field("energy of a multiply-add of the tensor cores") Tensor tensor,
    @Field("energy of memories and of the ways to them") Memory memory) {

  /** Power beside events, and what holds it down. */
  public record Power(
      @Field(value = "board with clocks up and nothing to do", unit = "W", most = 10_000)
          double idleW,
      @Field(value = "an SM that has blocks, beside what they do", unit = "W", most = 100)
          double smW,
      @Field(value = "limit at which the core clock falls", unit = "W", least = 1, most = 100_000)
          double limitW,
      @Field(
              value = "by how much the voltage falls when the core clock does: 1 for in proportion",
              most = 1)
          double voltageSlope) {}

  /** What the same kernels draw on several cards, relative to the mean of them. */
  public record Cards(
      @Field(value = "idle power", most = 1) double idle,
      @Field(value = "energy of events in the SMs", most = 1) double sm,
      @Field(value = "energy of events in L2, network and device memory", most = 1) double memory) {

    /** That of one component's energy. */
    public double of(EnergyEvent.Component component) {
      return switch (component) {
        case STATIC -> idle;
        case L2, DRAM -> memory;
        default -> sm;
      };
    }
  }

  /** Instructions of warps, whatever their lanes do. */
  public record Warp(
      @Field(value = "fetch, decode, issue of any instruction", unit = "pJ", most = 1e6)
          double issue,
      @Field(value = "instruction of the uniform datapath", unit = "pJ", most = 1e6) double uniform,
      @Field(value = "branch, barrier, other control", unit = "pJ", most = 1e6) double control,
      @Field(value = "load of constants", unit = "pJ", most = 1e6) double constant) {}

  /** Instructions by active lane. */
  public record Lane(
      @Field(value = "single precision", unit = "pJ", most = 1e6) double fp32,
      @Field(value = "32-bit integer multiply-add", unit = "pJ", most = 1e6) double multiply,
      @Field(value = "integer multiply-add of twice the width", unit = "pJ", most = 1e6)
          double wideMultiply,
      @Field(value = "integer, logic, compare, select, move", unit = "pJ", most = 1e6) double alu,
      @Field(value = "half precision, two at a time", unit = "pJ", most = 1e6) double half,
      @Field(value = "double precision", unit = "pJ", most = 1e6) double fp64,
      @Field(value = "special functions, conversions", unit = "pJ", most = 1e6) double special,
      @Field(value = "load, store or atomic, on its way to memory", unit = "pJ", most = 1e6)
          double loadStore,
      @Field(value = "shuffle", unit = "pJ", most = 1e6) double shuffle,
      @Field(
              value = "register of 32 bits read, products of tensor cores aside",
              unit = "pJ",
              most = 1e6)
          double register) {}

  /** Multiply-adds by type; those of a warpgroup take operands from shared memory. */
  public record Tensor(
      @Field(value = "16-bit, product of a warp", unit = "pJ", most = 1e6) double f16,
      @Field(value = "TF32, product of a warp", unit = "pJ", most = 1e6) double tf32,
      @Field(value = "8-bit integers, product of a warp", unit = "pJ", most = 1e6) double int8,
      @Field(value = "double precision, product of a warp", unit = "pJ", most = 1e6) double f64,
      @Field(value = "16-bit, product of a warpgroup", unit = "pJ", most = 1e6) double groupF16,
      @Field(value = "TF32, product of a warpgroup", unit = "pJ", most = 1e6) double groupTf32,
      @Field(value = "8-bit integers, product of a warpgroup", unit = "pJ", most = 1e6)
          double groupInt8,
      @Field(value = "8-bit floats, product of a warpgroup", unit = "pJ", most = 1e6)
          double groupF8) {}

  /** Memories; a sector has 32 bytes. */
  public record Memory(
      @Field(value = "pass through shared memory, 128 bytes", unit = "pJ", most = 1e6)
          double sharedPass,
      @Field(value = "sector looked up in L1", unit = "pJ", most = 1e6) double l1Sector,
      @Field(value = "sector that a copy engine moves", unit = "pJ", most = 1e6) double copySector,
      @Field(value = "sector between an SM and L2, either way", unit = "pJ", most = 1e6)
          double networkSector,
      @Field(value = "line that an SM asks L2 for, beside its sectors", unit = "pJ", most = 1e6)
          double l2Request,
      @Field(value = "sector read in L2", unit = "pJ", most = 1e6) double l2Read,
      @Field(value = "sector written in L2", unit = "pJ", most = 1e6) double l2Write,
      @Field(value = "sector changed in L2 by an atomic", unit = "pJ", most = 1e6) double l2Atomic,
      @Field(value = "sector between the L2 partitions", unit = "pJ", most = 1e6) double l2Far,
      @Field(value = "byte read from device memory", unit = "pJ", most = 1e6) double dramRead,
      @Field(value = "byte written to device memory", unit = "pJ", most = 1e6) double dramWrite,
      @Field(value = "row of device memory opened", unit = "pJ", most = 1e6) double dramRow) {}

  /** Energy of one event in picojoules; that of a second with blocks for {@link EnergyEvent#SM}. */
  public double picojoules(EnergyEvent event) {
    return switch (event) {
      case SM -> power.smW * 1e12;
      case ISSUE -> warp.issue;
      case UNIFORM -> warp.uniform;
      case CONTROL -> warp.control;
      case CONSTANT -> warp.constant;
      case FP32 -> lane.fp32;
      case MULTIPLY -> lane.multiply;
      case WIDE_MULTIPLY -> lane.wideMultiply;
      case ALU -> lane.alu;
      case HALF -> lane.half;
      case FP64 -> lane.fp64;
      case SPECIAL -> lane.special;
      case LOAD_STORE -> lane.loadStore;
      case SHUFFLE -> lane.shuffle;
      case REGISTER -> lane.register;
      case TENSOR_F16 -> tensor.f16;
      case TENSOR_TF32 -> tensor.tf32;
      case TENSOR_INT8 -> tensor.int8;
      case TENSOR_F64 -> tensor.f64;
      case GROUP_F16 -> tensor.groupF16;
      case GROUP_TF32 -> tensor.groupTf32;
      case GROUP_INT8 -> tensor.groupInt8;
      case GROUP_F8 -> tensor.groupF8;
      case SHARED -> memory.sharedPass;
      case L1 -> memory.l1Sector;
      case COPY -> memory.copySector;
      case NETWORK -> memory.networkSector;
      case REQUEST -> memory.l2Request;
      case L2_READ -> memory.l2Read;
      case L2_WRITE -> memory.l2Write;
      case L2_ATOMIC -> memory.l2Atomic;
      case L2_FAR -> memory.l2Far;
      case DRAM_READ -> memory.dramRead;
      case DRAM_WRITE -> memory.dramWrite;
      case DRAM_ROW -> memory.dramRow;
    };
  }
}
