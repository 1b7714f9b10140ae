package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sampled result says so wherever it is read, and is refused where there is none. */
class SampleOptionTest {
  private static final String REDUCE = "../examples/traces/reduce.wlt";
  private static final String ADD = "../examples/amd/launch/vector_add.yaml";

  @TempDir Path folder;

  @Test
  void textFilesAndStatisticsSayTheInterval() throws Exception {
    Path json = folder.resolve("r.json");
    Path csv = folder.resolve("r.csv");
    Path report = folder.resolve("r.html");
    Warpline run =
        Warpline.run(
            "run",
            REDUCE,
            "--gpu=h200",
            "--sample=5%",
            "--json=" + json,
            "--csv=" + csv,
            "--report=" + report);
    assertThat(run.code()).isZero();
    assertThat(run.out()).contains("95 % interval").contains("the blocks of 17 of 132 SMs");
    assertThat(run.err()).contains("warning: sampled: ");
    assertThat(Files.readString(json)).contains("\"plusMinus\"").contains("\"sampling\"");
    assertThat(Files.readString(csv)).contains("sampled_plus_minus");
    assertThat(Files.readString(report)).contains("the blocks of 17 of 132 SMs");
    assertThat(Warpline.run("run", REDUCE, "--gpu=h200", "--sample=5%", "--stats=accel-sim").out())
        .contains("gpu_sim_cycle_sampled = ");
  }

  @Test
  void soDoTheTablesOfAStudy() throws Exception {
    Path trace = Path.of(REDUCE).toAbsolutePath().normalize();
    Path study = folder.resolve("s.yaml");
    Files.writeString(study, "traces: [" + trace + "]\ngpus: [h200]\nsample: 5%\n");
    assertThat(Warpline.run("sweep", study.toString()).code()).isZero();
    String store = folder.resolve("s.db").toString();
    Warpline results = Warpline.run("results", store);
    assertThat(results.out()).contains("cycles.low").contains("cycles.high");
    assertThat(results.err()).startsWith("1 of 1 points are sampled");
    assertThat(Warpline.run("results", "pareto", store, "--least=microseconds", "--most=ipc").err())
        .startsWith("1 of 1 points are sampled");
  }

  @Test
  void whatCannotBeSampledIsRefused() {
    refused("acts on the modern core only", "run", REDUCE, "--gpu=h200", "--core=classic");
    refused("acts on the modern core only", "run", REDUCE, "--gpu=rtx3070");
    refused("acts on traces of NVIDIA GPUs only", "run", ADD);
    refused("needs everything to be simulated", "run", REDUCE, "--gpu=h200", "--profile");
  }

  private static void refused(String why, String... words) {
    String[] sampled = java.util.Arrays.copyOf(words, words.length + 1);
    sampled[words.length] = "--sample=5%";
    Warpline run = Warpline.run(sampled);
    assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains(why);
  }
}
