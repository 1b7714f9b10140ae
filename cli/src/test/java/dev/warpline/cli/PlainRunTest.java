package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlainRunTest {
  private final StringWriter said = new StringWriter();

  private Integer execute(String... words) {
    PrintWriter writer = new PrintWriter(said, true);
    return PlainRun.execute(new Terminal(writer, writer, List.of(words)));
  }

  @Test
  void leavesWhatIsNotPlainToPicocli() {
    assertThat(execute()).isNull();
    assertThat(execute("gpus")).isNull();
    assertThat(execute("run")).isNull();
    assertThat(execute("run", "--help")).isNull();
    assertThat(execute("run", "@words")).isNull();
    assertThat(execute("run", "a.wlt", "b.wlt")).isNull();
    assertThat(execute("run", "a.wlt", "--json", "-")).isNull();
    assertThat(execute("run", "a.wlt", "--gpu")).isNull();
    assertThat(execute("run", "a.wlt", "--threads", "0")).isNull();
    assertThat(execute("run", "a.wlt", "--threads", "1025")).isNull();
    assertThat(execute("run", "a.wlt", "--core", "old")).isNull();
    assertThat(execute("run", "a.wlt", "--core", "modern", "--core", "modern")).isNull();
    assertThat(said.toString()).isEmpty();
  }

  @Test
  void leavesMistakesThatShowLaterToPicocli(@TempDir Path folder) throws IOException {
    Path config = Files.writeString(folder.resolve("gpgpusim.config"), "");
    assertThat(execute("run", "a.wlt", "--gpu", "h200", "--config", config.toString())).isNull();
    assertThat(said.toString()).isEmpty();
  }

  @Test
  void saysWhatItCannotRead() {
    Integer code = execute("run", "absent.wlt", "--gpu", "rtx3070", "--core", "classic");
    assertThat(code).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(said.toString()).contains("absent.wlt: no such file or folder");
  }
}
