package dev.warpline.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real Spark: a master and two workers, each a process; and the real command. */
@Timeout(300)
class SparkSweepTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path HOME = ROOT.resolve("spark/target/spark-home");
  private static final int POINTS = 48;

  @TempDir static Path folder;
  private static final List<Process> STARTED = new ArrayList<>();
  private static Path study;
  private static List<String> local;

  /** What a command said. */
  private record Said(int code, String text) {}

  @BeforeAll
  static void runHere() throws Exception {
    String traces = ROOT.resolve("examples/traces").toString();
    study =
        Files.writeString(
            folder.resolve("study.yaml"),
            """
            traces: [%s/vecadd, %s/cpasync.tar.xz]
            gpus: [h200]
            vary:
              sm.count: [8, 16, 33, 66]
              flowMemory.l2MiB: [15, 30]
              clocks.coreMHz: [1000, 1500, 1980]
            """
                .formatted(traces, traces));
    Said said = warpline("local.db", List.of());
    assertThat(said.code).as(said.text).isZero();
    local = rows("local.db");
    assertThat(local).hasSize(POINTS).allMatch(row -> row.contains(" done "));
  }

  @AfterAll
  static void end() throws Exception {
    for (Process process : STARTED) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
  }

  private static ProcessBuilder java(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().remove("SPARK_HOME");
    return builder;
  }

  private static Process sweep(String store, Path output, List<String> options) throws IOException {
    Path jar = ROOT.resolve("cli/target/warpline.jar");
    assertThat(jar).exists();
    List<String> command =
        new ArrayList<>(
            List.of(
                "-Xmx512m",
                "-Dwarpline.home=" + ROOT,
                "-jar",
                jar.toString(),
                "sweep",
                study.toString(),
                "--store",
                folder.resolve(store).toString()));
    command.addAll(options);
    return java(command.toArray(String[]::new)).redirectOutput(output.toFile()).start();
  }

  private static Said warpline(String store, List<String> options) throws Exception {
    Path output = folder.resolve(store + ".txt");
    Process process = sweep(store, output, options);
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    return new Said(process.exitValue(), Files.readString(output));
  }

  /** All that a store has of its points, byte for byte, but how long they took. */
  private static List<String> rows(String store) throws Exception {
    List<String> rows = new ArrayList<>();
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve(store));
        ResultSet row =
            connection
                .createStatement()
                .executeQuery(
                    "SELECT id, state, cycles, microseconds, hex(result) FROM points ORDER BY id")) {
      while (row.next()) {
        rows.add(
            String.join(
                " ",
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5)));
      }
    }
    return rows;
  }

  private static int done(String store) {
    try {
      return (int) rows(store).stream().filter(row -> row.contains(" done ")).count();
    } catch (Exception e) {
      // Not there yet.
      return 0;
    }
  }

  private static int port() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static Process spark(String name, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("-Xmx256m", "-cp", HOME.resolve("jars") + "/*"));
    for (String opened : List.of("java.lang", "java.nio", "java.util", "sun.nio.ch")) {
      command.addAll(List.of("--add-opens", "java.base/" + opened + "=ALL-UNNAMED"));
    }
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder = java(command.toArray(String[]::new));
    builder.environment().put("SPARK_HOME", HOME.toString());
    // As Spark's own scripts do.
    builder.environment().put("SPARK_SCALA_VERSION", "2.12");
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    // Each worker stands for a machine.
    builder.environment().put("WARPLINE_CACHE", folder.resolve("cache-" + name).toString());
    Process process = builder.redirectOutput(folder.resolve(name + ".log").toFile()).start();
    STARTED.add(process);
    return process;
  }

  private static Process worker(String name, String master) throws IOException {
    return spark(
        name,
        "org.apache.spark.deploy.worker.Worker",
        "--host",
        "127.0.0.1",
        "--webui-port",
        "0",
        "--cores",
        "1",
        "--memory",
        "1g",
        "--work-dir",
        folder.resolve("work-" + name).toString(),
        master);
  }

  @Test
  void aWorkerThatIsKilledCostsItsTasksAndTheResultsAreThoseOfThisMachine() throws Exception {
    int port = port();
    String master = "spark://127.0.0.1:" + port;
    spark(
        "master",
        "org.apache.spark.deploy.master.Master",
        "--host",
        "127.0.0.1",
        "--port",
        "" + port,
        "--webui-port",
        "" + port());
    Process first = worker("one", master);
    Process second = worker("two", master);
    while (!Files.readString(folder.resolve("two.log")).contains("Successfully registered")
        || !Files.readString(folder.resolve("one.log")).contains("Successfully registered")) {
      assertThat(STARTED).allMatch(Process::isAlive);
      Thread.sleep(50);
    }
    Path output = folder.resolve("spark.txt");
    Process sweep =
        sweep(
            "spark.db",
            output,
            List.of(
                "--on",
                master,
                "--spark-conf",
                "spark.driver.host=127.0.0.1",
                "--spark-conf",
                "spark.executor.memory=512m"));
    while (done("spark.db") < 3 || second.descendants().count() == 0) {
      assertThat(sweep.isAlive()).as(Files.readString(output)).isTrue();
      Thread.sleep(20);
    }
    List<ProcessHandle> executors = second.descendants().toList();
    second.destroyForcibly();
    executors.forEach(ProcessHandle::destroyForcibly);
    assertThat(done("spark.db")).as("in the middle").isLessThan(POINTS);
    assertThat(sweep.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(sweep.exitValue()).as(Files.readString(output)).isZero();
    assertThat(first.isAlive()).isTrue();
    assertThat(rows("spark.db")).isEqualTo(local);
    assertThat(Files.readString(output)).contains("48 done, 0 failed, 48 simulated now");
    // A trace came once to the machine that was left: two traces, four machines' descriptions.
    try (var files = Files.list(folder.resolve("cache-one"))) {
      assertThat(files.filter(Files::isDirectory)).hasSize(2);
    }
    assertThat(warpline("spark.db", List.of()).text).contains("0 simulated now");
  }

  @Test
  void sparkInOneProcessGivesTheSame() throws Exception {
    Said said = warpline("one.db", List.of("--on", "local[2]"));
    assertThat(said.code).as(said.text).isZero();
    assertThat(rows("one.db")).isEqualTo(local);
  }

  @Test
  void aMasterThatIsNotThereIsNamedAndNothingIsLost() throws Exception {
    String master = "spark://127.0.0.1:" + port();
    Said said = warpline("none.db", List.of("--on", master));
    assertThat(said.code).isEqualTo(3);
    assertThat(said.text).contains("--on " + master + ": no Spark master answers");
  }
}
