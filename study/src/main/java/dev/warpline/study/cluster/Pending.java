package dev.warpline.study.cluster;

import dev.warpline.engine.StopSignal;
import dev.warpline.study.store.Point;
import dev.warpline.study.sweep.On;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Points that are away, and who waits for them. The first answer for a point counts. */
final class Pending {
  private record Waiting(Point point, Consumer<On.Ended> ended) {}

  private final Map<String, Waiting> waiting = new LinkedHashMap<>();
  private final StopSignal stop;
  private final ThreadMXBean clock = ManagementFactory.getThreadMXBean();
  private double fetchSeconds;
  private long answerNanos;

  Pending(StopSignal stop) {
    this.stop = stop;
  }

  synchronized void add(Point point, Consumer<On.Ended> ended) {
    waiting.put(point.id(), new Waiting(point, ended));
  }

  synchronized int size() {
    return waiting.size();
  }

  synchronized boolean has(String id) {
    return waiting.containsKey(id);
  }

  private synchronized Waiting find(String id) {
    return waiting.get(id);
  }

  private synchronized boolean take(String id) {
    return waiting.remove(id) != null;
  }

  /** A line with an answer came; one that cannot be read is as if it had not come. */
  boolean answered(String line) {
    long began = clock.getCurrentThreadCpuTime();
    try {
      Answer answer = Answer.of(line);
      if (answer.refusal() != null) {
        stop.stop(answer.refusal());
        give(answer.id());
        return true;
      }
      Waiting who = find(answer.id());
      if (who != null) {
        On.Ended end = answer.ended(who.point);
        if (take(answer.id())) {
          took(answer.fetchSeconds(), clock.getCurrentThreadCpuTime() - began);
          who.ended.accept(end);
        }
      }
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private synchronized void took(double fetching, long reading) {
    fetchSeconds = Math.max(fetchSeconds, fetching);
    answerNanos += reading;
  }

  /** What it took, beside making the tasks. */
  synchronized On.Carried carried(double task) {
    return new On.Carried(task, answerNanos / 1e9, fetchSeconds);
  }

  /** No answer will come. */
  void failed(String id, String why) {
    Waiting who = find(id);
    if (who != null && take(id)) {
      who.ended.accept(new On.Ended(who.point, null, why, 0));
    }
  }

  /** A point is to be simulated another time. */
  void give(String id) {
    failed(id, null);
  }

  /** All points are to be simulated another time. */
  void giveAll() {
    List<String> ids;
    synchronized (this) {
      ids = List.copyOf(waiting.keySet());
    }
    ids.forEach(this::give);
  }
}
