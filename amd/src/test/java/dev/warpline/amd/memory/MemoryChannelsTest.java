package dev.warpline.amd.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The memory of AMD's GPUs by DRAM standards, without the cache in front of it. */
class MemoryChannelsTest {
  private static final int LINES = 400_000;

  private static GpuDescription gpu(String name, String... settings) throws IOException {
    List<String> all = new ArrayList<>(List.of("amd.memoryCache.bytes=0"));
    all.addAll(List.of(settings));
    return Gpus.load(name, all);
  }

  /** What a stream of reads gets that all come at once, in GB/s. */
  private static double stream(GpuDescription gpu) {
    MemoryChannels memory = new MemoryChannels(gpu.amd(), gpu.clocks());
    long last = 0;
    for (int line = 0; line < LINES; line++) {
      last = Math.max(last, memory.read(line, 0));
    }
    double nanoseconds = last * 1000 / gpu.clocks().coreMHz();
    return LINES * (double) gpu.amd().tcc().lineBytes() / nanoseconds;
  }

  @ParameterizedTest
  @CsvSource({"mi300a, 5325", "mi210, 1638", "vega10, 484"})
  void thePeakIsTheProducts(String name, double gigabytes) throws IOException {
    GpuDescription gpu = gpu(name);
    assertThat(gpu.amd().memory().peakGigabytes(gpu.clocks())).isCloseTo(gigabytes, within(2.0));
  }

  @ParameterizedTest
  @CsvSource({"mi300a", "mi210", "vega10"})
  void aStreamGetsMostOfThePeakAndNoMore(String name) throws IOException {
    GpuDescription gpu = gpu(name);
    double peak = gpu.amd().memory().peakGigabytes(gpu.clocks());
    assertThat(stream(gpu)).isBetween(0.6 * peak, peak);
  }

  @ParameterizedTest
  @CsvSource({"mi210, 100", "gem5, 1"})
  void halfTheDramClockIsHalfTheBandwidth(String name, double within) throws IOException {
    assertThat(stream(gpu(name, "clocks.dramMHz=0.5x")))
        .isCloseTo(stream(gpu(name)) / 2, within(within));
  }

  @Test
  void twiceTheCoreClockLeavesTheBandwidthAlone() throws IOException {
    assertThat(stream(gpu("gem5", "clocks.coreMHz=2x")))
        .isCloseTo(stream(gpu("gem5")), within(0.1));
  }

  @Test
  void aLoneReadOpensItsRowAndPassesTheController() throws IOException {
    GpuDescription gpu = gpu("mi210");
    MemoryChannels memory = new MemoryChannels(gpu.amd(), gpu.clocks());
    // Open a row, read it, move two bursts on each of two channels, and the way there and back.
    double nanoseconds = 14 + 14 + 2 * 1.25 + 66;
    assertThat(memory.read(0, 100) - 100).isCloseTo(Math.round(nanoseconds * 1.7), within(6L));
  }

  @Test
  void whatAStandardSaysIsNotSaidBesides() {
    assertThatThrownBy(() -> gpu("mi210", "amd.memory.gigabytesPerSecond=10"))
        .hasMessageContaining("--set amd.memory.gigabytesPerSecond=10")
        .hasMessageContaining(
            "found 10 with dram.standard, expected nothing: the standard says it");
    assertThatThrownBy(() -> gpu("mi210", "amd.memory.dram.standard=hbm9"))
        .hasMessageContaining("hbm9");
  }
}
