package dev.warpline.study.tune;

import dev.warpline.engine.StopSignal;
import dev.warpline.engine.gpu.BaseGpu;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.nvidia.Core;
import dev.warpline.study.Simulation;
import dev.warpline.study.store.Entry;
import dev.warpline.study.store.Member;
import dev.warpline.study.store.Point;
import dev.warpline.study.store.ResultStore;
import dev.warpline.study.sweep.Addresses;
import dev.warpline.study.sweep.On;
import dev.warpline.study.sweep.Plan;
import dev.warpline.study.sweep.Study;
import dev.warpline.study.sweep.Sweep;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** The machines that were tried, and how far each kernel is off on them. */
final class Machines {
  /** A description that is tried: its hash, or why it cannot be. */
  private record Described(List<String> settings, String hash, String problem) {}

  private final Tuner.Task task;
  private final Study study;
  private final ResultStore store;
  private final Supplier<On> on;
  private final boolean renew;
  private final StopSignal stop;
  private final Sweep.Watcher watcher;

  private final String version = Addresses.simulator();
  private final BaseGpu base;
  private final Map<String, String> traces = new HashMap<>();
  private final Map<List<String>, Described> described = new HashMap<>();

  /** Relative errors by kernel, not a number where it was not simulated. */
  private final Map<List<String>, double[]> errors = new LinkedHashMap<>();

  private final List<Member> members = new ArrayList<>();

  /** What the store is to learn with the next step. */
  private final Map<String, Point> points = new LinkedHashMap<>();

  private final Map<String, String> refused = new LinkedHashMap<>();
  private final Map<String, Map<String, String>> descriptions = new LinkedHashMap<>();

  private final Set<String> failures = new LinkedHashSet<>();
  private int simulated;

  Machines(
      Tuner.Task task,
      Study study,
      ResultStore store,
      Supplier<On> on,
      boolean renew,
      StopSignal stop,
      Sweep.Watcher watcher)
      throws IOException {
    this.task = task;
    this.study = study;
    this.store = store;
    this.on = on;
    this.renew = renew;
    this.stop = stop;
    this.watcher = watcher;
    base = Gpus.base(task.gpu());
    for (Sample sample : task.samples()) {
      String trace = sample.trace().toString();
      if (!traces.containsKey(trace)) {
        traces.put(trace, Addresses.trace(sample.trace(), null));
      }
    }
  }

  /**
   * Simulates what is not known yet.
   *
   * @param wanted kernels by machine
   * @return whether all of it is known now; not so if it was stopped
   */
  boolean simulate(Map<List<String>, Collection<Integer>> wanted) throws IOException {
    int first = members.size();
    List<double[]> places = new ArrayList<>();
    List<Integer> kernels = new ArrayList<>();
    for (Map.Entry<List<String>, Collection<Integer>> machine : wanted.entrySet()) {
      List<String> values = machine.getKey();
      double[] known = errors.computeIfAbsent(values, v -> unknown());
      for (int kernel : machine.getValue()) {
        if (Double.isNaN(known[kernel])) {
          add(values, task.samples().get(kernel));
          places.add(known);
          kernels.add(kernel);
        }
      }
    }
    if (members.size() == first) {
      return true;
    }
    Plan plan = new Plan(study, version, members, points, refused, descriptions, 0, List.of());
    simulated += new Sweep(plan, store, stop, watcher).run(on.get(), renew, false).simulated();
    points.clear();
    refused.clear();
    descriptions.clear();
    List<Entry> entries = store.entries(study.name(), first + 1, members.size());
    if (entries.size() != places.size()) {
      throw new DescriptionException(
          store.file() + ": another process has changed the study " + study.name() + " meanwhile");
    }
    boolean all = true;
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      if (entry.state() == Entry.State.DONE) {
        places.get(i)[kernels.get(i)] = error(entry, task.samples().get(kernels.get(i)));
      } else if (entry.state() == Entry.State.FAILED) {
        places.get(i)[kernels.get(i)] = Double.POSITIVE_INFINITY;
        failures.add(entry.member().trace() + ": " + entry.message());
      } else {
        all = false;
      }
    }
    return all;
  }

  private double[] unknown() {
    double[] none = new double[task.samples().size()];
    Arrays.fill(none, Double.NaN);
    return none;
  }

  private static double error(Entry entry, Sample sample) throws IOException {
    double value = sample.metric().simulated().applyAsDouble(entry.result().kernels().get(0));
    if (Double.isNaN(value)) {
      throw new DescriptionException(
          "the " + entry.member().core() + " core does not count " + sample.metric().name());
    }
    return (value - sample.measured()) / sample.measured();
  }

  private void add(List<String> values, Sample sample) throws IOException {
    Described machine = described.get(values);
    if (machine == null) {
      machine = describe(values);
      described.put(values, machine);
    }
    Point point =
        new Point(
            sample.trace().toAbsolutePath().toString(),
            task.gpu(),
            task.core().word(),
            machine.settings(),
            List.of(Integer.toString(sample.kernel())),
            0,
            0,
            traces.get(sample.trace().toString()),
            machine.hash(),
            version);
    points.putIfAbsent(point.id(), point);
    if (machine.problem() != null) {
      refused.put(point.id(), machine.problem());
    }
    Map<String, String> fields = new LinkedHashMap<>();
    for (int f = 0; f < values.size(); f++) {
      fields.put(task.fields().get(f).path(), values.get(f));
    }
    members.add(
        new Member(
            members.size() + 1, point.id(), sample.name(), task.gpu(), task.core().word(), fields));
  }

  private Described describe(List<String> values) throws IOException {
    List<String> settings = task.settings(values);
    try {
      BaseGpu.Described gpu = base.with(settings);
      check(task.core(), gpu.gpu());
      Map<String, String> configuration = Simulation.configuration(gpu.fields());
      String hash = Addresses.gpu(configuration);
      descriptions.put(hash, configuration);
      return new Described(settings, hash, null);
    } catch (DescriptionException e) {
      String problem = e.getMessage().replace("\n", "; ");
      String hash = Addresses.gpu(Map.of("refused", task.gpu() + " " + settings + " " + problem));
      return new Described(settings, hash, problem);
    }
  }

  private static void check(Core core, GpuDescription gpu) throws DescriptionException {
    core.machine(gpu);
  }

  /** Mean absolute error of some kernels on a machine; infinite if one of them has no result. */
  double error(List<String> values, Collection<Integer> kernels) {
    return Arrays.stream(errors(values, kernels)).map(Math::abs).average().orElseThrow();
  }

  /** Relative errors of some kernels on a machine. */
  double[] errors(List<String> values, Collection<Integer> kernels) {
    double[] known = errors.get(values);
    return kernels.stream().mapToDouble(kernel -> known[kernel]).toArray();
  }

  /** Machines that were tried. */
  int count() {
    return errors.size();
  }

  /** Points that were simulated now, and not found in the store. */
  int simulated() {
    return simulated;
  }

  /** Why kernels have no result on some machine. */
  List<String> failures() {
    return List.copyOf(failures);
  }
}
