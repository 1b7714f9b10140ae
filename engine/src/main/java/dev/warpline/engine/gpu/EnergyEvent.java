package dev.warpline.engine.gpu;

/** What happens in a GPU and costs energy, with the field of {@link EnergySpec} that says so. */
public enum EnergyEvent {
  /** A second in which an SM has blocks. */
  SM("power.smW", Component.STATIC),
  ISSUE("warp.issue", Component.ISSUE),
  UNIFORM("warp.uniform", Component.ARITHMETIC),
  CONTROL("warp.control", Component.ISSUE),
  CONSTANT("warp.constant", Component.ISSUE),
  FP32("lane.fp32", Component.ARITHMETIC),
  MULTIPLY("lane.multiply", Component.ARITHMETIC),
  WIDE_MULTIPLY("lane.wideMultiply", Component.ARITHMETIC),
  ALU("lane.alu", Component.ARITHMETIC),
  HALF("lane.half", Component.ARITHMETIC),
  FP64("lane.fp64", Component.ARITHMETIC),
  SPECIAL("lane.special", Component.ARITHMETIC),
  LOAD_STORE("lane.loadStore", Component.L1),
  SHUFFLE("lane.shuffle", Component.SHARED),
  REGISTER("lane.register", Component.REGISTERS),
  TENSOR_F16("tensor.f16", Component.TENSOR),
  TENSOR_TF32("tensor.tf32", Component.TENSOR),
  TENSOR_INT8("tensor.int8", Component.TENSOR),
  TENSOR_F64("tensor.f64", Component.TENSOR),
  GROUP_F16("tensor.groupF16", Component.TENSOR),
  GROUP_TF32("tensor.groupTf32", Component.TENSOR),
  GROUP_INT8("tensor.groupInt8", Component.TENSOR),
  GROUP_F8("tensor.groupF8", Component.TENSOR),
  SHARED("memory.sharedPass", Component.SHARED),
  L1("memory.l1Sector", Component.L1),
  COPY("memory.copySector", Component.L1),
  NETWORK("memory.networkSector", Component.L2),
  REQUEST("memory.l2Request", Component.L2),
  L2_READ("memory.l2Read", Component.L2),
  L2_WRITE("memory.l2Write", Component.L2),
  L2_ATOMIC("memory.l2Atomic", Component.L2),
  L2_FAR("memory.l2Far", Component.L2),
  DRAM_READ("memory.dramRead", Component.DRAM),
  DRAM_WRITE("memory.dramWrite", Component.DRAM),
  DRAM_ROW("memory.dramRow", Component.DRAM);

  /** A part of the machine that energy is told for. */
  public enum Component {
    /** The board's idle power and SMs that are on. */
    STATIC("static"),
    ISSUE("issue"),
    REGISTERS("registers"),
    ARITHMETIC("arithmetic"),
    TENSOR("tensor cores"),
    SHARED("shared memory"),
    L1("L1"),
    L2("L2 and network"),
    DRAM("DRAM");

    private final String label;

    Component(String label) {
      this.label = label;
    }

    /** What people call it. */
    public String label() {
      return label;
    }
  }

  private final String field;
  private final Component component;

  EnergyEvent(String field, Component component) {
    this.field = field;
    this.component = component;
  }

  /** Its field inside the section {@code energy}. */
  public String field() {
    return field;
  }

  /** Where its energy goes. */
  public Component component() {
    return component;
  }
}
