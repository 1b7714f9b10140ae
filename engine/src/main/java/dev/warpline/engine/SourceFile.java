package dev.warpline.engine;

import dev.warpline.engine.profile.KernelProfile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The lines of a source file that a run's instructions come from, and what stands around them.
 *
 * @param path the file as the compiler saw it
 * @param readFrom where the text was found, null if it was not
 * @param problem why there is no text, null if there is
 * @param lines text by line number
 */
public record SourceFile(
    String path, String readFrom, String problem, NavigableMap<Integer, String> lines) {
  /** Lines shown before and after one that is named. */
  private static final int AROUND = 8;

  /** Lines between two that are named and are shown, too. */
  private static final int BETWEEN = 120;

  private static final long MOST_BYTES = 16 << 20;

  /**
   * The files that a run's profiles name, each looked for in folders, by its whole path and then by
   * less and less of its end, and last where the compiler saw it.
   */
  public static List<SourceFile> of(RunResult run, List<Path> folders) {
    Map<String, TreeSet<Integer>> named = new TreeMap<>();
    for (KernelResult kernel : run.kernels()) {
      if (kernel.profile() != null) {
        for (KernelProfile.Line line : kernel.profile().lines()) {
          for (KernelProfile.Source at = line.source(); at != null; at = at.caller()) {
            if (at.file() != null) {
              named.computeIfAbsent(at.file(), file -> new TreeSet<>()).add(at.line());
            }
          }
        }
      }
    }
    List<SourceFile> files = new ArrayList<>();
    named.forEach((path, lines) -> files.add(read(path, lines, folders)));
    return files;
  }

  private static SourceFile read(String path, TreeSet<Integer> wanted, List<Path> folders) {
    try {
      Path file = find(path, folders);
      if (file == null) {
        return missing(
            path,
            "not found"
                + (folders.isEmpty() ? "" : ", nor its name in " + words(folders))
                + "; --source FOLDER says where it is");
      }
      if (Files.size(file) > MOST_BYTES) {
        return missing(path, file + " has more than " + (MOST_BYTES >> 20) + " MiB");
      }
      String[] text = Files.readString(file, StandardCharsets.UTF_8).split("\r?\n");
      if (wanted.last() > text.length) {
        return missing(
            path,
            file
                + " has "
                + text.length
                + " lines, expected "
                + wanted.last()
                + ": another version");
      }
      NavigableMap<Integer, String> lines = new TreeMap<>();
      int before = -BETWEEN - 1;
      for (int line : wanted) {
        int from = line - before <= BETWEEN ? before + AROUND : line - AROUND;
        for (int i = Math.max(1, from); i <= Math.min(text.length, line + AROUND); i++) {
          lines.put(i, text[i - 1]);
        }
        before = line;
      }
      return new SourceFile(path, file.toString(), null, lines);
    } catch (IOException | InvalidPathException e) {
      return missing(path, "cannot be read: " + e.getMessage());
    }
  }

  private static SourceFile missing(String path, String why) {
    return new SourceFile(path, null, why, new TreeMap<>());
  }

  private static String words(List<Path> folders) {
    return String.join(", ", folders.stream().map(Path::toString).toList());
  }

  private static Path find(String path, List<Path> folders) {
    Path asCompiled = Path.of(path);
    for (Path folder : folders) {
      // The longest end of the path that is there: two files may have the same name.
      for (int from = 0; from < asCompiled.getNameCount(); from++) {
        Path file = folder.resolve(asCompiled.subpath(from, asCompiled.getNameCount()));
        if (Files.isRegularFile(file)) {
          return file;
        }
      }
    }
    return Files.isRegularFile(asCompiled) ? asCompiled : null;
  }
}
