package dev.warpline.web.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warpline.engine.Activity;
import dev.warpline.engine.NameTotal;
import dev.warpline.engine.ProgramTime;
import dev.warpline.engine.RunResult;
import dev.warpline.isa.Demangler;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A whole program as the report wants it: totals, and what ran when in compact columns. */
final class ProgramView {
  /** Operations that a page draws; timelines in files have all. */
  private static final int DRAWN = 50_000;

  private static final ObjectMapper JSON = new ObjectMapper();

  private ProgramView() {}

  static ObjectNode of(RunResult run) {
    ProgramTime program = run.program();
    ObjectNode view = JSON.createObjectNode();
    view.put("cycles", program.cycles());
    view.put("operations", program.operations());
    view.put("limit", program.limit());
    ArrayNode parts = view.putArray("parts");
    program.parts().entrySet().stream()
        .sorted(Map.Entry.<ProgramTime.Part, Long>comparingByValue().reversed())
        .forEach(
            part ->
                parts
                    .addArray()
                    .add(part.getKey().name())
                    .add(part.getKey().words())
                    .add(part.getValue()));
    ArrayNode names = view.putArray("names");
    for (NameTotal total : NameTotal.of(run.kernels())) {
      names
          .addObject()
          .put("short", Demangler.shortName(total.name()))
          .put("title", Demangler.demangle(total.name()))
          .put("count", total.count())
          .put("cycles", total.cycles())
          .put("share", total.share())
          .put("least", total.least())
          .put("most", total.most());
    }
    view.set("streams", JSON.valueToTree(program.streams()));
    timeline(run, view);
    return view;
  }

  /** Columns of what ran when; operations of a stream that overlap have lanes of their own. */
  private static void timeline(RunResult run, ObjectNode view) {
    Map<Integer, String> streams = new HashMap<>();
    run.program().streams().forEach(one -> streams.put(one.stream(), one.name()));
    List<Activity> inOrder = new ArrayList<>(run.activities());
    inOrder.sort(
        Comparator.comparingInt(Activity::queue)
            .thenComparingLong(Activity::start)
            .thenComparingLong(Activity::end));
    int left = Math.max(0, inOrder.size() - DRAWN);
    Map<String, Integer> names = new LinkedHashMap<>();
    Map<Integer, List<Integer>> lanesOf = new HashMap<>();
    List<String> lanes = new ArrayList<>();
    List<Long> ends = new ArrayList<>();
    ObjectNode node = view.putObject("timeline");
    ArrayNode labels = node.putArray("lanes");
    ArrayNode lane = node.putArray("lane");
    ArrayNode kind = node.putArray("kind");
    ArrayNode start = node.putArray("start");
    ArrayNode end = node.putArray("end");
    ArrayNode name = node.putArray("name");
    ArrayNode bytes = node.putArray("bytes");
    for (Activity one : inOrder.subList(0, inOrder.size() - left)) {
      List<Integer> its = lanesOf.computeIfAbsent(one.queue(), q -> new ArrayList<>());
      int at = -1;
      for (int candidate : its) {
        if (ends.get(candidate) <= one.start()) {
          at = candidate;
          break;
        }
      }
      if (at < 0) {
        at = lanes.size();
        String label = streams.getOrDefault(one.queue(), "stream " + one.queue());
        lanes.add(its.isEmpty() ? label : label + ", " + (its.size() + 1));
        ends.add(0L);
        its.add(at);
      }
      ends.set(at, one.end());
      lane.add(at);
      kind.add(one.kind().words());
      start.add(one.start());
      end.add(one.end());
      bytes.add(one.bytes());
      if (one.kind() == Activity.Kind.KERNEL) {
        names.putIfAbsent(one.name(), names.size());
        name.add(names.get(one.name()));
      } else {
        name.add(-1);
      }
    }
    lanes.forEach(labels::add);
    node.put("leftOut", left);
    ArrayNode kernelNames = view.putArray("kernelNames");
    names.keySet().forEach(one -> kernelNames.add(Demangler.shortName(one)));
  }
}
