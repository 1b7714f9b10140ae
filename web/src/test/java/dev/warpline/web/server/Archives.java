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

  /** Zeros packed with gzip. */
  static byte[] packedZeros(int size) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(new byte[size]);
    }
    return bytes.toByteArray();
  }
}
