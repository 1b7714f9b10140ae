package dev.warpline.engine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * What a result rests on, so that it can be had again.
 *
 * @param version Warpline's version
 * @param build the commit it was built from, or "unknown"
 * @param command how it was asked for
 * @param input trace or launch file, as it was named
 * @param inputBytes its size
 * @param inputSha256 SHA-256 of its bytes; of a folder or a launch file: of the bytes of all files
 *     that belong to it, one after the other in the order of their names
 * @param descriptionSha256 SHA-256 of the resolved description: a line {@code name=value} for each
 *     entry of {@link RunResult#configuration}
 */
public record Origin(
    String version,
    String build,
    String command,
    String input,
    long inputBytes,
    String inputSha256,
    String descriptionSha256) {

  /**
   * The origin of a result of this Warpline.
   *
   * @param command how it was asked for
   * @param input trace or launch file, as it was named
   * @param files what belongs to it, sorted
   * @param configuration the resolved description
   */
  public static Origin of(
      String command, Path input, List<Path> files, Map<String, String> configuration)
      throws IOException {
    MessageDigest digest = sha256();
    byte[] buffer = new byte[1 << 16];
    long bytes = 0;
    for (Path file : files) {
      try (InputStream in = Files.newInputStream(file)) {
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          digest.update(buffer, 0, read);
          bytes += read;
        }
      }
    }
    return new Origin(
        Build.version(),
        Build.commit(),
        command,
        input.toString(),
        bytes,
        HexFormat.of().formatHex(digest.digest()),
        hash(configuration));
  }

  /** The same input on another description. */
  public Origin withConfiguration(Map<String, String> configuration) {
    return new Origin(version, build, command, input, inputBytes, inputSha256, hash(configuration));
  }

  private static String hash(Map<String, String> configuration) {
    MessageDigest digest = sha256();
    configuration.forEach(
        (name, value) ->
            digest.update((name + "=" + value + "\n").getBytes(StandardCharsets.UTF_8)));
    return HexFormat.of().formatHex(digest.digest());
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
