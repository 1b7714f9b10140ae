package dev.warpline.web;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.Sampling;
import dev.warpline.study.store.Member;
import dev.warpline.study.store.Point;
import dev.warpline.study.store.ResultStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A made-up study with the shape of a real one: two traces on machines of many sizes; half of them
 * are sampled.
 */
public final class SyntheticStudy {
  /** Counters of a point; the modern core has as many. */
  private static final int COUNTERS = 44;

  private SyntheticStudy() {}

  /**
   * Writes a store.
   *
   * @param points how many; the last fails, and the one before is left open
   */
  public static Path write(Path file, int points) throws IOException {
    List<Member> members = new ArrayList<>();
    Map<String, Point> all = new LinkedHashMap<>();
    Map<String, Map<String, String>> descriptions = new LinkedHashMap<>();
    for (int i = 0; i < points; i++) {
      int machine = i / 2;
      Map<String, String> fields = new LinkedHashMap<>();
      fields.put("sm.count", "" + (8 + 4 * (machine % 25)));
      fields.put("clocks.coreMHz", "" + (1000 + 50 * (machine / 25 % 20)));
      fields.put("flowMemory.l2MiB", "" + (10 + 5 * (machine / 500)));
      List<String> settings = fields.entrySet().stream().map(Object::toString).toList();
      String trace = i % 2 == 0 ? "reduce" : "gemm";
      Point point =
          new Point(
              "traces/" + trace + ".wlt",
              "h200",
              "modern",
              settings,
              List.of(),
              0,
              trace,
              "machine " + machine,
              "version");
      all.put(point.id(), point);
      Map<String, String> description = new LinkedHashMap<>(fields);
      description.put("clocks.l2MHz", "1700 MHz");
      descriptions.put(point.descriptionSha256(), description);
      members.add(new Member(i + 1, point.id(), trace, "h200", "modern", fields));
    }
    try (ResultStore store = ResultStore.open(file)) {
      store.plan(
          new ResultStore.Known("sizes", "sizes.yaml", "traces: x", "version", "commit"),
          members,
          all,
          Map.of(),
          descriptions);
      store.alive();
      for (Member member : members.subList(0, points - 2)) {
        store.done(member.point(), result(member), 0.25);
      }
      store.failed(members.get(points - 1).point(), "deadlock at cycle 4,711", 1);
      store.leave();
    }
    return file;
  }

  private static RunResult result(Member member) {
    int sms = Integer.parseInt(member.values().get("sm.count"));
    int clock = Integer.parseInt(member.values().get("clocks.coreMHz"));
    int l2 = Integer.parseInt(member.values().get("flowMemory.l2MiB"));
    long work = member.trace().equals("reduce") ? 900_000 : 2_500_000;
    long cycles = work / Math.min(sms, 64) + clock * 20L / l2 + member.number() % 97;
    Map<String, Number> counters = new LinkedHashMap<>();
    for (int i = 0; i < COUNTERS; i++) {
      counters.put("l2.counter" + i, i % 3 == 0 ? work : cycles * i);
    }
    KernelResult kernel =
        new KernelResult(
            1,
            "kernel",
            0,
            cycles,
            work,
            32 * work,
            0.5,
            "grid",
            counters,
            Map.of("dram", cycles / 2),
            List.of());
    RunResult result =
        new RunResult(
            "h200", "modern", clock, List.of(kernel), new RunResult.Simulation(1, 0, 0, 0));
    return sms % 8 == 0
        ? result
        : result.withSampling(new Sampling(0.05, 0.04, work / 10, "a tenth of the blocks"));
  }
}
