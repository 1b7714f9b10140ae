package dev.warpline.cli;

import com.sun.management.OperatingSystemMXBean;
import dev.warpline.engine.Build;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.study.store.ResultStore;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What of a machine Warpline can use. */
final class Examination {
  private static final long GIB = 1L << 30;
  private static final long MIB = 1L << 20;

  /** How something is. */
  enum State {
    GOOD,
    /** Only some commands need it. */
    ABSENT,
    POOR,
    BROKEN;

    String word() {
      return this == GOOD ? "ok" : name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One thing that was looked at.
   *
   * @param todo what helps, null if nothing need be done
   */
  record Finding(State state, String what, String found, String todo) {}

  private final Map<String, String> environment;
  private final Path temporary;
  private final List<Finding> findings = new ArrayList<>();

  Examination(Map<String, String> environment, Path temporary) {
    this.environment = environment;
    this.temporary = temporary;
  }

  List<Finding> all() {
    good("Warpline", Build.version() + ", commit " + Build.commit());
    java();
    memory();
    int processors = Runtime.getRuntime().availableProcessors();
    good("processors", processors + (processors == 1 ? ", so runs use one thread" : ""));
    classes();
    presets();
    folder("temporary", temporary, 200 * MIB, "set WARPLINE_JAVA_OPTS=-Djava.io.tmpdir=FOLDER");
    folder("cache", cache(), 50 * MIB, "set XDG_CACHE_HOME to a folder that can be written");
    store();
    python();
    hip();
    slurm();
    return findings;
  }

  private void add(State state, String what, String found, String todo) {
    findings.add(new Finding(state, what, found, todo));
  }

  private void good(String what, String found) {
    add(State.GOOD, what, found, null);
  }

  private void java() {
    good(
        "Java",
        Runtime.version()
            + ", "
            + System.getProperty("java.vm.name")
            + ", "
            + System.getProperty("java.home"));
  }

  private void memory() {
    long heap = Runtime.getRuntime().maxMemory();
    long machine =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    String found =
        String.format(Locale.ROOT, "%.1f GiB of %.1f", (double) heap / GIB, (double) machine / GIB);
    if (heap > machine) {
      add(
          State.POOR,
          "memory",
          found,
          "set WARPLINE_JAVA_OPTS=-Xmx" + Math.max(1, machine / GIB / 2) + "g: more is not there");
    } else if (heap < GIB) {
      add(State.POOR, "memory", found, "WARPLINE_JAVA_OPTS=-Xmx4g gives large traces room");
    } else {
      good("memory", found + "; WARPLINE_JAVA_OPTS=-Xmx16g gives more");
    }
  }

  /** Classes prepared for a quick start, as the launcher arranges. */
  private void classes() {
    String option = "-XX:SharedArchiveFile=";
    String archive =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> argument.startsWith(option))
            .map(argument -> argument.substring(option.length()))
            .findFirst()
            .orElse(null);
    if (archive != null && Files.isReadable(Path.of(archive))) {
      good("quick start", "classes prepared in " + archive);
    } else {
      add(
          State.POOR,
          "quick start",
          "no prepared classes: a start takes a second longer",
          "start with ./warpline, from a folder that can be written or with XDG_CACHE_HOME, and"
              + " without a collector of your own");
    }
  }

  private void presets() {
    try {
      for (String name : Gpus.names()) {
        Gpus.load(name);
      }
      good("GPUs", Gpus.names().size() + " presets can be read");
    } catch (IOException e) {
      add(State.BROKEN, "GPUs", Main.words(e), "unpack or build Warpline again");
    }
  }

  private Path cache() {
    String folder = environment.get("XDG_CACHE_HOME");
    return folder == null || folder.isEmpty()
        ? Path.of(System.getProperty("user.home"), ".cache", "warpline")
        : Path.of(folder, "warpline");
  }

  /** A folder, or where it would be made. */
  private void folder(String what, Path folder, long need, String todo) {
    Path there = folder.toAbsolutePath();
    while (there != null && !Files.exists(there)) {
      there = there.getParent();
    }
    if (there == null || !Files.isDirectory(there) || !Files.isWritable(there)) {
      add(State.POOR, what, folder + ": cannot be written", todo);
      return;
    }
    long free = there.toFile().getUsableSpace();
    String found = String.format(Locale.ROOT, "%s, %,d MiB free", folder, free / MIB);
    if (free < need) {
      add(State.POOR, what, found, "make room: " + need / MIB + " MiB are needed at times");
    } else {
      good(what, found);
    }
  }

  /** Studies need a native library that must be unpacked into a folder that may run programs. */
  private void store() {
    try {
      Path folder = Files.createTempDirectory(temporary, "warpline-doctor");
      Path file = folder.resolve("store.db");
      try (ResultStore store = ResultStore.open(file)) {
        good(
            "studies",
            "stores can be written, " + store.studies().size() + " studies in a new one");
      } finally {
        File[] left = folder.toFile().listFiles();
        for (File one : left == null ? new File[0] : left) {
          Files.deleteIfExists(one.toPath());
        }
        Files.deleteIfExists(folder);
      }
    } catch (IOException | RuntimeException | LinkageError e) {
      add(
          State.BROKEN,
          "studies",
          "no store can be written: " + e.getMessage(),
          "the temporary folder must be writable and allow programs (not noexec): set"
              + " WARPLINE_JAVA_OPTS=-Djava.io.tmpdir=FOLDER");
    }
  }

  private void python() {
    String version = said("python3", "--version");
    if (version == null) {
      absent("Python", "no python3", "python3 python3-pandas python3-matplotlib", "docs/python.md");
      return;
    }
    String missing =
        said(
            "python3",
            "-c",
            "import importlib.util as u; print(' '.join(m for m in ('pandas', 'matplotlib') if not"
                + " u.find_spec(m)) or 'none')");
    if ("none".equals(missing)) {
      good("Python", version + " with pandas and matplotlib");
    } else {
      absent(
          "Python",
          version + " without " + (missing == null ? "an answer" : missing),
          "python3-pandas python3-matplotlib",
          "frames and plots of docs/python.md");
    }
  }

  private void hip() {
    List<String> missing = new ArrayList<>();
    for (String program : List.of("cc", "clang++-19", "clang-offload-bundler-19", "ld.lld-19")) {
      if (said(program, "--version") == null) {
        missing.add(program);
      }
    }
    if (!Files.exists(Path.of("/usr/include/hip/hip_runtime.h"))) {
      missing.add("hip/hip_runtime.h");
    }
    if (missing.isEmpty()) {
      good("HIP", "programs can be compiled and run");
    } else {
      absent(
          "HIP",
          "no " + String.join(", ", missing),
          "gcc clang-19 clang-tools-19 lld-19 libamdhip64-dev rocm-device-libs",
          "'hip' and docs/hip.md");
    }
  }

  private void slurm() {
    String version = said("sbatch", "--version");
    if (version == null) {
      absent("Slurm", "no sbatch", "slurm-client", "'sweep --on slurm', docs/cluster.md");
    } else {
      good("Slurm", version);
    }
  }

  private void absent(String what, String found, String packages, String who) {
    add(State.ABSENT, what, found, "for " + who + ": apt-get install " + packages);
  }

  private String find(String program) {
    for (String place : environment.getOrDefault("PATH", "").split(File.pathSeparator)) {
      if (!place.isEmpty() && Files.isExecutable(Path.of(place, program))) {
        return Path.of(place, program).toString();
      }
    }
    return null;
  }

  /** The first line that a program prints, null if there is no such program or it fails. */
  private String said(String... command) {
    String program = find(command[0]);
    if (program == null) {
      return null;
    }
    try {
      List<String> words = new ArrayList<>(List.of(command));
      words.set(0, program);
      ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
      builder.environment().clear();
      builder.environment().putAll(environment);
      Process process = builder.start();
      process.getOutputStream().close();
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return null;
      }
      String text = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
      return process.exitValue() == 0 ? text.lines().findFirst().orElse("").strip() : null;
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
