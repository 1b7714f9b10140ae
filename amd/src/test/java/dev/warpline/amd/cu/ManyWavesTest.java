package dev.warpline.amd.cu;

import static dev.warpline.amd.cu.TinyGpu.BARRIER;
import static dev.warpline.amd.cu.TinyGpu.END;
import static dev.warpline.amd.cu.TinyGpu.repeat;
import static dev.warpline.amd.cu.TinyGpu.sAddU32;
import static dev.warpline.amd.cu.TinyGpu.sSleep;
import static dev.warpline.amd.cu.TinyGpu.vAddF32;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.amd.launch.LaunchRun;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.gpu.Binder;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.profile.ProfileOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A compute unit of 8 SIMDs with 16 slots each: 128 waves, and 16 with 64: 1,024. */
class ManyWavesTest {
  private static final int[] ALL = IntStream.range(0, 128).toArray();
  private static final int[] FIRST_SIMD = IntStream.range(0, 16).toArray();
  private static final int[] LAST_SIMD = IntStream.range(112, 128).toArray();

  private static AmdSpec spec(String settings) throws DescriptionException {
    return Binder.read(AmdSpec.class, "{" + settings + "}", "a test's GPU");
  }

  private static AmdSpec eightSimds(String more) throws DescriptionException {
    return spec("waves: {simds: 8, slotsPerSimd: 16}" + more);
  }

  private static long cycles(int[] words, int... slots) throws DescriptionException {
    try (TinyGpu gpu = new TinyGpu(eightSimds(""))) {
      return gpu.cycles(words, slots);
    }
  }

  private static double perInstruction(int word, int... slots) throws DescriptionException {
    return (cycles(repeat(word, 24), slots) - cycles(repeat(word, 8), slots)) / 16.0;
  }

  @Test
  void everySimdHasItsOwnVectorUnitWhereverItsSlotsAre() throws DescriptionException {
    int chain = vAddF32(1, 1, 1);
    assertThat(perInstruction(chain, FIRST_SIMD)).isEqualTo(16 * 4);
    assertThat(perInstruction(chain, LAST_SIMD)).isEqualTo(16 * 4);
    assertThat(perInstruction(chain, ALL)).as("128 waves on 8 SIMDs").isEqualTo(16 * 4);
    assertThat(cycles(repeat(chain, 24), LAST_SIMD))
        .isEqualTo(cycles(repeat(chain, 24), FIRST_SIMD));
  }

  @Test
  void allWavesShareTheScalarUnit() throws DescriptionException {
    assertThat(perInstruction(sAddU32(1, 1, 1), ALL)).isEqualTo(128 * 4);
  }

  @Test
  void aBarrierWaitsForTheLastAndLetsAllGo() throws DescriptionException {
    int[] words = {BARRIER, END};
    assertThat(cycles(words, ALL) - cycles(words, 0))
        .as("two instructions of 127 more waves on one scalar unit")
        .isBetween(127 * 2 * 4L, 127 * 2 * 4L + 100);
  }

  @Test
  void wavesBeyond64AreChosenInTheSameOrderAsThoseBelow() throws DescriptionException {
    // Old and young waves side by side, scalar and vector instructions, waits of known length.
    int[] slots = IntStream.range(0, 64).map(i -> i * 37 % 64).toArray();
    int[] higher = IntStream.of(slots).map(slot -> slot + 64).toArray();
    int[] words = new int[33];
    for (int i = 0; i < 32; i++) {
      words[i] = i % 8 == 5 ? sSleep(1) : i % 3 == 0 ? vAddF32(1, 1, 1) : sAddU32(1, 1, 1);
    }
    words[32] = END;
    long[] took = new long[2];
    for (String policy : List.of("old", "lrr")) {
      String issue = ", issue: {policy: " + policy + "}";
      try (TinyGpu four = new TinyGpu(spec("waves: {simds: 4, slotsPerSimd: 16}" + issue));
          TinyGpu eight = new TinyGpu(eightSimds(issue))) {
        long expected = four.cycles(words, slots);
        assertThat(eight.cycles(words, higher)).as(policy).isEqualTo(expected);
        assertThat(eight.lastSlot()).as(policy).isEqualTo(four.lastSlot() + 64);
        took[policy.equals("old") ? 0 : 1] = expected;
      }
    }
    assertThat(took[0]).as("the policies differ on this program").isNotEqualTo(took[1]);
  }

  @Test
  void wavesOfHigherPriorityGoFirst() throws DescriptionException {
    // s_setprio 3 in the younger wave alone: s0 tells, s_cbranch_scc0 passes it.
    int[] words = new int[20];
    words[0] = 0xbf068000; // s_cmp_eq_u32 s0, 0
    words[1] = 0xbf850001; // s_cbranch_scc1 +1
    words[2] = 0xbf8f0003; // s_setprio 3
    for (int i = 3; i < 19; i++) {
      words[i] = sAddU32(1, 1, 1);
    }
    words[19] = END;
    try (TinyGpu gpu = new TinyGpu(eightSimds(", issue: {priorities: true}"))) {
      gpu.setup((wave, index) -> wave.sgpr[0] = index);
      gpu.cycles(words, 3, 100);
      assertThat(gpu.lastSlot()).isEqualTo(3);
    }
  }

  @Test
  void aThousandWavesEnd() throws DescriptionException {
    try (TinyGpu gpu = new TinyGpu(spec("waves: {simds: 16, slotsPerSimd: 64}"))) {
      gpu.cycles(repeat(vAddF32(1, 1, 1), 4), IntStream.range(0, 1024).toArray());
      assertThat(gpu.gpu().statistics(false).get("cu.wavesCompleted").longValue())
          .isEqualTo(2 * 1024);
    }
  }

  @Test
  void aSchedulerOf64WavesIsRefused() {
    assertThatThrownBy(() -> eightSimds(", issue: {policy: gto}"))
        .isInstanceOf(DescriptionException.class)
        .hasMessageContaining("gto")
        .hasMessageContaining("128; expected old or lrr");
  }

  @Test
  void aKernelOfVectorInstructionsGainsByMoreSimds() throws IOException {
    KernelResult few = blackScholes(4);
    KernelResult many = blackScholes(8);
    assertThat(few.occupancy() * 64).isBetween(50.0, 64.0);
    assertThat(many.occupancy() * 128)
        .as("nearly all 128 slots have a wave")
        .isBetween(110.0, 128.0);
    assertThat(many.cycles()).isLessThan(few.cycles() * 4 / 5);
    assertThat(many.warpInstructions()).isEqualTo(few.warpInstructions());
  }

  /** On one compute unit with registers for all of its waves, recorded; its results are right. */
  private static KernelResult blackScholes(int simds) throws IOException {
    GpuDescription gpu =
        Gpus.load(
            "gem5",
            List.of(
                "amd.computeUnits=1",
                "amd.registers.vectorRegisters=8192",
                "amd.registers.scalarRegisters=8192",
                "amd.waves.barrierSlots=256",
                "amd.waves.slotsPerSimd=16",
                "amd.waves.simds=" + simds));
    LaunchRun.Outcome outcome =
        new LaunchRun(Path.of("../examples/amd/launch/black_scholes.yaml"), gpu)
            .timed(RunOptions.DEFAULT.withProfile(new ProfileOptions(0, 1000, 4)), Progress.NONE);
    assertThat(outcome.failedChecks()).isEmpty();
    KernelResult kernel = outcome.result().kernels().get(0);
    assertThat(kernel.profile()).isNotNull();
    return kernel;
  }
}
