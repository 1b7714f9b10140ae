package dev.warpline.study.cluster;

import dev.warpline.engine.gpu.BaseGpu;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.study.GpuSource;
import dev.warpline.study.Simulation;
import dev.warpline.study.store.Point;
import dev.warpline.study.sweep.PointRun;
import dev.warpline.trace.Traces;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes tasks of points; reads every trace and every GPU once. */
final class TaskMaker {
  private static final int KEPT_GPUS = 64;

  /** A GPU, ready to travel. */
  private record Machine(GpuDescription gpu, String text, Map<String, String> standards) {}

  /** A task as it travels. */
  record Made(String line, List<Parcel> parcels) {}

  private final ThreadMXBean clock = ManagementFactory.getThreadMXBean();
  private long nanos;
  private final Map<String, Parcel> traces = new HashMap<>();
  private final Map<String, BaseGpu> bases = new HashMap<>();
  private final Map<String, Machine> machines =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Machine> eldest) {
          return size() > KEPT_GPUS;
        }
      };
  private final List<Parcel> plugins = new ArrayList<>();

  TaskMaker() throws IOException {
    for (ClassLoader loader = Thread.currentThread().getContextClassLoader();
        loader instanceof URLClassLoader users && loader != TaskMaker.class.getClassLoader();
        loader = loader.getParent()) {
      for (URL url : users.getURLs()) {
        Path jar = path(url);
        plugins.add(0, Parcel.of(jar, List.of(jar)));
      }
    }
  }

  private static Path path(URL url) throws IOException {
    try {
      return Path.of(url.toURI());
    } catch (URISyntaxException e) {
      throw new IOException(url.toString(), e);
    }
  }

  /** The line of a point's task, and the files that it needs. */
  synchronized Made of(Point point) throws IOException {
    long began = clock.getCurrentThreadCpuTime();
    Task task = task(point);
    List<Parcel> parcels = new ArrayList<>(task.plugins());
    parcels.add(task.trace());
    Made made = new Made(task.line(), parcels);
    nanos += clock.getCurrentThreadCpuTime() - began;
    return made;
  }

  /** Processor time for all of them. */
  synchronized double seconds() {
    return nanos / 1e9;
  }

  Task task(Point point) throws IOException {
    Machine machine = machines.get(point.descriptionSha256());
    if (machine == null) {
      machine = machine(point);
      machines.put(point.descriptionSha256(), machine);
    }
    return new Task(
        point, machine.text, machine.standards, trace(point, machine.gpu), List.copyOf(plugins));
  }

  private Machine machine(Point point) throws IOException {
    BaseGpu base = bases.get(point.gpu());
    if (base == null) {
      base = new GpuSource(point.gpu()).base();
      bases.put(point.gpu(), base);
    }
    BaseGpu.Described described = base.with(point.settings());
    GpuDescription gpu = described.gpu();
    Map<String, String> standards = new LinkedHashMap<>();
    for (String value : Simulation.configuration(described.fields()).values()) {
      if (value.endsWith(".yaml") && Files.isRegularFile(Path.of(value))) {
        standards.put(value, Files.readString(Path.of(value)));
      }
    }
    return new Machine(gpu, Packed.text(Gpus.text(gpu)), standards);
  }

  private Parcel trace(Point point, GpuDescription gpu) throws IOException {
    Parcel known = traces.get(point.trace());
    if (known == null) {
      Path trace = Path.of(point.trace());
      List<Path> files = new ArrayList<>(PointRun.files(trace, gpu));
      Path cache = Traces.cachePath(trace);
      if (Files.isRegularFile(cache) && !files.contains(cache)) {
        files.add(cache);
      }
      known = Parcel.of(trace, files);
      traces.put(point.trace(), known);
    }
    return known;
  }
}
