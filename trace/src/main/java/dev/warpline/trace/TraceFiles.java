package dev.warpline.trace;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** The files of a traced program, wherever they are: a folder or an archive of one. */
interface TraceFiles extends AutoCloseable {
  /** Names of all files, relative to the folder of the kernel list. */
  List<String> names();

  /** Whether there is such a file. */
  default boolean has(String name) {
    return names().contains(name);
  }

  /**
   * Opens a file as it stands, at an offset. Several may be open at once.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  InputStream open(String name, long offset) throws IOException;

  /** Opens a binary file for reading at any offset. */
  default RandomBytes random(String name) throws IOException {
    return RandomBytes.of(bytes(name));
  }

  /** A whole small file: a list, a cubin, a sidecar. */
  byte[] bytes(String name) throws IOException;

  /** Whether reading a file is cheap enough that no thread should run ahead. */
  boolean plain(String name) throws IOException;

  /** Bytes of a file, as it stands. */
  long size(String name) throws IOException;

  /** How a file is called in messages. */
  String title(String name);

  @Override
  void close() throws IOException;
}
