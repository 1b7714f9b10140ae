package dev.warpline.web.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.web.SyntheticRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TimelineTest {
  private static final RunResult RUN = SyntheticRun.run(new ProfileOptions(0, 10_000, 1));

  @TempDir Path folder;

  @Test
  void aTrackOfThePerfettoTraceHoldsOneSliceAtATime() throws Exception {
    Map<String, List<long[]>> tracks = new HashMap<>();
    for (JsonNode event : perfetto()) {
      if (event.get("ph").asText().equals("X")) {
        String track = event.get("pid") + "/" + event.get("tid");
        long from = event.get("ts").asLong();
        long[] span = {from, from + event.get("dur").asLong()};
        tracks.computeIfAbsent(track, t -> new ArrayList<>()).add(span);
      }
    }
    assertThat(tracks).hasSizeGreaterThan(48);
    for (List<long[]> spans : tracks.values()) {
      spans.sort(Comparator.comparingLong(span -> span[0]));
      for (int i = 1; i < spans.size(); i++) {
        assertThat(spans.get(i)[0]).isGreaterThanOrEqualTo(spans.get(i - 1)[1]);
      }
    }
  }

  @Test
  void everyArrowOfThePerfettoTraceHasItsEndAndBothLieInsideSlices() throws Exception {
    Map<Long, JsonNode> open = new HashMap<>();
    Set<String> cycles = new HashSet<>();
    JsonNode events = perfetto();
    for (JsonNode event : events) {
      if (event.get("ph").asText().equals("X")) {
        long from = event.get("ts").asLong();
        for (long c = from; c < from + event.get("dur").asLong(); c++) {
          cycles.add(event.get("pid") + "/" + event.get("tid") + "/" + c);
        }
      }
    }
    int arrows = 0;
    for (JsonNode event : events) {
      String phase = event.get("ph").asText();
      if (phase.equals("s")) {
        open.put(event.get("id").asLong(), event);
      } else if (phase.equals("f")) {
        assertThat(open.remove(event.get("id").asLong())).isNotNull();
        arrows++;
      } else {
        continue;
      }
      String end = event.get("pid") + "/" + event.get("tid") + "/" + event.get("ts");
      // Not assertThat(cycles).contains(end): that walks through the whole set.
      assertThat(cycles.contains(end)).as(end).isTrue();
    }
    assertThat(open).isEmpty();
    assertThat(arrows).isPositive();
  }

  @Test
  void thePerfettoTraceHasCountersOverTime() throws Exception {
    Set<String> counters = new HashSet<>();
    for (JsonNode event : perfetto()) {
      if (event.get("ph").asText().equals("C")) {
        counters.add(event.get("name").asText());
      }
    }
    assertThat(counters).contains("IPC", "active warps", "DRAM read bytes per cycle");
  }

  @Test
  void aKanataLogBeginsAndRetiresEveryInstructionOnce() throws Exception {
    Path file = folder.resolve("out.kanata");
    Timeline.write(RUN, file);
    List<String> lines = Files.readAllLines(file);
    assertThat(lines.get(0)).isEqualTo("Kanata\t0004");
    Set<String> alive = new HashSet<>();
    Set<String> retired = new HashSet<>();
    for (String line : lines.subList(2, lines.size())) {
      String[] field = line.split("\t");
      switch (field[0]) {
        case "I" -> assertThat(alive.add(field[1])).isTrue();
        case "S", "L" -> assertThat(alive).contains(field[1]);
        case "R" -> {
          assertThat(alive.remove(field[1])).isTrue();
          assertThat(retired.add(field[1])).isTrue();
        }
        case "C" -> assertThat(Long.parseLong(field[1])).isPositive();
        default -> throw new AssertionError(line);
      }
    }
    assertThat(alive).isEmpty();
    assertThat(retired).hasSizeGreaterThan(1000);
  }

  @Test
  void aFileNameThatSaysNoFormatIsRefused() {
    assertThatThrownBy(() -> Timeline.write(RUN, folder.resolve("out.txt")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("out.txt")
        .hasMessageContaining(".json");
  }

  private JsonNode perfetto() throws Exception {
    Path file = folder.resolve("out.json.gz");
    Timeline.write(RUN, file);
    try (var in = new GZIPInputStream(Files.newInputStream(file))) {
      return new ObjectMapper().readTree(in).get("traceEvents");
    }
  }
}
