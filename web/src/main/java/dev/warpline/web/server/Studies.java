package dev.warpline.web.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warpline.engine.RunResult;
import dev.warpline.study.store.Entry;
import dev.warpline.study.store.Point;
import dev.warpline.study.store.ResultStore;
import dev.warpline.web.report.RunView;
import dev.warpline.web.report.StudyView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The stores of studies that are shown: those of the folder {@code studies/}, and those that were
 * named when the server was started. They are only read.
 */
final class Studies {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Store store;
  private final Map<String, Path> named = new LinkedHashMap<>();

  /**
   * @param files stores that lie elsewhere
   */
  Studies(Store store, List<Path> files) throws IOException {
    this.store = store;
    for (Path file : files) {
      try (ResultStore opened = ResultStore.read(file)) {
        Path other = named.putIfAbsent(opened.file().getFileName().toString(), file);
        if (other != null) {
          throw new IOException(file + ": " + other + " has the same name already");
        }
      }
    }
  }

  /** Something done with an open store. */
  private interface Question<T> {
    T ask(ResultStore opened) throws IOException, Refused;
  }

  private <T> T with(String name, Question<T> question) throws IOException, Refused {
    Path file = named.containsKey(name) ? named.get(name) : store.file("studies", name);
    try (ResultStore opened = ResultStore.read(file)) {
      return question.ask(opened);
    } catch (IOException e) {
      throw new Refused(422, store.inside(e.getMessage()));
    }
  }

  /** Every study of every store with how far it is, or why a store cannot be read. */
  ArrayNode list() throws IOException {
    ArrayNode list = JSON.createArrayNode();
    LinkedHashMap<String, Path> all = new LinkedHashMap<>(named);
    for (String name : store.names("studies")) {
      if (name.endsWith(".db")) {
        all.putIfAbsent(name, null);
      }
    }
    for (String name : all.keySet()) {
      try {
        with(
            name,
            opened -> {
              for (ResultStore.Known study : opened.studies()) {
                ResultStore.Count count = opened.count(study.name());
                list.addObject()
                    .put("store", name)
                    .put("study", study.name())
                    .put("done", count.done())
                    .put("failed", count.failed())
                    .put("open", count.open() + count.claimed());
              }
              return null;
            });
      } catch (Refused e) {
        list.addObject().put("store", name).put("error", e.getMessage());
      }
    }
    return list;
  }

  /** A study as its page wants it; without a name the only one of the store. */
  String view(String name, String study) throws IOException, Refused {
    return with(name, opened -> StudyView.of(opened, study.isEmpty() ? null : study));
  }

  /** The report of a point, from what the store keeps. */
  ObjectNode point(String name, String study, String number) throws IOException, Refused {
    return with(
        name,
        opened -> {
          Entry entry = entry(opened, study, number);
          RunResult result = entry.result();
          if (result == null) {
            throw new Refused(404, "point " + number + " of " + study + " has no result");
          }
          return RunView.of(result.withConfiguration(entry.configuration()));
        });
  }

  private static Entry entry(ResultStore opened, String study, String number)
      throws IOException, Refused {
    int place = number.matches("[1-9][0-9]{0,6}") ? Integer.parseInt(number) : 0;
    List<Entry> found = opened.entries(study, place, place);
    if (found.isEmpty()) {
      throw new Refused(404, study + " has no point " + number);
    }
    return found.get(0);
  }

  /** A point as something to simulate, with everything recorded. */
  Submission submission(String name, JsonNode wish, RunLimits most) throws IOException, Refused {
    String study = wish.path("study").asText();
    String number = wish.path("point").asText();
    return with(
        name,
        opened -> {
          Point point = opened.points(study).get(entry(opened, study, number).member().point());
          if (!point.kernels().isEmpty() || point.core().equals("gcn")) {
            throw new Refused(
                409,
                "point "
                    + number
                    + (point.core().equals("gcn")
                        ? " is a launch file of AMD's"
                        : " is some kernels of a program")
                    + ": its command line with --report does it");
          }
          long cycles =
              point.maxCycles() == 0 ? most.cycles() : Math.min(most.cycles(), point.maxCycles());
          Path trace = Path.of(point.trace());
          return new Submission(
              trace.getFileName().toString(),
              trace,
              Path.of(point.gpu()).getFileName().toString(),
              point.gpu(),
              point.core(),
              point.settings(),
              new RunLimits(cycles, most.instructions(), most.seconds()));
        });
  }
}
