package dev.warpline.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.isa.Instruction;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceDialectTest {
  private static final String SERVICES = "META-INF/services/" + TraceDialect.class.getName();

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "0, Version0To2",
    "2, Version0To2",
    "3, Version3To5",
    "5, Version3To5",
    "6, Version6"
  })
  void everyVersionHasADialect(int version, String dialect) {
    assertThat(TraceDialects.of(version).getClass().getSimpleName()).isEqualTo(dialect);
  }

  @Test
  void aVersionWithoutADialectIsRefused() {
    assertThatThrownBy(() -> MemoryKernel.parse(text("7", "0x2a")))
        .hasMessageContaining("found \"7\", expected a version from 0 to 6");
  }

  /** A tracer that writes the immediate in hexadecimal. */
  public static final class Version7 extends TraceDialect {
    @Override
    public int first() {
      return 7;
    }

    @Override
    public int last() {
      return 7;
    }

    @Override
    public void readTail(LineFields line, Recorded into) throws LineSyntaxException {
      into.immediate = line.hex();
    }

    @Override
    public void writeTail(Instruction instruction, boolean values, Appendable line)
        throws IOException {
      line.append("0x").append(Long.toHexString(instruction.immediate()));
    }
  }

  @Test
  void aDialectOfAnotherJarIsReadAndWritten() throws IOException {
    Path services = Files.writeString(folder.resolve("services"), Version7.class.getName());
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(
        new ClassLoader(before) {
          @Override
          public Enumeration<URL> getResources(String name) throws IOException {
            List<URL> found = new ArrayList<>(Collections.list(super.getResources(name)));
            if (name.equals(SERVICES)) {
              found.add(services.toUri().toURL());
            }
            return Collections.enumeration(found);
          }
        });
    try {
      MemoryKernel kernel = MemoryKernel.parse(text("7", "0x2a"));
      assertThat(kernel.code().get(0).immediate()).isEqualTo(42);
      StringWriter written = new StringWriter();
      TextWriter.write(kernel, written);
      assertThat(written.toString())
          .contains("-accelsim tracer version = 7")
          .contains("0000 ffffffff 0 DEPBAR.LE 0 0 0x2a");
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static String text(String version, String immediate) {
    return String.join(
        "\n",
        "-kernel name = k",
        "-kernel id = 1",
        "-grid dim = (1,1,1)",
        "-block dim = (32,1,1)",
        "-shmem = 0",
        "-nregs = 8",
        "-binary version = 90",
        "-accelsim tracer version = " + version,
        "",
        "#BEGIN_TB",
        "thread block = 0,0,0",
        "warp = 0",
        "insts = 2",
        "0000 ffffffff 0 DEPBAR.LE 0 0 " + immediate,
        "0010 ffffffff 0 EXIT 0 0 0x0",
        "#END_TB",
        "");
  }
}
