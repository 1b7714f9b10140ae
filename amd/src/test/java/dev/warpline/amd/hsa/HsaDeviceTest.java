package dev.warpline.amd.hsa;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.amd.code.CodeObject;
import dev.warpline.amd.code.KernargSegment;
import dev.warpline.amd.code.Kernel;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.gpu.ClockSpec;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class HsaDeviceTest {
  private static final Path SAMPLES = Path.of("..", "examples", "amd", "co");

  @Test
  void vectorAddGivesItsSumsOnAnyNumberOfThreads() throws Exception {
    int n = 10_000;
    long cycles = 0;
    for (int threads : new int[] {1, 2, 5}) {
      try (HsaDevice device = new HsaDevice(AmdSpec.gem5(), ClockSpec.all(1000), threads)) {
        LoadedCode code = device.load(CodeObject.read(SAMPLES.resolve("stream.gfx900.co")));
        Kernel kernel = code.kernel("vector_add");
        long a = device.memory().allocate(4 * n);
        long b = device.memory().allocate(4 * n);
        long c = device.memory().allocate(4 * n);
        for (int i = 0; i < n; i++) {
          device.memory().writeInt(a + 4L * i, Float.floatToIntBits(i));
          device.memory().writeInt(b + 4L * i, Float.floatToIntBits(0.5f * i));
        }
        HsaQueue queue = device.createQueue(16);
        Signal done = device.createSignal(1);
        KernargSegment arguments =
            new KernargSegment(kernel).set(0, a).set(1, b).set(2, c).set(3, n);
        device.dispatch(
            queue, code, kernel, new int[] {10_240, 1, 1}, new int[] {256, 1, 1}, arguments, done);
        device.waitFor(done);
        for (int i = 0; i < n; i++) {
          assertThat(Float.intBitsToFloat(device.memory().readInt(c + 4L * i)))
              .isEqualTo(i + 0.5f * i);
        }
        long now = device.results().get(0).cycles();
        assertThat(now).isPositive().isEqualTo(cycles == 0 ? now : cycles);
        cycles = now;
      }
    }
  }
}
