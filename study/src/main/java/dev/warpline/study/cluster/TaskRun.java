package dev.warpline.study.cluster;

import dev.warpline.engine.RunResult;
import dev.warpline.engine.StopSignal;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.study.store.Point;
import dev.warpline.study.sweep.PointRun;
import dev.warpline.study.sweep.SimulatorVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Simulates tasks in a process that is not the sweep's, any number at a time. It is a function from
 * a task's line, and from hashes of files to their contents, to the answer's line, so that who
 * calls it need not share a class with it. An interrupt ends the simulation.
 */
public final class TaskRun implements BiFunction<String, Function<String, InputStream>, String> {
  /** Users' jars as a class loader, and the simulator that they and Warpline are together. */
  private record Simulator(ClassLoader loader, String version) {}

  private final NodeCache cache;
  private final Map<List<String>, Simulator> simulators = new HashMap<>();

  /** Points share memory; one for which it did not suffice is simulated again alone. */
  private final ReadWriteLock memory = new ReentrantReadWriteLock(true);

  public TaskRun() throws IOException {
    this(NodeCache.ofThisMachine());
  }

  TaskRun(NodeCache cache) {
    this.cache = cache;
  }

  @Override
  public String apply(String line, Function<String, InputStream> content) {
    try {
      return run(Task.of(line), (parcel, item) -> content.apply(item.sha256())).line();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same where the files lie on storage that all machines share. */
  String apply(String line) throws IOException {
    return run(Task.of(line), (parcel, item) -> Files.newInputStream(parcel.source(item))).line();
  }

  private Answer run(Task task, NodeCache.Source source) throws IOException {
    long began = System.nanoTime();
    Point point = task.point();
    Simulator simulator = simulator(task.plugins(), source);
    if (!simulator.version.equals(point.version())) {
      return answer(
          task,
          null,
          null,
          "found another build of Warpline on " + worker() + " than the one that planned the study",
          began,
          began);
    }
    String here = "";
    Point local;
    GpuDescription gpu;
    try {
      Path root = cache.root(task.trace(), source);
      here = root.toString();
      gpu = with(simulator.loader, () -> gpu(task));
      local =
          new Point(
              root.resolve(task.trace().main()).toString(),
              point.gpu(),
              point.core(),
              point.settings(),
              point.kernels(),
              point.maxCycles(),
              point.sample(),
              point.traceSha256(),
              point.descriptionSha256(),
              point.version());
    } catch (IOException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw new UnfinishedSimulationException("interrupted");
      }
      String words = PointRun.words(e) + " (on " + worker() + ")";
      return answer(task, null, words, null, began, System.nanoTime());
    }
    long fetched = System.nanoTime();
    Attempt attempt = simulate(local, gpu, simulator.loader);
    String failure = attempt.failure;
    String there = task.trace().root();
    return answer(
        task,
        attempt.result == null ? null : Answer.pack(attempt.result, here, there),
        failure == null ? null : failure.replace(here, there),
        null,
        began,
        fetched);
  }

  private static Answer answer(
      Task task, String result, String failure, String refusal, long began, long fetched) {
    long now = System.nanoTime();
    return new Answer(
        task.point().id(),
        result,
        failure,
        refusal,
        (now - fetched) / 1e9,
        (fetched - began) / 1e9,
        worker());
  }

  private static String worker() {
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (IOException e) {
      host = "unknown";
    }
    return host + " " + ProcessHandle.current().pid();
  }

  private GpuDescription gpu(Task task) throws IOException {
    String text = Packed.unpacked(task.gpu());
    for (Map.Entry<String, String> standard : task.standards().entrySet()) {
      String here = cache.text(standard.getValue()).toString();
      text = text.replace('"' + standard.getKey() + '"', '"' + here + '"');
    }
    return Gpus.ofText(text);
  }

  private synchronized Simulator simulator(List<Parcel> plugins, NodeCache.Source source)
      throws IOException {
    List<String> key = plugins.stream().map(Parcel::address).toList();
    Simulator known = simulators.get(key);
    if (known == null) {
      ClassLoader loader = TaskRun.class.getClassLoader();
      for (Parcel plugin : plugins) {
        Path jar = cache.root(plugin, source).resolve(plugin.main());
        loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, loader);
      }
      known = new Simulator(loader, with(loader, SimulatorVersion::hash));
      simulators.put(key, known);
    }
    return known;
  }

  /** Something that may fail. */
  private interface Work<T> {
    T get() throws IOException;
  }

  private static <T> T with(ClassLoader loader, Work<T> work) throws IOException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      return work.get();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** A simulation on a thread of its own, since simulators do not look for interrupts. */
  private final class Attempt implements Runnable {
    private final Point point;
    private final GpuDescription gpu;
    private final StopSignal stop = new StopSignal();
    private RunResult result;
    private String failure;
    private boolean outOfMemory;

    Attempt(Point point, GpuDescription gpu) {
      this.point = point;
      this.gpu = gpu;
    }

    @Override
    public void run() {
      memory.readLock().lock();
      try {
        attempt();
      } finally {
        memory.readLock().unlock();
      }
      if (outOfMemory) {
        memory.writeLock().lock();
        try {
          attempt();
        } finally {
          memory.writeLock().unlock();
        }
        failure = outOfMemory ? "out of memory, even alone (on " + worker() + ")" : failure;
      }
    }

    private void attempt() {
      outOfMemory = false;
      try {
        result = PointRun.of(point, gpu, stop);
      } catch (OutOfMemoryError e) {
        outOfMemory = true;
      } catch (IOException | RuntimeException e) {
        failure = PointRun.words(e);
      }
    }
  }

  private Attempt simulate(Point point, GpuDescription gpu, ClassLoader loader) {
    Attempt attempt = new Attempt(point, gpu);
    Thread thread = new Thread(attempt, "point " + point.id().substring(0, 12));
    thread.setContextClassLoader(loader);
    thread.start();
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
        attempt.stop.stop("interrupted");
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
      throw new UnfinishedSimulationException("interrupted");
    }
    return attempt;
  }
}
