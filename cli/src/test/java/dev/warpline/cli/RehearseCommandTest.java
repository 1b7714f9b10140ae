package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What the launcher keeps of a rehearsal is what users meet only if the rehearsal succeeds. */
class RehearseCommandTest {
  @Test
  void runsOnBothCoresSucceedUnseen() {
    System.setProperty("warpline.home", Path.of("..").toAbsolutePath().normalize().toString());
    try {
      assertThat(Home.example("captures/functions.wcap")).matches(Files::exists);
      Warpline rehearsal = Warpline.run("rehearse");
      assertThat(rehearsal.code()).isZero();
      assertThat(rehearsal.out() + rehearsal.err()).isEmpty();
    } finally {
      System.clearProperty("warpline.home");
    }
  }
}
