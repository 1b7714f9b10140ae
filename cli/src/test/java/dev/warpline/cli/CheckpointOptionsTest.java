package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A user stops a run and goes on with it. */
class CheckpointOptionsTest {
  private static final String VECADD = "../examples/traces/vecadd";
  private static final String ADD = "../examples/amd/launch/vector_add.yaml";

  @TempDir Path folder;

  private static String kernels(Path json) throws IOException {
    return new ObjectMapper().readTree(json.toFile()).get("kernels").toString();
  }

  private Warpline run(String... more) {
    String[] all = new String[more.length + 4];
    all[0] = "run";
    all[1] = VECADD;
    all[2] = "--gpu=rtx3070";
    all[3] = "--core=classic";
    System.arraycopy(more, 0, all, 4, more.length);
    return Warpline.run(all);
  }

  @Test
  void aRunGoesOnFromItsFile() throws IOException {
    Path state = folder.resolve("state");
    Path whole = folder.resolve("whole.json");
    Path resumed = folder.resolve("resumed.json");
    assertThat(run("--json=" + whole).code()).isZero();
    Warpline stopped =
        run("--checkpoint=" + state, "--checkpoint-every=1000cycles", "--max-cycles=3000");
    assertThat(stopped.code()).isEqualTo(4);
    assertThat(run("--resume=" + state, "--json=" + resumed).code()).isZero();
    assertThat(kernels(resumed)).isEqualTo(kernels(whole));
    Warpline other = run("--resume=" + state, "--set=sm.count=4");
    assertThat(other.code()).isNotZero();
    assertThat(other.err()).contains("is of another run: the GPU description's SHA-256 was");
    // A checkpoint that does not fit is left as it is.
    assertThat(run("--resume=" + state).code()).isZero();
    Files.writeString(state, "something");
    assertThat(run("--resume=" + state).err()).contains("is no checkpoint");
  }

  @Test
  void whatCannotBeStoppedIsRefused() {
    assertThat(run("--checkpoint=x", "--what-if=sm.count=4").err())
        .contains("--checkpoint: one simulation at a time");
    assertThat(run("--checkpoint=x", "--checkpoint-every=10").err())
        .contains("found 10, expected 30s");
    assertThat(run("--checkpoint-every=10s").err()).contains("needs --checkpoint FILE");
    assertThat(run("--resume=" + folder.resolve("none")).err()).contains("none");
    assertThat(Warpline.run("run", ADD, "--checkpoint=x", "--functional").err())
        .contains("--checkpoint: needs time");
  }
}
