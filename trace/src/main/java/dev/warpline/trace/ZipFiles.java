package dev.warpline.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** Trace files in a zip archive, which has a directory of its own. */
final class ZipFiles implements TraceFiles {
  private final ZipFile zip;
  private final String root;
  private final List<String> names;

  ZipFiles(Path archive) throws IOException {
    try {
      zip = new ZipFile(archive.toFile());
    } catch (ZipException e) {
      throw new TraceFormatException(
          new Problem(
              archive.toString(),
              0,
              0,
              "a damaged archive (" + e.getMessage() + ")",
              "a complete .zip file",
              Problem.Skipped.NOTHING));
    }
    List<String> paths = zip.stream().filter(e -> !e.isDirectory()).map(ZipEntry::getName).toList();
    root = TarFiles.folderOfList(paths);
    names =
        paths.stream()
            .filter(path -> path.startsWith(root))
            .map(path -> path.substring(root.length()))
            .toList();
  }

  @Override
  public List<String> names() {
    return names;
  }

  @Override
  public InputStream open(String name, long offset) throws IOException {
    InputStream in = new Interruptible(zip.getInputStream(entry(name)));
    in.skipNBytes(offset);
    return in;
  }

  @Override
  public byte[] bytes(String name) throws IOException {
    try (InputStream in = open(name, 0)) {
      return in.readAllBytes();
    }
  }

  @Override
  public boolean plain() {
    return false;
  }

  @Override
  public long size(String name) throws IOException {
    return entry(name).getSize();
  }

  @Override
  public String title(String name) {
    return zip.getName() + "!" + name;
  }

  private ZipEntry entry(String name) throws NoSuchFileException {
    ZipEntry entry = zip.getEntry(root + name);
    if (entry == null) {
      throw new NoSuchFileException(title(name));
    }
    return entry;
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }
}
