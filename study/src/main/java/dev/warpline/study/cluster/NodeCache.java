package dev.warpline.study.cluster;

import dev.warpline.study.store.Point;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Parcels on the disk of one machine, by their content: all processes there share a copy, which is
 * checked when it is made. What nobody used for two weeks is thrown away.
 */
final class NodeCache {
  /** The environment variable that names the folder. */
  static final String VARIABLE = "WARPLINE_CACHE";

  private static final Duration KEPT = Duration.ofDays(14);

  /** Gives the content of a file. */
  interface Source {
    InputStream open(Parcel parcel, Parcel.Item item) throws IOException;
  }

  private final Path folder;

  NodeCache(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder);
  }

  /** The cache of this machine's user: as the environment says, or in the temporary folder. */
  static NodeCache ofThisMachine() throws IOException {
    String named = System.getenv(VARIABLE);
    return new NodeCache(
        named != null && !named.isBlank()
            ? Path.of(named)
            : Path.of(
                System.getProperty("java.io.tmpdir"),
                "warpline-cache-" + System.getProperty("user.name")));
  }

  /** The folder that stands for a parcel's root here; fetches what is not here yet. */
  synchronized Path root(Parcel parcel, Source source) throws IOException {
    Path here = folder.resolve(parcel.address());
    if (!Files.isDirectory(here, LinkOption.NOFOLLOW_LINKS)) {
      Path lock = folder.resolve(parcel.address() + ".lock");
      try (FileChannel channel =
              FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock held = channel.lock()) {
        if (!Files.isDirectory(here) && held.isValid()) {
          clean();
          fetch(parcel, source, here);
        }
      }
    }
    Files.setLastModifiedTime(here, FileTime.from(Instant.now()));
    return here;
  }

  private void fetch(Parcel parcel, Source source, Path here) throws IOException {
    Path begun = folder.resolve("new-" + UUID.randomUUID());
    try {
      for (Parcel.Item item : parcel.items()) {
        Path file = begun.resolve(item.name()).normalize();
        if (!file.startsWith(begun)) {
          throw new IOException(item.name() + ": found a name that leaves its folder");
        }
        Files.createDirectories(file.getParent());
        MessageDigest digest = Parcel.digest();
        try (InputStream in = new DigestInputStream(source.open(parcel, item), digest)) {
          Files.copy(in, file);
        }
        String found = HexFormat.of().formatHex(digest.digest());
        if (!found.equals(item.sha256())) {
          throw new IOException(
              parcel.source(item)
                  + ": found other content than when the study was planned (SHA-256 "
                  + found.substring(0, 12)
                  + ", expected "
                  + item.sha256().substring(0, 12)
                  + ")");
        }
      }
      Files.move(begun, here, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      delete(begun);
    }
  }

  /** A file with this text. */
  synchronized Path text(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Path file = folder.resolve(Point.sha256(bytes) + ".yaml");
    if (!Files.isRegularFile(file)) {
      Path begun = folder.resolve("new-" + UUID.randomUUID());
      Files.write(begun, bytes);
      Files.move(begun, file, StandardCopyOption.ATOMIC_MOVE);
    }
    Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
    return file;
  }

  private void clean() throws IOException {
    List<Path> all;
    try (Stream<Path> entries = Files.list(folder)) {
      all = entries.toList();
    }
    Instant oldest = Instant.now().minus(KEPT);
    for (Path entry : all) {
      boolean ours = entry.getFileName().toString().matches("([0-9a-f]{64}|new-).*");
      if (ours && Files.getLastModifiedTime(entry).toInstant().isBefore(oldest)) {
        delete(entry);
      }
    }
  }

  private static void delete(Path tree) throws IOException {
    if (!Files.exists(tree)) {
      return;
    }
    try (Stream<Path> files = Files.walk(tree)) {
      files
          .sorted(Comparator.reverseOrder())
          .forEach(
              file -> {
                try {
                  Files.deleteIfExists(file);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }
}
