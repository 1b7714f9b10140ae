package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can be asked of a whole program acts or is refused by name. */
class ProgramOptionsTest {
  private static final String OVERLAP = "../examples/programs/overlap.yaml";
  private static final String LIST = "../examples/traces/vecadd";

  @TempDir Path folder;

  /** An H200 of four SMs, so that it takes no time. */
  private static Warpline run(String program, String... more) {
    String[] all = new String[more.length + 6];
    String[] first = {"run", program, "--gpu", "h200", "--set", "sm.count=4"};
    System.arraycopy(first, 0, all, 0, first.length);
    System.arraycopy(more, 0, all, first.length, more.length);
    return Warpline.run(all);
  }

  private static void refused(Warpline run, String... words) {
    assertThat(run.code()).as(run.err()).isNotZero();
    assertThat(run.err()).contains(words);
  }

  /** A program of one kernel, three times, in a stream of its own. */
  private String three() throws IOException {
    Path file = folder.resolve("three.yaml");
    Files.writeString(
        file,
        "program: three\nkernels: {add: "
            + Path.of(LIST).toAbsolutePath().normalize()
            + "}\nstreams: {side: {blocking: false}}\ndo:\n"
            + "  - {launch: add, stream: side, repeat: 2}\n  - {host: 1 ms}\n"
            + "  - {launch: add, stream: side}\n  - {synchronize: device}\n");
    return file.toString();
  }

  @Test
  void whatIsWrongIsRefusedBeforeAnythingRuns() {
    refused(
        run(OVERLAP, "--partition", "left=half"),
        "--partition left=half: found SMs half, expected SMs such as 0-65,70 or a share");
    refused(run(OVERLAP, "--without", "("), "--without (: expected a regular expression");
    refused(
        run(OVERLAP, "--from", "5us", "--until", "2us"),
        "--until 2us: expected a time after --from 5us");
    refused(
        run(OVERLAP, "--partition", "middle=0-1"), "found SMs of stream middle, expected one of");
    refused(
        run(OVERLAP, "--partition", "left=0-4"), "stream left: found SM 4, expected one of 0 to 3");
    refused(run(LIST, "--fuse", "add"), "found a kernel list", "--with-host");
    refused(
        run(OVERLAP, "--checkpoint", folder.resolve("c").toString(), "--from", "5us"),
        "does not go with --from and --until");
    refused(
        Warpline.run("run", LIST, "--gpu", "rtx3070", "--core", "classic", "--fuse", "add"),
        "--fuse: acts on the modern core only");
    refused(run(folder.resolve("gone.yaml").toString()), "gone.yaml");
  }

  @Test
  void fusedKernelsAreOneCallAndAPartIsSimulatedAlone() throws IOException {
    Warpline fused = run(three(), "--fuse", "vecadd", "--partition", "side=25%");
    assertThat(fused.code()).as(fused.err()).isZero();
    assertThat(fused.out()).contains("3 kernels");
    assertThat(run(three(), "--from", "500us").out())
        .contains("kernel 3  vecadd")
        .doesNotContain("kernel 2  vecadd");
    assertThat(run(three(), "--without", "add").err())
        .as("nothing is left")
        .contains("no kernel could be simulated");
  }
}
