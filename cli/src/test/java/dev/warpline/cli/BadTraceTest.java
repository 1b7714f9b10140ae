package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever reads a trace says why it cannot, with exit code 3, instead of a result of nothing. */
class BadTraceTest {
  private static final Path EXAMPLES = Path.of("..", "examples", "traces");
  private static final String EXPECTED = "expected a kernel list: text with lines such as";

  @TempDir Path folder;
  private Path list;
  private Path kernel;

  @BeforeEach
  void copyATrace() throws IOException {
    list = folder.resolve("kernelslist.g");
    kernel = folder.resolve("kernel-1.traceg");
    for (Path file : List.of(list, kernel)) {
      Files.copy(EXAMPLES.resolve("vecadd").resolve(file.getFileName()), file);
    }
  }

  @Test
  void aListWithoutKernels() throws IOException {
    Files.writeString(list, "MemcpyHtoD,0x00007f2b5a000000,8388608\n");
    refused(folder, "kernelslist.g: found no kernel, " + EXPECTED);
  }

  @Test
  void aListOfPathsOutsideItsFolder() throws IOException {
    Files.writeString(list, kernel.toAbsolutePath() + "\n");
    refused(folder, "kernelslist.g:1:1: found \"" + kernel.toString().substring(0, 20));
    Files.writeString(list, "../" + folder.getFileName() + "/kernel-1.traceg\n");
    refused(folder, "expected a file in the folder of the list, without / or .. before");
  }

  @Test
  void filesThatAreNoTraces() throws IOException {
    Path program = folder.resolve("ls");
    Files.write(program, new byte[] {0x7f, 'E', 'L', 'F', 2, 1, 1, 0});
    refused(program, "ls: found an ELF file (a program or a cubin), " + EXPECTED);
    Files.writeString(list, "{\"kernels\": [\"kernel-1.traceg\"]}\n");
    refused(folder, "kernelslist.g: found JSON, " + EXPECTED);
    refused(EXAMPLES.resolve("README.md"), "found \"Real kernels, traced", "no kernel, on line 3");
  }

  @Test
  void aKernelWhoseEveryLineIsBad() throws IOException {
    Files.writeString(kernel, Files.readString(kernel).replaceAll("(?m)^([0-9a-f]{4}) ", "$1x "));
    for (List<String> command :
        List.of(List.of("run"), List.of("inspect"), List.of("convert", "--lenient"))) {
      List<String> words = new ArrayList<>(command);
      words.add(folder.toString());
      assertThat(run(words.toArray(String[]::new)))
          .startsWith("3 ")
          .contains("found no instruction that can be used");
    }
  }

  @Test
  void aKernelWithoutOneOfItsBlocks() throws IOException {
    String text = Files.readString(kernel);
    int second = text.indexOf("#BEGIN_TB", text.indexOf("#END_TB"));
    int third = text.indexOf("#BEGIN_TB", second + 1);
    Files.writeString(kernel, text.substring(0, second) + text.substring(third));
    for (String core : List.of("modern", "classic")) {
      assertThat(run("run", folder.toString(), "--core", core))
          .startsWith("3 ")
          .contains("found no thread block 1,0,0 in the trace, expected all blocks of the grid");
    }
    assertThat(run("convert", folder.toString(), "-o", folder.resolve("x.wlt").toString()))
        .startsWith("3 ")
        .contains("found 3 of 4 thread blocks, the first missing is 1,0,0");
    assertThat(run("inspect", folder.toString()))
        .startsWith("0 ")
        .contains("warning: " + kernel + ": found 3 of 4 thread blocks");
  }

  @Test
  void aGridThatIsTooSmallForItsBlocks() throws IOException {
    Files.writeString(kernel, Files.readString(kernel).replace("(4,1,1)", "(2,1,1)"));
    String message =
        "found \"thread block = 2,0,0\", expected thread block = x,y,z inside the grid";
    assertThat(run("convert", folder.toString())).startsWith("3 ").contains(message);
    for (String command : List.of("run", "inspect")) {
      assertThat(run(command, folder.toString(), "--strict")).startsWith("3 ").contains(message);
      assertThat(run(command, folder.toString())).startsWith("0 ").contains("warning: ", message);
    }
  }

  @Test
  void aGridThatNoFileCanHold() throws IOException {
    Files.writeString(
        kernel, Files.readString(kernel).replace("(4,1,1)", "(2147483647,65535,65535)"));
    refused(folder, "found the grid (2147483647,65535,65535) of 9223090559730712575");
  }

  @Test
  void aDamagedCache() throws IOException {
    byte[] content = Files.readAllBytes(EXAMPLES.resolve("reduce.wlt"));
    content[200] ^= 1;
    Path cache = folder.resolve("damaged.wlt");
    Files.write(cache, content);
    for (String core : List.of("modern", "classic")) {
      assertThat(run("run", cache.toString(), "--core", core))
          .startsWith("3 ")
          .contains(
              "with a wrong checksum, expected an intact trace cache; run warpline convert again",
              "warpline: kernel 1 (_Z6reducePKfPfi): found no thread block 0,0,0");
    }
    assertThat(run("inspect", cache.toString(), "--strict"))
        .startsWith("3 ")
        .contains("with a wrong checksum");
    assertThat(run("inspect", cache.toString()))
        .contains("19 blocks (of 528)")
        .containsOnlyOnce("with a wrong");
    Files.write(cache, new byte[0]);
    refused(cache, "damaged.wlt: found a file of 0 bytes, expected an intact trace cache");
  }

  @Test
  void aNameThatNoKernelHas() {
    String trace = EXAMPLES.resolve("vecadd").toString();
    assertThat(run("run", trace, "--kernel", "nosuch")).startsWith("3 ").contains("nosuch");
    assertThat(run("run", trace, "--kernel", "vec,nosuch"))
        .startsWith("0 ")
        .contains("warning: " + trace + ": no kernel is named like nosuch");
  }

  @Test
  void whatWasLeftOutIsSaidOfAKernelThatStandsStill() throws IOException {
    String text = Files.readString(kernel).replaceFirst("0010 ffffffff", "0010 fffffff");
    Files.writeString(kernel, text);
    for (String core : List.of("modern", "classic")) {
      assertThat(run("run", folder.toString(), "--core", core, "--max-cycles", "10"))
          .startsWith("4 ")
          .contains("warning: " + kernel + ":24:6: found \"fffffff\", expected a lane mask");
    }
  }

  @Test
  void nothingToValidateAndNothingToMeasure() throws IOException {
    Path counters = folder.resolve("hardware.csv");
    Files.writeString(counters, "workload,kernel_id,cycles_median\nvecadd,1,100\n");
    assertThat(
            run(
                "validate",
                "--hardware",
                counters.toString(),
                "--traces",
                folder.toString(),
                "--only",
                "nosuch"))
        .startsWith("3 ")
        .contains("hardware.csv: no workload matches nosuch");
    assertThat(run("bench", "--traces", EXAMPLES.toString(), "--only", "nosuch"))
        .startsWith("3 ")
        .contains("traces: no workload matches \"nosuch\"");
    assertThat(run("convert", folder.toString(), "--control-sidecar"))
        .startsWith("3 ")
        .contains("found no file that ends in .cubin");
  }

  /** Every command refuses a trace with one of these messages. */
  private static void refused(Path trace, String... messages) {
    for (String command : List.of("run", "inspect", "convert")) {
      assertThat(run(command, trace.toString()))
          .as(command)
          .startsWith("3 ")
          .containsAnyOf(messages);
    }
  }

  /** The exit code, a blank, and what was printed. */
  private static String run(String... arguments) {
    StringWriter printed = new StringWriter();
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(printed))
            .setErr(new PrintWriter(printed))
            .execute(arguments);
    return code + " " + printed;
  }
}
