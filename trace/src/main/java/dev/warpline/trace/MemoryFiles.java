package dev.warpline.trace;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Trace files held in memory. */
final class MemoryFiles implements TraceFiles {
  private final Map<String, byte[]> contents = new TreeMap<>();

  MemoryFiles(Map<String, String> texts) {
    texts.forEach((name, text) -> put(name, text.getBytes(StandardCharsets.UTF_8)));
  }

  void put(String name, byte[] content) {
    contents.put(name, content);
  }

  @Override
  public List<String> names() {
    return List.copyOf(contents.keySet());
  }

  @Override
  public InputStream open(String name, long offset) throws IOException {
    byte[] content = bytes(name);
    int from = (int) Math.min(offset, content.length);
    return new ByteArrayInputStream(content, from, content.length - from);
  }

  @Override
  public byte[] bytes(String name) throws IOException {
    byte[] content = contents.get(name);
    if (content == null) {
      throw new NoSuchFileException(name);
    }
    return content;
  }

  @Override
  public boolean plain(String name) {
    return true;
  }

  @Override
  public long size(String name) throws IOException {
    return bytes(name).length;
  }

  @Override
  public String title(String name) {
    return name;
  }

  @Override
  public void close() {}
}
