package dev.warpline.nvidia.emulate;

import dev.warpline.trace.Dim3;
import dev.warpline.trace.ExecutedCode;
import dev.warpline.trace.code.Cubin;
import java.io.IOException;
import java.util.Map;
import java.util.function.LongConsumer;

/** A GPU that executes without timing: its memory, and kernels that are launched on it. */
public final class EmulatedGpu {
  /** Where shared memory appears among generic addresses; allocations lie elsewhere. */
  static final long SHARED_BASE = 0x6f2c_0000_0000L;

  /** Where local memory appears among generic addresses. */
  static final long LOCAL_BASE = 0x6f2b_0000_0000L;

  /** Where variables lie whose addresses nobody says. */
  private static final long VARIABLES = 0x6e00_0000_0000L;

  /** Where the driver's memory for cooperative launches lies. */
  private static final long WORKSPACE = 0x6f20_0000_0000L;

  private static final long ROOM = 0x1_0000_0000L;

  /** Bytes of a page of memory. */
  public static final int PAGE = EmulatedMemory.PAGE;

  private final EmulatedMemory memory = new EmulatedMemory();
  private long nextVariables = VARIABLES;

  /** Adds an allocation, which holds zeros; it may not lie over another one. */
  public void allocate(String name, long address, long bytes) throws EmulationException {
    if (address < SHARED_BASE + ROOM && address + bytes > VARIABLES) {
      throw new EmulationException(
          String.format(
              "%s: found the address 0x%x, expected one outside of 0x%x to 0x%x, which the emulator"
                  + " needs",
              name, address, VARIABLES, SHARED_BASE + ROOM - 1));
    }
    memory.add(name, address, bytes);
  }

  /** Takes an allocation away. */
  public void free(long address) {
    memory.remove(address);
  }

  /** Sets contents. */
  public void write(long address, byte[] content, int from, int bytes) {
    memory.write(address, content, from, bytes);
  }

  /**
   * Sets contents, as a copy or a fill of a program does: an address that is nowhere is an error.
   */
  public void store(long address, byte[] content, int bytes) throws EmulationException {
    try {
      memory.write(address, content, 0, bytes);
    } catch (AddressFault e) {
      throw new EmulationException(e.getMessage());
    }
  }

  /** Reads contents, as a copy of a program does: an address that is nowhere is an error. */
  public void load(long address, byte[] into, int bytes) throws EmulationException {
    try {
      memory.read(address, into, 0, bytes);
    } catch (AddressFault e) {
      throw new EmulationException(e.getMessage());
    }
  }

  /** Reads contents, which are not taken to be used by a kernel. */
  public void peek(long address, byte[] into, int bytes) {
    memory.peek(address, into, bytes);
  }

  /** Whether a stretch of memory holds anything but zeros that nobody wrote. */
  public boolean hasContent(long address, long bytes) {
    return memory.hasContent(address, bytes);
  }

  /** Bytes that the contents take. */
  public long held() {
    return memory.held();
  }

  /** Addresses of the pages written since {@link #forgetWritten}, ascending. */
  public long[] written() {
    return memory.written();
  }

  /** From now on nothing counts as written. */
  public void forgetWritten() {
    memory.forgetWritten();
  }

  /** Whether a kernel read or wrote in a stretch of memory since {@link #forgetTouched}. */
  public boolean touched(long address, long bytes) {
    return memory.touched(address, bytes);
  }

  /** From now on nothing counts as read or written. */
  public void forgetTouched() {
    memory.forgetTouched();
  }

  /** Keeps what the pages hold that are written from now on, or stops doing so. */
  public void keepBefore(boolean wanted) {
    memory.keepBefore(wanted);
  }

  /** Exchanges the contents of written pages and what they held before. */
  public void swapBefore() {
    memory.swapBefore();
  }

  /** Gives places to variables of a module whose addresses are not known. */
  public void load(EmulatedModule module) throws EmulationException {
    for (Cubin.Data data : module.cubin().data()) {
      if (module.section(data.section()) == null) {
        memory.add(module.file() + ", " + data.section(), nextVariables, data.bytes());
        memory.write(nextVariables, data.content(), 0, data.content().length);
        module.section(data.section(), nextVariables);
        nextVariables += data.bytes() + 2L * PAGE & -PAGE;
      }
    }
  }

  /**
   * A kernel, ready to be executed block by block.
   *
   * @param constants addresses of {@code __constant__} variables by their names
   * @param rows takes the instructions that are recorded
   * @param progress told the warp instructions of the kernel so far
   */
  public EmulatedKernel launch(
      EmulatedModule module,
      KernelLaunch wanted,
      Map<String, Long> constants,
      ExecutedCode rows,
      LongConsumer progress)
      throws IOException {
    Cubin.Kernel kernel = module.kernel(wanted.kernel());
    Map<Integer, SassInstruction> code = module.instructions(wanted.kernel());
    module.refuseRelocatedCode(wanted.kernel(), code);
    Dim3 grid = wanted.grid();
    Dim3 cluster = module.cluster(wanted);
    if (grid.x() % cluster.x() != 0 || grid.y() % cluster.y() != 0 || grid.z() % cluster.z() != 0) {
      throw new EmulationException(
          wanted.kernel() + ": found the grid " + grid + ", expected multiples of " + cluster);
    }
    Launch launch =
        new Launch(
            wanted.kernel(),
            grid,
            wanted.block(),
            cluster,
            module.reserved() + module.sharedBytes(wanted),
            SHARED_BASE,
            LOCAL_BASE,
            banks(module, wanted, kernel, constants),
            memory);
    int version = module.tracerVersion(wanted.kernel());
    return new EmulatedKernel(
        module.header(wanted),
        launch,
        new KernelSteps(module.program(wanted.kernel()), rows, version, wanted.limit()),
        rows,
        wanted.cooperative(),
        progress);
  }

  private ConstantBanks banks(
      EmulatedModule module, KernelLaunch launch, Cubin.Kernel kernel, Map<String, Long> constants)
      throws EmulationException {
    ConstantBanks banks = new ConstantBanks();
    for (Cubin.Constants content : module.cubin().constants()) {
      if (content.bank() != 0
          && (content.kernel() == null || content.kernel().equals(launch.kernel()))) {
        banks.put(content.bank(), 0, relocated(module, content));
      }
    }
    for (Cubin.Variable variable : module.cubin().variables()) {
      Long address = constants.get(variable.name());
      if (address != null && variable.section().matches("\\.nv\\.constant\\d+")) {
        byte[] content = new byte[(int) variable.bytes()];
        memory.peek(address, content, content.length);
        int bank = Integer.parseInt(variable.section().substring(".nv.constant".length()));
        banks.put(bank, (int) variable.offset(), content);
      }
    }
    int expected = kernel.parameterBytes();
    if (launch.parameters().length < expected) {
      throw new EmulationException(
          launch.kernel()
              + ": found "
              + launch.parameters().length
              + " bytes of parameters, expected "
              + expected);
    }
    long space = launch.cooperative() ? workspace() : 0;
    banks.put(
        0,
        0,
        Bank0.of(
            launch,
            module.cluster(launch),
            SHARED_BASE,
            LOCAL_BASE,
            space,
            kernel.parameterOffset()));
    return banks;
  }

  /** Zeros for the barrier of all blocks. */
  private long workspace() throws EmulationException {
    memory.remove(WORKSPACE);
    memory.add("workspace of a cooperative launch", WORKSPACE, PAGE);
    return WORKSPACE;
  }

  /** A constant bank with the addresses that loading puts there. */
  private static byte[] relocated(EmulatedModule module, Cubin.Constants content)
      throws EmulationException {
    byte[] bytes = content.bytes().clone();
    for (Cubin.Relocation relocation : module.cubin().relocations()) {
      if (!relocation.section().equals(content.section())) {
        continue;
      }
      int at = (int) relocation.offset();
      long address = module.address(relocation);
      boolean wide = relocation.type() == Cubin.Relocation.DOUBLE_WORD;
      if (!wide && relocation.type() != Cubin.Relocation.WORD
          || at < 0
          || at + (wide ? 8 : 4) > bytes.length) {
        throw new EmulationException(
            module.file()
                + ": found a relocation of type "
                + relocation.type()
                + " at "
                + relocation.offset()
                + " of "
                + content.section()
                + ", expected an address of 32 or 64 bits inside of it");
      }
      if (wide) {
        Bytes.doubleWord(bytes, at, address);
      } else {
        Bytes.word(bytes, at, (int) address);
      }
    }
    return bytes;
  }
}
