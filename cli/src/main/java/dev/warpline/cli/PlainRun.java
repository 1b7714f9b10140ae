package dev.warpline.cli;

import dev.warpline.nvidia.Core;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The plainest command lines of {@code run}, read without picocli, whose set-up takes longer than a
 * small simulation: one trace, and options that choose the GPU, its core and the threads, each with
 * a value. Every other command line, and one with a mistake, is for picocli.
 */
final class PlainRun {
  private final RunCommand command = new RunCommand();
  private final Set<String> given = new HashSet<>();

  private PlainRun() {
    command.input = new TraceOptions();
    command.input.choice = new KernelFilter();
    command.gpu = new GpuOptions();
    command.gpu.plugins = new Plugins();
    command.files = new OutputFiles();
    command.controls = new RunControls();
    command.checkpoints = new CheckpointOptions();
    command.whole = new ProgramOptions();
  }

  /** Thrown where a command line that was taken to be plain turns out to be wrong. */
  static final class Mistaken extends RuntimeException {
    private static final long serialVersionUID = 1;

    Mistaken(String message) {
      super(message, null, false, false);
    }
  }

  /** Executes a command line if it is plain; gives its exit code, null if it is for picocli. */
  static Integer execute(Terminal terminal) {
    if (terminal.words().isEmpty() || !terminal.words().get(0).equals("run")) {
      return null;
    }
    PlainRun plain = new PlainRun();
    if (!plain.reads(terminal.words())) {
      return null;
    }
    plain.command.terminal = terminal;
    try {
      return plain.command.call();
    } catch (Mistaken e) {
      return null;
    } catch (Exception e) {
      return Main.report(e, terminal.err());
    }
  }

  /** Reads a command line into the command; whether it is a plain one. */
  private boolean reads(List<String> words) {
    for (int i = 1; i < words.size(); i++) {
      String word = words.get(i);
      boolean option = word.startsWith("--");
      String value = option && ++i < words.size() ? words.get(i) : option ? "" : word;
      // A value that begins with one of these may be something else.
      if (value.isEmpty() || "-@\"'".indexOf(value.charAt(0)) >= 0) {
        return false;
      }
      if (!(option ? set(word, value) : trace(value))) {
        return false;
      }
    }
    return command.input.trace != null;
  }

  private boolean trace(String word) {
    Path path = path(word);
    boolean first = command.input.trace == null;
    command.input.trace = path;
    return first && path != null;
  }

  private boolean set(String option, String value) {
    boolean first = given.add(option);
    switch (option) {
      case "--config":
        Path path = path(value);
        return path != null && command.gpu.configs.add(path);
      case "--set":
        return command.gpu.settings.add(value);
      case "--gpu":
        command.gpu.gpu = value;
        return first;
      case "--core":
        for (Core core : Core.values()) {
          if (core.name().equals(value.toUpperCase(Locale.ROOT))) {
            command.core = core;
            return first;
          }
        }
        return false;
      case "--threads":
        command.controls.threads = threads(value);
        return first && command.controls.threads > 0;
      default:
        return false;
    }
  }

  private static Path path(String word) {
    try {
      return Path.of(word);
    } catch (InvalidPathException e) {
      return null;
    }
  }

  /** A number of threads, 0 if it is none. */
  private static int threads(String word) {
    int number = 0;
    for (int i = 0; i < word.length(); i++) {
      char digit = word.charAt(i);
      number = digit < '0' || digit > '9' || i > 3 ? -1 : 10 * number + digit - '0';
      if (number < 0) {
        return 0;
      }
    }
    return number <= Numbers.MOST_THREADS ? number : 0;
  }
}
