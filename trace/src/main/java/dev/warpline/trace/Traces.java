package dev.warpline.trace;

import dev.warpline.trace.Problem.Skipped;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/**
 * Opens traced programs: a {@code kernelslist.g}, a folder that has one, or an archive of such a
 * folder ({@code .tar.xz}, {@code .tar.gz}, {@code .tar.zst}, {@code .tar}, {@code .zip}).
 */
public final class Traces {
  private Traces() {}

  /** Opens a trace leniently; problems are collected in {@link TraceSet#diagnostics()}. */
  public static TraceSet open(Path path) throws IOException {
    return open(path, Diagnostics.lenient());
  }

  /** Opens a trace. */
  public static TraceSet open(Path path, Diagnostics diagnostics) throws IOException {
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
    String name = path.getFileName().toString();
    if (Files.isDirectory(path)) {
      return open(path, new FolderFiles(path), null, diagnostics);
    }
    if (name.endsWith(".zip")) {
      return open(path, new ZipFiles(path), null, diagnostics);
    }
    if (TarFiles.isTar(name)) {
      return open(path, new TarFiles(path), null, diagnostics);
    }
    Path folder = path.toAbsolutePath().getParent();
    if (isKernel(name)) {
      return new FileTraceSet(
          path.toString(),
          new FolderFiles(folder),
          List.of(new TraceCommand.Launch(0, name)),
          diagnostics);
    }
    return open(path, new FolderFiles(folder), name, diagnostics);
  }

  private static TraceSet open(Path path, TraceFiles files, String list, Diagnostics diagnostics)
      throws IOException {
    try {
      String name = list != null ? list : findList(path, files);
      List<TraceCommand> commands =
          CommandList.read(files.title(name), files.bytes(name), diagnostics);
      return new FileTraceSet(path.toString(), files, commands, diagnostics);
    } catch (IOException | RuntimeException e) {
      files.close();
      throw e;
    }
  }

  private static String findList(Path path, TraceFiles files) throws IOException {
    List<String> names = files.names();
    for (String usual : List.of("kernelslist.g", "kernelslist")) {
      if (names.contains(usual)) {
        return usual;
      }
    }
    return names.stream()
        .filter(Traces::isList)
        .sorted()
        .findFirst()
        .orElseThrow(
            () ->
                new TraceFormatException(
                    new Problem(
                        path.toString(),
                        0,
                        0,
                        "no kernel list",
                        "a file kernelslist.g",
                        Skipped.NOTHING)));
  }

  /** Whether a file name is that of a kernel list; Accel-Sim 2.0 adds the CUDA context to it. */
  static boolean isList(String name) {
    return name.startsWith("kernelslist") && !name.endsWith(".wlt");
  }

  private static boolean isKernel(String name) {
    String base = Packing.of(name).strip(name);
    return base.endsWith(".traceg") || base.endsWith(".trace") || base.endsWith(".tracez");
  }
}
