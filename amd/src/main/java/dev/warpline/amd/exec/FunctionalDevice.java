package dev.warpline.amd.exec;

import dev.warpline.amd.code.CodeObject;
import dev.warpline.amd.code.CodeObjectException;
import dev.warpline.amd.code.KernargSegment;
import dev.warpline.amd.code.Kernel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Runs kernels without time: group after group, the waves of a group in turn. The results are those
 * of the timed model wherever a kernel's result does not depend on the order of its groups.
 */
public final class FunctionalDevice {
  /**
   * Instructions a wave may execute before another one of its group gets its turn, so that waves
   * can wait for each other.
   */
  private static final int TURN = 20_000;

  /** A launch has a block of memory: the queue (256 bytes), the packet, the arguments. */
  private static final int PACKET_OFFSET = 256;

  private static final int KERNARG_OFFSET = 320;

  /** Stack of kernels whose need the compiler does not know (recursion, function pointers). */
  private static final int DYNAMIC_STACK = 4096;

  private final DeviceMemory memory;
  private final Semantics semantics = new Semantics();
  private final MemoryAccess access = new MemoryAccess();
  private LongConsumer observer = count -> {};
  private long instructions;

  public FunctionalDevice() {
    this(new DeviceMemory());
  }

  public FunctionalDevice(DeviceMemory memory) {
    this.memory = memory;
  }

  public DeviceMemory memory() {
    return memory;
  }

  /** Wavefront instructions executed so far. */
  public long instructions() {
    return instructions;
  }

  /**
   * Called with the instructions executed so far after every turn of a wave; what it throws ends
   * the run.
   */
  public void setObserver(LongConsumer observer) {
    this.observer = observer;
  }

  /** A code object in device memory. */
  public record LoadedCode(CodeObject object, long base, DecodedCode program) {}

  /** Copies a code object into device memory. */
  public LoadedCode load(CodeObject object) throws CodeObjectException {
    long base = memory.allocate(object.imageBytes());
    memory.copyIn(base, object.image(base));
    return new LoadedCode(
        object, base, DecodedCode.load(object.target(), memory, base, object.imageBytes() & ~3));
  }

  /** Launches a kernel and runs it to its end. */
  public void launch(
      LoadedCode code, Kernel kernel, int[] grid, int[] group, KernargSegment arguments) {
    launch(code, kernel, grid, group, arguments, false);
  }

  /**
   * Launches a kernel and runs it to its end.
   *
   * @param together whether all groups run at a time, so that they can wait for each other
   */
  public void launch(
      LoadedCode code,
      Kernel kernel,
      int[] grid,
      int[] group,
      KernargSegment arguments,
      boolean together) {
    int kernargBytes = Math.max(16, kernel.kernargBytes());
    long queue = memory.allocate(KERNARG_OFFSET + kernargBytes);
    long packet = queue + PACKET_OFFSET;
    long kernarg = queue + KERNARG_OFFSET;
    memory.copyIn(
        kernarg,
        arguments.bytes(
            new KernargSegment.Launch(
                grid,
                group,
                grid[2] > 1 ? 3 : grid[1] > 1 ? 2 : 1,
                Apertures.SHARED_BASE,
                Apertures.PRIVATE_BASE,
                queue)));
    writePacket(packet, code, kernel, grid, group, kernarg, arguments.groupSegmentBytes());
    int privateBytes = kernel.descriptor().privateSegmentBytes();
    if (kernel.descriptor().usesDynamicStack()) {
      privateBytes = Math.max(privateBytes, DYNAMIC_STACK);
    }
    long scratchBytes = scratchBytes(group, privateBytes) * (together ? groups(grid, group) : 1);
    Dispatch dispatch =
        new Dispatch(
            code.object().target(),
            kernel.name(),
            kernel.descriptor(),
            code.base() + kernel.entryAddress(),
            grid,
            group,
            arguments.groupSegmentBytes(),
            privateBytes,
            kernarg,
            packet,
            queue,
            0,
            memory.allocate(scratchBytes));
    try {
      if (together) {
        runTogether(code.program(), dispatch);
      } else {
        run(code.program(), dispatch);
      }
    } finally {
      memory.free(dispatch.scratch(), scratchBytes);
      memory.free(queue, KERNARG_OFFSET + kernargBytes);
    }
  }

  private static long groups(int[] grid, int[] group) {
    long groups = 1;
    for (int d = 0; d < 3; d++) {
      groups *= (grid[d] + (long) group[d] - 1) / group[d];
    }
    return groups;
  }

  /** Scratch of all waves of a group. */
  private static long scratchBytes(int[] group, int privateBytes) {
    long waves = ((long) group[0] * group[1] * group[2] + 63) / 64;
    return Math.max(1024, Math.min(waves, 16) * ((privateBytes * 64L + 1023) & ~1023L));
  }

  /** The fields of an AQL dispatch packet that kernels read through the dispatch pointer. */
  private void writePacket(
      long at,
      LoadedCode code,
      Kernel kernel,
      int[] grid,
      int[] group,
      long kernarg,
      int ldsBytes) {
    memory.writeShort(at, 2);
    memory.writeShort(at + 2, 3);
    for (int d = 0; d < 3; d++) {
      memory.writeShort(at + 4 + 2L * d, group[d]);
      memory.writeInt(at + 12 + 4L * d, grid[d]);
    }
    memory.writeInt(at + 24, kernel.descriptor().privateSegmentBytes());
    memory.writeInt(at + 28, ldsBytes);
    memory.writeLong(at + 32, code.base() + kernel.descriptorAddress());
    memory.writeLong(at + 40, kernarg);
  }

  /** Runs all groups of a dispatch; its scratch memory has room for the waves of one group. */
  public void run(DecodedCode program, Dispatch dispatch) {
    WaveLauncher launcher = new WaveLauncher(dispatch, memory, 0);
    for (int z = 0; z < dispatch.groups(2); z++) {
      for (int y = 0; y < dispatch.groups(1); y++) {
        for (int x = 0; x < dispatch.groups(0); x++) {
          WaveState[] waves = waves(launcher, dispatch, x, y, z, 0);
          boolean running = true;
          while (running) {
            running = runTurns(program, waves);
          }
        }
      }
    }
  }

  /** Runs all groups in turn; the scratch memory has room for the waves of all. */
  private void runTogether(DecodedCode program, Dispatch dispatch) {
    WaveLauncher launcher = new WaveLauncher(dispatch, memory, 0);
    List<WaveState[]> groups = new ArrayList<>();
    int slots = 0;
    for (int z = 0; z < dispatch.groups(2); z++) {
      for (int y = 0; y < dispatch.groups(1); y++) {
        for (int x = 0; x < dispatch.groups(0); x++) {
          groups.add(waves(launcher, dispatch, x, y, z, slots));
          slots += groups.get(groups.size() - 1).length;
        }
      }
    }
    while (!groups.isEmpty()) {
      groups.removeIf(waves -> !runTurns(program, waves));
    }
  }

  private static WaveState[] waves(
      WaveLauncher launcher, Dispatch dispatch, int x, int y, int z, int firstSlot) {
    GroupState group = launcher.group(x, y, z);
    WaveState[] waves = new WaveState[dispatch.waves(x, y, z)];
    for (int i = 0; i < waves.length; i++) {
      waves[i] = launcher.wave(group, i, firstSlot + i);
    }
    return waves;
  }

  /** A turn of every wave of a group; false when all have ended. */
  private boolean runTurns(DecodedCode program, WaveState[] waves) {
    boolean running = false;
    boolean waiting = false;
    for (WaveState wave : waves) {
      if (!wave.ended && !wave.atBarrier) {
        runTurn(program, wave);
      }
      running |= !wave.ended && !wave.atBarrier;
      waiting |= wave.atBarrier;
    }
    if (!running) {
      for (WaveState wave : waves) {
        wave.atBarrier = false;
      }
    }
    return running || waiting;
  }

  private void runTurn(DecodedCode program, WaveState w) {
    int left = TURN;
    while (left > 0 && !w.ended && !w.atBarrier) {
      Operation operation = program.at(w.pc);
      w.clock = instructions + TURN - left;
      w.realTime = w.clock;
      semantics.execute(w, operation, access);
      if (operation.isAccess()) {
        access.complete(memory);
      }
      left--;
    }
    instructions += TURN - left;
    observer.accept(instructions);
  }
}
