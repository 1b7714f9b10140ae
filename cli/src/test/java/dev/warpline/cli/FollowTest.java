package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code run --follow}. */
class FollowTest {
  private static final String VECADD = "../examples/traces/vecadd";

  @TempDir Path folder;

  @Test
  void aRequestIsPrintedAndPutIntoTheTimeline() throws Exception {
    Path timeline = folder.resolve("out.json");
    Warpline run =
        Warpline.run(
            "run", VECADD, "--gpu=h200", "--follow=0x7f2b5a000010", "--timeline=" + timeline);
    assertThat(run.code()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("1 access to line 0x7f2b5a000000 in cycles 0:10000")
        .containsPattern(
            "SM \\d+ warp 0 00d0 LDG.E R3.*: sectors 0 1 2 3, L1 miss; answered by DRAM")
        .containsPattern("DRAM channel \\d+ bank \\d+ row \\d+ opened")
        .containsPattern("\\d+ +\\d+  network to the SM");
    assertThat(Files.readString(timeline))
        .contains("line 0x7f2b5a000000")
        .contains("network to the SM");
  }

  @Test
  void whatCannotFollowSaysSo() {
    assertThat(
            Warpline.run("run", VECADD, "--gpu=rtx3070", "--core=classic", "--follow=0x10").err())
        .contains("--follow: the classic core");
    assertThat(Warpline.run("run", VECADD, "--gpu=h200", "--follow=10").err())
        .contains("--follow 10: expected an address, e.g. 0x");
    assertThat(Warpline.run("run", VECADD, "--gpu=h200", "--follow=0x10", "--json=-").err())
        .contains("--follow prints on standard output");
    assertThat(Warpline.run("run", VECADD, "--gpu=h200", "--follow=0x10", "--sample=2%").err())
        .contains("--follow: needs everything to be simulated");
  }
}
