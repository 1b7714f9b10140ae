package dev.warpline.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.KernelRecorder;
import dev.warpline.engine.profile.LaneWork;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.engine.profile.SourceCost;
import dev.warpline.engine.profile.StallReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The text of source lines is kept with a result, and a file that is not there is said. */
class SourceFileTest {
  @TempDir Path folder;

  @Test
  void aFileIsFoundByTheLongestEndOfItsPath() throws IOException {
    Files.createDirectories(folder.resolve("gemm"));
    Files.writeString(folder.resolve("k.cu"), "another file\n".repeat(30));
    Files.writeString(folder.resolve("gemm/k.cu"), "a line\n".repeat(200));
    SourceFile file = only("/home/somebody/gemm/k.cu", 12);
    assertThat(file.readFrom()).isEqualTo(folder.resolve("gemm/k.cu").toString());
    assertThat(file.lines()).containsEntry(12, "a line").hasSizeLessThan(30);
    assertThat(file.problem()).isNull();
  }

  @Test
  void aFileThatIsNotThereIsSaidWithWhereItWasLookedFor() throws IOException {
    SourceFile file = only("/home/somebody/k.cu", 12);
    assertThat(file.lines()).isEmpty();
    assertThat(file.problem()).contains("not found", folder.toString(), "--source");
  }

  @Test
  void aFileThatIsTooShortIsAnotherVersion() throws IOException {
    Files.writeString(folder.resolve("k.cu"), "a line\n".repeat(11));
    assertThat(only("/home/somebody/k.cu", 12).problem())
        .contains("has 11 lines, expected 12: another version");
  }

  @Test
  void instructionsOfALineAreAddedUpAndTheMostExpensiveLineIsFirst() {
    List<SourceCost> costs = SourceCost.of(profile("/k.cu", 12));
    assertThat(costs).hasSize(2);
    assertThat(costs.get(0).line()).isEqualTo(12);
    assertThat(costs.get(0).instructions()).isEqualTo(2);
    assertThat(costs.get(0).executed()).isEqualTo(2);
    assertThat(costs.get(0).warpCycles()).isEqualTo(32);
    assertThat(costs.get(0).mostly()).isEqualTo(StallReason.DRAM);
    assertThat(costs.get(1).warpCycles()).isEqualTo(6);
  }

  private SourceFile only(String path, int line) throws IOException {
    KernelResult kernel =
        new KernelResult(
            1, "k", 0, 1, 3, 96, 1, "", Map.of(), Map.of(), List.of(), profile(path, line));
    RunResult run =
        new RunResult("gpu", "modern", 1000, List.of(kernel), new RunResult.Simulation(1, 0, 0, 0));
    List<SourceFile> files = SourceFile.of(run, List.of(folder));
    assertThat(files).hasSize(1);
    return files.get(0);
  }

  /**
   * Two instructions of a line, the second of which waits 30 cycles, and one of the line before.
   */
  private static KernelProfile profile(String path, int line) {
    KernelRecorder recorder = new KernelRecorder(ProfileOptions.NO_TIMELINE, 1, 1, 1, 1, 0);
    recorder.sm(0).start(0, 0);
    recorder.sm(0).issue(0, 0, 0, 32);
    recorder.sm(0).charge(0, 1, StallReason.DRAM, 31);
    recorder.sm(0).issue(0, 1, 31, 32);
    recorder.sm(0).charge(0, 2, StallReason.WAIT, 37);
    recorder.sm(0).issue(0, 2, 37, 32);
    recorder.sm(0).end(0, 2, 38);
    return recorder.profile(
        new KernelProfile.Launch("1", "32", 16, 0, 1, 64, Map.of()),
        new KernelRecorder.Listing() {
          @Override
          public int pc(int row) {
            return 16 * row;
          }

          @Override
          public String text(int row) {
            return "FADD";
          }

          @Override
          public LaneWork work(int row) {
            return LaneWork.NONE;
          }

          @Override
          public KernelProfile.Source source(int row) {
            return new KernelProfile.Source(path, row == 2 ? line - 1 : line, null, null, null);
          }
        });
  }
}
