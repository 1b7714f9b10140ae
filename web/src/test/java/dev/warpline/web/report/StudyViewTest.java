package dev.warpline.web.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warpline.engine.Sampling;
import dev.warpline.study.explore.ResultTable;
import dev.warpline.study.store.Point;
import dev.warpline.study.store.ResultStore;
import dev.warpline.web.SyntheticStudy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyViewTest {
  private static final int POINTS = 40;

  @TempDir Path folder;

  private ResultStore store() throws IOException {
    Path file = folder.resolve("s.db");
    return ResultStore.read(Files.exists(file) ? file : SyntheticStudy.write(file, POINTS));
  }

  private static JsonNode cell(JsonNode column, int row) {
    if (column.has("same")) {
      return column.get("same");
    }
    return column.has("at")
        ? column.get("words").get(column.get("at").get(row).asInt())
        : column.get("values").get(row);
  }

  @Test
  void everyNumberOfEveryPointIsThere() throws IOException {
    try (ResultStore store = store()) {
      JsonNode view = new ObjectMapper().readTree(StudyView.of(store, null));
      ResultTable done = ResultTable.of(store, null).done();
      assertThat(view.get("points").asInt()).isEqualTo(POINTS - 2);
      int compared = 0;
      for (JsonNode column : view.get("columns")) {
        String name = column.get("name").asText();
        for (int row = 0; row < POINTS - 2 && !name.equals("command"); row++) {
          Object value = done.entries().get(row).get(name);
          JsonNode cell = cell(column, row);
          if (value == null) {
            assertThat(cell.isNull()).isTrue();
          } else if (value instanceof Double number) {
            assertThat(cell.asDouble()).isCloseTo(number, within(number));
          } else {
            assertThat(cell.asText()).isEqualTo(value.toString());
          }
          compared++;
        }
      }
      assertThat(compared).isGreaterThan(44 * (POINTS - 2));
      assertThat(view.get("failed").get(0).get("message").asText()).startsWith("deadlock");
    }
  }

  private static Offset<Double> within(double number) {
    return Offset.offset(Math.abs(number) * 1e-8);
  }

  @Test
  void aSampledResultHasItsInterval() throws IOException {
    try (ResultStore store = store()) {
      ResultTable.Row sampled = ResultTable.of(store, null).entries().get(2);
      double cycles = ((Number) sampled.get("cycles")).doubleValue();
      assertThat((long) sampled.get("cycles.low")).isEqualTo(Math.round(0.96 * cycles));
      assertThat((long) sampled.get("cycles.high")).isEqualTo(Math.round(1.04 * cycles));
      assertThat((double) sampled.get("microseconds.low"))
          .isLessThan((double) sampled.get("microseconds"));
      assertThat(StudyView.of(store, null))
          .contains("\"microseconds.low\",\"kind\":\"number\",\"group\":\"interval\"");
    }
  }

  @Test
  void whatIsTooMuchForAPageIsNamed() throws IOException {
    try (ResultStore store = store()) {
      JsonNode view = new ObjectMapper().readTree(StudyView.of(store, null, 4000));
      assertThat(view.get("left")).isNotEmpty();
      assertThat(view.get("columns")).isNotEmpty();
      assertThat(view.get("left").toString()).contains("l2.counter8").doesNotContain("sm.count");
    }
  }

  @Test
  void aCommandCanBePastedIntoAShell() {
    Point point =
        new Point(
            "my traces/it's.wlt",
            "h200",
            "modern",
            List.of("sm.count=8", "modern.issue.policy=gto:1 2"),
            List.of("1", "3-5"),
            1000,
            "",
            "",
            "");
    assertThat(StudyView.command(point, null))
        .isEqualTo(
            "./warpline run 'my traces/it'\\''s.wlt' --gpu h200 --core modern --set sm.count=8"
                + " --set 'modern.issue.policy=gto:1 2' --kernel 1,3-5 --max-cycles 1000");
    assertThat(StudyView.command(point, new Sampling(0.02, 0.01, 5, "some blocks")))
        .contains(" --sample 0.02 --kernel");
  }

  @Test
  void thePageIsOneFileThatFetchesNothingAndItsModulesShareNoName() throws IOException {
    try (ResultStore store = store()) {
      Path file = folder.resolve("s.html");
      StudyPage.write(store, null, file);
      assertThat(Files.readString(file))
          .doesNotContain("{{")
          .doesNotContainPattern("(?m)^import ")
          .doesNotContainPattern("(?:src|href)=\"https?:");
    }
    Matcher names =
        Pattern.compile("(?m)^(?:async )?(?:function|class|const|let) (\\w+)")
            .matcher(Pages.studyScript());
    Set<String> seen = new HashSet<>();
    while (names.find()) {
      assertThat(seen.add(names.group(1))).as("second " + names.group(1)).isTrue();
    }
    assertThat(seen).contains("showStudy", "Parallel", "formula");
  }
}
