package dev.warpline.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * Tells whether a trace is the one that a cache was made from, without reading all of it: names,
 * sizes, and the first and last 64 KiB of every file that belongs to it.
 */
final class Fingerprint {
  private static final int SAMPLE = 1 << 16;

  private Fingerprint() {}

  /** Of one file: an archive, a kernel. */
  static String of(Path file) throws IOException {
    return of(file.toAbsolutePath().getParent(), List.of(file.getFileName().toString()));
  }

  static String of(Path folder, List<String> names) throws IOException {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
    for (String name : names) {
      Path file = folder.resolve(name);
      if (!Files.isRegularFile(file)) {
        continue;
      }
      long size = Files.size(file);
      digest.update((name + " " + size + "\n").getBytes(StandardCharsets.UTF_8));
      try (InputStream in = Files.newInputStream(file)) {
        digest.update(in.readNBytes(SAMPLE));
        long rest = size - SAMPLE;
        if (rest > 0) {
          in.skipNBytes(Math.max(0, rest - SAMPLE));
          digest.update(in.readNBytes(SAMPLE));
        }
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }
}
