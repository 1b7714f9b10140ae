package dev.warpline.spark;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;

/**
 * Spark's driver for a sweep: reads files and tasks from its input, has Spark run them, writes
 * answers to its output, and ends when the input does. The lines are told in {@code
 * dev.warpline.study.cluster.OnSpark}.
 */
public final class Driver {
  private static final int PIECE_BYTES = 32 << 20;
  private static final long LOOK_MILLIS = 50;

  /** Some tasks that Spark was given at once. */
  private record Batch(JavaFutureAction<Void> job, List<Element> tasks) {}

  private final JavaSparkContext spark;
  private final PrintStream out;
  private final List<String> jars = new ArrayList<>();
  private final Answers answers;
  private final Map<String, List<Broadcast<byte[]>>> files = new HashMap<>();

  /** Tasks without an answer, by their point. */
  private final Map<String, Element> away = new LinkedHashMap<>();

  private final List<Element> read = new ArrayList<>();
  private final List<Batch> batches = new ArrayList<>();
  private boolean ended;

  private Driver(JavaSparkContext spark, PrintStream out) {
    this.spark = spark;
    this.out = out;
    answers = new Answers(this::answer);
    spark.sc().register(answers);
  }

  /** Begins; the argument is Warpline's jars as a class path. */
  public static void main(String[] arguments) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    // Whoever prints shall not disturb the answers.
    System.setOut(System.err);
    SparkConf conf = new SparkConf();
    conf.setIfMissing("spark.speculation", "true");
    conf.setIfMissing("spark.speculation.multiplier", "3");
    conf.setIfMissing("spark.speculation.minTaskRuntime", "30s");
    conf.setIfMissing("spark.task.maxFailures", "4");
    conf.setIfMissing("spark.ui.enabled", "false");
    try (JavaSparkContext spark = new JavaSparkContext(conf)) {
      Driver driver = new Driver(spark, out);
      for (String jar : arguments[0].split(File.pathSeparator)) {
        spark.addFile(jar);
        driver.jars.add(Path.of(jar).getFileName().toString());
      }
      Thread reader = new Thread(driver::read, "tasks");
      reader.setDaemon(true);
      reader.start();
      driver.work();
    }
  }

  private void read() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] words = line.split(" ", 4);
        if (words[0].equals("file")) {
          files.put(words[1], pieces(line.substring(line.indexOf(words[1]) + 65)));
        } else if (words[0].equals("task")) {
          Map<String, List<Broadcast<byte[]>>> needed = new HashMap<>();
          Arrays.stream(words[2].split(",")).forEach(sha -> needed.put(sha, files.get(sha)));
          if (needed.containsValue(null)) {
            say("lost " + words[1] + " a file that it needs cannot be read any more");
            continue;
          }
          synchronized (this) {
            read.add(new Element(words[1], words[3], needed));
          }
        }
      }
    } catch (IOException e) {
      e.printStackTrace();
    } finally {
      synchronized (this) {
        ended = true;
      }
    }
  }

  /** Null for a file that cannot be read. */
  private List<Broadcast<byte[]>> pieces(String file) {
    List<Broadcast<byte[]>> pieces = new ArrayList<>();
    try (InputStream in = Files.newInputStream(Path.of(file))) {
      for (byte[] piece = in.readNBytes(PIECE_BYTES);
          piece.length > 0;
          piece = in.readNBytes(PIECE_BYTES)) {
        pieces.add(spark.broadcast(piece));
      }
    } catch (IOException e) {
      e.printStackTrace();
      return null;
    }
    return pieces;
  }

  /** Until the input ends. */
  private void work() throws InterruptedException {
    int slots = 0;
    while (true) {
      int now = spark.defaultParallelism();
      if (now != slots) {
        slots = now;
        say("slots " + slots);
      }
      List<Element> fresh;
      synchronized (this) {
        if (ended) {
          break;
        }
        fresh = new ArrayList<>(read);
        read.clear();
        fresh.forEach(task -> away.put(task.id(), task));
      }
      if (!fresh.isEmpty()) {
        submit(fresh);
      }
      for (Batch batch : List.copyOf(batches)) {
        if (batch.job.isDone()) {
          batches.remove(batch);
          end(batch);
        }
      }
      Thread.sleep(LOOK_MILLIS);
    }
    batches.forEach(batch -> batch.job.cancel(true));
  }

  private void submit(List<Element> tasks) {
    batches.add(
        new Batch(
            spark.parallelize(tasks, tasks.size()).foreachAsync(new Simulate(jars, answers)),
            tasks));
  }

  /** A task that Spark gives up takes its batch with it: the others are given to Spark again. */
  private void end(Batch batch) throws InterruptedException {
    String why = null;
    try {
      batch.job.get();
    } catch (ExecutionException e) {
      why = String.valueOf(e.getCause().getMessage()).lines().findFirst().orElse("unknown");
    }
    List<Element> left = new ArrayList<>();
    synchronized (this) {
      for (Element task : batch.tasks) {
        if (away.containsKey(task.id())) {
          left.add(task);
        }
      }
    }
    if (batch.tasks.size() > 1) {
      left.forEach(task -> submit(List.of(task)));
    } else if (!left.isEmpty()) {
      String id = left.get(0).id();
      synchronized (this) {
        away.remove(id);
      }
      say("lost " + id + " Spark gave it up: " + why);
    }
  }

  private void answer(String line) {
    // The point's address is the first field of an answer.
    String id = line.split("\"", 5)[3];
    synchronized (this) {
      away.remove(id);
    }
    say("answer " + line);
  }

  private void say(String line) {
    synchronized (out) {
      out.println(line);
    }
  }
}
