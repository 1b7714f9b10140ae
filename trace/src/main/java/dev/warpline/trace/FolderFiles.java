package dev.warpline.trace;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Trace files in a folder. */
final class FolderFiles implements TraceFiles {
  private final Path folder;

  FolderFiles(Path folder) {
    this.folder = folder;
  }

  @Override
  public List<String> names() {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  @Override
  public boolean has(String name) {
    return Files.isRegularFile(folder.resolve(name));
  }

  @Override
  public InputStream open(String name, long offset) throws IOException {
    FileChannel channel = FileChannel.open(folder.resolve(name));
    channel.position(offset);
    return Channels.newInputStream(channel);
  }

  @Override
  public RandomBytes random(String name) throws IOException {
    return RandomBytes.of(folder.resolve(name));
  }

  @Override
  public byte[] bytes(String name) throws IOException {
    return Files.readAllBytes(folder.resolve(name));
  }

  @Override
  public boolean plain(String name) {
    return true;
  }

  @Override
  public long size(String name) throws IOException {
    return Files.size(folder.resolve(name));
  }

  @Override
  public String title(String name) {
    return folder.resolve(name).toString();
  }

  @Override
  public void close() {}
}
