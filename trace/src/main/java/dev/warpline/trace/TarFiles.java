package dev.warpline.trace;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.compress.archivers.ArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/**
 * Trace files in a tar archive, read without unpacking to disk. An archive is a stream, so it is
 * scanned once for its names; small files are kept from that scan, and opening a large one reads
 * the archive again up to it.
 */
final class TarFiles implements TraceFiles {
  /** Files up to this size are kept in memory: lists, cubins, sidecars, listings, small traces. */
  private static final int KEEP_BYTES = 4 << 20;

  private static final long KEEP_TOTAL = 64 << 20;

  private final Path archive;
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  /** A member: its full name, and its content where it was kept. */
  private record Entry(String path, long size, byte[] content) {}

  TarFiles(Path archive) throws IOException {
    this.archive = archive;
    List<Entry> found = new ArrayList<>();
    long kept = 0;
    try (TarArchiveInputStream in = stream()) {
      ArchiveEntry member;
      while ((member = in.getNextEntry()) != null) {
        if (member.isDirectory()) {
          continue;
        }
        String path = member.getName();
        byte[] content = in.readNBytes(KEEP_BYTES);
        long size = content.length;
        if (content.length < KEEP_BYTES && kept + content.length <= KEEP_TOTAL) {
          kept += content.length;
        } else {
          content = null;
          size += in.transferTo(java.io.OutputStream.nullOutputStream());
        }
        found.add(new Entry(path, size, content));
      }
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw new TraceFormatException(
          new Problem(
              archive.toString(),
              0,
              0,
              "a damaged archive (" + e.getMessage() + ")",
              "a complete .tar.xz, .tar.gz, .tar.zst or .tar file",
              Problem.Skipped.NOTHING));
    }
    String root = folderOfList(found.stream().map(Entry::path).toList());
    for (Entry entry : found) {
      if (entry.path.startsWith(root)) {
        entries.put(entry.path.substring(root.length()), entry);
      }
    }
  }

  /** Whether a file name says that it is a tar archive. */
  static boolean isTar(String name) {
    return name.endsWith(".tar")
        || name.endsWith(".tgz")
        || name.endsWith(".txz")
        || name.contains(".tar.");
  }

  private TarArchiveInputStream stream() throws IOException {
    InputStream file =
        new BufferedInputStream(new Interruptible(Files.newInputStream(archive)), 1 << 16);
    try {
      String name = archive.getFileName().toString();
      String packed = name.endsWith(".tgz") ? "x.gz" : name.endsWith(".txz") ? "x.xz" : name;
      return new TarArchiveInputStream(Packing.of(packed).unpack(file));
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  @Override
  public List<String> names() {
    return List.copyOf(entries.keySet());
  }

  @Override
  public boolean has(String name) {
    return entries.containsKey(name);
  }

  @Override
  public InputStream open(String name, long offset) throws IOException {
    Entry entry = entry(name);
    InputStream in;
    if (entry.content != null) {
      in = new java.io.ByteArrayInputStream(entry.content);
    } else {
      TarArchiveInputStream members = stream();
      ArchiveEntry member = members.getNextEntry();
      while (member != null && !member.getName().equals(entry.path)) {
        member = members.getNextEntry();
      }
      if (member == null) {
        members.close();
        throw new NoSuchFileException(title(name));
      }
      in = members;
    }
    in.skipNBytes(offset);
    return in;
  }

  @Override
  public byte[] bytes(String name) throws IOException {
    Entry entry = entry(name);
    if (entry.content != null) {
      return entry.content;
    }
    try (InputStream in = open(name, 0)) {
      return in.readAllBytes();
    }
  }

  /** Where the first kernel list of an archive lies: its path up to the last slash. */
  static String folderOfList(List<String> paths) {
    for (String path : paths) {
      String name = path.substring(path.lastIndexOf('/') + 1);
      if (Traces.isList(name)) {
        return path.substring(0, path.length() - name.length());
      }
    }
    return "";
  }

  private Entry entry(String name) throws NoSuchFileException {
    Entry entry = entries.get(name);
    if (entry == null) {
      throw new NoSuchFileException(title(name));
    }
    return entry;
  }

  @Override
  public boolean plain() {
    return false;
  }

  @Override
  public long size(String name) throws IOException {
    return entry(name).size;
  }

  @Override
  public String title(String name) {
    return archive + "!" + name;
  }

  @Override
  public void close() {}
}
