package dev.warpline.study.sweep;

import dev.warpline.engine.Build;
import dev.warpline.engine.gpu.BaseGpu;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.gpu.Nearest;
import dev.warpline.nvidia.Core;
import dev.warpline.study.GpuSource;
import dev.warpline.study.Simulation;
import dev.warpline.study.Target;
import dev.warpline.study.store.Member;
import dev.warpline.study.store.Point;
import dev.warpline.study.store.ResultStore;
import dev.warpline.trace.TraceSet;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A study as points.
 *
 * @param members the places of the study
 * @param points what stands there, by address
 * @param refused why points cannot be simulated, by address
 * @param descriptions fields of the GPUs by hash
 * @param filtered combinations that the study's filters leave out
 * @param warnings what the user should know before anything is simulated
 */
public record Plan(
    Study study,
    String version,
    List<Member> members,
    Map<String, Point> points,
    Map<String, String> refused,
    Map<String, Map<String, String>> descriptions,
    int filtered,
    List<String> warnings) {

  /** More would be a mistake. */
  private static final int MOST = 1_000_000;

  /**
   * Finds every point and its address.
   *
   * @throws DescriptionException if a choice of the study fits nothing, with its file and line
   */
  public static Plan of(Study study) throws IOException {
    return new Maker(study).make();
  }

  /** As the store keeps it. */
  ResultStore.Known known() {
    return new ResultStore.Known(
        study.name(), study.file().toString(), study.text(), version, Build.commit());
  }

  /** A machine that was asked for; with a problem in place of a description where it cannot be. */
  private record Machine(
      List<String> settings,
      GpuDescription gpu,
      Map<String, String> configuration,
      String hash,
      String core,
      String problem) {}

  private static final class Maker {
    private final Study study;
    private final String version;
    private final Map<String, BaseGpu> bases = new HashMap<>();
    private final Set<List<Object>> warned = new LinkedHashSet<>();
    private final Map<String, String> sources = new HashMap<>();
    private final Map<String, String> words = new ConcurrentHashMap<>();
    private final Map<List<Object>, Machine> machines = new HashMap<>();
    private final Map<String, String> traceHashes = new HashMap<>();
    private final Map<String, String> presets = new HashMap<>();
    private final Map<String, String> labels = new LinkedHashMap<>();
    private final List<Member> members = new ArrayList<>();
    private final Map<String, Point> points = new LinkedHashMap<>();
    private final Map<String, String> refused = new LinkedHashMap<>();
    private final Map<String, Map<String, String>> descriptions = new LinkedHashMap<>();
    private final Set<String> warnings = new LinkedHashSet<>();

    /** Choices by their place that fitted somewhere, and the first problem of the others. */
    private final Set<String> fitting = new LinkedHashSet<>();

    private final Map<String, String> problems = new LinkedHashMap<>();
    private int filtered;

    Maker(Study study) throws IOException {
      this.study = study;
      version = Addresses.simulator();
    }

    Plan make() throws IOException {
      long size = (long) study.traces().size() * Math.max(1, study.gpus().size());
      size *= Math.max(1, study.cores().size());
      for (Axis axis : study.axes()) {
        size *= axis.choices().size();
        if (size > MOST) {
          throw new DescriptionException(
              study.file() + ": found more than " + MOST + " points, expected fewer");
        }
      }
      label();
      describeAll();
      walk(this::add);
      List<String> unfit = new ArrayList<>();
      problems.forEach(
          (place, problem) -> {
            if (!fitting.contains(place)) {
              unfit.add(place + ": " + problem);
            }
          });
      if (!unfit.isEmpty()) {
        throw new DescriptionException(unfit.subList(0, Math.min(3, unfit.size())));
      }
      if (members.isEmpty()) {
        throw new DescriptionException(
            study.file() + ": the filters leave out all " + filtered + " points");
      }
      return new Plan(
          study, version, members, points, refused, descriptions, filtered, List.copyOf(warnings));
    }

    /** What people call the traces: names of files, longer ones where those are not unique. */
    private void label() {
      for (Study.Named trace : study.traces()) {
        String name = stem(Path.of(trace.text()));
        boolean unique =
            study.traces().stream().filter(t -> stem(Path.of(t.text())).equals(name)).count() == 1;
        labels.put(trace.text(), unique ? name : trace.text());
      }
    }

    private static String stem(Path trace) {
      String name = trace.getFileName().toString();
      return name.replaceFirst("\\.(wlt|g|traceg|zip|ya?ml|tar|tar\\.\\w+|tgz)$", "");
    }

    /** Does something for every combination. */
    private interface Visit {
      void at(Study.Named gpu, Study.Named core, List<Axis.Choice> chosen, Study.Named trace)
          throws IOException;
    }

    private void walk(Visit visit) throws IOException {
      List<Study.Named> none = new ArrayList<>();
      none.add(null);
      for (Study.Named gpu : study.gpus().isEmpty() ? none : study.gpus()) {
        for (Study.Named core : study.cores().isEmpty() ? none : study.cores()) {
          walk(gpu, core, new ArrayList<>(), visit);
        }
      }
    }

    private void walk(Study.Named gpu, Study.Named core, List<Axis.Choice> chosen, Visit visit)
        throws IOException {
      if (chosen.size() == study.axes().size()) {
        for (Study.Named trace : study.traces()) {
          visit.at(gpu, core, List.copyOf(chosen), trace);
        }
        return;
      }
      for (Axis.Choice choice : study.axes().get(chosen.size()).choices()) {
        chosen.add(choice);
        walk(gpu, core, chosen, visit);
        chosen.remove(chosen.size() - 1);
      }
    }

    /** Machines are many and take their time: a thread per processor. */
    private void describeAll() throws IOException {
      Map<List<Object>, Callable<Machine>> tasks = new LinkedHashMap<>();
      walk(
          (gpu, core, chosen, trace) -> {
            String source = source(gpu, trace);
            String word = core == null ? null : core.text();
            tasks.putIfAbsent(
                key(source, word, chosen, trace), () -> describe(source, word, chosen, trace));
          });
      ExecutorService pool =
          Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
      try {
        List<Future<Machine>> made = pool.invokeAll(tasks.values());
        int next = 0;
        for (List<Object> key : tasks.keySet()) {
          machines.put(key, made.get(next++).get());
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException(e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(study.file() + ": interrupted", e);
      } finally {
        pool.shutdownNow();
      }
    }

    private static List<Object> key(
        String source, String core, List<Axis.Choice> chosen, Study.Named trace) {
      boolean launch = PointRun.isLaunchFile(Path.of(trace.text()));
      List<Object> key = new ArrayList<>(List.of(source, String.valueOf(core), launch));
      key.addAll(chosen);
      return key;
    }

    private void add(Study.Named gpu, Study.Named core, List<Axis.Choice> chosen, Study.Named trace)
        throws IOException {
      String label = labels.get(trace.text());
      String source = source(gpu, trace);
      Machine machine = machines.get(key(source, core == null ? null : core.text(), chosen, trace));
      if (machine.problem() == null && !wanted(machine, label, gpu == null ? source : gpu.text())) {
        filtered++;
        return;
      }
      Set<String> places = new LinkedHashSet<>();
      chosen.forEach(choice -> places.add(choice.place()));
      if (gpu != null) {
        places.add(gpu.place());
      }
      if (core != null) {
        places.add(core.place());
      }
      places.add(trace.place());
      if (machine.problem() == null) {
        fitting.addAll(places);
      } else {
        places.forEach(place -> problems.putIfAbsent(place, machine.problem()));
      }
      if (study.sample() > 0 && !machine.core().equals(Core.MODERN.word())) {
        throw new DescriptionException(
            trace.place()
                + ": sample: acts on the modern core only, found "
                + label
                + " on the core "
                + machine.core());
      }
      Point point =
          new Point(
              trace.text(),
              source,
              machine.core(),
              machine.settings(),
              study.kernels(),
              study.maxCycles(),
              study.sample(),
              hash(trace, machine),
              machine.hash(),
              version);
      points.putIfAbsent(point.id(), point);
      if (machine.problem() == null) {
        descriptions.putIfAbsent(machine.hash(), machine.configuration());
      } else {
        refused.put(point.id(), machine.problem());
      }
      members.add(
          new Member(
              members.size() + 1,
              point.id(),
              label,
              gpu == null ? source : gpu.text(),
              machine.core(),
              values(machine, chosen)));
    }

    /** The fields that vary, as they came out. */
    private Map<String, String> values(Machine machine, List<Axis.Choice> chosen) {
      Map<String, String> values = new LinkedHashMap<>();
      for (int i = 0; i < chosen.size(); i++) {
        if (study.axes().get(i).choices().size() > 1) {
          chosen
              .get(i)
              .values()
              .forEach(
                  (field, value) -> {
                    Object now = Values.field(machine.configuration(), field);
                    values.put(field, now == null ? value : now.toString());
                  });
        }
      }
      return values;
    }

    private String source(Study.Named gpu, Study.Named trace) throws IOException {
      if (gpu == null) {
        return preset(trace);
      }
      return sources.computeIfAbsent(
          gpu.text(),
          name ->
              Gpus.names().contains(name)
                  ? name
                  : study.file().toAbsolutePath().resolveSibling(name).normalize().toString());
    }

    private String preset(Study.Named trace) throws IOException {
      String known = presets.get(trace.text());
      if (known == null) {
        Path path = Path.of(trace.text());
        if (PointRun.isLaunchFile(path)) {
          known = "mi300a";
        } else {
          try (TraceSet set = Traces.open(path)) {
            known = Target.presetFor(set);
          }
        }
        presets.put(trace.text(), known);
      }
      return known;
    }

    private Machine describe(
        String source, String core, List<Axis.Choice> chosen, Study.Named trace) {
      boolean launch = PointRun.isLaunchFile(Path.of(trace.text()));
      List<String> settings = new ArrayList<>();
      Map<String, String> formulas = new LinkedHashMap<>();
      for (Axis.Choice choice : chosen) {
        choice
            .values()
            .forEach(
                (field, value) -> {
                  if (value.startsWith("=")) {
                    formulas.put(field, value.substring(1));
                  } else {
                    settings.add(field + "=" + value);
                  }
                });
      }
      String word = core == null ? "?" : core;
      try {
        BaseGpu gpu = base(source);
        for (Map.Entry<String, String> formula : formulas.entrySet()) {
          Map<String, String> fields = Simulation.configuration(gpu.with(settings).fields());
          Expression expression = new Expression(formula.getValue());
          double value = expression.number(name -> field(fields, name, expression));
          if (!Double.isFinite(value)) {
            throw new DescriptionException(
                formula.getKey() + ": \"" + expression + "\" is no number here");
          }
          settings.add(formula.getKey() + "=" + Range.text(value));
        }
        BaseGpu.Described described = gpu.with(settings);
        word = core(described.gpu(), core, trace, launch);
        warn(source, word, settings);
        Map<String, String> configuration = shared(Simulation.configuration(described.fields()));
        return new Machine(
            settings,
            launch ? described.gpu() : null,
            configuration,
            Addresses.gpu(configuration),
            word,
            null);
      } catch (IOException | IllegalArgumentException e) {
        String refusal = e.getMessage().replace("\n", "; ");
        return new Machine(
            settings,
            null,
            Map.of(),
            sha256("refused " + source + " " + settings + " " + refusal),
            word,
            refusal);
      }
    }

    private synchronized BaseGpu base(String source) throws IOException {
      BaseGpu base = bases.get(source);
      if (base == null) {
        base = new GpuSource(source).base();
        bases.put(source, base);
      }
      return base;
    }

    /** Says once for a core and some fields which of them it does not read. */
    private synchronized void warn(String source, String core, List<String> settings)
        throws IOException {
      List<Object> fields = new ArrayList<>(List.of(source, core));
      settings.forEach(setting -> fields.add(setting.substring(0, setting.indexOf('='))));
      if (warned.add(fields)) {
        warnings.addAll(new GpuSource(source).warnings(core, settings));
      }
    }

    private static String core(GpuDescription gpu, String wanted, Study.Named trace, boolean launch)
        throws IOException {
      String name = Path.of(trace.text()).getFileName().toString();
      if (launch) {
        if (gpu.vendor() != GpuDescription.Vendor.AMD) {
          throw new DescriptionException(
              name + ": is a launch file of an AMD program, and " + gpu.name() + " is not AMD's");
        }
        if (wanted != null && !wanted.equals("gcn")) {
          throw new DescriptionException("core \"" + wanted + "\": expected gcn on AMD's GPUs");
        }
        return "gcn";
      }
      Core core = null;
      if (wanted != null) {
        core =
            java.util.Arrays.stream(Core.values())
                .filter(c -> c.word().equals(wanted))
                .findFirst()
                .orElseThrow(
                    () ->
                        new DescriptionException(
                            "core \"" + wanted + "\": expected classic or modern"));
      }
      core = Target.core(name, gpu, core);
      core.machine(gpu);
      return core.word();
    }

    /** Thousands of machines have mostly the same names and values. */
    private Map<String, String> shared(Map<String, String> configuration) {
      Map<String, String> same = new LinkedHashMap<>();
      configuration.forEach(
          (field, value) ->
              same.put(words.computeIfAbsent(field, w -> w), words.computeIfAbsent(value, w -> w)));
      return same;
    }

    private static Object field(Map<String, String> fields, String name, Expression formula) {
      Object value = Values.field(fields, name);
      if (value == null) {
        throw new IllegalArgumentException(
            "\"" + formula + "\": the GPU has no " + name + Nearest.hint(name, fields.keySet()));
      }
      return value;
    }

    private boolean wanted(Machine machine, String trace, String gpu) throws IOException {
      Map<String, String> own = Map.of("trace", trace, "gpu", gpu, "core", machine.core());
      for (Study.Filter filter : study.filters()) {
        try {
          Expression formula = filter.formula();
          if (!formula.holds(
              name ->
                  own.containsKey(name)
                      ? own.get(name)
                      : field(machine.configuration(), name, formula))) {
            return false;
          }
        } catch (IllegalArgumentException e) {
          throw new DescriptionException(filter.place() + ": where: " + e.getMessage());
        }
      }
      return true;
    }

    private String hash(Study.Named trace, Machine machine) throws IOException {
      String known = traceHashes.get(trace.text());
      if (known != null) {
        return known;
      }
      if (machine.gpu() == null && PointRun.isLaunchFile(Path.of(trace.text()))) {
        return sha256(trace.text());
      }
      Path path = Path.of(trace.text());
      known = Addresses.trace(path, machine.gpu());
      traceHashes.put(trace.text(), known);
      return known;
    }

    private static String sha256(String text) {
      return Point.sha256(text.getBytes(StandardCharsets.UTF_8));
    }
  }
}
