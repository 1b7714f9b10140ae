package dev.warpline.amd.cu;

import dev.warpline.amd.dispatch.DispatchTask;
import dev.warpline.amd.dispatch.GroupDemand;
import dev.warpline.amd.dispatch.GroupPlacement;
import dev.warpline.amd.exec.DecodedCode;
import dev.warpline.amd.exec.DeviceMemory;
import dev.warpline.amd.exec.GroupState;
import dev.warpline.amd.exec.WaveState;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.gpu.ClockSpec;
import dev.warpline.isa.gcn.GcnTarget;
import java.util.Arrays;

/**
 * One compute unit that runs a few instructions, for tests of the pipeline. The program runs twice;
 * the second time the instruction cache and the TLBs know it.
 */
final class TinyGpu implements AutoCloseable {
  static final int END = 0xbf810000;
  static final int BARRIER = 0xbf8a0000;
  static final int WAIT_ALL = 0xbf8c0000;
  static final int VECTOR_REGISTERS = 32;

  /** Sets up a wave before its first instruction. */
  interface WaveSetup {
    void set(WaveState wave, int index);
  }

  private final AmdSpec spec;
  final DeviceMemory memory = new DeviceMemory();
  private final Gpu gpu;
  private CodeImage image;
  private long entry;
  private WaveSetup setup = (wave, index) -> {};
  private long now;
  private int lastSlot;

  TinyGpu(AmdSpec spec) {
    this.spec = spec;
    WaveFactory factory =
        new WaveFactory() {
          @Override
          public CodeImage code(GroupPlacement placement) {
            return image;
          }

          @Override
          public GroupState group(GroupPlacement placement) {
            return new GroupState("test", 0, 0, 0, 65536);
          }

          @Override
          public WaveState wave(GroupPlacement placement, GroupState group, int wave) {
            WaveState state = new WaveState(VECTOR_REGISTERS, VECTOR_REGISTERS, group, wave);
            state.pc = entry;
            state.setExec(-1);
            setup.set(state, wave);
            return state;
          }
        };
    gpu = new Gpu(spec, ClockSpec.all(1000), memory, factory, 1, 0);
  }

  TinyGpu() {
    this(AmdSpec.gem5());
  }

  TinyGpu setup(WaveSetup waveSetup) {
    setup = waveSetup;
    return this;
  }

  /** Cycles from the first fetch to the end of the last wave, with warm caches. */
  long cycles(int[] words, int... slots) {
    entry = memory.allocate(4L * words.length);
    memory.writeInts(entry, words);
    DecodedCode program = DecodedCode.load(GcnTarget.GFX900, memory, entry, 4 * words.length);
    image = new CodeImage(spec, program, entry, 4 * words.length);
    run(slots);
    return run(slots);
  }

  private long run(int[] slots) {
    DispatchTask task =
        new DispatchTask(
            0,
            0,
            0,
            this,
            new int[] {64 * slots.length, 1, 1},
            new int[] {64 * slots.length, 1, 1},
            new GroupDemand(VECTOR_REGISTERS, 16, 65536));
    long start = now + gpu.window();
    gpu.start(new GroupPlacement(task, 0, 0, slots, new int[slots.length], 0, start));
    long end = 0;
    int left = slots.length;
    while (left > 0) {
      now = gpu.nextCycle() + gpu.window();
      gpu.run(now);
      for (int i = 0; i < gpu.endedWaves(); i++) {
        end = Math.max(end, gpu.endedCycle(i));
        lastSlot = gpu.endedSlot(i);
        left--;
      }
    }
    return end - start;
  }

  /** Slot of the wave that ended last. */
  int lastSlot() {
    return lastSlot;
  }

  Gpu gpu() {
    return gpu;
  }

  /** {@code count} times the same word, then the end of the program. */
  static int[] repeat(int word, int count) {
    int[] words = new int[count + 1];
    Arrays.fill(words, word);
    words[count] = END;
    return words;
  }

  static int[] program(int... words) {
    return words;
  }

  static int vAddF32(int dst, int a, int b) {
    return 1 << 25 | dst << 17 | b << 9 | 256 + a;
  }

  static int sAddU32(int dst, int a, int b) {
    return 0x80000000 | dst << 16 | b << 8 | a;
  }

  static int sSleep(int n) {
    return 0xbf8e0000 | n;
  }

  @Override
  public void close() {
    gpu.close();
  }
}
