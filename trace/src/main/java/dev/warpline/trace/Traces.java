package dev.warpline.trace;

import dev.warpline.trace.Problem.Skipped;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Opens traced programs: a {@code kernelslist.g}, a folder that has one, or an archive of such a
 * folder ({@code .tar.xz}, {@code .tar.gz}, {@code .tar.zst}, {@code .tar}, {@code .zip}); a single
 * kernel's file; a trace cache ({@code .wlt}); or what a {@link TraceOpener} opens. A cache beside
 * a trace is used in its place.
 */
public final class Traces {
  /** Suffix of the compact trace cache. */
  public static final String CACHE_SUFFIX = ".wlt";

  private static final List<String> USUAL_LISTS = List.of("kernelslist.g", "kernelslist");

  /** What comes off a trace's name before the cache's suffix goes on. */
  private static final List<String> SUFFIXES =
      List.of(
          ".xz", ".gz", ".zst", ".tar", ".zip", ".tgz", ".txz", ".wcap", ".g", ".traceg", ".trace");

  /** Many more bytes than the list of any program has. */
  private static final long MOST_LIST_BYTES = 64 << 20;

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
    String name = fileName(path);
    if (name.endsWith(CACHE_SUFFIX)) {
      return openCache(path.toString(), path, diagnostics);
    }
    TraceSet cached = cached(path, diagnostics);
    if (cached != null) {
      return cached;
    }
    return openSource(path, diagnostics);
  }

  /** Who opens a program that is no trace, or null if none does. */
  private static TraceOpener opener(Path path) {
    if (isTrace(path)) {
      // Looking through the jars takes as long as reading a short trace.
      return null;
    }
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    for (TraceOpener opener :
        ServiceLoader.load(
            TraceOpener.class, loader == null ? Traces.class.getClassLoader() : loader)) {
      if (opener.opens(path)) {
        return opener;
      }
    }
    return null;
  }

  /** Whether a path is by its name a trace that is read here. */
  private static boolean isTrace(Path path) {
    String name = fileName(path);
    boolean named = TarFiles.isTar(name) || name.endsWith(".zip") || isKernel(name) || isList(name);
    return named && !Files.isDirectory(path);
  }

  /** The files that belong to a trace: itself, or of a folder the list and what it may name. */
  public static List<Path> files(Path trace) throws IOException {
    TraceOpener opener = opener(trace);
    if (opener != null) {
      return opener.files(trace);
    }
    boolean list = trace.toString().endsWith(".g");
    if (!Files.isDirectory(trace) && !list) {
      return List.of(trace);
    }
    try (Stream<Path> files = Files.list(list ? trace.toAbsolutePath().getParent() : trace)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> file.getFileName().toString().startsWith("kernel"))
          .filter(file -> !file.toString().endsWith(CACHE_SUFFIX))
          .sorted()
          .toList();
    }
  }

  /** Opens a trace from its own files, whether or not there is a cache beside it. */
  public static TraceSet openSource(Path path, Diagnostics diagnostics) throws IOException {
    TraceOpener opener = opener(path);
    if (opener != null) {
      return opener.open(path, diagnostics);
    }
    String name = fileName(path);
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

  /** Last part of a path; empty for a root folder. */
  private static String fileName(Path path) {
    Path name = path.getFileName();
    return name == null ? "" : name.toString();
  }

  /** Where the cache of a trace belongs: beside it. */
  public static Path cachePath(Path trace) {
    if (Files.isDirectory(trace)) {
      return trace.resolve("kernelslist" + CACHE_SUFFIX);
    }
    String name = fileName(trace);
    String stem = name;
    for (String suffix : SUFFIXES) {
      if (stem.endsWith(suffix)) {
        stem = stem.substring(0, stem.length() - suffix.length());
      }
    }
    return trace.resolveSibling(stem + CACHE_SUFFIX);
  }

  /** Tells a trace from others, to know a stale cache. */
  public static String fingerprint(Path trace) throws IOException {
    String name = fileName(trace);
    if (Files.isDirectory(trace) && opener(trace) != null) {
      return Fingerprint.of(
          trace, files(trace).stream().map(file -> trace.relativize(file).toString()).toList());
    }
    if (Files.isDirectory(trace) || isList(name)) {
      Path folder = Files.isDirectory(trace) ? trace : trace.toAbsolutePath().getParent();
      return Fingerprint.of(
          folder,
          new FolderFiles(folder)
              .names().stream()
                  .filter(file -> isList(file) || file.startsWith("kernel"))
                  .filter(file -> !file.endsWith(CACHE_SUFFIX))
                  .toList());
    }
    return Fingerprint.of(trace);
  }

  private static TraceSet cached(Path path, Diagnostics diagnostics) throws IOException {
    Path cache = cachePath(path);
    if (!Files.isRegularFile(cache)) {
      return null;
    }
    CacheTraceSet set;
    try {
      set = openCache(path.toString(), cache, diagnostics);
    } catch (TraceFormatException e) {
      diagnostics.warn(e.getMessage() + "; the trace itself is read instead");
      return null;
    }
    if (set.fingerprint().equals(fingerprint(path))) {
      return set;
    }
    set.close();
    diagnostics.warn(
        cache
            + ": found the cache of another version of this trace; the trace itself is read"
            + " instead (run warpline convert to renew it)");
    return null;
  }

  private static CacheTraceSet openCache(String name, Path cache, Diagnostics diagnostics)
      throws IOException {
    RandomBytes bytes = RandomBytes.of(cache);
    try {
      return new CacheTraceSet(name, new CacheFile(cache.toString(), bytes), diagnostics);
    } catch (IOException | RuntimeException e) {
      bytes.close();
      throw e;
    }
  }

  private static TraceSet open(Path path, TraceFiles files, String list, Diagnostics diagnostics)
      throws IOException {
    try {
      String name = list != null ? list : findList(path, files, diagnostics);
      if (files.size(name) > MOST_LIST_BYTES) {
        throw bad(files.title(name), "a file of " + files.size(name) + " bytes", "a kernel list");
      }
      List<TraceCommand> commands =
          CommandList.read(files.title(name), files.bytes(name), diagnostics);
      return new FileTraceSet(path.toString(), files, commands, diagnostics);
    } catch (IOException | RuntimeException e) {
      files.close();
      throw e;
    }
  }

  private static String findList(Path path, TraceFiles files, Diagnostics diagnostics)
      throws IOException {
    List<String> lists = files.names().stream().filter(Traces::isList).sorted().toList();
    for (String usual : USUAL_LISTS) {
      if (lists.contains(usual)) {
        for (String other : lists) {
          if (other.endsWith(".g") && !other.equals(usual)) {
            diagnostics.warn(path + ": " + usual + " is read, " + other + " is not");
          }
        }
        return usual;
      }
    }
    List<String> grouped = lists.stream().filter(name -> name.endsWith(".g")).toList();
    List<String> candidates = grouped.isEmpty() ? lists : grouped;
    if (candidates.isEmpty()) {
      throw bad(path.toString(), "no kernel list", "a file kernelslist.g");
    }
    if (candidates.size() > 1) {
      throw bad(
          path.toString(),
          candidates.size() + " kernel lists (" + String.join(", ", candidates) + ")",
          "one, or the path of one of them");
    }
    return candidates.get(0);
  }

  /**
   * The folder of an archive that its kernel list lies in: the path up to the last slash, empty if
   * there is no list.
   */
  static String folderOfList(String archive, List<String> paths) throws TraceFormatException {
    Set<String> folders = new TreeSet<>();
    for (String path : paths) {
      String name = path.substring(path.lastIndexOf('/') + 1);
      if (isList(name)) {
        folders.add(path.substring(0, path.length() - name.length()));
      }
    }
    if (folders.size() > 1) {
      throw bad(
          archive,
          "kernel lists in " + folders.size() + " folders (" + String.join(" ", folders) + ")",
          "an archive of one program");
    }
    return folders.isEmpty() ? "" : folders.iterator().next();
  }

  private static TraceFormatException bad(String file, String found, String expected) {
    return new TraceFormatException(new Problem(file, 0, 0, found, expected, Skipped.NOTHING));
  }

  /** Whether a file name is that of a kernel list; Accel-Sim 2.0 adds the CUDA context to it. */
  static boolean isList(String name) {
    return name.startsWith("kernelslist") && !name.endsWith(CACHE_SUFFIX);
  }

  /** Whether a file name is that of a kernel's trace. */
  static boolean isKernel(String name) {
    String base = Packing.of(name).strip(name);
    return base.endsWith(".traceg") || base.endsWith(".trace") || base.endsWith(".tracez");
  }
}
