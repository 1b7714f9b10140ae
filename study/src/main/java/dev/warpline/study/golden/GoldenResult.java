package dev.warpline.study.golden;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What one example gives on one GPU and core.
 *
 * @param values by name: {@code cycles} of the program, {@code kernels}, counters summed over the
 *     kernels, warp-cycles of waiting as {@code stalls.*}, and {@code digest}, which covers every
 *     counter of every kernel, histograms too; zeros are left out
 */
public record GoldenResult(Place place, Map<String, String> values) {
  /** A preset and a core. */
  public record Place(String gpu, String core) {
    @Override
    public String toString() {
      return gpu + " " + core;
    }
  }

  /** A value that is not what it was. */
  public record Difference(String value, String before, String now) {
    @Override
    public String toString() {
      return value + " " + before + " -> " + now;
    }
  }

  static final String CYCLES = "cycles";
  static final String REFUSED = "refused";
  private static final String ZERO = "0";

  /** Parts of a histogram; the digest covers them. */
  private static final String PART = "::";

  static GoldenResult refused(Place place, String why) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put(CYCLES, REFUSED);
    values.put("why", why.lines().findFirst().orElse("").replace('\t', ' '));
    return new GoldenResult(place, values);
  }

  static GoldenResult of(Place place, RunResult result) {
    Map<String, Number> sums = new LinkedHashMap<>();
    StringBuilder everything = new StringBuilder();
    sums.put(CYCLES, result.cycles());
    for (KernelResult kernel : result.kernels()) {
      Map<String, Number> all = new LinkedHashMap<>();
      all.put("kernels", 1);
      all.put("instructions", kernel.warpInstructions());
      all.put("threadInstructions", kernel.threadInstructions());
      all.putAll(kernel.statistics());
      kernel.stalls().forEach((reason, cycles) -> all.put("stalls." + reason, cycles));
      all.values().removeIf(GoldenResult::isZero);
      everything.append(kernel.id()).append(' ').append(kernel.name());
      everything.append(' ').append(kernel.start()).append(' ').append(kernel.cycles());
      everything.append(' ').append(kernel.occupancy()).append(' ').append(kernel.limiter());
      everything.append(' ').append(new TreeMap<>(all)).append('\n');
      all.forEach((name, value) -> sums.merge(name, value, GoldenResult::sum));
    }
    Map<String, String> values = new LinkedHashMap<>();
    sums.forEach(
        (name, value) -> {
          if (!name.contains(PART)) {
            values.put(name, value.toString());
          }
        });
    values.put("digest", Edition.digest(everything.toString().getBytes(StandardCharsets.UTF_8)));
    return new GoldenResult(place, values);
  }

  private static boolean isZero(Number value) {
    return value.doubleValue() == 0;
  }

  private static Number sum(Number a, Number b) {
    boolean real = a instanceof Double || b instanceof Double;
    return real ? (Number) (a.doubleValue() + b.doubleValue()) : a.longValue() + b.longValue();
  }

  /** A value; what is not there is zero. */
  public String get(String name) {
    return values.getOrDefault(name, ZERO);
  }

  /** What differs from an earlier result, cycles first. */
  public List<Difference> since(GoldenResult before) {
    Set<String> names = new LinkedHashSet<>(before.values.keySet());
    names.addAll(values.keySet());
    List<Difference> all = new ArrayList<>();
    for (String name : names) {
      if (!before.get(name).equals(get(name))) {
        all.add(new Difference(name, before.get(name), get(name)));
      }
    }
    return all;
  }
}
