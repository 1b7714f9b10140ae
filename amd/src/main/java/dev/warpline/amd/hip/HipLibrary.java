package dev.warpline.amd.hip;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The library that stands in for AMD's runtime. Its sources are part of Warpline; a C compiler
 * builds them on first use, into a folder that later runs find.
 */
final class HipLibrary {
  private static final List<String> SOURCES =
      List.of(
          "build.sh",
          "versions.map",
          "hip.h",
          "state.h",
          "wire.h",
          "missing.h",
          "printf.h",
          "printf.c",
          "wire.c",
          "memory.c",
          "modules.c",
          "streams.c",
          "device.c",
          "missing.c");

  private HipLibrary() {}

  /**
   * The folder with {@code libamdhip64.so.5}, built if it is not there.
   *
   * @param cache folder of folders, one per version of the sources
   */
  static Path folder(Path cache) throws IOException {
    Map<String, byte[]> sources = new LinkedHashMap<>();
    for (String name : SOURCES) {
      try (InputStream in = HipLibrary.class.getResourceAsStream("library/" + name)) {
        if (in == null) {
          throw new IOException("source " + name + " of libamdhip64 is missing in this Warpline");
        }
        sources.put(name, in.readAllBytes());
      }
    }
    Path folder = cache.resolve(hash(sources));
    if (Files.exists(folder.resolve("libamdhip64.so.5"))) {
      return folder;
    }
    Files.createDirectories(cache);
    Path work = Files.createTempDirectory(cache, "build");
    try {
      build(sources, work);
      try {
        Files.move(work.resolve("library"), folder);
      } catch (FileAlreadyExistsException | java.nio.file.DirectoryNotEmptyException e) {
        // somebody else has built it in the meantime
        return folder;
      }
    } finally {
      delete(work);
    }
    return folder;
  }

  private static void build(Map<String, byte[]> sources, Path work) throws IOException {
    for (Map.Entry<String, byte[]> source : sources.entrySet()) {
      Files.write(work.resolve(source.getKey()), source.getValue());
    }
    List<String> command =
        new ArrayList<>(
            List.of("sh", work.resolve("build.sh").toString(), work.resolve("library").toString()));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code;
    try {
      code = process.waitFor();
    } catch (InterruptedException e) {
      process.destroy();
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while libamdhip64 was built", e);
    }
    if (code != 0) {
      throw new IOException(
          "libamdhip64 cannot be built: expected a C compiler, cc or what CC names; found:"
              + System.lineSeparator()
              + output.strip());
    }
  }

  private static String hash(Map<String, byte[]> sources) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      sources.values().forEach(digest::update);
      return HexFormat.of().formatHex(digest.digest(), 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
