package dev.warpline.study.cluster;

import dev.warpline.engine.StopSignal;
import dev.warpline.study.store.Point;
import dev.warpline.study.sweep.On;
import dev.warpline.study.sweep.PointRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Array jobs of Slurm. Everything passes through a folder that all nodes see: a folder per job with
 * a file of tasks and a file of answers per element, so that no two processes write one file. What
 * an element that ended has not answered is submitted again; an element that takes much longer than
 * the others is submitted a second time. A sweep that was killed leaves its jobs to Slurm, and the
 * next one with the same folder takes up their answers.
 */
public final class OnSlurm implements On {
  private static final int MOST_AWAY = 100_000;
  private static final int MOST_ATTEMPTS = 3;
  private static final long LOOK_MILLIS = 500;
  private static final long QUIET_MILLIS = 500;
  private static final long ASK_MILLIS = 3_000;

  /** Files of other machines may be seen so much later than Slurm's word. */
  private static final long GRACE_MILLIS = 6_000;

  private static final long STRAGGLER_SECONDS = 60;
  private static final int STRAGGLER_FACTOR = 3;

  /**
   * How to use Slurm.
   *
   * @param folder a folder that all nodes see
   * @param sbatch options for sbatch
   * @param perElement points per element of an array, 0 for as few as Slurm allows
   * @param threads points at a time per element
   */
  public record Use(Path folder, List<String> sbatch, int perElement, int threads) {}

  /** An element of a job: the points it shall answer, and how far its answers were read. */
  private static final class Element {
    final Job job;
    final int number;
    final List<String> points = new ArrayList<>();
    long read;
    int answers;
    long seconds;
    long gone;
    boolean running;
    boolean twice;

    Element(Job job, int number) {
      this.job = job;
      this.number = number;
    }
  }

  private record Job(String name, String number, Path folder, List<Element> elements) {}

  private final Use use;
  private final StopSignal stop;
  private final Pending pending;
  private final TaskMaker tasks = new TaskMaker();
  private final SlurmCommands slurm = new SlurmCommands();
  private final int mostElements;
  private final Path jars;
  private final FileChannel lock;
  private final List<Job> jobs = new ArrayList<>();

  /** Elements that may still answer. */
  private final List<Element> open = new ArrayList<>();

  /** How many of them a point is in. */
  private final Map<String, Integer> carried = new HashMap<>();

  /** Answers of earlier jobs for points that nobody has asked for yet. */
  private final Map<String, String> early = new HashMap<>();

  private final Map<String, Integer> attempts = new HashMap<>();
  private final Map<String, Point> points = new HashMap<>();
  private final List<Point> fresh = new ArrayList<>();
  private final List<Long> ended = new ArrayList<>();
  private final Thread watch = new Thread(this::watch, "slurm");
  private long added;
  private long asked;
  private int answered;
  private volatile int width = 1;
  private volatile boolean closing;
  private volatile IOException broken;
  private boolean left;

  /**
   * Finds Slurm, and jobs that an earlier sweep with the same folder left.
   *
   * @throws IOException if there is no Slurm, or the folder cannot be written
   */
  public OnSlurm(Use use, StopSignal stop) throws IOException {
    this.use = use;
    this.stop = stop;
    pending = new Pending(stop);
    mostElements = slurm.mostElements();
    try {
      Files.createDirectories(use.folder);
      lock =
          FileChannel.open(
              use.folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new IOException(
          use.folder + ": cannot be written, and Slurm's nodes shall (" + e + ")", e);
    }
    if (!locked()) {
      lock.close();
      throw new IOException(
          use.folder + ": another sweep uses it; wait for that one, or name another with --shared");
    }
    jars = jars();
    takeUp();
    watch.setDaemon(true);
    watch.start();
  }

  private boolean locked() throws IOException {
    try {
      return lock.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  /** This Warpline, where nodes see it and no build changes it. */
  private Path jars() throws IOException {
    Path made = Files.createTempDirectory(use.folder, "new-");
    List<Path> all = ClassPath.jars(made);
    List<Parcel> parcels = new ArrayList<>();
    for (Path jar : all) {
      parcels.add(Parcel.of(jar, List.of(jar)));
    }
    StringBuilder key = new StringBuilder();
    parcels.forEach(parcel -> key.append(parcel.address()));
    String hash = Point.sha256(key.toString().getBytes(StandardCharsets.UTF_8));
    Path place = use.folder.resolve("warpline-" + hash.substring(0, 16));
    if (!Files.isDirectory(place)) {
      for (Path jar : all) {
        if (!jar.startsWith(made)) {
          Files.copy(jar, made.resolve(jar.getFileName()));
        }
      }
      Files.move(made, place);
    } else {
      delete(made);
    }
    return place;
  }

  /** Reads what earlier jobs of the folder are and have answered. */
  private void takeUp() throws IOException {
    List<Path> folders;
    try (Stream<Path> all = Files.list(use.folder)) {
      folders = all.filter(f -> f.getFileName().toString().startsWith("job-")).toList();
    }
    for (Path folder : folders) {
      Path number = folder.resolve("submitted");
      if (!Files.exists(number)) {
        delete(folder);
        continue;
      }
      Job job = new Job(name(folder), Files.readString(number).strip(), folder, new ArrayList<>());
      for (int i = 0; Files.exists(SlurmTask.tasks(folder, i)); i++) {
        Element element = new Element(job, i);
        for (String line : Files.readAllLines(SlurmTask.tasks(folder, i))) {
          element.points.add(line.substring(0, line.indexOf(' ')));
        }
        job.elements.add(element);
        read(element);
      }
      open(job);
    }
  }

  private void open(Job job) {
    jobs.add(job);
    for (Element element : job.elements) {
      open.add(element);
      element.points.forEach(id -> carried.merge(id, 1, Integer::sum));
    }
  }

  private static String name(Path folder) {
    return "warpline-" + folder.getFileName();
  }

  @Override
  public int width() {
    return width;
  }

  @Override
  public int room() throws IOException {
    if (broken != null) {
      throw broken;
    }
    return MOST_AWAY - pending.size();
  }

  @Override
  public synchronized void begin(Point point, Consumer<Ended> told) {
    pending.add(point, told);
    String id = point.id();
    points.put(id, point);
    String line = early.remove(id);
    if (line != null && pending.answered(line)) {
      return;
    }
    if (!carried.containsKey(id)) {
      add(point);
    }
  }

  private void add(Point point) {
    fresh.add(point);
    added = System.currentTimeMillis();
  }

  private void watch() {
    while (!closing) {
      try {
        look();
        Thread.sleep(LOOK_MILLIS);
      } catch (IOException e) {
        broken = e;
        return;
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private synchronized void look() throws IOException {
    long now = System.currentTimeMillis();
    if (closing) {
      return;
    }
    if (!fresh.isEmpty() && now - added >= QUIET_MILLIS) {
      List<Point> all = List.copyOf(fresh);
      fresh.clear();
      submit(all);
    }
    for (Element element : open) {
      read(element);
    }
    if (!open.isEmpty() && now - asked >= ASK_MILLIS) {
      asked = now;
      ask(now);
    }
  }

  private void submit(List<Point> all) throws IOException {
    int per = use.perElement;
    if (per == 0) {
      per = Math.max(use.threads, (all.size() + mostElements - 1) / mostElements);
    }
    for (int from = 0; from < all.size(); from += per * mostElements) {
      submitArray(all.subList(from, Math.min(all.size(), from + per * mostElements)), per);
    }
  }

  private void submitArray(List<Point> all, int per) throws IOException {
    Path folder = use.folder.resolve("job-" + UUID.randomUUID().toString().substring(0, 8));
    Files.createDirectories(folder);
    List<List<String>> lists = new ArrayList<>();
    for (int from = 0; from < all.size(); from += per) {
      List<String> ids = new ArrayList<>();
      List<String> lines = new ArrayList<>();
      for (Point point : all.subList(from, Math.min(all.size(), from + per))) {
        try {
          lines.add(point.id() + " " + tasks.of(point).line());
          ids.add(point.id());
        } catch (IOException e) {
          pending.failed(point.id(), PointRun.words(e));
        }
      }
      if (!ids.isEmpty()) {
        Files.write(SlurmTask.tasks(folder, lists.size()), lines);
        lists.add(ids);
      }
    }
    if (lists.isEmpty()) {
      delete(folder);
      return;
    }
    Path script = Files.writeString(folder.resolve("run.sh"), script(folder, lists.size()));
    String number;
    try {
      number = slurm.submit(script, use.sbatch);
    } catch (IOException e) {
      delete(folder);
      throw e;
    }
    Files.writeString(folder.resolve("submitted"), number + "\n");
    Job job = new Job(name(folder), number, folder, new ArrayList<>());
    for (List<String> ids : lists) {
      Element element = new Element(job, job.elements.size());
      element.points.addAll(ids);
      job.elements.add(element);
    }
    open(job);
    asked = System.currentTimeMillis();
  }

  private String script(Path folder, int elements) {
    long heap = Runtime.getRuntime().maxMemory() >> 20;
    return """
        #!/bin/bash
        #SBATCH --job-name=%s
        #SBATCH --array=0-%d
        #SBATCH --cpus-per-task=%d
        #SBATCH --mem=%dM
        #SBATCH --output=%s
        #SBATCH --open-mode=append
        java=%s
        [ -x "$java" ] || java=${JAVA_HOME:+$JAVA_HOME/bin/}java
        exec "$java" -Xlog:disable -XX:-UsePerfData -XX:+UseSerialGC -Xmx%dm -cp %s \\
          %s %s "$SLURM_ARRAY_TASK_ID" %d
        """
        .formatted(
            name(folder),
            elements - 1,
            use.threads,
            heap + 512,
            folder.toAbsolutePath().toString().replace("%", "%%") + "/log-%a",
            quoted(Path.of(System.getProperty("java.home"), "bin", "java").toString()),
            heap,
            quoted(jars.toAbsolutePath() + "/*"),
            SlurmTask.class.getName(),
            quoted(folder.toAbsolutePath().toString()),
            use.threads);
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  /** Takes the answers that an element has written since. */
  private void read(Element element) throws IOException {
    Path file = SlurmTask.answers(element.job.folder, element.number);
    if (!Files.exists(file) || Files.size(file) <= element.read) {
      return;
    }
    byte[] bytes;
    try (FileChannel in = FileChannel.open(file)) {
      in.position(element.read);
      bytes = java.nio.channels.Channels.newInputStream(in).readAllBytes();
    }
    int begin = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\n') {
        if (take(new String(bytes, begin, i - begin, StandardCharsets.UTF_8))) {
          element.answers++;
        }
        begin = i + 1;
      }
    }
    element.read += begin;
  }

  private boolean take(String line) {
    try {
      String id = Answer.of(line).id();
      if (!pending.has(id)) {
        early.putIfAbsent(id, line);
      } else if (pending.answered(line)) {
        answered++;
      }
      return true;
    } catch (IOException e) {
      // Cut off when its writer was killed: as if it had not been written.
      return false;
    }
  }

  /** Asks Slurm which elements are still there. */
  private void ask(long now) throws IOException {
    List<SlurmCommands.Element> there;
    try {
      there = slurm.elements(jobs.stream().map(Job::name).toList());
    } catch (IOException e) {
      // Slurm's controller may be away for a while; elements run on.
      return;
    }
    Map<String, SlurmCommands.Element> known = new HashMap<>();
    there.forEach(element -> known.put(element.job() + " " + element.number(), element));
    width =
        Math.max(
            1, (int) there.stream().filter(SlurmCommands.Element::running).count() * use.threads);
    for (Element element : List.copyOf(open)) {
      SlurmCommands.Element still = known.get(element.job.name + " " + element.number);
      element.running = still != null && still.running();
      if (still != null) {
        element.gone = 0;
        element.seconds = still.seconds();
      } else if (element.gone == 0) {
        element.gone = now;
      }
      boolean complete = element.points.stream().noneMatch(pending::has);
      if (element.gone != 0 && (complete || now - element.gone >= GRACE_MILLIS)) {
        read(element);
        open.remove(element);
        element.points.forEach(id -> carried.computeIfPresent(id, (i, n) -> n == 1 ? null : n - 1));
        ended.add(element.seconds);
        lost(element);
      } else if (element.running && !complete) {
        second(element);
      }
    }
  }

  /** What an element that is no more has not answered. */
  private void lost(Element element) throws IOException {
    String end = null;
    for (String id : element.points) {
      if (!pending.has(id) || carried.containsKey(id)) {
        continue;
      }
      if (attempts.merge(id, 1, Integer::sum) < MOST_ATTEMPTS) {
        add(points.get(id));
        continue;
      }
      if (end == null) {
        end = slurm.end(element.job.number, element.number) + last(element);
      }
      pending.failed(
          id,
          "no answer from "
              + MOST_ATTEMPTS
              + " elements of Slurm's arrays; the last was "
              + element.job.number
              + "_"
              + element.number
              + ": "
              + end);
    }
  }

  private String last(Element element) throws IOException {
    Path log = element.job.folder.resolve("log-" + element.number);
    if (!Files.exists(log)) {
      return ", and wrote no log (does the node see " + use.folder + "?)";
    }
    List<String> lines = Files.readAllLines(log, StandardCharsets.ISO_8859_1);
    return lines.isEmpty() ? "" : ", " + lines.get(lines.size() - 1).strip();
  }

  /** Submits an element's points a second time if it takes much longer than others did. */
  private void second(Element element) {
    long usual = ended.stream().sorted().skip(ended.size() / 2).findFirst().orElse(Long.MAX_VALUE);
    boolean late =
        answered > 3 * pending.size()
            && element.seconds > STRAGGLER_SECONDS
            && element.seconds / STRAGGLER_FACTOR > usual;
    if (late && !element.twice) {
      element.twice = true;
      element.points.stream().filter(pending::has).forEach(id -> add(points.get(id)));
    }
  }

  @Override
  public Carried carried() {
    return pending.carried(tasks.seconds());
  }

  @Override
  public void close() {
    try {
      while (stop.reason() == null && broken == null && pending.size() > 0) {
        Thread.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (this) {
      closing = true;
      try {
        for (Element element : open) {
          read(element);
        }
        List<String> useless =
            open.stream()
                .filter(element -> element.answers < element.points.size())
                .map(element -> element.job.number + "_" + element.number)
                .toList();
        if (!useless.isEmpty()) {
          slurm.cancel(useless);
        }
      } catch (IOException e) {
        // They run on, and the next sweep takes up what they answer.
        left = true;
      }
    }
    pending.giveAll();
  }

  /** Throws away what the jobs left. */
  @Override
  public void stored() throws IOException {
    lock.close();
    for (Job job : left ? List.<Job>of() : jobs) {
      delete(job.folder);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (UncheckedIOException | DirectoryNotEmptyException e) {
      // Somebody still wrote there; the next sweep finds a job that has ended.
    }
  }
}
