package dev.warpline.trace;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The uncompressed bytes of one kernel's trace file, which can be read from any offset. */
final class KernelSource {
  private final TraceFiles files;
  private final String name;
  private final Packing packing;

  KernelSource(TraceFiles files, String name) {
    this.files = files;
    this.name = name;
    this.packing = Packing.of(name);
  }

  /** File name without the compression suffix. */
  String baseName() {
    return packing.strip(name);
  }

  /** How the file is called in messages. */
  String title() {
    return files.title(name);
  }

  /** Refuses a grid that this file cannot have room for. */
  void checkGrid(KernelHeader header) throws IOException {
    GridCheck.refuseBeyond(title(), header, files.size(name), packing != Packing.NONE);
  }

  /** Whether opening at an offset is as cheap as opening at the beginning. */
  boolean canSeek() throws IOException {
    return packing == Packing.NONE && files.plain(name);
  }

  /** A stream that begins at an offset of the uncompressed text. */
  InputStream open(long offset) throws IOException {
    if (packing == Packing.NONE) {
      InputStream in = files.open(name, offset);
      return files.plain(name) ? in : new ReadAhead(in, name);
    }
    InputStream file = files.open(name, 0);
    try {
      InputStream in = packing.unpack(new BufferedInputStream(file, 1 << 16));
      in.skipNBytes(offset);
      return new ReadAhead(in, name);
    } catch (IOException e) {
      file.close();
      throw new TraceFormatException(
          new Problem(
              title(),
              0,
              0,
              "data that does not unpack (" + e.getMessage() + ")",
              "a file compressed as its name says",
              Problem.Skipped.KERNEL));
    }
  }
}
