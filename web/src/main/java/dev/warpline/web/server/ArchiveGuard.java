package dev.warpline.web.server;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.ArchiveEntry;
import org.apache.commons.compress.archivers.ArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * Looks through an uploaded archive before anybody trusts it: how much it unpacks to (packed files
 * inside it included), how many files, and that no name leaves its folder. Nothing is written.
 */
final class ArchiveGuard {
  private static final int MAX_FILES = 100_000;
  private static final int XZ_MEMORY_KIB = 512 << 10;

  private final long limit;
  private final byte[] sink = new byte[1 << 16];
  private long expanded;

  private ArchiveGuard(long limit) {
    this.limit = limit;
  }

  /** Whether a file name is that of an archive a trace may come in. */
  static boolean isArchive(String name) {
    return name.toLowerCase(Locale.ROOT).matches(".+\\.(tar|tar\\.gz|tgz|tar\\.xz|tar\\.zst|zip)");
  }

  /** Refuses an archive that unpacks to more than the limit or names files outside its folder. */
  static void check(Path file, String name, long limit) throws Refused {
    try {
      new ArchiveGuard(limit).scan(file, name);
    } catch (IOException | RuntimeException e) {
      throw new Refused(400, name + ": not an archive that can be read: " + e.getMessage());
    }
  }

  private void scan(Path file, String name) throws IOException, Refused {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file));
        ArchiveInputStream<?> archive =
            name.endsWith(".zip")
                ? new ZipArchiveInputStream(in)
                : new TarArchiveInputStream(unpacked(in, name))) {
      int files = 0;
      ArchiveEntry entry;
      while ((entry = archive.getNextEntry()) != null) {
        if (++files > MAX_FILES) {
          throw new Refused(413, name + ": more than " + MAX_FILES + " files");
        }
        checkName(name, entry.getName());
        if (!entry.isDirectory()) {
          count(name, archive);
        }
      }
      if (files == 0) {
        throw new Refused(400, name + ": found no files, expected an archive of a trace");
      }
    }
    countPackedFiles(file, name);
  }

  /** Files that are packed inside the archive unpack again when they are read. */
  private void countPackedFiles(Path file, String name) throws IOException, Refused {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file));
        ArchiveInputStream<?> archive =
            name.endsWith(".zip")
                ? new ZipArchiveInputStream(in)
                : new TarArchiveInputStream(unpacked(in, name))) {
      ArchiveEntry entry;
      while ((entry = archive.getNextEntry()) != null) {
        if (!entry.isDirectory() && entry.getName().matches(".*\\.(gz|xz|zst)")) {
          count(name, unpacked(archive, entry.getName()));
        }
      }
    }
  }

  private void count(String name, InputStream in) throws IOException, Refused {
    for (int n = in.read(sink); n >= 0; n = in.read(sink)) {
      expanded += n;
      if (expanded > limit) {
        throw new Refused(413, name + ": unpacks to more than " + limit + " bytes");
      }
    }
  }

  private static void checkName(String archive, String name) throws Refused {
    boolean outside = name.startsWith("/") || name.contains("\\");
    for (String part : name.split("/")) {
      outside |= part.equals("..");
    }
    if (outside) {
      throw new Refused(400, archive + ": file \"" + name + "\" lies outside the archive");
    }
  }

  private static InputStream unpacked(InputStream in, String name) throws IOException {
    if (name.endsWith("gz")) {
      return new GZIPInputStream(in);
    }
    if (name.endsWith(".xz")) {
      return new XZInputStream(in, XZ_MEMORY_KIB);
    }
    return name.endsWith(".zst") ? new ZstdInputStream(in) : in;
  }
}
