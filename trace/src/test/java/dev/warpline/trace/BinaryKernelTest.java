package dev.warpline.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BinaryKernelTest {
  private static KernelTrace open(byte[] content, Diagnostics diagnostics) throws IOException {
    MemoryFiles files = new MemoryFiles(Map.of());
    files.put("kernel-1.tracez", content);
    return TraceText.open(files, "kernel-1.tracez", diagnostics);
  }

  @Test
  void aBinaryTraceIsTheSameAsItsText() throws IOException {
    for (long seed = 0; seed < 30; seed++) {
      String text = TraceText.random(seed, 6);
      KernelTrace binary = open(BinarySample.of(text, 7), Diagnostics.strict());
      KernelAssert.assertSame(binary, TraceText.open(text, Diagnostics.strict()));
    }
  }

  @Test
  void blocksAreReadInAnyOrder() throws IOException {
    String text = TraceText.random(3, 6);
    KernelTrace binary = open(BinarySample.of(text, 4), Diagnostics.strict());
    MemoryKernel expected = MemoryKernel.parse(text);
    BlockTrace a = new BlockTrace();
    BlockTrace b = new BlockTrace();
    for (long id = expected.header().grid().count() - 1; id >= 0; id--) {
      boolean there = expected.readBlock(id, b);
      assertThat(binary.readBlock(id, a)).isEqualTo(there);
      if (there) {
        KernelAssert.assertSameBlock(binary, a, expected, b);
      }
    }
  }

  @Test
  void aBadLineIsFoundByBlockAndWarp() throws IOException {
    String text =
        TraceText.header(6, "(1,1,1)", false)
            + TraceText.block(0, TraceText.warp(0, "0010 ffffffff 0 EXIT 0 0 x 0 NoVal"));
    KernelTrace kernel = open(BinarySample.of(text, 4), Diagnostics.strict());
    assertThatThrownBy(() -> kernel.readBlock(0, new BlockTrace()))
        .hasMessage("kernel-1.tracez(block 0, warp 0):1:26: found \"x\", expected an immediate");
  }

  @Test
  void aFileThatWasCutShortSaysSo() throws IOException {
    byte[] whole = BinarySample.of(TraceText.random(1, 6), 4);
    assertThatThrownBy(() -> open(Arrays.copyOf(whole, 40), Diagnostics.lenient()))
        .hasMessage(
            "kernel-1.tracez: found no end of the header text, expected a complete .tracez file");
    assertThatThrownBy(() -> open(Arrays.copyOf(whole, whole.length - 3), Diagnostics.lenient()))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageStartingWith("kernel-1.tracez: found an index at byte ");
  }

  @Test
  void aDamagedFrameCostsItsWarp() throws IOException {
    String text = TraceText.random(5, 6);
    byte[] damaged = BinarySample.of(text, 1000);
    // The first frame begins after the dictionary, two counts and a size; break its magic number.
    int header = text.indexOf("#traces");
    int frame = header + 1 + 8 + "0010 ffffffff 0 EXIT 0 0 7 0 NoVal".length() + 12;
    damaged[frame] ^= 0x55;
    Diagnostics diagnostics = Diagnostics.lenient();
    KernelTrace kernel = open(damaged, diagnostics);
    BlockTrace block = new BlockTrace();
    for (long id = 0; id < kernel.header().grid().count(); id++) {
      kernel.readBlock(id, block);
    }
    assertThat(diagnostics.messages())
        .first()
        .asString()
        .startsWith("kernel-1.tracez: found a damaged zstd frame at byte");
  }
}
