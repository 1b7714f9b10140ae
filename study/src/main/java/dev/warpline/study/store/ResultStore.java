package dev.warpline.study.store;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.warpline.engine.Build;
import dev.warpline.engine.Results;
import dev.warpline.engine.RunResult;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.sqlite.SQLiteConfig;

/**
 * A file of studies and results. Points are claimed before they are simulated, so that processes
 * share the work; a claim lasts as long as its process lives, and at most {@link #LEASE_MILLIS}
 * after it was last heard of. Every change is one transaction.
 */
public final class ResultStore implements AutoCloseable {
  /** Counted up whenever the tables change their meaning. */
  static final int FORMAT = 1;

  /** "WPLS": tells a store from other people's databases. */
  private static final int APPLICATION = 0x57504c53;

  /** How long after its last sign of life a process on another machine counts as dead. */
  public static final long LEASE_MILLIS = 60_000;

  private static final int BUSY_MILLIS = 60_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String[] TABLES = {
    "CREATE TABLE studies(name TEXT PRIMARY KEY, file TEXT NOT NULL, text TEXT NOT NULL,"
        + " version TEXT NOT NULL, build TEXT NOT NULL)",
    "CREATE TABLE descriptions(sha256 TEXT PRIMARY KEY, fields BLOB NOT NULL)",
    "CREATE TABLE points(id TEXT PRIMARY KEY, trace TEXT NOT NULL, trace_sha256 TEXT NOT NULL,"
        + " gpu TEXT NOT NULL, description_sha256 TEXT NOT NULL, core TEXT NOT NULL,"
        + " settings TEXT NOT NULL, kernels TEXT NOT NULL, max_cycles INTEGER NOT NULL,"
        + " version TEXT NOT NULL, build TEXT NOT NULL,"
        + " state TEXT NOT NULL CHECK(state IN ('open', 'claimed', 'done', 'failed')),"
        + " worker TEXT, message TEXT, seconds REAL, cycles INTEGER, microseconds REAL,"
        + " result BLOB)",
    "CREATE TABLE members(study TEXT NOT NULL REFERENCES studies(name), number INTEGER NOT NULL,"
        + " point TEXT NOT NULL REFERENCES points(id), trace TEXT NOT NULL, gpu TEXT NOT NULL,"
        + " core TEXT NOT NULL, fields TEXT NOT NULL, PRIMARY KEY(study, number))",
    "CREATE INDEX members_of_points ON members(point)",
    "CREATE INDEX states_of_points ON points(state)",
    "CREATE TABLE workers(id TEXT PRIMARY KEY, host TEXT NOT NULL, pid INTEGER NOT NULL,"
        + " started INTEGER NOT NULL, lease INTEGER NOT NULL)"
  };

  /** How many points of a study are in which state. */
  public record Count(int open, int claimed, int done, int failed) {
    public int all() {
      return open + claimed + done + failed;
    }
  }

  /** A study as the store knows it. */
  public record Known(String name, String file, String text, String version, String build) {}

  /** Changes something; all of it or nothing. */
  private interface Change<T> {
    T make() throws SQLException, IOException;
  }

  private final Path file;
  private final Connection connection;
  private final Worker self = Worker.self();

  /** Whether a change is being made, which others may be part of. */
  private boolean changing;

  /** The last place that was claimed: most likely nothing before it is open. */
  private int position;

  private ResultStore(Path file, Connection connection) {
    this.file = file;
    this.connection = connection;
  }

  /**
   * Opens a store to work on it; makes it if there is none.
   *
   * @throws StoreException if the file is something else, damaged, or of another format
   */
  public static ResultStore open(Path file) throws IOException {
    return open(file, true);
  }

  /** Opens a store that is there, to look at it. */
  public static ResultStore read(Path file) throws IOException {
    if (!Files.exists(file)) {
      throw new NoSuchFileException(file.toString());
    }
    return open(file, false);
  }

  private static ResultStore open(Path file, boolean create) throws IOException {
    if (Files.isDirectory(file)) {
      throw new StoreException(file, "found a folder, expected a store");
    }
    Path parent = file.toAbsolutePath().getParent();
    if (!Files.isDirectory(parent)) {
      throw new StoreException(file, "no folder " + parent);
    }
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(BUSY_MILLIS);
    config.setReadOnly(!create && !Files.isWritable(file));
    long patient = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(BUSY_MILLIS);
    while (true) {
      try {
        return open(file, config, create);
      } catch (SQLException e) {
        if (!isBusy(e) || System.nanoTime() > patient) {
          throw problem(file, e);
        }
        // SQLite does not wait for others while one of them changes how the file is written.
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      }
    }
  }

  private static ResultStore open(Path file, SQLiteConfig config, boolean create)
      throws SQLException, IOException {
    Connection connection = config.createConnection("jdbc:sqlite:" + file.toAbsolutePath());
    try {
      ResultStore store = new ResultStore(file, connection);
      store.check(create);
      return store;
    } catch (SQLException | IOException | RuntimeException e) {
      close(connection);
      throw e;
    }
  }

  private static boolean isBusy(SQLException e) {
    int code = e.getErrorCode() & 0xff;
    return code == 5 || code == 6;
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      // The failure before says more.
    }
  }

  private static StoreException problem(Path file, SQLException e) {
    return switch (e.getErrorCode() & 0xff) {
      case 26 -> new StoreException(file, "found no SQLite file, expected a store of Warpline");
      case 11 -> new StoreException(file, "the store is damaged (" + e.getMessage() + ")");
      case 5, 6 ->
          new StoreException(file, "another process has kept it locked for a minute, try again");
      default -> new StoreException(file, e);
    };
  }

  /** Looks at what the file is before anything is written. */
  private void check(boolean create) throws SQLException, IOException {
    // In this order: another process makes tables and mark at once, between the two questions too.
    boolean empty = number("SELECT count(*) FROM sqlite_master") == 0;
    long application = number("PRAGMA application_id");
    if (application == 0 && empty && !create) {
      throw new StoreException(file, "found an empty database, expected a store with a study");
    }
    if (application != APPLICATION) {
      if (application != 0 || !empty) {
        throw new StoreException(file, "found another program's database, expected a store");
      }
      make();
      return;
    }
    checkFormat();
    String health = text("PRAGMA quick_check(1)");
    if (!"ok".equals(health)) {
      throw new StoreException(file, "the store is damaged (" + health + ")");
    }
    if (create) {
      prepare();
    }
  }

  private void checkFormat() throws SQLException, IOException {
    long format = number("PRAGMA user_version");
    if (format != FORMAT) {
      throw new StoreException(
          file,
          "found a store of format "
              + format
              + ", which "
              + (format < FORMAT ? "an older" : "a newer")
              + " Warpline wrote, expected format "
              + FORMAT
              + ": use that Warpline, or name another store");
    }
  }

  /** A log beside the file lets others read while one writes, and makes commits cheap. */
  private void prepare() throws SQLException {
    execute("PRAGMA journal_mode=WAL");
    execute("PRAGMA synchronous=NORMAL");
  }

  private void make() throws SQLException, IOException {
    prepare();
    change(
        () -> {
          // Another process may have made it since.
          if (number("SELECT count(*) FROM sqlite_master") == 0) {
            for (String table : TABLES) {
              execute(table);
            }
            execute("PRAGMA application_id=" + APPLICATION);
            execute("PRAGMA user_version=" + FORMAT);
          }
          return null;
        });
    checkFormat();
  }

  public Path file() {
    return file;
  }

  /**
   * Writes a study down: its places, and points that are not there yet.
   *
   * @param points by address
   * @param refused why points cannot be simulated, by address
   * @param descriptions fields by hash
   */
  public synchronized void plan(
      Known study,
      List<Member> members,
      Map<String, Point> points,
      Map<String, String> refused,
      Map<String, Map<String, String>> descriptions)
      throws IOException {
    change(
        () -> {
          run("DELETE FROM members WHERE study = ?", study.name());
          run(
              "INSERT INTO studies VALUES(?, ?, ?, ?, ?) ON CONFLICT(name) DO UPDATE SET"
                  + " file = excluded.file, text = excluded.text, version = excluded.version,"
                  + " build = excluded.build",
              study.name(),
              study.file(),
              study.text(),
              study.version(),
              study.build());
          Set<String> known =
              new HashSet<>(ask("SELECT sha256 FROM descriptions", row -> row.getString(1)));
          for (Map.Entry<String, Map<String, String>> description : descriptions.entrySet()) {
            if (!known.contains(description.getKey())) {
              run(
                  "INSERT OR IGNORE INTO descriptions VALUES(?, ?)",
                  description.getKey(),
                  packed(JSON.writeValueAsString(description.getValue())));
            }
          }
          for (Point point : points.values()) {
            String id = point.id();
            run(
                "INSERT OR IGNORE INTO points(id, trace, trace_sha256, gpu, description_sha256,"
                    + " core, settings, kernels, max_cycles, version, build, state, message)"
                    + " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                id,
                point.trace(),
                point.traceSha256(),
                point.gpu(),
                point.descriptionSha256(),
                point.core(),
                String.join("\n", point.settings()),
                String.join(",", point.kernels()),
                point.maxCycles(),
                point.version(),
                Build.commit(),
                (refused.containsKey(id) ? Entry.State.FAILED : Entry.State.OPEN).word(),
                refused.get(id));
          }
          for (Member member : members) {
            run(
                "INSERT INTO members VALUES(?, ?, ?, ?, ?, ?, ?)",
                study.name(),
                member.number(),
                member.point(),
                member.trace(),
                member.gpu(),
                member.core(),
                JSON.writeValueAsString(member.values()));
          }
          return null;
        });
  }

  /** The studies of the store, by name. */
  public synchronized List<Known> studies() throws IOException {
    return ask(
        "SELECT name, file, text, version, build FROM studies ORDER BY name",
        row ->
            new Known(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5)));
  }

  /** Begins to work: claims of this process hold from now on. Repeat it to say that it lives. */
  public synchronized void alive() throws IOException {
    change(
        () -> {
          run(
              "INSERT INTO workers VALUES(?, ?, ?, ?, ?) ON CONFLICT(id) DO UPDATE SET lease ="
                  + " excluded.lease",
              self.id(),
              self.host(),
              self.pid(),
              self.started(),
              System.currentTimeMillis() + LEASE_MILLIS);
          return null;
        });
  }

  /**
   * Claims points of a study that nobody has, in its order, and those of processes that are no
   * more.
   */
  public synchronized List<String> claim(String study, int most) throws IOException {
    List<Worker> dead = dead();
    return change(
        () -> {
          for (Worker worker : dead) {
            release(worker.id());
          }
          Set<String> ids = new LinkedHashSet<>(open(study, position, most));
          if (ids.size() < most) {
            ids.addAll(open(study, 0, most));
          }
          for (String id : ids) {
            run("UPDATE points SET state = 'claimed', worker = ? WHERE id = ?", self.id(), id);
          }
          return List.copyOf(ids);
        });
  }

  /** Open points behind a place of the study; the first place behind them is looked at next. */
  private List<String> open(String study, int from, int most) throws IOException {
    return ask(
        "SELECT m.point, m.number FROM members m JOIN points p ON p.id = m.point WHERE m.study = ?"
            + " AND m.number > ? AND p.state = 'open' ORDER BY m.number LIMIT ?",
        row -> {
          position = row.getInt(2);
          return row.getString(1);
        },
        study,
        from,
        most);
  }

  private List<Worker> dead() throws IOException {
    long now = System.currentTimeMillis();
    List<Worker> dead = new ArrayList<>();
    Map<Worker, Long> leases = new LinkedHashMap<>();
    ask(
        "SELECT id, host, pid, started, lease FROM workers",
        row ->
            leases.put(
                new Worker(row.getString(1), row.getString(2), row.getLong(3), row.getLong(4)),
                row.getLong(5)));
    leases.forEach(
        (worker, lease) -> {
          if (!worker.id().equals(self.id()) && (lease < now || worker.gone(self))) {
            dead.add(worker);
          }
        });
    return dead;
  }

  private void release(String worker) throws SQLException {
    run(
        "UPDATE points SET state = 'open', worker = NULL WHERE worker = ? AND state = 'claimed'",
        worker);
    run("DELETE FROM workers WHERE id = ?", worker);
  }

  /** Gives back claims of this process. */
  public synchronized void release(Collection<String> points) throws IOException {
    change(
        () -> {
          for (String point : points) {
            run(
                "UPDATE points SET state = 'open', worker = NULL WHERE id = ? AND worker = ? AND"
                    + " state = 'claimed'",
                point,
                self.id());
          }
          return null;
        });
  }

  /** Ends the work: what this process has claimed and not done is open again. */
  public synchronized void leave() throws IOException {
    change(
        () -> {
          release(self.id());
          return null;
        });
  }

  /** Keeps a result. Of two for one point, which are the same, the first stays. */
  public synchronized void done(String point, RunResult result, double seconds) throws IOException {
    byte[] packed = packed(text(result));
    change(
        () -> {
          run(
              "UPDATE points SET state = 'done', worker = NULL, message = NULL, seconds = ?,"
                  + " cycles = ?, microseconds = ?, result = ? WHERE id = ? AND state <> 'done'",
              seconds,
              result.cycles(),
              result.microseconds(),
              packed,
              point);
          return null;
        });
  }

  /** Keeps why a point has no result. */
  public synchronized void failed(String point, String message, double seconds) throws IOException {
    change(
        () -> {
          run(
              "UPDATE points SET state = 'failed', worker = NULL, message = ?, seconds = ? WHERE id"
                  + " = ? AND state <> 'done'",
              message,
              seconds,
              point);
          return null;
        });
  }

  /** Opens the points of a study that failed while they were simulated. */
  public synchronized int reopenFailed(String study) throws IOException {
    return change(
        () ->
            run(
                "UPDATE points SET state = 'open', message = NULL WHERE state = 'failed' AND"
                    + " seconds IS NOT NULL AND id IN (SELECT point FROM members WHERE study = ?)",
                study));
  }

  /** Points of a study by state; a point in two places counts once. */
  public synchronized Count count(String study) throws IOException {
    Map<String, Integer> by = new HashMap<>();
    ask(
        "SELECT state, count(*) FROM points WHERE id IN (SELECT point FROM members WHERE study = ?)"
            + " GROUP BY state",
        row -> by.put(row.getString(1), row.getInt(2)),
        study);
    return new Count(
        by.getOrDefault("open", 0),
        by.getOrDefault("claimed", 0),
        by.getOrDefault("done", 0),
        by.getOrDefault("failed", 0));
  }

  /** Mean seconds that points of a trace took, by the hash of the trace. */
  public synchronized Map<String, Double> seconds() throws IOException {
    Map<String, Double> seconds = new HashMap<>();
    ask(
        "SELECT trace_sha256, avg(seconds) FROM points WHERE state = 'done' GROUP BY 1",
        row -> seconds.put(row.getString(1), row.getDouble(2)));
    return seconds;
  }

  /** Points of a study that are not done yet, by the hash of their trace. */
  public synchronized Map<String, Integer> left(String study) throws IOException {
    Map<String, Integer> left = new HashMap<>();
    ask(
        "SELECT trace_sha256, count(*) FROM points WHERE state IN ('open', 'claimed') AND id IN"
            + " (SELECT point FROM members WHERE study = ?) GROUP BY 1",
        row -> left.put(row.getString(1), row.getInt(2)),
        study);
    return left;
  }

  /**
   * Everything that is known of a study, in its order.
   *
   * @throws StoreException if a result is damaged
   */
  public synchronized List<Entry> entries(String study) throws IOException {
    return entries(study, 1, Integer.MAX_VALUE);
  }

  /** The places of a study from one number to another, both included. */
  public synchronized List<Entry> entries(String study, int first, int last) throws IOException {
    Map<String, Fields> descriptions = new HashMap<>();
    ask(
        "SELECT sha256, fields FROM descriptions WHERE sha256 IN (SELECT description_sha256 FROM"
            + " points WHERE id IN (SELECT point FROM members WHERE study = ? AND number BETWEEN ?"
            + " AND ?))",
        row -> {
          String hash = row.getString(1);
          byte[] packed = row.getBytes(2);
          return descriptions.put(hash, new Fields(() -> description(hash, packed)));
        },
        study,
        first,
        last);
    return inParallel(
        ask(
            "SELECT m.number, m.point, m.trace, m.gpu, m.core, m.fields, p.state, p.message,"
                + " p.seconds, p.result, p.description_sha256, p.cycles FROM members m JOIN points"
                + " p ON p.id = m.point WHERE m.study = ? AND m.number BETWEEN ? AND ? ORDER BY"
                + " m.number",
            row -> {
              Member member =
                  new Member(
                      row.getInt(1),
                      row.getString(2),
                      row.getString(3),
                      row.getString(4),
                      row.getString(5),
                      JSON.readValue(row.getString(6), FIELDS));
              Entry.State state = Entry.State.of(row.getString(7));
              String message = row.getString(8);
              double seconds = row.getDouble(9);
              byte[] packed = state == Entry.State.DONE ? row.getBytes(10) : null;
              Fields fields = descriptions.get(row.getString(11));
              long cycles = row.getLong(12);
              return () ->
                  new Entry(
                      member,
                      state,
                      message,
                      seconds,
                      packed == null ? null : result(packed, member.point(), cycles),
                      fields == null ? Map.of() : fields);
            },
            study,
            first,
            last));
  }

  /** What is left to do of something that was read. */
  private interface Unpacking<T> {
    T now() throws IOException;
  }

  /** Thousands of results take a while to unpack: on all processors. */
  private static <T> List<T> inParallel(List<Unpacking<T>> all) throws IOException {
    try {
      return all.parallelStream()
          .map(
              one -> {
                try {
                  return one.now();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              })
          .toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private RunResult result(byte[] packed, String point, long cycles) throws IOException {
    RunResult result = unpack(packed, point);
    if (result.cycles() != cycles) {
      throw damaged("point " + point);
    }
    return result;
  }

  private Map<String, String> description(String hash, byte[] packed) {
    try {
      return JSON.readValue(unpacked(packed, "description " + hash), FIELDS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The points of a study by address. */
  public synchronized Map<String, Point> points(String study) throws IOException {
    Map<String, Point> points = new HashMap<>();
    ask(
        "SELECT id, trace, gpu, core, settings, kernels, max_cycles, trace_sha256,"
            + " description_sha256, version FROM points WHERE id IN (SELECT point FROM members"
            + " WHERE study = ?)",
        row ->
            points.put(
                row.getString(1),
                new Point(
                    row.getString(2),
                    row.getString(3),
                    row.getString(4),
                    list(row.getString(5), "\n"),
                    list(row.getString(6), ","),
                    row.getLong(7),
                    row.getString(8),
                    row.getString(9),
                    row.getString(10))),
        study);
    return points;
  }

  private static List<String> list(String text, String separator) {
    return text.isEmpty() ? List.of() : List.of(text.split(separator));
  }

  private static final TypeReference<LinkedHashMap<String, String>> FIELDS =
      new TypeReference<>() {};

  /** A result as it is kept: what follows from the point's inputs, and nothing else. */
  public static String text(RunResult result) throws IOException {
    StringWriter out = new StringWriter();
    Results.writeJson(
        result
            .withConfiguration(Map.of())
            .withOrigin(null)
            .withSimulation(new RunResult.Simulation(1, 0, 0, 0)),
        out);
    return out.toString();
  }

  private RunResult unpack(byte[] bytes, String point) throws IOException {
    try (Reader in =
        new InputStreamReader(
            new GZIPInputStream(new ByteArrayInputStream(bytes)), StandardCharsets.UTF_8)) {
      return Results.readJson(in, point);
    } catch (IOException e) {
      throw damaged("point " + point);
    }
  }

  private static byte[] packed(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  private String unpacked(byte[] bytes, String what) throws IOException {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw damaged(what);
    }
  }

  private StoreException damaged(String what) {
    return new StoreException(file, "the store is damaged (" + what + " cannot be read back)");
  }

  /** Some changes that are one: all of them are in the store, or none is. */
  public interface Changes {
    void make() throws IOException;
  }

  /** Makes changes together, which is much cheaper than one after the other. */
  public synchronized void together(Changes changes) throws IOException {
    change(
        () -> {
          changes.make();
          return null;
        });
  }

  private synchronized <T> T change(Change<T> change) throws IOException {
    try {
      if (changing) {
        return change.make();
      }
      execute("BEGIN IMMEDIATE");
      changing = true;
      try {
        T made = change.make();
        execute("COMMIT");
        return made;
      } catch (SQLException | IOException | RuntimeException e) {
        execute("ROLLBACK");
        throw e;
      } finally {
        changing = false;
      }
    } catch (SQLException e) {
      throw problem(file, e);
    }
  }

  /** What one row says. */
  private interface Reading<T> {
    T of(ResultSet row) throws SQLException, IOException;
  }

  private <T> List<T> ask(String sql, Reading<T> reading, Object... values) throws IOException {
    List<T> all = new ArrayList<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          all.add(reading.of(rows));
        }
      }
    } catch (SQLException e) {
      throw problem(file, e);
    }
    return all;
  }

  private int run(String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      return statement.executeUpdate();
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private long number(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getLong(1) : 0;
    }
  }

  private String text(String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getString(1) : null;
    }
  }

  @Override
  public synchronized void close() throws IOException {
    try {
      connection.close();
    } catch (SQLException e) {
      throw problem(file, e);
    }
  }
}
