package dev.warpline.engine;

import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * Files that are there whole or not at all: written beside their name, and moved there at the end.
 * Devices and pipes are written as they are. A failure names the file.
 */
public final class WholeFile {
  /** Writes what a file shall hold. */
  @FunctionalInterface
  public interface Content {
    void write(OutputStream out) throws IOException;
  }

  /** Writes what a folder shall hold. */
  @FunctionalInterface
  public interface FolderContent {
    void write(Path folder) throws IOException;
  }

  private WholeFile() {}

  /**
   * Finds out, before any work, whether a file can be written.
   *
   * @throws IOException saying why not
   */
  public static void check(Path file) throws IOException {
    try {
      Path target = target(file);
      if (Files.isDirectory(target)) {
        throw new FileSystemException(null, null, "it is a folder, expected the name of a file");
      }
      if (Files.exists(target) && !Files.isWritable(target)) {
        throw new AccessDeniedException(file.toString());
      }
      if (isPlain(target)) {
        Path part = part(target);
        Files.newOutputStream(part, StandardOpenOption.CREATE_NEW).close();
        Files.delete(part);
      }
    } catch (IOException e) {
      throw failure(file, e);
    }
  }

  /** Finds out, before any work, whether a folder can be made or files put into it. */
  public static void checkFolder(Path folder) throws IOException {
    try {
      if (Files.exists(folder) && !Files.isDirectory(folder)) {
        throw new FileSystemException(null, null, "it is a file, expected the name of a folder");
      }
      Path inside = Files.exists(folder) ? folder.resolve("x") : folder;
      Path part = part(target(inside));
      Files.createDirectory(part);
      Files.delete(part);
    } catch (IOException e) {
      throw failure(folder, e);
    }
  }

  /** Writes a file. */
  public static void write(Path file, Content content) throws IOException {
    try {
      Path target = target(file);
      if (!isPlain(target)) {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(target))) {
          content.write(out);
        }
        return;
      }
      Path part = part(target);
      part.toFile().deleteOnExit();
      try {
        try (OutputStream out =
            new BufferedOutputStream(
                Files.newOutputStream(
                    part, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING))) {
          content.write(out);
        }
        Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(part);
      }
    } catch (IOException e) {
      throw failure(file, e);
    }
  }

  /** Writes a file of text. */
  public static void writeText(Path file, CharSequence text) throws IOException {
    write(file, out -> out.write(text.toString().getBytes(StandardCharsets.UTF_8)));
  }

  /**
   * Writes a folder. If it is there already, the new files are moved into it when all are whole.
   */
  public static void writeFolder(Path folder, FolderContent content) throws IOException {
    Path target = target(folder);
    Path part = part(target);
    // A signal leaves nothing half done either.
    Thread sweeper = new Thread(() -> deleteTree(part), "sweeper");
    Runtime.getRuntime().addShutdownHook(sweeper);
    try {
      Files.createDirectories(part);
      content.write(part);
      if (Files.exists(target)) {
        moveInto(part, target);
      } else {
        Files.move(part, target);
      }
    } catch (IOException e) {
      throw named(folder, part, e);
    } finally {
      deleteTree(part);
      removeHook(sweeper);
    }
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The program is ending, and the hook with it.
    }
  }

  /**
   * A failure while a file was written from something else that was read: names the file if it is
   * the file's, and is left as it is if not.
   */
  public static IOException named(Path file, IOException why) {
    return named(file, file, why);
  }

  private static IOException named(Path file, Path part, IOException why) {
    boolean disk =
        why.getMessage() != null
            && why.getMessage().matches(".*(No space left on device|[Qq]uota exceeded).*");
    boolean its =
        why instanceof FileSystemException failed
            && failed.getFile() != null
            && Path.of(failed.getFile()).toAbsolutePath().startsWith(part.toAbsolutePath());
    return disk || its ? failure(file, why) : why;
  }

  private static void moveInto(Path from, Path to) throws IOException {
    for (Path file : list(from)) {
      Path there = to.resolve(file.getFileName().toString());
      if (Files.isDirectory(file) && Files.isDirectory(there)) {
        moveInto(file, there);
      } else {
        Files.move(file, there, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private static List<Path> list(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  /** Deletes as much as it can; a rest that is left harms nobody. */
  private static void deleteTree(Path folder) {
    File[] inside = folder.toFile().listFiles();
    if (inside != null) {
      for (File file : inside) {
        deleteTree(file.toPath());
      }
    }
    try {
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      // Said above.
    }
  }

  /** What a name leads to: a link is followed, so that it stays a link. */
  private static Path target(Path file) throws IOException {
    Path absolute = file.toAbsolutePath();
    return Files.isSymbolicLink(absolute) && Files.exists(absolute)
        ? absolute.toRealPath()
        : absolute;
  }

  /** Whether it is, or will be, a file on a disk and no device or pipe. */
  private static boolean isPlain(Path file) {
    return !Files.exists(file) || Files.isRegularFile(file);
  }

  private static Path part(Path target) {
    return target.resolveSibling(target.getFileName() + ".part-" + ProcessHandle.current().pid());
  }

  private static IOException failure(Path file, IOException why) {
    return new IOException(file + ": cannot be written: " + reason(file, why), why);
  }

  private static String reason(Path file, IOException why) {
    if (why instanceof NoSuchFileException) {
      return "no folder " + file.toAbsolutePath().getParent();
    }
    if (why instanceof AccessDeniedException) {
      return "no permission";
    }
    if (why instanceof DirectoryNotEmptyException) {
      return "it is a folder that is not empty";
    }
    if (why instanceof FileSystemException failed && failed.getReason() != null) {
      return failed.getReason();
    }
    return why.getMessage() == null ? why.toString() : why.getMessage();
  }
}
