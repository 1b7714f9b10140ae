package dev.warpline.nvidia.emulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.isa.Instruction;
import dev.warpline.trace.BlockTrace;
import dev.warpline.trace.ExecutedCode;
import dev.warpline.trace.KernelTrace;
import dev.warpline.trace.Payload;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Launch files, and the traces that come of them. */
class TracerTest {
  private static final Path EXAMPLES = Path.of("../examples");

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"reduce", "mandelbrot", "hgemm_wmma"})
  void theTraceEqualsTheOneThatATracerWroteOnTheGpu(String name) throws IOException {
    new Tracer(EXAMPLES.resolve("tracing/" + name + ".yaml")).trace(folder, done -> {});

    try (TraceSet ours = Traces.open(folder);
        TraceSet real = Traces.open(EXAMPLES.resolve("traces/" + name + ".wlt"));
        KernelTrace ourKernel = kernel(ours);
        KernelTrace realKernel = kernel(real)) {
      assertThat(ourKernel.header().grid()).isEqualTo(realKernel.header().grid());
      assertThat(ourKernel.header().block()).isEqualTo(realKernel.header().block());
      assertThat(ourKernel.header().sharedBytes()).isEqualTo(realKernel.header().sharedBytes());
      BlockTrace a = new BlockTrace();
      BlockTrace b = new BlockTrace();
      for (long id = 0; id < realKernel.header().grid().count(); id++) {
        assertThat(ourKernel.readBlock(id, a)).isTrue();
        assertThat(realKernel.readBlock(id, b)).isTrue();
        compare(ourKernel, a, realKernel, b);
      }
    }
  }

  private static KernelTrace kernel(TraceSet set) throws IOException {
    for (TraceCommand command : set.commands()) {
      if (command instanceof TraceCommand.Launch launch) {
        return set.open(launch);
      }
    }
    throw new IllegalStateException("no kernel in the trace");
  }

  private static void compare(KernelTrace ours, BlockTrace a, KernelTrace real, BlockTrace b) {
    assertThat(a.warps()).isEqualTo(b.warps());
    for (int warp = 0; warp < b.warps(); warp++) {
      assertThat(a.count(warp)).isEqualTo(b.count(warp));
      for (int i = 0; i < b.count(warp); i++) {
        Instruction x = ours.code().get(a.row(a.start(warp) + i));
        Instruction y = real.code().get(b.row(b.start(warp) + i));
        int mask = a.mask(a.start(warp) + i);
        if (!same(x, y)
            || mask != b.mask(b.start(warp) + i)
            || !Arrays.equals(payload(a, a.start(warp) + i), payload(b, b.start(warp) + i))) {
          // Written out only where they differ: there are millions.
          assertThat(String.format("%s %08x", x, mask))
              .as("block %d, warp %d, instruction %d", b.blockId(), warp, i)
              .isEqualTo(String.format("%s %08x", y, b.mask(b.start(warp) + i)));
          assertThat(payload(a, a.start(warp) + i)).isEqualTo(payload(b, b.start(warp) + i));
        }
      }
    }
  }

  private static boolean same(Instruction a, Instruction b) {
    return a.pc() == b.pc()
        && a.text().equals(b.text())
        && Arrays.equals(a.destinations(), b.destinations())
        && Arrays.equals(a.sources(), b.sources())
        && a.recordedWidth() == b.recordedWidth()
        && a.immediate() == b.immediate()
        && a.control() == b.control();
  }

  private static long[] payload(BlockTrace block, int index) {
    int at = block.payload(index);
    int end = at;
    if (at < 0) {
      return new long[0];
    }
    for (int next = at; next >= 0; next = Payload.next(block.data(), next)) {
      end = next + Payload.length(block.data(), next);
    }
    return Arrays.copyOfRange(block.data(), at, end);
  }

  private Path launchFile(String text) throws IOException {
    for (String suffix : List.of(".cubin", ".sass")) {
      Files.copy(
          EXAMPLES.resolve("tracing/mandelbrot" + suffix), folder.resolve("kernel-1" + suffix));
    }
    return Files.writeString(folder.resolve("launch.yaml"), text);
  }

  private static final String MANDELBROT =
      """
      buffers:
        out: {address: 0x7f0000000000, bytes: 1024, checksum: "%s"}
      launches:
        - kernel: _Z10mandelbrotPiiii
          grid: [1]
          block: [32, 8]
          parameters: "00000000007f0000200000000800000008000000"
      """;

  @Test
  void aWrongChecksumIsReportedAndTheTraceWritten() throws IOException {
    Path launch = launchFile(MANDELBROT.formatted("0x1"));

    List<String> wrong = new Tracer(launch).trace(folder.resolve("out"), done -> {});

    assertThat(wrong).singleElement().asString().contains("buffer out: checksum 0x");
    assertThat(folder.resolve("out/kernel-1.traceg")).isNotEmptyFile();
    String found = wrong.get(0).replaceAll(".*checksum (0x\\w+),.*", "$1");
    Files.writeString(launch, MANDELBROT.formatted(found));
    assertThat(new Tracer(launch).trace(folder.resolve("out"), done -> {})).isEmpty();
  }

  @Test
  void generatedContentsFollowSplitmix() {
    byte[] words = new TraceLaunchFile.Generator(TraceLaunchFile.Kind.U32, 1234567, 0).generate(8);

    // The generator's first published outputs for this seed.
    assertThat(Bytes.word(words, 0)).isEqualTo((int) (6457827717110365317L >>> 32));
    assertThat(Bytes.word(words, 4)).isEqualTo((int) (3203168211198807973L >>> 32));
  }

  @Test
  void checksumsAreFnvOverWords() {
    assertThat(new EmulatedMemory().checksum(0, 4)).isEqualTo(0xaf63bd4c8601b7dfL);
  }

  @Test
  void anUnknownFieldIsAnErrorWithItsLine() throws IOException {
    Path launch = launchFile(MANDELBROT.formatted("0x1").replace("block:", "blok:"));

    assertThatThrownBy(() -> new Tracer(launch))
        .hasMessageContaining("launch.yaml:6")
        .hasMessageContaining("unknown field launches[0].blok (did you mean block?)");
  }

  @Test
  void aKernelThatTheCubinLacksIsAnErrorThatListsWhatItHas() throws IOException {
    Path launch = launchFile(MANDELBROT.formatted("0x1").replace("_Z10m", "_Z10n"));

    assertThatThrownBy(() -> new Tracer(launch).trace(folder.resolve("out"), done -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("found no kernel _Z10nandelbrotPiiii, expected one of [_Z10mandel");
  }

  @Test
  void missingParametersAreAnError() throws IOException {
    Path launch = launchFile(MANDELBROT.formatted("0x1").replace("0800000008000000", ""));

    assertThatThrownBy(() -> new Tracer(launch).trace(folder.resolve("out"), done -> {}))
        .hasMessageContaining("found 12 bytes of parameters, expected 20");
  }

  @Test
  void overlappingBuffersAreAnError() throws IOException {
    Path launch =
        launchFile(
            MANDELBROT
                .formatted("0x1")
                .replace("launches:", "  other: {address: 0x7f0000000300, bytes: 512}\nlaunches:"));

    assertThatThrownBy(() -> new Tracer(launch))
        .hasMessageContaining("buffers out and other overlap");
  }

  @Test
  void listingsOfCuobjdumpAreRead() throws IOException {
    String text =
        """
        \t\tFunction : other
                /*0000*/                   BRX R1 ;      /* 0x00000a00ff017b82 */
        \t\tFunction : wanted
        \t.headerflags\t@"EF_CUDA_SM90"
                /*0000*/                   LDC R1, c[0x0][0x28] ;      /* 0x00000a00ff017b82 */
                                                                       /* 0x000fe20000000800 */
                /*0010*/              @!P0 LDG.E R4, desc[UR6][R2.64+-0x4] ;  /* 0x0 */
        """;

    var code = SassParser.parse(text, "wanted", "x.sass");

    assertThat(code).hasSize(2);
    assertThat(code.get(0x10).operand(1).value()).isEqualTo(-4);
    ExecutedCode.Recorded recorded = TraceLine.of(code.get(0x10), 5);
    assertThat(recorded.opcode()).isEqualTo("LDG.E");
    assertThat(recorded.destinations()).containsExactly(4);
    assertThat(recorded.sources()).containsExactly(2);
    assertThat(recorded.width()).isEqualTo(4);
  }
}
