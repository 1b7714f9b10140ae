package dev.warpline.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.trace.code.CodeFormatException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cubin beside a trace whose line information is of a version that cannot be read. */
class CodeFilesTest {
  private static final Path CUBIN = Path.of("../examples/tracing/reduce.cubin");
  private static final String KERNEL = "_Z6reducePKfPfi";
  private static final int LOAD = 0x100;

  @TempDir Path folder;

  @BeforeEach
  void damage() throws IOException {
    byte[] bytes = Files.readAllBytes(CUBIN);
    int table = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("/src\0") - 24;
    bytes[table + 4] = 5;
    Files.write(folder.resolve("kernel-1.cubin"), bytes);
  }

  private KernelCode code(Diagnostics diagnostics) throws IOException {
    return new CodeFiles(new FolderFiles(folder), "kernel-1.traceg", diagnostics).find(KERNEL);
  }

  @Test
  void whoAsksForLinesIsToldOnceThatThereAreNone() throws IOException {
    Diagnostics diagnostics = Diagnostics.lenient();
    KernelCode code = code(diagnostics);
    assertThat(code.low(LOAD)).isNotZero();
    assertThat(diagnostics.warnings()).isEmpty();
    assertThat(code.source(LOAD)).isNull();
    assertThat(code.source(LOAD + 16)).isNull();
    assertThat(diagnostics.warnings())
        .singleElement()
        .asString()
        .endsWith(
            "kernel-1.cubin: found .debug_line of DWARF version 5, expected 2 to 4;"
                + " its line information is not used");
  }

  @Test
  void aStrictReaderFailsAtOnce() {
    assertThatThrownBy(() -> code(Diagnostics.strict()))
        .isInstanceOf(CodeFormatException.class)
        .hasMessageContaining("DWARF version 5");
  }
}
