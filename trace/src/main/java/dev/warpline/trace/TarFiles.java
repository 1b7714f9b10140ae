package dev.warpline.trace;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.compress.archivers.ArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/**
 * Trace files in a tar archive, read without unpacking to disk. An archive is a stream, so it is
 * scanned once for its names. What fits into a budget is kept from that scan, so that most archives
 * are unpacked once; opening a file that does not fit reads the archive again up to it.
 */
final class TarFiles implements TraceFiles {
  /** Lists, cubins, sidecars and listings are kept beside a trace that takes all of its own. */
  private static final int SMALL_BYTES = 4 << 20;

  private static final long KEEP_SMALL = 64 << 20;
  private static final long KEEP_LARGE = 64 << 20;
  private static final int PIECE_BYTES = 1 << 20;

  private final Path archive;

  /** All members by path, and those beside the list by their names there. */
  private final Map<String, Entry> members = new LinkedHashMap<>();

  private final Map<String, Entry> entries = new LinkedHashMap<>();

  /** Whether all of it was read once, and found sound. */
  private boolean scanned;

  /**
   * A member.
   *
   * @param number its place in the archive, from 0
   * @param content its bytes in pieces, null where they were not kept
   * @param link the path it is a link to, or null
   */
  private record Entry(String path, int number, long size, List<byte[]> content, String link) {}

  TarFiles(Path archive) throws IOException {
    this.archive = archive;
    long small = 0;
    long large = 0;
    int number = 0;
    try (TarArchiveInputStream in = stream()) {
      TarArchiveEntry member;
      while ((member = in.getNextEntry()) != null) {
        String path = member.getName();
        if (member.isSymbolicLink()) {
          String target = ArchiveLinks.resolve(path, member.getLinkName());
          members.put(path, new Entry(path, number, 0, null, target));
        } else if (member.isLink()) {
          members.put(path, new Entry(path, number, 0, null, member.getLinkName()));
        } else if (member.isFile()) {
          List<byte[]> content = new ArrayList<>();
          long size = 0;
          byte[] piece;
          while (content != null && (piece = in.readNBytes(PIECE_BYTES)).length > 0) {
            size += piece.length;
            content.add(piece);
            boolean fits =
                size <= SMALL_BYTES ? small + size <= KEEP_SMALL : large + size <= KEEP_LARGE;
            content = fits ? content : null;
          }
          if (content == null) {
            size += in.transferTo(OutputStream.nullOutputStream());
          }
          if (content != null && size <= SMALL_BYTES) {
            small += size;
          } else if (content != null) {
            large += size;
          }
          // Of two members of one name the later is the newer.
          members.put(path, new Entry(path, number, size, content, null));
        }
        number++;
      }
      scanned = true;
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw new TraceFormatException(
          new Problem(
              archive.toString(),
              0,
              0,
              "a damaged archive (" + reason(e) + ")",
              "a complete .tar.xz, .tar.gz, .tar.zst or .tar file",
              Problem.Skipped.NOTHING));
    }
    String root = Traces.folderOfList(archive.toString(), List.copyOf(members.keySet()));
    for (Entry entry : members.values()) {
      if (entry.path.startsWith(root)) {
        entries.put(entry.path.substring(root.length()), entry);
      }
    }
  }

  /** Some exceptions do not say what they are. */
  private static String reason(Exception e) {
    if (e.getMessage() != null) {
      return e.getMessage();
    }
    return e instanceof EOFException ? "it ends too early" : e.getClass().getSimpleName();
  }

  /** Whether a file name says that it is a tar archive. */
  static boolean isTar(String name) {
    return name.endsWith(".tar")
        || name.endsWith(".tgz")
        || name.endsWith(".txz")
        || name.contains(".tar.");
  }

  private TarArchiveInputStream stream() throws IOException {
    String name = archive.getFileName().toString();
    String packed = name.endsWith(".tgz") ? "x.gz" : name.endsWith(".txz") ? "x.xz" : name;
    Packing packing = Packing.of(packed);
    InputStream indexed = packing == Packing.XZ ? Packing.indexed(archive, !scanned) : null;
    if (indexed != null) {
      return new TarArchiveInputStream(new Interruptible(indexed));
    }
    InputStream file =
        new BufferedInputStream(new Interruptible(Files.newInputStream(archive)), 1 << 16);
    try {
      return new TarArchiveInputStream(packing.unpack(file));
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
      in =
          new SequenceInputStream(
              Collections.enumeration(
                  entry.content.stream().map(ByteArrayInputStream::new).toList()));
    } else {
      TarArchiveInputStream whole = stream();
      ArchiveEntry member = whole.getNextEntry();
      for (int i = 0; i < entry.number && member != null; i++) {
        member = whole.getNextEntry();
      }
      if (member == null) {
        whole.close();
        throw new NoSuchFileException(title(name));
      }
      in = whole;
    }
    in.skipNBytes(offset);
    return in;
  }

  @Override
  public byte[] bytes(String name) throws IOException {
    Entry entry = entry(name);
    if (entry.content != null && entry.content.size() == 1) {
      return entry.content.get(0);
    }
    try (InputStream in = open(name, 0)) {
      return in.readAllBytes();
    }
  }

  /** A file, through the links that its name may be. */
  private Entry entry(String name) throws IOException {
    Entry entry = entries.get(name);
    if (entry == null) {
      throw new NoSuchFileException(title(name));
    }
    return ArchiveLinks.follow(title(name), entry, Entry::link, members::get);
  }

  @Override
  public boolean plain(String name) throws IOException {
    return entry(name).content != null;
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
