package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code hip} says to a user; what programs do under it is tested in module amd. */
class HipCommandTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "--log=issue,--log: AMD's compute unit writes none",
    "--stats=accel-sim,--stats accel-sim: expected gem5",
    "--json=-,standard output is the program's",
    "--power=p.csv,--power: the gcn core of",
    "--gpu=h200,HIP programs run on GPUs of AMD",
    "--kernel=0,--kernel 0: kernels are numbered from 1"
  })
  void whatCannotActIsRefused(String option, String why) {
    Warpline run = Warpline.run("hip", option, "--", "/bin/true");
    assertThat(run.code()).isNotZero();
    assertThat(run.err()).contains(why);
  }

  @Test
  void whatNeedsTimeIsRefusedWithoutIt() {
    assertThat(Warpline.run("hip", "--functional", "--report=r.html", "--", "/bin/true").err())
        .contains("--report: needs time, which --functional leaves out");
  }

  @Test
  void aProgramThatIsNoHipProgramIsNamed() {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/cc")), "the library is built with cc");
    Warpline run = Warpline.run("hip", "--", "/bin/true");
    assertThat(run.code()).isZero();
    assertThat(run.err()).contains("/bin/true: called nothing of HIP");
    Path json = folder.resolve("r.json");
    Warpline empty = Warpline.run("hip", "--json=" + json, "--", "/bin/true");
    assertThat(empty.code()).isNotZero();
    assertThat(empty.err()).contains("/bin/true: no kernel ran, so there is nothing to write");
    assertThat(json).doesNotExist();
  }
}
