package dev.warpline.nvidia.modern.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.gpu.Gpus;
import dev.warpline.trace.Dim3;
import dev.warpline.trace.KernelHeader;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Blocks per SM and the driver's division of L1 and shared memory, as seen on an H200. */
class ResidencyTest {
  @ParameterizedTest
  @CsvSource({
    "1024,23,0,2,8",
    "512,16,0,4,16",
    "256,32,0,8,32",
    "128,23,0,16,32",
    "32,16,0,32,32",
    "256,16,1024,8,32",
    "512,16,4096,4,64",
    "256,28,2048,8,64",
    "512,30,8192,4,100",
    "256,48,4096,5,64",
    "512,27,16384,4,132",
    "256,28,16384,8,164",
    "32,32,4224,32,164",
    "128,32,16384,13,228"
  })
  void aKernelGetsThisManyBlocksAndThisMuchSharedMemory(
      int threads, int registers, int shared, int blocks, int carveOutKiB) throws IOException {
    KernelHeader header =
        new KernelHeader(
            "k",
            1,
            Dim3.ONE,
            new Dim3(threads, 1, 1),
            shared,
            registers,
            90,
            0,
            0,
            0,
            "",
            5,
            false,
            Dim3.ONE,
            Map.of());
    Residency residency = Residency.of(Gpus.load("h200").sm(), header);
    assertThat(residency.blocks()).isEqualTo(blocks);
    assertThat(residency.sharedKiB()).isEqualTo(carveOutKiB);
  }
}
