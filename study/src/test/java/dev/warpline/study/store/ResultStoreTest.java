package dev.warpline.study.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultStoreTest {
  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("s.db");
  }

  private static Point point(int number) {
    return new Point(
        "trace", "h200", "modern", List.of(), List.of(), 0, "t" + number, "d" + number, "v");
  }

  private static RunResult result(long cycles) {
    KernelResult kernel =
        new KernelResult(
            1,
            "k",
            0,
            cycles,
            5,
            160,
            0.5,
            "grid",
            Map.of("l1.hits", 3L),
            Map.of("barrier", 2L),
            List.of());
    return new RunResult(
        "H200", "modern", 1000, List.of(kernel), new RunResult.Simulation(1, 2, 3, 4));
  }

  private static void plan(ResultStore store, int points) throws IOException {
    List<Point> all = IntStream.rangeClosed(1, points).mapToObj(ResultStoreTest::point).toList();
    List<Member> members = new java.util.ArrayList<>();
    Map<String, Point> byId = new java.util.LinkedHashMap<>();
    Map<String, Map<String, String>> descriptions = new java.util.HashMap<>();
    for (Point point : all) {
      byId.put(point.id(), point);
      members.add(
          new Member(
              members.size() + 1,
              point.id(),
              "trace",
              "h200",
              "modern",
              Map.of("sm.count", "" + members.size())));
      descriptions.put(point.descriptionSha256(), Map.of("sm.count", "3 SMs"));
    }
    store.plan(
        new ResultStore.Known("s", "s.yaml", "traces: x", "v", "commit"),
        members,
        byId,
        Map.of(),
        descriptions);
  }

  /** A store with a result, whole on the disk. */
  private void fill() throws IOException {
    try (ResultStore store = ResultStore.open(file)) {
      plan(store, 2);
      store.alive();
      store.done(store.claim("s", 1).get(0), result(1234), 0.5);
      store.leave();
    }
  }

  private void refused(String... words) throws IOException {
    byte[] before = Files.readAllBytes(file);
    for (boolean write : new boolean[] {true, false}) {
      assertThatThrownBy(
              () -> {
                try (ResultStore store = write ? ResultStore.open(file) : ResultStore.read(file)) {
                  store.entries("s");
                }
              })
          .isInstanceOf(StoreException.class)
          .message()
          .contains(words)
          .contains("s.db: ", "nothing was changed");
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(before);
  }

  @Test
  void aResultComesBackAsItWasWithoutWhatChangesFromRunToRun() throws IOException {
    fill();
    try (ResultStore store = ResultStore.read(file)) {
      Entry entry = store.entries("s").get(0);
      assertThat(entry.state()).isEqualTo(Entry.State.DONE);
      assertThat(entry.result().kernels()).hasToString(result(1234).kernels().toString());
      assertThat(entry.result().simulation().wallSeconds()).isZero();
      assertThat(entry.seconds()).isEqualTo(0.5);
      assertThat(entry.configuration()).containsEntry("sm.count", "3 SMs");
      assertThat(store.count("s")).isEqualTo(new ResultStore.Count(1, 0, 1, 0));
    }
  }

  @Test
  void aNewStoreMayBeOpenedByManyAtOnce() throws Exception {
    ExecutorService many = Executors.newFixedThreadPool(8);
    try {
      for (int round = 0; round < 50; round++) {
        Path store = folder.resolve("many" + round + ".db");
        CountDownLatch start = new CountDownLatch(1);
        List<Future<Integer>> opened =
            IntStream.range(0, 8)
                .mapToObj(
                    i ->
                        many.submit(
                            () -> {
                              start.await();
                              try (ResultStore one = ResultStore.open(store)) {
                                return one.studies().size();
                              }
                            }))
                .toList();
        start.countDown();
        for (Future<Integer> one : opened) {
          assertThat(one.get()).isZero();
        }
      }
    } finally {
      many.shutdownNow();
    }
  }

  @Test
  void aClaimedPointIsNobodyElsesWhileItsProcessLives() throws IOException {
    try (ResultStore one = ResultStore.open(file);
        ResultStore other = ResultStore.open(file)) {
      plan(one, 3);
      one.alive();
      other.alive();
      List<String> first = one.claim("s", 2);
      assertThat(first).containsExactly(point(1).id(), point(2).id());
      assertThat(other.claim("s", 2)).containsExactly(point(3).id());
      one.leave();
      assertThat(other.claim("s", 5)).isEqualTo(first);
    }
  }

  @Test
  void claimsOfADeadProcessAndOfOneThatIsNotHeardOfAreOpenAgain() throws Exception {
    Process process = new ProcessBuilder("true").start();
    process.waitFor();
    try (ResultStore store = ResultStore.open(file)) {
      plan(store, 3);
      store.alive();
      Worker self = Worker.self();
      long later = System.currentTimeMillis() + ResultStore.LEASE_MILLIS;
      long earlier = System.currentTimeMillis() - 1;
      work("dead", self.host(), process.pid(), later, 1);
      work("silent", "elsewhere", 1, earlier, 2);
      work("alive", "elsewhere", 1, later, 3);
      assertThat(store.claim("s", 3)).containsExactly(point(1).id(), point(2).id());
    }
  }

  private void work(String name, String host, long pid, long lease, int point) throws Exception {
    sql(
        "INSERT INTO workers VALUES('%s', '%s', %d, 0, %d)".formatted(name, host, pid, lease),
        "UPDATE points SET state = 'claimed', worker = '%s' WHERE id = '%s'"
            .formatted(name, point(point).id()));
  }

  private void sql(String... statements) throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  @Test
  void theFirstOfTwoResultsStays() throws IOException {
    try (ResultStore store = ResultStore.open(file)) {
      plan(store, 1);
      store.done(point(1).id(), result(10), 1);
      store.done(point(1).id(), result(11), 1);
      store.failed(point(1).id(), "late", 1);
      assertThat(store.entries("s").get(0).result().cycles()).isEqualTo(10);
    }
  }

  @Test
  void aFileThatIsNoDatabaseIsRefused() throws IOException {
    Files.writeString(file, "my only copy of the thesis ".repeat(300));
    refused("found no SQLite file, expected a store of Warpline");
  }

  @Test
  void anotherProgramsDatabaseIsRefused() throws Exception {
    sql("CREATE TABLE bookmarks(url TEXT)", "INSERT INTO bookmarks VALUES('x')");
    refused("found another program's database");
  }

  @Test
  void storesOfAnOlderAndANewerFormatAreRefused() throws Exception {
    fill();
    sql("PRAGMA user_version = 0");
    refused("found a store of format 0, which an older Warpline wrote, expected format 1");
    sql("PRAGMA user_version = 9");
    refused("found a store of format 9, which a newer Warpline wrote");
  }

  @Test
  void aTruncatedStoreIsRefused() throws IOException {
    fill();
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, java.util.Arrays.copyOf(whole, whole.length / 2));
    refused("the store is damaged");
  }

  @Test
  void aResultWithAWrongByteIsRefused() throws IOException {
    fill();
    byte[] bytes = Files.readAllBytes(file);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    int results = 0;
    String gzip = "\u001f\u008b\u0008";
    for (int at = text.indexOf(gzip); at >= 0; at = text.indexOf(gzip, at + 1)) {
      bytes[at + 30] ^= 0x55;
      results++;
    }
    assertThat(results).isPositive();
    Files.write(file, bytes);
    refused("the store is damaged");
  }

  @Test
  void aNumberThatDoesNotBelongToItsResultIsRefused() throws Exception {
    fill();
    sql("UPDATE points SET cycles = 1 WHERE state = 'done'");
    refused("the store is damaged");
  }

  @Test
  void aFolderAndAStoreInNoFolderAreRefused() {
    assertThatThrownBy(() -> ResultStore.open(folder)).hasMessageContaining("found a folder");
    assertThatThrownBy(() -> ResultStore.open(folder.resolve("none/s.db")))
        .hasMessageContaining("no folder");
    assertThatThrownBy(() -> ResultStore.read(folder.resolve("none.db")))
        .isInstanceOf(java.nio.file.NoSuchFileException.class);
  }
}
