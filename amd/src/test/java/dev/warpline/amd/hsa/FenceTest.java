package dev.warpline.amd.hsa;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.amd.code.CodeObject;
import dev.warpline.amd.code.KernargSegment;
import dev.warpline.amd.code.Kernel;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.gpu.Binder;
import dev.warpline.engine.gpu.ClockSpec;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the fence scopes of packets do to caches. */
class FenceTest {
  private static final int N = 4096;

  /** Counters of the second of two launches that copy a buffer. */
  private static Map<String, Number> second(String settings, FenceScope acquire, FenceScope release)
      throws Exception {
    return second(
        "{computeUnits: 2, tcc: {writeBack: true}, " + settings + "}", acquire, release, N);
  }

  private static Map<String, Number> second(String text, FenceScope acquire) throws Exception {
    return second(text, acquire, FenceScope.NONE, N);
  }

  private static Map<String, Number> second(
      String text, FenceScope acquire, FenceScope release, int n) throws Exception {
    AmdSpec spec = Binder.read(AmdSpec.class, text, "a test's GPU");
    try (HsaDevice device = new HsaDevice(spec, ClockSpec.all(1000), 1)) {
      LoadedCode code =
          device.load(CodeObject.read(Path.of("..", "examples", "amd", "co", "stream.gfx900.co")));
      Kernel kernel = code.kernel("relu");
      long in = device.memory().allocate(4 * N);
      long out = device.memory().allocate(4 * N);
      HsaQueue queue = device.createQueue(4);
      for (int i = 0; i < 2; i++) {
        KernargSegment arguments = new KernargSegment(kernel).set(0, in).set(1, out).set(2, N);
        int[] grid = {N, 1, 1};
        int[] group = {64, 1, 1};
        device.dispatch(queue, code, kernel, grid, group, arguments, null, true, acquire, release);
      }
      device.drain();
      return device.results().get(1).statistics();
    }
  }

  private static long writeBacks(String settings, FenceScope release) throws Exception {
    return second(settings, FenceScope.NONE, release).get("tcc.writeBacks").longValue();
  }

  private static final String ONE_DIE = "complexes: 1, dispatch: {packetFences: true}";
  private static final String TWO_DIES = "complexes: 2, dispatch: {packetFences: true}";

  @Test
  void anAgentAcquireEmptiesTheVectorCachesAndASystemAcquireTheTccToo() throws Exception {
    Map<String, Number> none = second(ONE_DIE, FenceScope.NONE, FenceScope.NONE);
    Map<String, Number> agent = second(ONE_DIE, FenceScope.AGENT, FenceScope.NONE);
    Map<String, Number> system = second(ONE_DIE, FenceScope.SYSTEM, FenceScope.NONE);
    assertThat(none.get("vmem.tcpHits").longValue()).isPositive();
    assertThat(agent.get("vmem.tcpHits").longValue()).isZero();
    assertThat(agent.get("tcc.fills").longValue()).as("arguments and packet are new").isEqualTo(2);
    assertThat(system.get("tcc.fills").longValue()).isGreaterThan(4 * N / 64);
  }

  @Test
  void probesSpareTheTccASystemAcquire() throws Exception {
    String probes = ONE_DIE + ", tcc: {writeBack: true, probes: true}";
    assertThat(probed(probes).get("tcc.fills").longValue()).isLessThan(N / 64);
  }

  private static Map<String, Number> probed(String settings) throws Exception {
    return second("{computeUnits: 2, " + settings + "}", FenceScope.SYSTEM);
  }

  @Test
  void anAgentReleaseWritesBackOnlyWhereDiesHaveTheirOwnTcc() throws Exception {
    int lines = 4 * N / 64;
    assertThat(writeBacks(ONE_DIE, FenceScope.NONE)).isZero();
    assertThat(writeBacks(ONE_DIE, FenceScope.AGENT)).isZero();
    assertThat(writeBacks(ONE_DIE, FenceScope.SYSTEM)).isEqualTo(lines);
    assertThat(writeBacks(TWO_DIES, FenceScope.NONE)).isZero();
    assertThat(writeBacks(TWO_DIES, FenceScope.AGENT)).isEqualTo(lines);
  }

  @Test
  void withoutPacketFencesTheTwoSwitchesDecide() throws Exception {
    String never = "dispatch: {launchAcquire: false}";
    assertThat(writeBacks(never, FenceScope.SYSTEM)).isZero();
    assertThat(second(never, FenceScope.SYSTEM, FenceScope.NONE).get("vmem.tcpHits").longValue())
        .isPositive();
    assertThat(writeBacks("dispatch: {endRelease: true}", FenceScope.NONE)).isPositive();
  }

  @Test
  void releasingTakesTime() throws Exception {
    long released = cycles(FenceScope.SYSTEM);
    assertThat(released - cycles(FenceScope.NONE)).isGreaterThan(4 * N / 64);
  }

  private static long cycles(FenceScope release) throws Exception {
    AmdSpec spec =
        Binder.read(AmdSpec.class, "{tcc: {writeBack: true}, " + ONE_DIE + "}", "a test's GPU");
    try (HsaDevice device = new HsaDevice(spec, ClockSpec.all(1000), 1)) {
      LoadedCode code =
          device.load(CodeObject.read(Path.of("..", "examples", "amd", "co", "stream.gfx900.co")));
      Kernel kernel = code.kernel("relu");
      long in = device.memory().allocate(4 * N);
      HsaQueue queue = device.createQueue(4);
      Signal done = device.createSignal(1);
      KernargSegment arguments = new KernargSegment(kernel).set(0, in).set(1, in).set(2, N);
      int[] grid = {N, 1, 1};
      int[] group = {64, 1, 1};
      device.dispatch(
          queue, code, kernel, grid, group, arguments, done, true, FenceScope.AGENT, release);
      device.waitFor(done);
      return done.endNanos();
    }
  }
}
