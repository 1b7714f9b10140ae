package dev.warpline.trace.code;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.isa.SourcePlace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** A cubin compiled with -lineinfo says where each instruction comes from. */
class LineInformationTest {
  private static final Path CUBIN = Path.of("../examples/tracing/reduce.cubin");
  private static final String KERNEL = "_Z6reducePKfPfi";
  private static final int LOAD = 0x100;
  private static final int STORE = 0x1c0;

  @Test
  void anInlinedLoadHasItsOwnLineThatOfTheCallAndItsPtx() throws IOException {
    SourcePlace load = places(Files.readAllBytes(CUBIN)).source(LOAD);
    assertThat(load.file()).isEqualTo("/src/reduce.cu");
    assertThat(load.line()).isEqualTo(lineOf("x += a[i]"));
    assertThat(load.function()).isEqualTo("_Z4partPKfi");
    assertThat(load.ptx()).startsWith("ld.global.f32 ");
    assertThat(load.caller().line()).isEqualTo(lineOf("= part(a, n)"));
    assertThat(load.caller().caller()).isNull();
  }

  @Test
  void aStoreOfTheKernelItselfIsInlinedByNothing() throws IOException {
    SourcePlace store = places(Files.readAllBytes(CUBIN)).source(STORE);
    assertThat(store.line()).isEqualTo(lineOf("= part(a, n)"));
    assertThat(store.caller()).isNull();
    assertThat(store.ptx()).startsWith("st.shared.f32 ");
  }

  @Test
  void aCubinWithoutLineInformationSaysNothingAndHasNoProblem() throws IOException {
    Cubin cubin =
        Cubin.read(Files.readAllBytes(Path.of("../examples/tracing/mandelbrot.cubin")), "m.cubin");
    assertThat(cubin.lineProblem()).isNull();
    assertThat(cubin.kernels().iterator().next().source(0)).isNull();
  }

  @Test
  void aTableOfAnotherVersionIsSaidAndTheCodeIsStillThere() throws IOException {
    byte[] bytes = Files.readAllBytes(CUBIN);
    bytes[tableAt(bytes) + 4] = 5;
    Cubin cubin = Cubin.read(bytes, "new.cubin");
    assertThat(cubin.lineProblem())
        .hasMessage("new.cubin: found .debug_line of DWARF version 5, expected 2 to 4");
    assertThat(cubin.kernel(KERNEL).source(LOAD)).isNull();
    assertThat(cubin.kernel(KERNEL).low(LOAD)).isNotZero();
  }

  @Property(tries = 300, seed = "1")
  void aDamagedTableNeverCostsTheCode(@ForAll @IntRange(max = 250) int at, @ForAll byte value)
      throws IOException {
    byte[] bytes = Files.readAllBytes(CUBIN);
    bytes[tableAt(bytes) + at] = value;
    assertThat(Cubin.read(bytes, "damaged.cubin").kernel(KERNEL).low(LOAD)).isNotZero();
  }

  private static Cubin.Kernel places(byte[] bytes) throws IOException {
    return Cubin.read(bytes, "reduce.cubin").kernel(KERNEL);
  }

  private static int lineOf(String text) throws IOException {
    int line = 1;
    for (String one : Files.readAllLines(CUBIN.resolveSibling("reduce.cu"))) {
      if (one.contains(text)) {
        return line;
      }
      line++;
    }
    throw new AssertionError(text);
  }

  /** Where .debug_line begins: its directory is 24 bytes into it. */
  private static int tableAt(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1).indexOf("/src\0") - 24;
  }
}
