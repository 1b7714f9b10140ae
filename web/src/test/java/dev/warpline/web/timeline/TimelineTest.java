package dev.warpline.web.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.KernelRecorder;
import dev.warpline.engine.profile.LaneWork;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.engine.profile.SmRecorder;
import dev.warpline.engine.profile.Stage;
import dev.warpline.engine.profile.StallReason;
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
import java.util.TreeMap;
import java.util.TreeSet;
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
  void kernelsHaveNamesThatPeopleReadAndTheWholeOneAsAnArgument() throws Exception {
    Set<String> names = new HashSet<>();
    for (JsonNode event : perfetto()) {
      if (event.path("cat").asText().equals("kernel")) {
        names.add(event.get("name").asText() + " " + event.get("args").get("name").asText());
      }
    }
    assertThat(names)
        .containsExactly("sgemm_tiled sgemm_tiled(float const*, float const*, float*, int)");
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

  /** One warp waits 5 cycles in its buffer for the instruction before, both with their stages. */
  private static RunResult staged() {
    KernelRecorder recorder = new KernelRecorder(new ProfileOptions(0, 100, 1), 1, 1, 1, 1, 0);
    recorder.placed(0);
    SmRecorder sm = recorder.sm(0);
    sm.start(0, 1);
    for (int i = 0; i < 2; i++) {
      long issue = 3 + 5 * i;
      sm.charge(0, i, i == 0 ? StallReason.FETCH : StallReason.WAIT, issue);
      sm.issue(0, i, issue, 32);
      sm.stage(0, i, i, Stage.FETCH, 1, 2);
      sm.stage(0, i, i, Stage.DECODE, 2, 3);
      sm.stage(0, i, i, Stage.BUFFER, 3, issue);
      sm.stage(0, i, i, Stage.ISSUE, issue, issue + 1);
      sm.stage(0, i, i, Stage.COLLECT, issue + 1, issue + 3);
      sm.stage(0, i, i, Stage.EXECUTE, issue + 3, issue + 5);
      sm.stage(0, i, i, Stage.WRITE_BACK, issue + 5, issue + 6);
    }
    sm.end(0, 1, 20);
    KernelProfile.Launch launch =
        new KernelProfile.Launch("1", "32", 8, 0, 1, 1, Map.of("blocks", 1));
    KernelRecorder.Listing listing =
        new KernelRecorder.Listing() {
          @Override
          public int pc(int row) {
            return 16 * row;
          }

          @Override
          public String text(int row) {
            return "FADD R" + row;
          }

          @Override
          public LaneWork work(int row) {
            return LaneWork.NONE;
          }
        };
    KernelResult kernel =
        new KernelResult(
            1,
            "k",
            0,
            20,
            2,
            64,
            1,
            "blocks",
            Map.of(),
            Map.of(),
            List.of(),
            recorder.profile(launch, listing));
    return new RunResult(
        "gpu", "classic", 1000, List.of(kernel), new RunResult.Simulation(1, 1, 1, 1));
  }

  @Test
  void aKanataLogHasALaneOfStagesAndOneOfWaits() throws Exception {
    Path file = folder.resolve("staged.kanata");
    Timeline.write(staged(), file);
    Map<String, String> lanes = new TreeMap<>();
    long now = 0;
    for (String line : Files.readAllLines(file)) {
      String[] field = line.split("\t");
      switch (field[0]) {
        case "C=" -> now = Long.parseLong(field[1]);
        case "C" -> now += Long.parseLong(field[1]);
        case "S" ->
            lanes.merge(field[1] + "/" + field[2], now + " " + field[3], "%s, %s"::formatted);
        case "E" -> lanes.merge(field[1] + "/" + field[2], now + "", "%s, %s"::formatted);
        case "R" -> lanes.put(field[1] + " ends", "" + now);
        default -> {}
      }
    }
    assertThat(lanes)
        .containsExactly(
            entry("0 ends", "9"),
            entry("0/0", "1 F, 2 D, 3 Is, 4 OC, 6 Ex, 8 WB"),
            entry("0/1", "1 fetch, 3"),
            entry("1 ends", "14"),
            entry("1/0", "1 F, 2 D, 3 IB, 8 Is, 9 OC, 11 Ex, 13 WB"),
            entry("1/1", "4 wait, 8"));
  }

  @Test
  void thePerfettoTraceHasLanesOfEveryStage() throws Exception {
    Path file = folder.resolve("staged.json");
    Timeline.write(staged(), file);
    Map<Integer, String> threads = new HashMap<>();
    Set<String> slices = new TreeSet<>();
    JsonNode events = new ObjectMapper().readTree(file.toFile()).get("traceEvents");
    for (JsonNode event : events) {
      if (event.get("name").asText().equals("thread_name")) {
        threads.put(event.get("tid").asInt(), event.get("args").get("name").asText());
      } else if (event.path("cat").asText().equals("stage")) {
        long from = event.get("ts").asLong();
        String lane = threads.get(event.get("tid").asInt());
        slices.add(lane + ": " + event.get("name").asText() + " " + from);
      }
    }
    assertThat(slices)
        .contains(
            "fetch 1: W0 FADD R0 1",
            "fetch 2: W0 FADD R1 1",
            "instruction buffer 1: W0 FADD R1 3",
            "operand collector 1: W0 FADD R0 4",
            "operand collector 1: W0 FADD R1 9",
            "write-back 1: W0 FADD R1 13")
        .hasSize(13);
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
