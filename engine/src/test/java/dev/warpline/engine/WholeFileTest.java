package dev.warpline.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {
  @TempDir Path folder;

  @Test
  void aFileThatCannotBeFinishedLeavesTheOldOne() throws IOException {
    Path file = Files.writeString(folder.resolve("a.json"), "old");
    assertThatThrownBy(
            () ->
                WholeFile.write(
                    file,
                    out -> {
                      out.write(new byte[100_000]);
                      throw new IOException("No space left on device");
                    }))
        .hasMessage(file + ": cannot be written: No space left on device");
    assertThat(file).hasContent("old");
    assertThat(folder).isDirectoryContaining(file::equals);
    try (var all = Files.list(folder)) {
      assertThat(all).hasSize(1);
    }
  }

  @Test
  void aLinkStaysALink() throws IOException {
    Path file = Files.writeString(folder.resolve("a.json"), "old");
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    WholeFile.writeText(link, "new");
    assertThat(link).isSymbolicLink();
    assertThat(file).hasContent("new");
  }

  @Test
  void whatCannotBeWrittenIsRefusedBeforehandAndNothingIsLeftOfTheTry() throws IOException {
    assertThatThrownBy(() -> WholeFile.check(folder.resolve("no/such/a.json")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a.json: cannot be written: no folder " + folder.resolve("no/such"));
    assertThatThrownBy(() -> WholeFile.check(folder)).hasMessageContaining("it is a folder");
    Path file = Files.writeString(folder.resolve("file"), "");
    assertThatThrownBy(() -> WholeFile.check(file.resolve("a.json")))
        .hasMessageContaining("a.json: cannot be written");
    assertThatThrownBy(() -> WholeFile.checkFolder(file)).hasMessageContaining("it is a file");
    WholeFile.check(folder.resolve("new.json"));
    WholeFile.checkFolder(folder.resolve("new"));
    try (var all = Files.list(folder)) {
      assertThat(all).containsExactly(file);
    }
  }

  @Test
  void aFullDiskIsNamed() {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.isWritable(full));
    assertThatThrownBy(() -> WholeFile.writeText(full, "x"))
        .hasMessageStartingWith("/dev/full: cannot be written: ");
  }

  @Test
  void aFolderIsThereWhenItIsWhole() throws IOException {
    Path target = folder.resolve("out");
    assertThatThrownBy(
            () ->
                WholeFile.writeFolder(
                    target,
                    part -> {
                      Files.writeString(part.resolve("kernel-1.traceg"), "1");
                      throw new IOException("kernel 2: found no block 3");
                    }))
        .hasMessage("kernel 2: found no block 3");
    assertThat(target).doesNotExist();
    WholeFile.writeFolder(target, part -> Files.writeString(part.resolve("a"), "1"));
    WholeFile.writeFolder(target, part -> Files.writeString(part.resolve("b"), "2"));
    assertThat(target.resolve("a")).hasContent("1");
    assertThat(target.resolve("b")).hasContent("2");
    try (var all = Files.list(folder)) {
      assertThat(all).containsExactly(target);
    }
  }
}
