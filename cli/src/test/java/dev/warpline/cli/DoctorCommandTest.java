package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorCommandTest {
  @TempDir Path folder;

  private static Examination.Finding of(List<Examination.Finding> all, String what) {
    return all.stream().filter(finding -> finding.what().equals(what)).findFirst().orElseThrow();
  }

  @Test
  void whereTheTestsRunSimulationsWork() {
    Warpline doctor = Warpline.run("doctor");
    assertThat(doctor.code()).as(doctor.out()).isZero();
    assertThat(doctor.out())
        .contains("Java", "memory", "processors", "quick start", "temporary", "cache", "Python")
        .contains("HIP", "Slurm")
        .endsWith("Warpline works here.\n");
  }

  @Test
  void aTemporaryFolderThatIsNotThereKeepsStudiesFromWorkingAndItSaysWhatHelps() {
    List<Examination.Finding> all =
        new Examination(Map.of("PATH", ""), folder.resolve("absent/deeper")).all();
    Examination.Finding studies = of(all, "studies");
    assertThat(studies.state()).isEqualTo(Examination.State.BROKEN);
    assertThat(studies.todo()).contains("java.io.tmpdir");
  }

  @Test
  void programsThatOnlySomeCommandsNeedAreNamedWithTheirPackages() throws Exception {
    Map<String, String> nothing =
        Map.of("PATH", folder.toString(), "XDG_CACHE_HOME", folder.resolve("cache").toString());
    List<Examination.Finding> all = new Examination(nothing, folder).all();
    assertThat(of(all, "cache").found()).startsWith(folder.resolve("cache/warpline").toString());
    assertThat(of(all, "cache").state()).isEqualTo(Examination.State.GOOD);
    for (String what : List.of("Python", "HIP", "Slurm")) {
      assertThat(of(all, what).state()).isEqualTo(Examination.State.ABSENT);
      assertThat(of(all, what).todo()).contains("apt-get install");
    }
    assertThat(all).noneMatch(finding -> finding.state() == Examination.State.BROKEN);
    // A file in the way of the cache cannot be written into.
    Path file = Files.createFile(folder.resolve("file"));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    Map<String, String> inTheWay = Map.of("XDG_CACHE_HOME", file.toString());
    Examination.Finding cache = of(new Examination(inTheWay, folder).all(), "cache");
    assertThat(cache.state()).isEqualTo(Examination.State.POOR);
    assertThat(cache.todo()).contains("XDG_CACHE_HOME");
  }
}
