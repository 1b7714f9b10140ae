package dev.warpline.amd.hip;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.KernelResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** HIP programs as a user compiles them, and how programs end. */
@EnabledIfSystemProperty(named = HipPrograms.SWITCH, matches = "true|all")
class HipOptimizedTest {
  private static HipPrograms programs;

  @BeforeAll
  static void build() throws Exception {
    programs = new HipPrograms("-O3");
  }

  @TestFactory
  Stream<DynamicTest> everyProgramFindsItsResultsRight() throws IOException {
    return tests(programs, "mi300a");
  }

  static Stream<DynamicTest> tests(HipPrograms programs, String gpu) throws IOException {
    return HipPrograms.gpus(gpu).stream()
        .flatMap(
            each -> {
              try {
                return HipPrograms.names().stream()
                    .map(
                        name ->
                            DynamicTest.dynamicTest(
                                name + " on " + each,
                                () -> findsItsResultsRight(programs, each, name)));
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
  }

  private static void findsItsResultsRight(HipPrograms programs, String gpu, String name)
      throws IOException {
    HipPrograms.Ended ended = programs.run(gpu, false, name);
    assertThat(ended.exitCode()).as("%s: %s %s", name, ended.output(), ended.complaints()).isZero();
    if (name.equals("print")) {
      assertThat(ended.output())
          .isEqualTo(Files.readString(Path.of("..", "examples", "hip", "print.expected")));
    } else {
      assertThat(ended.output()).contains(name + ": right");
    }
  }

  @Test
  void aProgramMayRunWithoutTime() throws IOException {
    for (String name : List.of("vector_add", "cooperative", "device_malloc", "callbacks")) {
      HipPrograms.Ended ended = programs.run("mi300a", true, name);
      assertThat(ended.exitCode()).as("%s: %s", name, ended.output()).isZero();
      assertThat(ended.kernels()).extracting(KernelResult::cycles).containsOnly(0L);
    }
  }

  @Test
  void whatIsNotSupportedSaysItsName() throws IOException {
    assertThat(programs.run("mi210", false, "textures").output())
        .contains("warpline: hipCreateTextureObject is not supported")
        .contains("warpline: hipMallocArray is not supported")
        .contains("warpline: hipGraphCreate is not supported");
  }

  @Test
  void aFaultNamesKernelAndPlace() throws IOException {
    assertThat(programs.run("mi210", false, "out_of_bounds").complaints())
        .singleElement()
        .asString()
        .contains("hipErrorIllegalAddress")
        .contains("reach past the end of a buffer")
        .contains("of kernel _Z5writePii, work-group (0, 0, 0), wave 0, lane 50");
  }

  @Test
  void theProgramsExitCodeIsTheRuns() throws IOException {
    HipPrograms.Ended ended = programs.run("mi210", false, "leaves", "return");
    assertThat(ended.exitCode()).isEqualTo(7);
    assertThat(ended.complaints()).isEmpty();
    assertThat(ended.kernels()).hasSize(2);
  }

  @Test
  void aProgramThatIsKilledOrLeavesEarlyIsReportedAndLeavesNothing() throws IOException {
    long before = folders();
    for (String how : List.of("abort", "exit", "kill")) {
      HipPrograms.Ended ended = programs.run("mi210", false, "leaves", how);
      String end =
          switch (how) {
            case "abort" -> "signal 6";
            case "kill" -> "signal 9";
            default -> "exit code 3";
          };
      assertThat(ended.exitCode()).isNotZero();
      assertThat(ended.complaints())
          .singleElement()
          .asString()
          .contains("leaves: ended (" + end + ") without leaving HIP")
          .contains("after a request to launch and 1 kernel that ended");
      assertThat(ended.kernels()).hasSize(1);
    }
    assertThat(folders()).isEqualTo(before);
    assertThat(ProcessHandle.current().children()).isEmpty();
  }

  private static long folders() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files.filter(f -> f.getFileName().toString().startsWith("warpline-hip")).count();
    }
  }
}
