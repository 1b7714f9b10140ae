package dev.warpline.web.server;

import com.github.luben.zstd.ZstdInputStream;
import dev.warpline.study.Simulation;
import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.ArchiveEntry;
import org.apache.commons.compress.archivers.ArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * Looks through an uploaded trace before anybody trusts it: how much an archive unpacks to (packed
 * files inside it included), for how long, how many files, and that no name leaves its folder; that
 * a trace cache is one. Nothing is written.
 */
final class ArchiveGuard {
  private static final int MAX_FILES = 100_000;
  private static final int XZ_MEMORY_KIB = 512 << 10;
  private static final Pattern NAME =
      Pattern.compile("(.+)(\\.(?:tar|tar\\.gz|tgz|tar\\.xz|txz|tar\\.zst|zip|wlt))");

  private final Upload upload;
  private final String name;
  private final byte[] sink = new byte[1 << 16];

  private ArchiveGuard(Upload upload) {
    this.upload = upload;
    name = upload.name;
  }

  /** The name under which a trace is kept: its ending, by which it is read, in small letters. */
  static String keptName(String name) throws Refused {
    Matcher parts = NAME.matcher(name.toLowerCase(Locale.ROOT));
    if (!parts.matches()) {
      throw new Refused(
          415,
          name
              + ": expected an archive (.tar.xz, .tar.zst, .tar.gz, .tar, .zip) or a trace cache"
              + " (.wlt)");
    }
    return name.substring(0, parts.end(1)) + parts.group(2);
  }

  /** Refuses a trace that unpacks to too much, for too long, or names files outside its folder. */
  static void check(Path file, Upload upload) throws Refused {
    try {
      if (upload.name.endsWith(".wlt")) {
        Simulation.checkTrace(file);
      } else {
        new ArchiveGuard(upload).scan(file);
      }
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      String why = String.valueOf(e.getMessage()).replace(file.toString(), upload.name);
      throw new Refused(400, upload.name + ": not a trace that can be read: " + why);
    }
  }

  private void scan(Path file) throws IOException, Refused {
    try (InputStream in =
            new BufferedInputStream(new Counted(Files.newInputStream(file)), 1 << 16);
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
        checkName(entry.getName());
        if (!entry.isDirectory()) {
          // Files that are packed inside the archive unpack again when they are read.
          if (entry.getName().matches(".*\\.(gz|xz|zst)")) {
            count(unpacked(archive, entry.getName()));
          }
          count(archive);
        }
      }
      if (files == 0) {
        throw new Refused(400, name + ": found no files, expected an archive of a trace");
      }
    }
  }

  private void count(InputStream in) throws IOException, Refused {
    for (int n = in.read(sink); n >= 0; n = in.read(sink)) {
      upload.unpacked(n);
    }
  }

  private void checkName(String file) throws Refused {
    boolean outside = file.startsWith("/") || file.contains("\\");
    for (String part : file.split("/")) {
      outside |= part.equals("..");
    }
    if (outside) {
      throw new Refused(400, name + ": file \"" + file + "\" lies outside the archive");
    }
  }

  private static InputStream unpacked(InputStream in, String name) throws IOException {
    if (name.endsWith("gz")) {
      return new GZIPInputStream(in, 1 << 16);
    }
    if (name.endsWith("xz")) {
      return new XZInputStream(in, XZ_MEMORY_KIB);
    }
    return name.endsWith(".zst") ? new ZstdInputStream(in) : in;
  }

  /** Tells how far into the archive the reading is. */
  private final class Counted extends FilterInputStream {
    Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int n = super.read(into, offset, length);
      upload.read(Math.max(0, n));
      return n;
    }
  }
}
