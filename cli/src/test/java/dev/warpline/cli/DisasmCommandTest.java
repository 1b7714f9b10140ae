package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class DisasmCommandTest {
  private static final Path CODE = Path.of("..", "examples", "amd", "co");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String file, String... options) {
    CommandLine commandLine = Main.commandLine();
    commandLine.setOut(new PrintWriter(out)).setErr(new PrintWriter(err, true));
    String[] arguments = new String[options.length + 2];
    arguments[0] = "disasm";
    arguments[1] = CODE.resolve(file).toString();
    System.arraycopy(options, 0, arguments, 2, options.length);
    return commandLine.execute(arguments);
  }

  @Test
  void aKernelIsListedWithAddressesWordsAndBranchTargets() {
    assertThat(run("stream.gfx942.co", "--kernel", "relu")).isZero();
    assertThat(out.toString())
        .contains("gfx942, code object v5", "<relu>:", "8 VGPRs")
        .containsPattern("s_load_dword s3, s\\[0:1\\], 0x24 +// [0-9A-F]{12}: C00200C0 00000024\n")
        .containsPattern("s_cbranch_execz 17 +// [0-9A-F]{12}: BF880011 <relu\\+0x74>\n")
        .doesNotContain("<vector_add>");
  }

  @Test
  void allKernelsAreListedOtherwise() {
    assertThat(run("stream.gfx900.co")).isZero();
    assertThat(out.toString()).contains("<vector_add>:", "<relu>:", "<strided_sum>:");
  }

  @Test
  void kernelsAreListedWithTheirArguments() {
    assertThat(run("samples.O3.co", "--target", "gfx90a", "--kernels")).isZero();
    assertThat(out.toString())
        .contains("gfx90a, code object v5")
        .containsPattern("mfma_f32: \\d+ VGPRs")
        .containsPattern(" 24 +4 bytes +by_value");
  }

  @Test
  void aBundleWithoutATargetIsBadInput() {
    assertThat(run("samples.O3.co")).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString()).contains("samples.O3.co", "gfx942", "expected one entry");
  }

  @Test
  void anUnknownKernelIsBadInput() {
    assertThat(run("stream.gfx900.co", "--kernel", "foo")).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(err.toString()).contains("no kernel foo", "vector_add");
  }
}
