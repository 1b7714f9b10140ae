package dev.warpline.nvidia.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.isa.CodeTable;
import dev.warpline.isa.Instruction;
import dev.warpline.nvidia.emulate.Tracer;
import dev.warpline.trace.BlockTrace;
import dev.warpline.trace.KernelTrace;
import dev.warpline.trace.TraceCommand;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Captures read as traces: blocks are executed as they are asked for. */
class CaptureTraceSetTest {
  private static final String KERNEL = "_Z10mandelbrotPiiii";
  private static final long OUT = 0x7efd45e00000L;

  @TempDir Path folder;

  private Path capture(int launches) throws IOException {
    Recording recording =
        new Recording(folder.resolve("capture"))
            .module("mandelbrot", KERNEL)
            .allocate(1, OUT, 512 * 256 * 4);
    for (int i = 0; i < launches; i++) {
      // 16 by 8 pixels of 32 by 8 threads in each of the blocks.
      recording.launch(
          KERNEL, 16, "[32,8,1]", Recording.parameters(20, OUT, 512, 8 + 8 * i, 10 + i));
    }
    return recording.write();
  }

  private static TraceCommand.Launch launch(TraceSet set, int index) {
    return (TraceCommand.Launch)
        set.commands().stream().filter(TraceCommand.Launch.class::isInstance).toList().get(index);
  }

  /** What a block executed, in words. */
  private static List<String> lines(BlockTrace block, CodeTable code) {
    List<String> lines = new ArrayList<>();
    for (int w = 0; w < block.warps(); w++) {
      for (int i = block.start(w); i < block.start(w) + block.count(w); i++) {
        Instruction in = code.get(block.row(i));
        int at = block.payload(i);
        lines.add(
            String.format(
                "%d %04x %08x %s %d %x",
                w,
                in.pc(),
                block.mask(i),
                in.text(),
                in.control(),
                at < 0 ? 0 : block.data()[at + 1]));
      }
    }
    return lines;
  }

  private static List<List<String>> blocks(KernelTrace kernel, long... ids) throws IOException {
    List<List<String>> all = new ArrayList<>();
    BlockTrace block = new BlockTrace();
    for (long id : ids) {
      assertThat(kernel.readBlock(id, block)).isTrue();
      assertThat(block.blockId()).isEqualTo(id);
      all.add(lines(block, kernel.code()));
    }
    return all;
  }

  @Test
  void blocksAreThoseOfATraceOfTheSameLaunch() throws IOException {
    Path code = Path.of("../examples/tracing").toAbsolutePath().normalize();
    Path file =
        Files.writeString(
            folder.resolve("launch.yaml"),
            """
            code: %s
            buffers:
              out: {address: 0x%x, bytes: 524288}
            launches:
              - kernel: %s
                code: mandelbrot
                grid: [4, 2]
                block: [32, 8]
                parameters: "%s"
            """
                .formatted(
                    code,
                    OUT,
                    KERNEL,
                    HexFormat.of().formatHex(Recording.parameters(20, OUT, 128, 16, 30))));
    Path traced = folder.resolve("trace");
    new Tracer(file).trace(traced, done -> {});
    Recording recording =
        new Recording(folder.resolve("capture"))
            .module("mandelbrot", KERNEL)
            .allocate(1, OUT, 524288)
            .launch(KERNEL, 8, "[32,8,1]", Recording.parameters(20, OUT, 128, 16, 30));
    recording.lines.set(3, recording.lines.get(3).replace("[8,1,1]", "[4,2,1]"));
    Path capture = recording.write();

    try (TraceSet ours = Traces.open(capture);
        TraceSet theirs = Traces.open(traced);
        KernelTrace a = ours.open(launch(ours, 0));
        KernelTrace b = theirs.open(launch(theirs, 0))) {
      assertThat(a.header().grid()).isEqualTo(b.header().grid());
      assertThat(a.header().sharedBytes()).isEqualTo(b.header().sharedBytes());
      assertThat(a.header().registers()).isEqualTo(b.header().registers());
      assertThat(a.hasControlBits()).isTrue();
      for (long id = 0; id < 8; id++) {
        assertThat(blocks(a, id)).isEqualTo(blocks(b, id));
      }
    }
  }

  @Test
  void blocksMayBeAskedForInAnyOrderAndAgain() throws IOException {
    Path path = capture(1);
    try (TraceSet set = Traces.open(path);
        KernelTrace kernel = set.open(launch(set, 0))) {
      List<List<String>> ascending = blocks(kernel, 0, 3, 7, 15);
      List<List<String>> other = blocks(kernel, 7, 15, 3, 0);
      assertThat(List.of(other.get(3), other.get(2), other.get(0), other.get(1)))
          .isEqualTo(ascending);
      assertThat(ascending.get(0)).isNotEqualTo(ascending.get(2));
    }
  }

  @Test
  void aKernelStaysReadableWhileLaterOnesAreOpenedAndEarlierOnesCanBeReadAgain()
      throws IOException {
    Path path = capture(3);
    try (TraceSet set = Traces.open(path);
        TraceSet alone = Traces.open(path)) {
      List<List<String>> expected;
      try (KernelTrace second = alone.open(launch(alone, 1))) {
        expected = blocks(second, 2, 9);
      }
      try (KernelTrace second = set.open(launch(set, 1));
          KernelTrace third = set.open(launch(set, 2))) {
        List<List<String>> found = new ArrayList<>(blocks(second, 2));
        blocks(third, 0);
        found.addAll(blocks(second, 9));
        assertThat(found).isEqualTo(expected);
      }
      try (KernelTrace first = set.open(launch(set, 0));
          KernelTrace firstAlone = alone.open(launch(alone, 0))) {
        assertThat(blocks(first, 5)).isEqualTo(blocks(firstAlone, 5));
      }
    }
  }

  @Test
  void headersNeedNoExecution() throws IOException {
    Recording recording =
        new Recording(folder.resolve("capture"))
            .module("mandelbrot", KERNEL)
            .launch(KERNEL, 1, "[32,8,1]", Recording.parameters(20, 0L, 512, 8, 20));
    Path path = recording.write();

    // There is no memory to write to, so executing it would fail.
    try (TraceSet set = Traces.open(path)) {
      assertThat(set.header(launch(set, 0)).name()).isEqualTo(KERNEL);
      set.open(launch(set, 0)).close();
      assertThat(set.diagnostics().messages()).isEmpty();
    }
  }
}
