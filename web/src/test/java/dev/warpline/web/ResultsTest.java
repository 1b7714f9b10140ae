package dev.warpline.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.Results;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.profile.ProfileOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTest {
  @TempDir Path folder;

  @Test
  void aRunReadBackFromJsonIsTheSameRun() throws Exception {
    RunResult run = SyntheticRun.run(new ProfileOptions(0, 500, 1));
    Path first = folder.resolve("a.json");
    Path second = folder.resolve("b.json");
    Results.writeJson(run, first);
    Results.writeJson(Results.readJson(first), second);
    assertThat(second).hasSameTextualContentAs(first);
    assertThat(Results.readJson(first).kernels().get(1).profile().stalls())
        .isEqualTo(run.kernels().get(1).profile().stalls());
  }

  @Test
  void theCsvHasARowPerKernel() throws Exception {
    Path file = folder.resolve("a.csv");
    Results.writeCsv(SyntheticRun.run(ProfileOptions.NO_TIMELINE), file);
    assertThat(Files.readAllLines(file)).hasSize(3);
    assertThat(Files.readAllLines(file).get(0))
        .startsWith("gpu,core,id,kernel,cycles")
        .contains("stall.dram");
  }

  @Test
  void aFileThatIsNoResultIsRefusedWithItsPlace() throws Exception {
    Path file = Files.writeString(folder.resolve("x.json"), "{\n \"gpu\": ]");
    assertThatThrownBy(() -> Results.readJson(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("x.json:2");
  }
}
