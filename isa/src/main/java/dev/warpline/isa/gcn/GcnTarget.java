package dev.warpline.isa.gcn;

import java.util.Arrays;
import java.util.Optional;

/** The GPU targets whose code objects are read, with what differs between them. */
public enum GcnTarget {
  /** Vega 10. */
  GFX900("gfx900", 0x2c, 4),
  /** MI200 series: one register file for vector and accumulation registers. */
  GFX90A("gfx90a", 0x3f, 8),
  /** MI300 series: also architected flat scratch. */
  GFX942("gfx942", 0x4c, 8);

  private final String processor;
  private final int elfMachine;
  private final int vgprGranule;

  GcnTarget(String processor, int elfMachine, int vgprGranule) {
    this.processor = processor;
    this.elfMachine = elfMachine;
    this.vgprGranule = vgprGranule;
  }

  /** The compiler's name for it, e.g. {@code gfx90a}. */
  public String processor() {
    return processor;
  }

  /** The value of EF_AMDGPU_MACH in an ELF header. */
  public int elfMachine() {
    return elfMachine;
  }

  /** Vector registers are counted in units of this many in a kernel descriptor. */
  public int vgprGranule() {
    return vgprGranule;
  }

  /**
   * Whether vector and accumulation registers share one file, and v0 holds the packed work-item id.
   */
  public boolean unifiedRegisterFile() {
    return this != GFX900;
  }

  /** Whether the hardware sets up the scratch base (no scratch descriptor in SGPRs). */
  public boolean architectedFlatScratch() {
    return this == GFX942;
  }

  /** The target with this processor name, e.g. {@code gfx942}. */
  public static Optional<GcnTarget> ofProcessor(String name) {
    return Arrays.stream(values()).filter(t -> t.processor.equals(name)).findFirst();
  }

  /** The target with this EF_AMDGPU_MACH. */
  public static Optional<GcnTarget> ofElfMachine(int mach) {
    return Arrays.stream(values()).filter(t -> t.elfMachine == mach).findFirst();
  }
}
