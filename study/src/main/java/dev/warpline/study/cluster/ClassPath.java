package dev.warpline.study.cluster;

import dev.warpline.study.store.Point;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Warpline as this process has it. */
final class ClassPath {
  private ClassPath() {}

  /**
   * All jars, in their order.
   *
   * @param made where folders of classes are made into jars
   */
  static List<Path> jars(Path made) throws IOException {
    Set<Path> jars = new LinkedHashSet<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      add(Path.of(entry).toAbsolutePath().normalize(), jars, made);
    }
    return List.copyOf(jars);
  }

  private static void add(Path entry, Set<Path> jars, Path made) throws IOException {
    if (Files.isDirectory(entry)) {
      jars.add(jar(entry, made));
    } else if (Files.isRegularFile(entry) && jars.add(entry)) {
      try (JarFile jar = new JarFile(entry.toFile())) {
        String more =
            jar.getManifest() == null
                ? null
                : jar.getManifest().getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
        for (String url : more == null ? new String[0] : more.strip().split("\\s+")) {
          add(Path.of(entry.toUri().resolve(new URI(url))).normalize(), jars, made);
        }
      } catch (URISyntaxException e) {
        throw new IOException(entry + ": its manifest names no files: " + e.getMessage(), e);
      }
    }
  }

  private static Path jar(Path classes, Path made) throws IOException {
    Path jar =
        made.resolve(
            "classes-"
                + Point.sha256(classes.toString().getBytes(StandardCharsets.UTF_8)).substring(0, 12)
                + ".jar");
    try (OutputStream out = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(out);
        Stream<Path> walk = Files.walk(classes)) {
      for (Path file : walk.filter(Files::isRegularFile).sorted().toList()) {
        zip.putNextEntry(new ZipEntry(classes.relativize(file).toString().replace('\\', '/')));
        Files.copy(file, zip);
      }
    }
    return jar;
  }
}
