package dev.warpline.amd.cu;

import static dev.warpline.amd.cu.TinyGpu.END;
import static dev.warpline.amd.cu.TinyGpu.WAIT_ALL;
import static dev.warpline.amd.cu.TinyGpu.vAddF32;

import dev.warpline.engine.gpu.AmdSpec;
import java.util.Map;

/** A few instructions for parameters that no compiled sample asks for. */
public final class TinyScenes {
  private TinyScenes() {}

  /** A wave reads the clock. */
  public static Map<String, Number> clock(AmdSpec spec) {
    try (TinyGpu gpu = new TinyGpu(spec)) {
      // s_memtime s[0:1]
      return Map.of("cycles", gpu.cycles(new int[] {0xc0900000, 0, WAIT_ALL, END}, 0));
    }
  }

  /** The second of two waves of a SIMD raises its priority. */
  public static Map<String, Number> priority(AmdSpec spec) {
    int[] words = new int[42];
    words[0] = 0xbf840001; // s_cbranch_scc0 +1: past s_setprio
    words[1] = 0xbf8f0003; // s_setprio 3
    for (int i = 2; i < 41; i++) {
      words[i] = vAddF32(i % 20, 30, 31);
    }
    words[41] = END;
    try (TinyGpu gpu = new TinyGpu(spec)) {
      gpu.setup((wave, index) -> wave.scc = index == 1);
      return Map.of("cycles", gpu.cycles(words, 0, 1), "last wave to end", gpu.lastSlot());
    }
  }

  /** A scalar load that crosses a line. */
  public static Map<String, Number> scalarLoad(AmdSpec spec) {
    try (TinyGpu gpu = new TinyGpu(spec)) {
      long buffer = gpu.memory.allocate(128);
      gpu.setup((wave, index) -> wave.setPair(0, buffer));
      // s_load_dwordx2 s[4:5], s[0:1], 0x3c
      long cycles = gpu.cycles(new int[] {0xc0060100, 0x3c, WAIT_ALL, END}, 0);
      String waits = "scalarCache.bankCycles";
      return Map.of("cycles", cycles, waits, gpu.gpu().statistics(false).get(waits));
    }
  }
}
