package dev.warpline.web.server;

import dev.warpline.engine.Results;
import dev.warpline.engine.RunResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The folder behind the server: {@code traces/} with archives and folders, {@code gpus/} with
 * descriptions, {@code runs/} with results, {@code validations/} with tables of {@code validate},
 * {@code studies/} with stores of {@code sweep}. A name is one file of one of these; it can name
 * nothing else, not even through a link. What comes in is written beside these folders first and
 * moved there when it is whole; all of it together stays within a quota.
 */
final class Store {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._+-]{0,119}");
  private static final String PART = "upload";
  private static final int QUOTA_STEP = 16 << 20;

  /** Looks through a trace before it is kept. */
  interface Guard {
    void check(Path part, Upload upload) throws Refused;
  }

  private final Path root;
  private final long quota;

  Store(Path root, long quota) throws IOException {
    this.quota = quota;
    Files.createDirectories(root);
    this.root = root.toRealPath();
    for (String folder : List.of("traces", "gpus", "runs", "validations", "studies")) {
      Files.createDirectories(this.root.resolve(folder));
    }
    try (DirectoryStream<Path> parts = Files.newDirectoryStream(this.root, PART + "*.part*")) {
      for (Path part : parts) {
        Files.delete(part); // of a server that ended while it came in
      }
    }
  }

  /** The names in a folder of the store, sorted. */
  List<String> names(String folder) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(root.resolve(folder))) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        if (NAME.matcher(name).matches()) {
          names.add(name);
        }
      }
    }
    names.sort(Comparator.naturalOrder());
    return names;
  }

  Path folder(String name) {
    return root.resolve(name);
  }

  /** An existing file of the store. */
  Path file(String folder, String name) throws Refused {
    try {
      Path real = place(folder, name).toRealPath();
      if (real.startsWith(root.resolve(folder))) {
        return real;
      }
    } catch (NoSuchFileException e) {
      throw new Refused(404, folder + " has no \"" + name + "\"");
    } catch (IOException e) {
      throw new Refused(404, folder + "/" + name + " cannot be read");
    }
    throw new Refused(404, folder + " has no \"" + name + "\"");
  }

  /** Where a file of the store is or would be. */
  Path place(String folder, String name) throws Refused {
    if (!NAME.matcher(name).matches()) {
      throw new Refused(400, "\"" + name + "\" is no name: expected letters, digits, dots, dashes");
    }
    return root.resolve(folder).resolve(name);
  }

  /** A message about a file of the store, as those may read it who do not know where it lies. */
  String inside(String message) {
    return String.valueOf(message).replace(root + "/", "");
  }

  RunResult run(String id) throws Refused {
    try {
      return Results.readJson(file("runs", id + ".json"));
    } catch (IOException e) {
      throw new Refused(422, "run " + id + " cannot be read: " + inside(e.getMessage()));
    }
  }

  /** Keeps a result, if it fits. */
  void saveRun(String id, RunResult run) throws IOException, Refused {
    Path target = place("runs", id + ".json");
    Path part = part(".json");
    try {
      Results.writeJson(run, part);
      refuseBeyondQuota("the result", 0);
      Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  void delete(String folder, String name) throws Refused {
    try {
      Files.deleteIfExists(file(folder, name));
    } catch (IOException e) {
      throw new Refused(409, name + " cannot be deleted: " + inside(e.getMessage()));
    }
  }

  /** Takes a trace, not one byte more than allowed, and has it looked through. */
  void saveTrace(Upload upload, InputStream in, Guard guard) throws IOException, Refused {
    Path target = place("traces", upload.name);
    refuseBeyondQuota(upload.name, Math.max(0, upload.snapshot().size()));
    Path part = part(upload.name.endsWith(".wlt") ? ".wlt" : "");
    try {
      receive(upload, in, part);
      guard.check(part, upload);
      Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private void receive(Upload upload, InputStream in, Path part) throws IOException, Refused {
    try (OutputStream out = Files.newOutputStream(part)) {
      byte[] buffer = new byte[1 << 16];
      long unchecked = 0;
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        upload.received(n);
        write(upload.name, out, buffer, n);
        unchecked += n;
        if (unchecked >= QUOTA_STEP) {
          refuseBeyondQuota(upload.name, 0);
          unchecked = 0;
        }
      }
    }
    refuseBeyondQuota(upload.name, 0);
  }

  /** Here it is the disk that fails, not the client. */
  private void write(String name, OutputStream out, byte[] buffer, int count) throws Refused {
    try {
      out.write(buffer, 0, count);
    } catch (IOException e) {
      throw new Refused(507, name + " cannot be written: " + inside(e.getMessage()));
    }
  }

  /** Keeps a small file as it is. */
  void save(Path target, byte[] content) throws IOException, Refused {
    refuseBeyondQuota(target.getFileName().toString(), content.length);
    Path part = part("");
    try {
      Files.write(part, content);
      Files.createDirectories(target.getParent());
      Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /** A name for something that is not whole yet. */
  private Path part(String suffix) throws IOException {
    return Files.createTempFile(root, PART, ".part" + suffix);
  }

  /** Refuses what would make the store larger than it may be. */
  void refuseBeyondQuota(String what, long more) throws IOException, Refused {
    long used = used();
    if (used + more > quota) {
      throw new Refused(
          507,
          String.format(
              "%s: the store is full: %d MiB are used%s, the quota is %d MiB; delete traces or"
                  + " results, or serve with a larger --max-store",
              what,
              used >> 20,
              more > 0 ? " and " + (more >> 20) + " MiB more asked for" : "",
              quota >> 20));
    }
  }

  /** Bytes of all files of the store, also of those that are coming in. */
  long used() throws IOException {
    long[] sum = new long[1];
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            sum[0] += attributes.size();
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE; // deleted meanwhile
          }
        });
    return sum[0];
  }
}
