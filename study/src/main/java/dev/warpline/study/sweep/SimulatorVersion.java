package dev.warpline.study.sweep;

import dev.warpline.amd.launch.LaunchRun;
import dev.warpline.engine.Build;
import dev.warpline.engine.gpu.PolicyFields;
import dev.warpline.isa.Instruction;
import dev.warpline.memory.cache.TagArray;
import dev.warpline.nvidia.Core;
import dev.warpline.study.store.Point;
import dev.warpline.trace.Traces;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Which simulator this is, for results that must not be taken for another's: a hash of its classes
 * and tables, and of users' policies. Presets are left out, since a point has its whole
 * description; so are commands, pages and studies, which do not change a result.
 */
public final class SimulatorVersion {
  private SimulatorVersion() {}

  /** The hash. */
  public static String hash() throws IOException {
    Set<Path> places = new LinkedHashSet<>();
    for (Class<?> one :
        List.of(
            PolicyFields.all().get(0).kind(),
            Build.class,
            Instruction.class,
            Traces.class,
            TagArray.class,
            Core.class,
            LaunchRun.class)) {
      places.add(path(one.getProtectionDomain().getCodeSource().getLocation()));
    }
    for (ClassLoader loader = Thread.currentThread().getContextClassLoader();
        loader instanceof URLClassLoader users && loader != Point.class.getClassLoader();
        loader = loader.getParent()) {
      for (URL url : users.getURLs()) {
        places.add(path(url));
      }
    }
    Map<String, String> hashes = new TreeMap<>();
    for (Path place : places) {
      if (Files.isDirectory(place)) {
        folder(place, hashes);
      } else {
        jar(place, hashes);
      }
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    hashes.forEach(
        (name, hash) ->
            all.writeBytes((name + " " + hash + "\n").getBytes(StandardCharsets.UTF_8)));
    return Point.sha256(all.toByteArray());
  }

  private static Path path(URL url) throws IOException {
    try {
      return Path.of(url.toURI());
    } catch (URISyntaxException e) {
      throw new IOException(url.toString(), e);
    }
  }

  private static void folder(Path folder, Map<String, String> hashes) throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> walk = Files.walk(folder)) {
      walk.filter(Files::isRegularFile).forEach(files::add);
    }
    for (Path file : files) {
      String name = folder.relativize(file).toString().replace('\\', '/');
      if (counts(name)) {
        hashes.put(name, Point.sha256(Files.readAllBytes(file)));
      }
    }
  }

  private static void jar(Path jar, Map<String, String> hashes) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : zip.stream().map(e -> (ZipEntry) e).toList()) {
        if (!entry.isDirectory() && counts(entry.getName())) {
          try (InputStream in = zip.getInputStream(entry)) {
            hashes.put(entry.getName(), Point.sha256(in.readAllBytes()));
          }
        }
      }
    }
  }

  private static boolean counts(String name) {
    return !name.startsWith("META-INF/")
        && !name.endsWith("/build.properties")
        && !name.contains("/presets/");
  }
}
