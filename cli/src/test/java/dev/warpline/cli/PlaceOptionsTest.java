package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a study may be simulated, and what is refused. */
class PlaceOptionsTest {
  @TempDir Path folder;

  private Warpline sweep(String... options) throws IOException {
    Path trace = Path.of("../examples/traces/vecadd").toAbsolutePath().normalize();
    Path study =
        Files.writeString(
            folder.resolve("study.yaml"), "traces: [" + trace + "]\nset: {sm.count: 2}\n");
    List<String> arguments = new java.util.ArrayList<>(List.of("sweep", study.toString()));
    arguments.addAll(List.of(options));
    return Warpline.run(arguments.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource({
    "--on mesos://host, expected slurm or a master of Spark",
    "--on local[two], expected slurm or a master of Spark",
    "--slurm --time=1:00, need --on slurm",
    "--per-task 3 --on local, need --on slurm",
    "--spark-conf spark.cores.max=2, needs --on with a master of Spark",
    "--spark-conf spark.cores.max=2 --on slurm, needs --on with a master of Spark",
    "--spark-conf cores=2 --on local, expected NAME=VALUE",
    "--threads 2 --on local, does not count on Spark",
    "--memory 100 --on slurm, counts on this machine only"
  })
  void anOptionThatCannotActIsRefused(String options, String words) throws IOException {
    Warpline said = sweep(options.split(" "));
    assertThat(said.code()).isEqualTo(ExitCode.USAGE);
    assertThat(said.err()).contains(words);
    assertThat(folder.resolve("study.db")).doesNotExist();
  }

  @Test
  void withoutTheModuleForSparkItIsSaidHowToBuildIt() throws IOException {
    Warpline said = sweep("--on", "local[2]");
    assertThat(said.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(said.err()).contains("mvn -Pspark -DskipTests -pl spark -am package");
    assertThat(sweep().out()).contains("1 done, 0 failed, 1 simulated now");
  }

  @Test
  void aSweepSaysWhatItCost() throws IOException {
    Warpline said = sweep("--costs");
    assertThat(said.code()).isEqualTo(ExitCode.OK);
    assertThat(said.out()).contains("measured: 1 points on", " 1000   3,200,000");
  }
}
