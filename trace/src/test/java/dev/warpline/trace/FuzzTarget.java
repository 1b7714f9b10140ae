package dev.warpline.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/**
 * What must hold for any input whatsoever: a reader ends, with data or with a {@link
 * TraceFormatException}; a strict reader fails exactly when a lenient one has something to report;
 * and where nothing is reported, no line was lost.
 */
enum FuzzTarget {
  /** Text after post-processing. */
  GROUPED("kernel-1.traceg") {
    @Override
    byte[] sample(Random random) {
      return utf8(TraceText.random(random.nextInt(2000), random.nextInt(7)));
    }
  },

  /** Text as the tracer writes it. */
  RAW("kernel-1.trace") {
    @Override
    byte[] sample(Random random) {
      StringBuilder raw = new StringBuilder();
      TraceText.random(random.nextInt(2000), 1)
          .lines()
          .filter(line -> line.matches("(-|#traces|\\d).*"))
          .forEach(line -> raw.append(line).append('\n'));
      return utf8(raw.toString());
    }
  },

  /** Compressed text. */
  PACKED("kernel-1.traceg.xz") {
    @Override
    byte[] sample(Random random) throws IOException {
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (XZOutputStream xz = new XZOutputStream(packed, new LZMA2Options(0))) {
        xz.write(GROUPED.sample(random));
      }
      return packed.toByteArray();
    }
  },

  /** The binary container. */
  BINARY("kernel-1.tracez") {
    @Override
    byte[] sample(Random random) throws IOException {
      return BinarySample.of(TraceText.random(random.nextInt(2000), 6), 5);
    }
  },

  /** The compact cache. */
  CACHE("trace.wlt") {
    @Override
    byte[] sample(Random random) throws IOException {
      Path file = Files.createTempFile("fuzz", ".wlt");
      try {
        MemoryKernel kernel =
            MemoryKernel.parse(TraceText.random(random.nextInt(2000), random.nextInt(7)));
        CacheWriter.write(new MemoryTrace("fuzz").launch(kernel), "", file, done -> {});
        return Files.readAllBytes(file);
      } finally {
        Files.delete(file);
      }
    }

    @Override
    KernelTrace open(byte[] content, Diagnostics diagnostics) throws IOException {
      TraceSet set =
          new CacheTraceSet(
              "fuzz", new CacheFile("trace.wlt", RandomBytes.of(content)), diagnostics);
      return set.open(new TraceCommand.Launch(0, ""));
    }
  },

  /** The list of commands. */
  LIST("kernelslist.g") {
    @Override
    byte[] sample(Random random) {
      return utf8("MemcpyHtoD,0x00007f2b5a000000,8388608\nkernel-1.traceg\n\nkernel-2.traceg\n");
    }

    @Override
    void check(byte[] content) throws IOException {
      Diagnostics lenient = Diagnostics.lenient();
      boolean read = readsList(content, lenient);
      assertThat(readsList(content, Diagnostics.strict()))
          .as("strict reading fails exactly when lenient reading reports: " + lenient.messages())
          .isEqualTo(read && lenient.problemCount() == 0);
    }

    private static boolean readsList(byte[] content, Diagnostics diagnostics) throws IOException {
      try {
        assertThat(CommandList.read("kernelslist.g", content, diagnostics))
            .hasAtLeastOneElementOfType(TraceCommand.Launch.class);
        return true;
      } catch (TraceFormatException e) {
        return false;
      }
    }
  };

  /** More blocks than this are not read one by one; a damaged header may claim billions. */
  private static final long MOST_BLOCKS = 5000;

  private final String file;

  FuzzTarget(String file) {
    this.file = file;
  }

  /** A well-formed input. */
  abstract byte[] sample(Random random) throws IOException;

  KernelTrace open(byte[] content, Diagnostics diagnostics) throws IOException {
    MemoryFiles files = new MemoryFiles(Map.of());
    files.put(file, content);
    return TraceText.open(files, file, diagnostics);
  }

  /** Reads damaged input and checks what must hold. */
  void check(byte[] content) throws IOException {
    Diagnostics lenient = Diagnostics.lenient();
    long instructions = read(content, lenient);
    boolean refused = false;
    try {
      read(content, Diagnostics.strict());
    } catch (TraceFormatException e) {
      refused = true;
    }
    assertThat(refused)
        .as("strict reading fails exactly when lenient reading reports: " + lenient.messages())
        .isEqualTo(instructions < 0 || lenient.problemCount() > 0);
    if (lenient.problemCount() == 0 && (this == GROUPED || this == RAW) && instructions >= 0) {
      assertThat(instructions).as("lines read").isEqualTo(lines(content));
    }
  }

  /** The number of instruction lines read, or -1 if the kernel cannot be read at all. */
  private long read(byte[] content, Diagnostics diagnostics) throws IOException {
    try (KernelTrace kernel = open(content, diagnostics)) {
      long blocks = kernel.header().grid().count();
      BlockTrace block = new BlockTrace();
      long lines = 0;
      for (long id = 0; id < Math.min(blocks, MOST_BLOCKS); id++) {
        if (kernel.readBlock(id, block)) {
          lines += lines(kernel, block);
          for (int i = 0; i < block.instructions(); i++) {
            KernelAssert.payloads(block, i);
          }
        }
      }
      if (blocks > MOST_BLOCKS) {
        kernel.readBlock(blocks - 1, block);
      } else {
        TextWriter.write(kernel, new StringWriter());
      }
      return lines;
    } catch (TraceFormatException e) {
      if (diagnostics.isStrict()) {
        throw e;
      }
      return -1;
    }
  }

  private static long lines(KernelTrace kernel, BlockTrace block) {
    long lines = block.instructions();
    for (int i = 0; i < block.instructions(); i++) {
      int at = block.payload(i);
      boolean copy = kernel.code().get(block.row(i)).opcode().name().equals("LDGSTS");
      if (copy && at >= 0 && Payload.next(block.data(), at) >= 0) {
        lines++;
      }
    }
    return lines;
  }

  /** Lines of a text that ought to be instructions. */
  private static long lines(byte[] content) {
    String text = new String(content, StandardCharsets.ISO_8859_1);
    return java.util.Arrays.stream(text.split("\n", -1))
        .map(String::strip)
        .filter(line -> line.matches("(?s)[0-9a-f].*") && !line.startsWith("cl"))
        .count();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
