package dev.warpline.web.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.profile.KernelProfile.Line;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Another run as the page of a run wants it: what each kernel took there, its states and counters,
 * and the warp-cycles of each instruction beside those of its counterpart. A baseline is what was
 * before the run, an alternative what would be after it.
 */
final class OtherRun {
  /** Counters shown of a kernel: those that changed most. */
  private static final int COUNTERS = 60;

  private static final ObjectMapper JSON = new ObjectMapper();

  private OtherRun() {}

  static ObjectNode baseline(RunResult run, Baseline baseline) {
    return of(run, baseline.run(), RunComparison.of(baseline.run(), run), true)
        .put("title", baseline.title());
  }

  static ObjectNode alternative(RunResult run, RunResult.Alternative alternative) {
    RunResult other = alternative.result();
    return of(run, other, RunComparison.of(run, other), false)
        .put("title", String.join(", ", alternative.settings()));
  }

  private static ObjectNode of(
      RunResult run, RunResult other, RunComparison comparison, boolean before) {
    ObjectNode node = JSON.createObjectNode();
    node.put("before", before);
    node.put("gpu", other.gpu());
    node.put("core", other.core());
    node.put("coreMHz", other.coreMHz());
    node.put("cycles", other.cycles());
    node.put("unfinished", other.unfinished());
    node.set("settings", JSON.valueToTree(comparison.settings()));
    node.set("unmatched", JSON.valueToTree(comparison.unmatched()));
    Map<Integer, KernelResult> ours = byId(run);
    Map<Integer, KernelResult> theirs = byId(other);
    ObjectNode kernels = node.putObject("kernels");
    for (RunComparison.KernelPair pair : comparison.kernels()) {
      int ourId = before ? pair.id() : pair.otherId();
      KernelResult its = theirs.get(before ? pair.otherId() : pair.id());
      ObjectNode kernel = kernels.putObject(Integer.toString(ourId));
      kernel.put("id", its.id());
      kernel.put("cycles", its.cycles());
      kernel.set("matching", JSON.valueToTree(pair.matching()));
      kernel.set(
          "states",
          JSON.valueToTree(pair.states().stream().filter(q -> q.first() != q.second()).toList()));
      kernel.set("counters", JSON.valueToTree(pair.statistics().stream().limit(COUNTERS).toList()));
      if (pair.matching() != null) {
        lines(kernel, ours.get(ourId).profile().lines(), its.profile().lines(), before);
      }
    }
    return node;
  }

  private static Map<Integer, KernelResult> byId(RunResult run) {
    Map<Integer, KernelResult> all = new HashMap<>();
    run.kernels().forEach(kernel -> all.put(kernel.id(), kernel));
    return all;
  }

  /**
   * For each of our instructions {@code [PC there, warp-cycles there]}, 0 where it has no
   * counterpart; and those of the other run that have none here.
   */
  private static void lines(ObjectNode kernel, List<Line> ours, List<Line> theirs, boolean before) {
    int[] counterpart = new int[ours.size()];
    Arrays.fill(counterpart, -1);
    boolean[] there = new boolean[theirs.size()];
    int[] first = before ? Alignment.of(theirs, ours).first() : Alignment.of(ours, theirs).first();
    for (int i = 0; i < first.length; i++) {
      if (first[i] >= 0) {
        counterpart[before ? i : first[i]] = before ? first[i] : i;
        there[before ? first[i] : i] = true;
      }
    }
    ArrayNode lines = kernel.putArray("lines");
    for (int its : counterpart) {
      if (its < 0) {
        lines.add(0);
      } else {
        lines.addArray().add(theirs.get(its).pc()).add(theirs.get(its).warpCycles());
      }
    }
    ArrayNode only = kernel.putArray("only");
    for (int i = 0; i < there.length; i++) {
      if (!there[i]) {
        Line line = theirs.get(i);
        only.addArray().add(line.pc()).add(line.text()).add(line.warpCycles());
      }
    }
  }
}
