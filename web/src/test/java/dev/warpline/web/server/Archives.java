package dev.warpline.web.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/** Small archives for tests. */
final class Archives {
  private Archives() {}

  /** A {@code .tar.gz} of one file. */
  static byte[] tarGz(String name, byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarArchiveOutputStream tar = new TarArchiveOutputStream(new GZIPOutputStream(bytes))) {
      TarArchiveEntry entry = new TarArchiveEntry(name, true);
      entry.setSize(content.length);
      tar.putArchiveEntry(entry);
      tar.write(content);
      tar.closeArchiveEntry();
    }
    return bytes.toByteArray();
  }

  static byte[] trace() throws IOException {
    return tarGz("t/kernelslist.g", "kernel-1.traceg\n".getBytes(StandardCharsets.UTF_8));
  }

  /**
   * A {@code .tar.gz} of a few megabytes with a kernel list and 7 GiB of zeros, which takes seconds
   * to unpack: gzip allows the same packed piece to be repeated.
   */
  static byte[] slow() throws IOException {
    byte[] piece = packedZeros(64 << 20);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    GZIPOutputStream head = new GZIPOutputStream(bytes);
    TarArchiveOutputStream tar = new TarArchiveOutputStream(head);
    tar.putArchiveEntry(new TarArchiveEntry("t/kernelslist.g"));
    tar.closeArchiveEntry();
    TarArchiveEntry large = new TarArchiveEntry("t/kernel-1.traceg");
    large.setSize(112L * (64 << 20));
    tar.putArchiveEntry(large);
    tar.flush();
    head.finish();
    for (int i = 0; i < 112; i++) {
      bytes.write(piece);
    }
    return bytes.toByteArray();
  }

  /** Zeros packed with gzip. */
  static byte[] packedZeros(int size) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(new byte[size]);
    }
    return bytes.toByteArray();
  }
}
