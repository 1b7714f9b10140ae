package dev.warpline.nvidia.capture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * The files of a capture: a folder, or that folder packed as a {@code .wcap} (a zip). Only names
 * that a capture has are opened, and nothing outside of the folder.
 */
abstract class CaptureFiles implements AutoCloseable {
  static final String EVENTS = "capture.jsonl";
  static final String PAGES = "pages.bin";
  static final String TIMES = "times.jsonl";
  static final String SUFFIX = ".wcap";

  private static final Pattern NAMES =
      Pattern.compile("capture\\.jsonl|pages\\.bin|times\\.jsonl|modules/\\d{1,9}\\.(cubin|sass)");

  private final Path path;

  private CaptureFiles(Path path) {
    this.path = path;
  }

  static CaptureFiles open(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      return new Folder(path);
    }
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
    try {
      return new Packed(path);
    } catch (ZipException e) {
      throw new CaptureException(
          path.toString(), "no zip (" + e.getMessage() + ")", "a folder, or one that was packed");
    }
  }

  /** How a file is called in messages. */
  String title(String name) {
    return path + "/" + name;
  }

  String title() {
    return path.toString();
  }

  /** Whether a path inside of the folder is that of a file of a capture. */
  static boolean isPart(String name) {
    return NAMES.matcher(name.replace('\\', '/')).matches();
  }

  /** Refuses names that no file of a capture has. */
  void check(String name) throws CaptureException {
    if (!NAMES.matcher(name).matches()) {
      throw new CaptureException(
          path.toString(), "a file \"" + name + "\"", "modules/N.cubin inside of the capture");
    }
  }

  /** Size of a file, -1 if it is not there. */
  abstract long size(String name) throws IOException;

  abstract InputStream open(String name) throws IOException;

  @Override
  public void close() throws IOException {}

  private static final class Folder extends CaptureFiles {
    private final Path root;

    Folder(Path path) throws IOException {
      super(path);
      root = path.toRealPath();
    }

    private Path find(String name) throws IOException {
      check(name);
      Path file = root.resolve(name);
      if (!Files.exists(file)) {
        return null;
      }
      Path real = file.toRealPath();
      if (!real.startsWith(root)) {
        throw new CaptureException(
            title(name), "a link to " + real, "a file inside of the capture");
      }
      return real;
    }

    @Override
    long size(String name) throws IOException {
      Path file = find(name);
      return file == null ? -1 : Files.size(file);
    }

    @Override
    InputStream open(String name) throws IOException {
      Path file = find(name);
      if (file == null) {
        throw new CaptureException(title(name), "no such file", "it to be there");
      }
      return Files.newInputStream(file);
    }
  }

  private static final class Packed extends CaptureFiles {
    private final ZipFile zip;

    Packed(Path path) throws IOException {
      super(path);
      zip = new ZipFile(path.toFile());
    }

    @Override
    long size(String name) throws IOException {
      check(name);
      ZipEntry entry = zip.getEntry(name);
      return entry == null ? -1 : entry.getSize();
    }

    @Override
    InputStream open(String name) throws IOException {
      check(name);
      ZipEntry entry = zip.getEntry(name);
      if (entry == null) {
        throw new CaptureException(title(name), "no such file", "it to be there");
      }
      return zip.getInputStream(entry);
    }

    @Override
    public void close() throws IOException {
      zip.close();
    }
  }
}
