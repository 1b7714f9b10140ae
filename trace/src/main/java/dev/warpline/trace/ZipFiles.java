package dev.warpline.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;

/** Trace files in a zip archive, which has a directory of its own. */
final class ZipFiles implements TraceFiles {
  private final Path archive;
  private final ZipFile zip;

  /** All files by path, the targets of those that are links, and files by name beside the list. */
  private final Map<String, ZipArchiveEntry> members = new LinkedHashMap<>();

  private final Map<ZipArchiveEntry, String> links = new LinkedHashMap<>();
  private final Map<String, ZipArchiveEntry> entries = new LinkedHashMap<>();

  ZipFiles(Path archive) throws IOException {
    this.archive = archive;
    try {
      zip = ZipFile.builder().setPath(archive).get();
    } catch (IOException | RuntimeException e) {
      throw new TraceFormatException(
          new Problem(
              archive.toString(),
              0,
              0,
              "a damaged archive (" + e.getMessage() + ")",
              "a complete .zip file",
              Problem.Skipped.NOTHING));
    }
    try {
      findFiles();
    } catch (IOException | RuntimeException e) {
      zip.close();
      throw e;
    }
  }

  private void findFiles() throws IOException {
    for (ZipArchiveEntry entry : Collections.list(zip.getEntries())) {
      if (!entry.isDirectory()) {
        members.put(entry.getName(), entry);
        if (entry.isUnixSymlink()) {
          links.put(entry, ArchiveLinks.resolve(entry.getName(), zip.getUnixSymlink(entry)));
        }
      }
    }
    String root = Traces.folderOfList(archive.toString(), List.copyOf(members.keySet()));
    for (ZipArchiveEntry entry : members.values()) {
      if (entry.getName().startsWith(root)) {
        entries.put(entry.getName().substring(root.length()), entry);
      }
    }
  }

  @Override
  public List<String> names() {
    return List.copyOf(entries.keySet());
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
  public boolean plain(String name) {
    return false;
  }

  @Override
  public long size(String name) throws IOException {
    return entry(name).getSize();
  }

  @Override
  public String title(String name) {
    return archive + "!" + name;
  }

  /** A file, through the links that its name may be. */
  private ZipArchiveEntry entry(String name) throws IOException {
    ZipArchiveEntry entry = entries.get(name);
    if (entry == null) {
      throw new NoSuchFileException(title(name));
    }
    return ArchiveLinks.follow(title(name), entry, links::get, members::get);
  }

  @Override
  public void close() throws IOException {
    zip.close();
  }
}
