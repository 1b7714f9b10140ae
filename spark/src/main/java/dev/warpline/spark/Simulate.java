package dev.warpline.spark;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.spark.SparkFiles;
import org.apache.spark.api.java.function.VoidFunction;

/** What an executor does with a task: Warpline simulates it. */
final class Simulate implements VoidFunction<Element> {
  private static final long serialVersionUID = 1L;
  private static final String WORKER = "dev.warpline.study.cluster.TaskRun";

  /** Warpline by the names of its jars: one for all tasks of an executor. */
  private static final Map<List<String>, BiFunction<String, Function<String, InputStream>, String>>
      WARPLINES = new ConcurrentHashMap<>();

  private final List<String> jars;
  private final Answers answers;

  Simulate(List<String> jars, Answers answers) {
    this.jars = List.copyOf(jars);
    this.answers = answers;
  }

  @Override
  public void call(Element task) {
    answers.add(WARPLINES.computeIfAbsent(jars, Simulate::load).apply(task.line(), task::content));
  }

  @SuppressWarnings("unchecked")
  private static BiFunction<String, Function<String, InputStream>, String> load(List<String> jars) {
    try {
      URL[] urls = new URL[jars.size()];
      for (int i = 0; i < urls.length; i++) {
        urls[i] = Path.of(SparkFiles.get(jars.get(i))).toUri().toURL();
      }
      ClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
      return (BiFunction<String, Function<String, InputStream>, String>)
          loader.loadClass(WORKER).getConstructor().newInstance();
    } catch (IOException | ReflectiveOperationException e) {
      throw new IllegalStateException("Warpline cannot be loaded from " + jars, e);
    }
  }
}
