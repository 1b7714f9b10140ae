package dev.warpline.study.cluster;

import dev.warpline.study.store.Point;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Files that belong together and keep their names among each other: a trace, a user's jar.
 *
 * @param root the folder that their names are seen from, where they come from
 * @param main the name of the file or folder that matters
 * @param items all files
 */
public record Parcel(String root, String main, List<Item> items) {
  /**
   * A file.
   *
   * @param name path from the root
   * @param bytes its size
   * @param sha256 hash of its content
   */
  public record Item(String name, long bytes, String sha256) {}

  /** Packs files up: reads each once. */
  static Parcel of(Path main, List<Path> files) throws IOException {
    Path whole = main.toAbsolutePath().normalize();
    Path root = whole.getParent();
    for (Path file : files) {
      while (!file.toAbsolutePath().normalize().startsWith(root)) {
        root = root.getParent();
      }
    }
    List<Item> items = new ArrayList<>();
    for (Path file : files) {
      Path absolute = file.toAbsolutePath().normalize();
      items.add(new Item(name(root, absolute), Files.size(absolute), sha256(absolute)));
    }
    return new Parcel(root.toString(), name(root, whole), items);
  }

  private static String name(Path root, Path file) {
    return root.relativize(file).toString().replace('\\', '/');
  }

  /** Equal for two parcels with the same names and contents. */
  String address() {
    StringBuilder all = new StringBuilder(main).append('\n');
    items.forEach(item -> all.append(item.sha256).append(' ').append(item.name).append('\n'));
    return Point.sha256(all.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Where a file comes from. */
  Path source(Item item) {
    return Path.of(root).resolve(item.name);
  }

  static String sha256(Path file) throws IOException {
    MessageDigest digest = digest();
    try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
      byte[] buffer = new byte[1 << 16];
      while (in.read(buffer) >= 0) {
        // The digest sees what is read.
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
