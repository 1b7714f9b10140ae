package dev.warpline.web.server;

import dev.warpline.engine.Results;
import dev.warpline.engine.RunResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The folder behind the server: {@code traces/} with archives and folders, {@code runs/} with
 * results, {@code validations/} with tables of {@code validate}. A name is one file of one of
 * these; it can name nothing else, not even through a link.
 */
final class Store {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._+-]{0,119}");

  private final Path root;

  Store(Path root) throws IOException {
    Files.createDirectories(root);
    this.root = root.toRealPath();
    for (String folder : List.of("traces", "runs", "validations")) {
      Files.createDirectories(this.root.resolve(folder));
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

  private Path place(String folder, String name) throws Refused {
    if (!NAME.matcher(name).matches()) {
      throw new Refused(400, "\"" + name + "\" is no name: expected letters, digits, dots, dashes");
    }
    return root.resolve(folder).resolve(name);
  }

  RunResult run(String id) throws Refused {
    try {
      return Results.readJson(file("runs", id + ".json"));
    } catch (IOException e) {
      throw new Refused(422, "run " + id + " cannot be read: " + e.getMessage());
    }
  }

  void saveRun(String id, RunResult run) throws IOException, Refused {
    Path part = place("runs", id + ".part");
    Results.writeJson(run, part);
    Files.move(part, place("runs", id + ".json"), StandardCopyOption.REPLACE_EXISTING);
  }

  void delete(String folder, String name) throws Refused {
    try {
      Files.deleteIfExists(file(folder, name));
    } catch (IOException e) {
      throw new Refused(409, name + " cannot be deleted");
    }
  }

  /** Takes an uploaded archive, not one byte more than allowed, and looks through it. */
  void saveTrace(String name, InputStream in, long maxBytes, long maxExpanded)
      throws IOException, Refused {
    if (!ArchiveGuard.isArchive(name)) {
      throw new Refused(
          415, name + ": expected an archive: .tar.xz, .tar.zst, .tar.gz, .tar or .zip");
    }
    Path target = place("traces", name);
    Path part = Files.createTempFile(root, "upload", ".part");
    try {
      try (OutputStream out = Files.newOutputStream(part)) {
        byte[] buffer = new byte[1 << 16];
        long total = 0;
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          total += n;
          if (total > maxBytes) {
            throw new Refused(413, name + ": larger than " + maxBytes + " bytes");
          }
          out.write(buffer, 0, n);
        }
      }
      ArchiveGuard.check(part, name, maxExpanded);
      Files.move(part, target, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
    }
  }
}
