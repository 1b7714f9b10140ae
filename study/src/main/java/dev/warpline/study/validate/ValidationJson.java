package dev.warpline.study.validate;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.warpline.engine.WholeFile;
import dev.warpline.engine.profile.StallReason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** A validation as JSON. */
public final class ValidationJson {
  private static final String STALL_PREFIX = "smsp__average_warps_issue_stalled_";
  private static final String STALL_SUFFIX = "_per_issue_active.ratio";

  private ValidationJson() {}

  /** Writes the summary and every workload. */
  public static void write(List<KernelComparison> all, Path file) throws IOException {
    WholeFile.writeText(file, text(all));
  }

  /** The same as text. */
  public static String text(List<KernelComparison> all) throws IOException {
    Map<String, Object> root = new LinkedHashMap<>();
    Summary summary = Summary.of(all);
    root.put("summary", summary);
    List<Map<String, Object>> workloads = new ArrayList<>();
    for (KernelComparison one : all) {
      workloads.add(workload(one));
    }
    root.put("workloads", workloads);
    ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    return mapper.writeValueAsString(root) + "\n";
  }

  private static Map<String, Object> workload(KernelComparison one) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", one.hardware().workload());
    map.put("kernelId", one.hardware().kernelId());
    map.put("hardwareCycles", (long) one.hardwareCycles());
    if (!one.ran()) {
      map.put("failure", one.failure());
      return map;
    }
    map.put("simulatedCycles", one.result().cycles());
    map.put("errorPercent", one.errorPercent());
    map.put("seconds", one.seconds());
    Map<String, Object> metrics = new LinkedHashMap<>();
    for (Metric metric : Metric.ALL) {
      OptionalDouble measured = one.hardware().number(metric.column());
      double simulated = metric.simulated().applyAsDouble(one.result());
      if (measured.isPresent() && !Double.isNaN(simulated)) {
        metrics.put(
            metric.name(), Map.of("hardware", measured.getAsDouble(), "simulated", simulated));
      }
    }
    map.put("metrics", metrics);
    map.put("stalls", stalls(one));
    map.put("statistics", one.result().statistics());
    return map;
  }

  /** Warps in each of the profiler's states per instruction issued, measured and simulated. */
  static Map<String, Map<String, Double>> stalls(KernelComparison one) {
    Map<String, Map<String, Double>> states = new LinkedHashMap<>();
    double issued = Math.max(1, one.result().warpInstructions());
    for (StallReason reason : StallReason.values()) {
      String state = reason.nsight();
      double cycles = one.result().stalls().getOrDefault(reason.key(), 0L);
      Map<String, Double> pair = states.computeIfAbsent(state, k -> new LinkedHashMap<>());
      pair.merge("simulated", cycles / issued, Double::sum);
      one.hardware()
          .number(STALL_PREFIX + state + STALL_SUFFIX)
          .ifPresent(measured -> pair.put("hardware", measured));
    }
    return states;
  }
}
