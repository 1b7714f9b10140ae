package dev.warpline.web.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.RunResult;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.web.SyntheticRun;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
  private static final RunResult RUN = SyntheticRun.run(ProfileOptions.NO_TIMELINE);

  @TempDir Path folder;

  @Test
  void aReportIsOneFileThatFetchesNothing() throws Exception {
    Path file = folder.resolve("out.html");
    Report.write(RUN, "sgemm", file);
    String html = Files.readString(file);
    assertThat(html.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(5_000_000);
    assertThat(html).doesNotContain("import ").doesNotContain("{{");
    assertThat(html).doesNotContainPattern("(?:src|href)=\"https?:");
    assertThat(html).contains("FFMA R40").contains("Limited by");
  }

  @Test
  void aKernelNameCannotCloseTheScriptThatHoldsIt() {
    RunResult evil =
        new RunResult(
            "gpu",
            "modern",
            1000,
            List.of(
                new dev.warpline.engine.KernelResult(
                    1,
                    "</script><img src=x>",
                    0,
                    1,
                    1,
                    1,
                    0,
                    "grid",
                    java.util.Map.of(),
                    java.util.Map.of(),
                    List.of())),
            null);
    assertThat(Report.html(evil, "<b>title</b>")).doesNotContain("<img").doesNotContain("<b>title");
  }

  @Test
  void theModulesOfTheReportShareNoTopLevelName() {
    Matcher names =
        Pattern.compile("(?m)^(?:async )?(?:function|class|const|let) (\\w+)")
            .matcher(Pages.reportScript());
    Set<String> seen = new HashSet<>();
    while (names.find()) {
      assertThat(seen.add(names.group(1))).as("second " + names.group(1)).isTrue();
    }
    assertThat(seen).contains("showRun", "Listing", "stackBar");
  }
}
