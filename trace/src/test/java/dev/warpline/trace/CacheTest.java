package dev.warpline.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.isa.ConstantOperand;
import dev.warpline.isa.Registers;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The compact cache holds the same instructions as the trace it was made from. */
class CacheTest {
  private static final TraceCommand.Launch FIRST = new TraceCommand.Launch(0, "kernel-1.traceg");

  @TempDir Path folder;

  @Property(tries = 150, seed = "1")
  void aCacheGivesBackEveryInstruction(@ForAll long seed, @ForAll @IntRange(max = 6) int version)
      throws IOException {
    Path file = Files.createTempFile("cache", ".wlt");
    try {
      MemoryKernel kernel = MemoryKernel.parse(TraceText.random(seed, version));
      CacheWriter.write(new MemoryTrace("test").launch(kernel), "", file, done -> {});
      try (TraceSet cache = Traces.open(file, Diagnostics.strict())) {
        KernelAssert.assertSame(cache.open(FIRST), kernel);
      }
    } finally {
      Files.delete(file);
    }
  }

  @Property(tries = 150, seed = "1")
  void textGivesBackEveryInstruction(@ForAll long seed, @ForAll @IntRange(max = 6) int version)
      throws IOException {
    MemoryKernel kernel = MemoryKernel.parse(TraceText.random(seed, version));
    StringWriter text = new StringWriter();
    TextWriter.write(kernel, text);
    KernelAssert.assertSame(MemoryKernel.parse(text.toString()), kernel);
  }

  @Test
  void blocksThatExecuteTheSameShareRowsAndMasksThatNobodyWrites() throws IOException {
    try (TraceSet cache = Traces.open(Path.of("../examples/traces/sgemm_tiled.wlt"))) {
      KernelTrace kernel = cache.open(FIRST);
      BlockTrace[] blocks = new BlockTrace[4];
      for (int b = 0; b < blocks.length; b++) {
        blocks[b] = new BlockTrace();
        kernel.requireBlock(b, blocks[b]);
      }
      assertThat(blocks[0].common()).isNull();
      assertThat(blocks[3].executes(blocks[2].common())).isTrue();
      int[] rows = blocks[0].row.clone();
      blocks[2].followLanes(kernel.code());
      blocks[2].reset(9, 1);
      blocks[2].add(7, 7, BlockTrace.NO_PAYLOAD);
      for (int i = 0; i < blocks[3].instructions(); i++) {
        assertThat(blocks[3].row(i)).isEqualTo(rows[i]);
      }
    }
  }

  @Test
  void sourceLinesOfACubinAreKept() throws IOException {
    Path cubin = Path.of("../examples/tracing/reduce.cubin");
    Files.copy(cubin, folder.resolve("kernel-1.cubin"));
    Files.writeString(folder.resolve("kernelslist.g"), "kernel-1.traceg\n");
    Files.writeString(
        folder.resolve("kernel-1.traceg"),
        TraceText.header(5, "(1,1,1)", false).replace("_Z3addPfi", "_Z6reducePKfPfi")
            + TraceText.block(
                0,
                TraceText.warp(
                    0,
                    "0100 ffffffff 1 R5 LDG.E 1 R4 4 1 0x400 4 0",
                    "01c0 ffffffff 0 STS 2 R5 R8 4 1 0x0 4 0",
                    "05f0 ffffffff 0 EXIT 0 0 0")));
    Path file = folder.resolve("lines.wlt");
    try (TraceSet trace = Traces.open(folder, Diagnostics.strict())) {
      CacheWriter.write(trace, "", file, done -> {});
      try (TraceSet cache = Traces.open(file, Diagnostics.strict());
          KernelTrace kernel = cache.open(FIRST)) {
        KernelAssert.assertSame(kernel, trace.open(FIRST));
        assertThat(kernel.code().get(0).source().caller().file()).isEqualTo("/src/reduce.cu");
        assertThat(kernel.code().get(1).source().ptx()).startsWith("st.shared");
      }
    }
  }

  @Test
  void anAsynchronousCopySurvivesBothWays() throws IOException {
    MemoryKernel kernel =
        new KernelBuilder("copy")
            .line("0150 0000ffff 0 LDGSTS.E.128 2 R3 R18 16 1 0x400 16 0")
            .line("0150 0000ffff 0 LDGSTS.E.128 2 R3 R18 16 2 0x7f00" + " 8".repeat(15) + " 0")
            .line("0160 ffffffff 0 EXIT 0 0 0")
            .build();
    StringWriter text = new StringWriter();
    TextWriter.write(kernel, text);
    assertThat(text.toString()).contains("insts = 3");
    KernelAssert.assertSame(MemoryKernel.parse(text.toString()), kernel);
    KernelAssert.assertSame(cached(new MemoryTrace("t").launch(kernel)).open(FIRST), kernel);
  }

  @Test
  void constantsBesideATraceSurviveBothWays() throws IOException {
    Path from = Files.createDirectory(folder.resolve("from"));
    MemoryKernel kernel =
        new KernelBuilder("reads")
            .line("0000 ffffffff 1 R1 LDC 1 R255 0 0")
            .line("0010 ffffffff 1 R4 FADD 1 R2 0 0")
            .line("0020 ffffffff 1 R5 LDC 1 R4 0 0")
            .line("0030 ffffffff 0 EXIT 0 0 0")
            .build();
    StringWriter trace = new StringWriter();
    TextWriter.write(kernel, trace);
    Files.writeString(from.resolve("kernel-1.traceg"), trace.toString());
    Files.writeString(from.resolve("kernelslist.g"), "kernel-1.traceg\n");
    String constants = "# constant operands of reads\n# pc bank offset\n0000 0 28\n0020 3 R4+10\n";
    Files.writeString(from.resolve("kernel-1.constants"), constants);
    Path cache = folder.resolve("cache.wlt");
    Path to = folder.resolve("to");
    try (TraceSet text = Traces.open(from, Diagnostics.strict())) {
      CacheWriter.write(text, "", cache, done -> {});
    }
    try (TraceSet text = Traces.open(from, Diagnostics.strict());
        TraceSet cached = Traces.open(cache, Diagnostics.strict())) {
      KernelTrace read = cached.open(FIRST);
      KernelAssert.assertSame(read, text.open(FIRST));
      assertThat(read.code().get(0).constant())
          .isEqualTo(new ConstantOperand(0, Registers.NONE, 0x28));
      assertThat(read.code().get(1).constant()).isSameAs(ConstantOperand.NONE);
      assertThat(read.code().get(2).constant()).isEqualTo(new ConstantOperand(3, 4, 0x10));
      TextWriter.write(cached, to, done -> {});
    }
    assertThat(Files.readString(to.resolve("kernel-1.constants"))).isEqualTo(constants);
  }

  @Test
  void theCommandsAreKept() throws IOException {
    MemoryKernel kernel = new KernelBuilder("k").line("0000 ffffffff 0 EXIT 0 0 0").build();
    MemoryTrace trace = new MemoryTrace("t").copy(0x1000, 64).launch(kernel).launch(kernel);
    assertThat(cached(trace).commands()).isEqualTo(trace.commands());
  }

  @Test
  void blocksOfManyChunksAreReadInAnyOrder() throws IOException {
    MemoryKernel kernel = large();
    TraceSet cache = cached(new MemoryTrace("t").launch(kernel));
    KernelTrace read = cache.open(FIRST);
    Random random = new Random(7);
    BlockTrace a = new BlockTrace();
    BlockTrace b = new BlockTrace();
    for (int i = 0; i < 8; i++) {
      long id = random.nextInt(64);
      assertThat(read.readBlock(id, a)).isTrue();
      kernel.readBlock(id, b);
      KernelAssert.assertSameBlock(read, a, kernel, b);
    }
  }

  /** 64 blocks of about 48000 instructions each: three chunks. */
  private static MemoryKernel large() {
    KernelBuilder builder = new KernelBuilder("large").grid(64, 1, 1);
    for (int block = 0; block < 64; block++) {
      builder.warp(block, 0);
      for (int i = 0; i < 24_000; i++) {
        builder.line(
            "0010 ffffffff 1 R4 LDG.E 1 R2 4 1 0x" + Long.toHexString(block * 9999L + i) + " 4 0");
        builder.line("0020 ffffffff 1 R5 IADD3 2 R4 R2 0 0");
      }
    }
    return builder.build();
  }

  @Property(tries = 200, seed = "1")
  void noDamagedByteGoesUnnoticed(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    Path file = Files.createTempFile("cache", ".wlt");
    try {
      MemoryKernel kernel = MemoryKernel.parse(TraceText.random(seed % 5, 5));
      CacheWriter.write(new MemoryTrace("test").launch(kernel), "", file, done -> {});
      byte[] content = Files.readAllBytes(file);
      content[random.nextInt(content.length)] ^= (byte) (1 << random.nextInt(8));
      Files.write(file, content);
      assertThatThrownBy(
              () -> {
                try (TraceSet cache = Traces.open(file, Diagnostics.strict())) {
                  KernelTrace read = cache.open(FIRST);
                  for (long id = 0; id < read.header().grid().count(); id++) {
                    read.readBlock(id, new BlockTrace());
                  }
                }
              })
          .isInstanceOf(TraceFormatException.class)
          .hasMessageContaining("run warpline convert again");
    } finally {
      Files.delete(file);
    }
  }

  @Test
  void aCacheBesideItsTraceIsUsedUntilTheTraceChanges() throws IOException {
    Path trace = folder.resolve("kernelslist.g");
    Files.writeString(trace, "kernel-1.traceg\n");
    Files.writeString(folder.resolve("kernel-1.traceg"), TraceText.random(1, 5));
    assertThat(Traces.cachePath(folder)).isEqualTo(folder.resolve("kernelslist.wlt"));
    assertThat(Traces.cachePath(trace)).isEqualTo(folder.resolve("kernelslist.wlt"));
    try (TraceSet set = Traces.openSource(folder, Diagnostics.strict())) {
      CacheWriter.write(set, Traces.fingerprint(folder), Traces.cachePath(folder), done -> {});
    }
    try (TraceSet set = Traces.open(trace)) {
      assertThat(set).isInstanceOf(CacheTraceSet.class);
      assertThat(set.name()).isEqualTo(trace.toString());
    }
    Files.writeString(folder.resolve("kernel-1.traceg"), TraceText.random(2, 5));
    try (TraceSet set = Traces.open(trace)) {
      assertThat(set).isInstanceOf(FileTraceSet.class);
      assertThat(set.diagnostics().messages())
          .containsExactly(
              folder.resolve("kernelslist.wlt")
                  + ": found the cache of another version of this trace; the trace itself is read"
                  + " instead (run warpline convert to renew it)");
    }
  }

  @Test
  void aDamagedCacheBesideItsTraceIsPassedOver() throws IOException {
    Files.writeString(folder.resolve("kernelslist.g"), "kernel-1.traceg\n");
    Files.writeString(folder.resolve("kernel-1.traceg"), TraceText.random(1, 5));
    Files.writeString(folder.resolve("kernelslist.wlt"), "broken");
    try (TraceSet set = Traces.open(folder)) {
      assertThat(set).isInstanceOf(FileTraceSet.class);
      assertThat(set.diagnostics().messages())
          .containsExactly(
              folder.resolve("kernelslist.wlt")
                  + ": found a file of 6 bytes, expected an intact trace cache; run warpline convert"
                  + " again; the trace itself is read instead");
    }
  }

  @Test
  void problemsMetDuringConversionAreKept() throws IOException {
    Files.writeString(folder.resolve("kernelslist.g"), "kernel-1.traceg\n");
    Files.writeString(
        folder.resolve("kernel-1.traceg"),
        TraceText.header(5, "(1,1,1)", false)
            + TraceText.block(
                0, TraceText.warp(0, "0010 junk 0 EXIT 0 0 0", "0020 ffffffff 0 EXIT 0 0 0")));
    Path cache = folder.resolve("out.wlt");
    try (TraceSet set = Traces.openSource(folder, Diagnostics.lenient())) {
      CacheWriter.write(set, "", cache, done -> {});
    }
    try (TraceSet set = Traces.open(cache)) {
      assertThat(set.diagnostics().messages())
          .singleElement()
          .asString()
          .endsWith("found \"junk\", expected a lane mask of 8 hexadecimal digits");
    }
    assertThatThrownBy(() -> Traces.open(cache, Diagnostics.strict()))
        .hasMessageStartingWith(
            cache + ": found a cache that was converted with --lenient (1 problems, the first: ")
        .hasMessageEndingWith("expected a cache from which nothing was left out");
  }

  @Test
  void aKernelOfWhichNothingCanBeReadIsNotConverted() throws IOException {
    Files.writeString(folder.resolve("kernelslist.g"), "kernel-1.traceg\n");
    Files.writeString(
        folder.resolve("kernel-1.traceg"),
        TraceText.header(5, "(1,1,1)", false)
            + TraceText.block(0, TraceText.warp(0, "0010 junk 0 EXIT 0 0 0")));
    Path cache = folder.resolve("out.wlt");
    try (TraceSet set = Traces.openSource(folder, Diagnostics.lenient())) {
      assertThatThrownBy(() -> CacheWriter.write(set, "", cache, done -> {}))
          .hasMessageContaining("found no instruction that can be used");
    }
    assertThat(cache).doesNotExist();
  }

  @Test
  void textHasTheCodeBesideIt() throws IOException {
    Path original = folder.resolve("original");
    Files.createDirectories(original);
    Files.writeString(original.resolve("kernelslist.g"), "kernel-1.traceg\n");
    Files.writeString(
        original.resolve("kernel-1.traceg"),
        TraceText.header(5, "(1,1,1)", false)
            + TraceText.block(
                0,
                TraceText.warp(
                    0, "0010 ffffffff 1 R1 IADD3 1 R2 0 0", "0020 ffffffff 0 EXIT 0 0 0")));
    Files.writeString(
        original.resolve("kernel-1.code"),
        "# code of _Z3addPfi\n# pc low high\n"
            + "0010 000000ff02017210 ffe2ff7f0001ffff\n0020 000000000000794d 000fea0003800000\n");
    Files.writeString(
        original.resolve("kernel-1.ctrl"),
        "# control bits of _Z3addPfi\n"
            + "# pc stall yield write_barrier read_barrier wait_mask reuse\n"
            + "0010 4 0 7 1 02 3\n0020 5 1 7 7 00 0\n");
    Files.writeString(
        original.resolve("kernel-1.sass"), "0010\tIADD3 R1, R2, RZ, RZ ;\n0020\tEXIT ;\n");
    Path cache = folder.resolve("test.wlt");
    try (TraceSet set = Traces.openSource(original, Diagnostics.strict())) {
      CacheWriter.write(set, "", cache, done -> {});
    }
    Path text = folder.resolve("text");
    try (TraceSet set = Traces.open(cache, Diagnostics.strict())) {
      TextWriter.write(set, text, done -> {});
    }
    for (String suffix : new String[] {".code", ".ctrl", ".sass"}) {
      assertThat(Files.readString(text.resolve("kernel-1" + suffix)))
          .isEqualTo(Files.readString(original.resolve("kernel-1" + suffix)));
    }
    try (TraceSet a = Traces.open(text, Diagnostics.strict());
        TraceSet b = Traces.open(cache, Diagnostics.strict())) {
      KernelAssert.assertSame(a.open(FIRST), b.open(FIRST));
    }
  }

  private TraceSet cached(TraceSet trace) throws IOException {
    Path file = folder.resolve("test.wlt");
    CacheWriter.write(trace, "", file, done -> {});
    return Traces.open(file, Diagnostics.strict());
  }
}
