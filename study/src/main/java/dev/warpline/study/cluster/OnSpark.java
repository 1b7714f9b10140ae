package dev.warpline.study.cluster;

import dev.warpline.engine.StopSignal;
import dev.warpline.study.store.Point;
import dev.warpline.study.sweep.On;
import dev.warpline.study.sweep.PointRun;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Apache Spark, wherever its master is. Spark's driver is a process of its own, which {@code
 * spark-submit} starts with the class {@code dev.warpline.spark.Driver} of the optional module, so
 * that Warpline and Spark share no class. Lines go there and come back:
 *
 * <pre>
 *   file SHA256 PATH             a file that tasks need
 *   task POINT SHA256,... TASK   a task and the files that it needs
 *   slots N                      how many tasks Spark runs at a time
 *   answer ANSWER
 *   lost POINT WHY               Spark gave a task up
 * </pre>
 */
public final class OnSpark implements On {
  /** What Spark's own script opens of Java's modules, for where there is no script. */
  private static final List<String> OPENED =
      List.of(
          "java.base/java.lang",
          "java.base/java.lang.invoke",
          "java.base/java.lang.reflect",
          "java.base/java.io",
          "java.base/java.net",
          "java.base/java.nio",
          "java.base/java.util",
          "java.base/java.util.concurrent",
          "java.base/java.util.concurrent.atomic",
          "java.base/sun.nio.ch",
          "java.base/sun.nio.cs",
          "java.base/sun.security.action",
          "java.base/sun.util.calendar");

  private static final int CONNECT_MILLIS = 5_000;
  private static final int LEAST_AWAY = 256;
  private static final long PATIENCE_SECONDS = 20;
  private static final int TOLD_LINES = 4;

  /**
   * Spark as it is installed.
   *
   * @param home its folder, with {@code jars} in it
   * @param module the jar of Warpline's module for it
   */
  public record Installed(Path home, Path module) {
    /**
     * Finds it: Spark where {@code SPARK_HOME} says, or beside the module.
     *
     * @param warpline the folder of Warpline's sources, null if it is not known
     * @throws IOException that says what to do if it is not there
     */
    public static Installed find(Path warpline, String sparkHome) throws IOException {
      Path module = warpline == null ? null : warpline.resolve("spark/target/warpline-spark.jar");
      if (module == null || !Files.isRegularFile(module)) {
        throw new IOException(
            "Spark is an optional module, and "
                + (module == null ? "warpline-spark.jar" : module)
                + " is not there; build it with: mvn -Pspark -DskipTests -pl spark -am package"
                + " (docs/cluster.md)");
      }
      boolean own = sparkHome == null || sparkHome.isBlank();
      Path home = own ? module.resolveSibling("spark-home") : Path.of(sparkHome);
      boolean spark = false;
      if (Files.isDirectory(home.resolve("jars"))) {
        try (Stream<Path> jars = Files.list(home.resolve("jars"))) {
          spark = jars.anyMatch(jar -> jar.getFileName().toString().startsWith("spark-core_"));
        }
      }
      if (!spark) {
        throw new IOException(
            home
                + ": found no jars/spark-core_*.jar, expected Apache Spark"
                + (own ? "; build the module again, or set SPARK_HOME" : " (SPARK_HOME)"));
      }
      return new Installed(home.toAbsolutePath(), module);
    }
  }

  private final Pending pending;
  private final StopSignal stop;
  private final TaskMaker tasks = new TaskMaker();
  private final Set<String> sent = new HashSet<>();
  private final Path log;
  private final Path made;
  private final Process driver;
  private final BufferedWriter in;
  private final Thread reader;
  private volatile int slots = 1;
  private volatile boolean ready;

  /**
   * Starts the driver.
   *
   * @param master as {@code spark-submit --master} takes it
   * @param settings {@code NAME=VALUE}, as {@code spark-submit --conf} takes them
   * @param log where Spark's own messages go
   */
  public OnSpark(Installed spark, String master, List<String> settings, Path log, StopSignal stop)
      throws IOException {
    checkReachable(master);
    this.stop = stop;
    this.log = log;
    pending = new Pending(stop);
    made = Files.createTempDirectory("warpline-classes");
    String jars =
        ClassPath.jars(made).stream()
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    ProcessBuilder builder = new ProcessBuilder(command(spark, master, settings, jars));
    builder.environment().put("SPARK_HOME", spark.home.toString());
    builder.redirectError(log.toFile());
    driver = builder.start();
    in =
        new BufferedWriter(
            new OutputStreamWriter(driver.getOutputStream(), StandardCharsets.UTF_8));
    reader = new Thread(this::read, "spark");
    reader.setDaemon(true);
    reader.start();
  }

  /** Spark itself would try for a minute. */
  private static void checkReachable(String master) throws IOException {
    if (!master.startsWith("spark://")) {
      return;
    }
    List<String> problems = new ArrayList<>();
    for (String one : master.substring("spark://".length()).split(",")) {
      int colon = one.lastIndexOf(':');
      if (colon <= 0 || !one.substring(colon + 1).matches("\\d{1,5}")) {
        throw new IOException(
            "--on "
                + master
                + ": found \""
                + one
                + "\", expected HOST:PORT, e.g. spark://host:7077");
      }
      try (Socket socket = new Socket()) {
        int port = Integer.parseInt(one.substring(colon + 1));
        socket.connect(new InetSocketAddress(one.substring(0, colon), port), CONNECT_MILLIS);
        return;
      } catch (IOException | IllegalArgumentException e) {
        problems.add(one + ": " + e.getMessage());
      }
    }
    throw new IOException(
        "--on " + master + ": no Spark master answers (" + String.join("; ", problems) + ")");
  }

  private static List<String> command(
      Installed spark, String master, List<String> settings, String jars) {
    List<String> command = new ArrayList<>();
    Path script = spark.home.resolve("bin/spark-submit");
    String heap = (Runtime.getRuntime().maxMemory() >> 20) + "m";
    if (Files.isExecutable(script)) {
      command.add(script.toString());
    } else {
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      OPENED.forEach(one -> command.addAll(List.of("--add-opens", one + "=ALL-UNNAMED")));
      command.addAll(List.of("-Xmx" + heap, "-cp", spark.home.resolve("jars") + "/*"));
      command.add("org.apache.spark.deploy.SparkSubmit");
    }
    command.addAll(List.of("--master", master, "--name", "warpline", "--driver-memory", heap));
    if (!master.startsWith("local")) {
      command.addAll(List.of("--deploy-mode", "client"));
    }
    settings.forEach(setting -> command.addAll(List.of("--conf", setting)));
    command.addAll(List.of("--class", "dev.warpline.spark.Driver", spark.module.toString(), jars));
    return command;
  }

  private void read() {
    try (BufferedReader out =
        new BufferedReader(
            new InputStreamReader(driver.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        String[] words = line.split(" ", 3);
        switch (words[0]) {
          case "slots" -> {
            slots = Math.max(1, Integer.parseInt(words[1]));
            ready = true;
          }
          case "answer" -> pending.answered(line.substring("answer ".length()));
          case "lost" -> pending.failed(words[1], words[2]);
          default -> {
            // Somebody else's words on the same pipe.
          }
        }
      }
    } catch (IOException e) {
      // The driver is no more, and that is found out below.
    }
    pending.giveAll();
  }

  @Override
  public int width() {
    return slots;
  }

  @Override
  public int room() throws IOException {
    if (!driver.isAlive() && !stopsSoon()) {
      throw new IOException(
          "Spark's driver ended with "
              + driver.exitValue()
              + ": "
              + told()
              + " ("
              + log
              + "); the same command goes on");
    }
    return ready ? Math.max(LEAST_AWAY, 4 * slots) - pending.size() : 0;
  }

  /** Ctrl-C reaches the driver, too, and perhaps first. */
  private boolean stopsSoon() {
    try {
      for (int i = 0; i < 10 && stop.reason() == null; i++) {
        Thread.sleep(100);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return stop.reason() != null;
  }

  /** What Spark said last of what went wrong. */
  private String told() throws IOException {
    Set<String> lines = new LinkedHashSet<>();
    for (String line : Files.readAllLines(log, StandardCharsets.ISO_8859_1)) {
      if (line.contains(" ERROR ") || line.startsWith("Exception") || line.startsWith("Error")) {
        lines.add(line.strip());
      }
    }
    List<String> all = List.copyOf(lines);
    return all.isEmpty()
        ? "it does not say why"
        : String.join(" | ", all.subList(0, Math.min(TOLD_LINES, all.size())));
  }

  @Override
  public void begin(Point point, Consumer<Ended> ended) {
    pending.add(point, ended);
    try {
      TaskMaker.Made task = tasks.of(point);
      List<String> hashes = new ArrayList<>();
      for (Parcel parcel : task.parcels()) {
        for (Parcel.Item item : parcel.items()) {
          hashes.add(item.sha256());
          if (sent.add(item.sha256())) {
            send("file " + item.sha256() + " " + parcel.source(item));
          }
        }
      }
      send("task " + point.id() + " " + String.join(",", hashes) + " " + task.line());
    } catch (IOException e) {
      if (driver.isAlive()) {
        pending.failed(point.id(), PointRun.words(e));
      } else {
        pending.give(point.id());
      }
    }
  }

  private synchronized void send(String line) throws IOException {
    in.write(line);
    in.write('\n');
    in.flush();
  }

  @Override
  public Carried carried() {
    return pending.carried(tasks.seconds());
  }

  @Override
  public void close() {
    try {
      while (stop.reason() == null && driver.isAlive() && pending.size() > 0) {
        Thread.sleep(100);
      }
      try {
        in.close();
      } catch (IOException e) {
        // It is no more.
      }
      if (!driver.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        driver.destroyForcibly().waitFor();
      }
      reader.join();
    } catch (InterruptedException e) {
      driver.destroyForcibly();
      Thread.currentThread().interrupt();
    } finally {
      pending.giveAll();
      delete();
    }
  }

  private void delete() {
    try (Stream<Path> files = Files.list(made)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
      Files.delete(made);
    } catch (IOException e) {
      // It lies in the temporary folder.
    }
  }
}
