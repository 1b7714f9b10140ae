package dev.warpline.trace;

import static dev.warpline.trace.TraceText.block;
import static dev.warpline.trace.TraceText.header;
import static dev.warpline.trace.TraceText.warp;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** A trace is the same wherever its files are and however they are compressed. */
class ContainersTest {
  private static final String FIRST =
      header(5, "(1,1,1)", false)
          + block(0, warp(0, "0010 ffffffff 0 NOP 0 0 0", "0020 ffffffff 0 EXIT 0 0 0"));
  private static final String SECOND =
      header(5, "(1,1,1)", false).replace("id = 1", "id = 2")
          + block(0, warp(0, "0020 ffffffff 0 EXIT 0 0 0"));
  private static final String LIST = "MemcpyHtoD,0x0000000000001000,64\nkernel-1.traceg\n";

  @TempDir Path folder;

  /** Wraps a stream in a compressor. */
  private interface Packer {
    OutputStream pack(OutputStream out) throws IOException;
  }

  private static final Map<String, Packer> PACKERS =
      Map.of(
          "",
          out -> out,
          ".xz",
          out -> new XZOutputStream(out, new LZMA2Options(1)),
          ".gz",
          GZIPOutputStream::new,
          ".zst",
          ZstdOutputStream::new);

  private static Map<String, byte[]> files() {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put("prog/kernelslist.g", bytes(LIST + "kernel-2.traceg\n"));
    files.put("prog/kernel-1.traceg", bytes(FIRST));
    files.put("prog/kernel-2.traceg", bytes(SECOND));
    files.put("prog/kernel-1.sass", bytes("0010\tNOP ;\n0020\tEXIT ;\n"));
    return files;
  }

  @Test
  void aFolderOrItsListIsATrace() throws IOException {
    for (Map.Entry<String, byte[]> file : files().entrySet()) {
      Path path = folder.resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue());
    }
    check(folder.resolve("prog"));
    check(folder.resolve("prog/kernelslist.g"));
  }

  @ParameterizedTest
  @ValueSource(strings = {".tar", ".tar.xz", ".tar.gz", ".tar.zst", ".tgz", ".txz"})
  void aTarArchiveIsATrace(String suffix) throws IOException {
    Path archive = folder.resolve("prog" + suffix);
    String packing =
        switch (suffix) {
          case ".tar" -> "";
          case ".tgz" -> ".gz";
          case ".txz" -> ".xz";
          default -> suffix.substring(4);
        };
    try (TarArchiveOutputStream tar =
        new TarArchiveOutputStream(PACKERS.get(packing).pack(Files.newOutputStream(archive)))) {
      for (Map.Entry<String, byte[]> file : files().entrySet()) {
        TarArchiveEntry entry = new TarArchiveEntry(file.getKey());
        entry.setSize(file.getValue().length);
        tar.putArchiveEntry(entry);
        tar.write(file.getValue());
        tar.closeArchiveEntry();
      }
    }
    check(archive);
  }

  @Test
  void aZipArchiveIsATrace() throws IOException {
    Path archive = folder.resolve("prog.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
      for (Map.Entry<String, byte[]> file : files().entrySet()) {
        zip.putNextEntry(new ZipEntry(file.getKey()));
        zip.write(file.getValue());
        zip.closeEntry();
      }
    }
    check(archive);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".xz", ".gz", ".zst"})
  void aKernelMayBeCompressed(String packing) throws IOException {
    String name = "kernel-1.traceg" + packing;
    try (OutputStream out =
        PACKERS.get(packing).pack(Files.newOutputStream(folder.resolve(name)))) {
      out.write(bytes(FIRST));
    }
    Files.writeString(folder.resolve("kernelslist.g"), name + "\n");
    try (TraceSet set = Traces.open(folder, Diagnostics.strict());
        TraceSet alone = Traces.open(folder.resolve(name), Diagnostics.strict())) {
      assertThat(instructions(set, 0)).isEqualTo(2);
      assertThat(instructions(alone, 0)).isEqualTo(2);
    }
  }

  @Test
  void severalKernelsMayBeOpenAtOnce() throws IOException {
    Files.write(folder.resolve("kernelslist.g"), bytes(LIST + "kernel-2.traceg\n"));
    Files.write(folder.resolve("kernel-1.traceg"), bytes(FIRST));
    Files.write(folder.resolve("kernel-2.traceg"), bytes(SECOND));
    try (TraceSet set = Traces.open(folder);
        KernelTrace first = set.open(launches(set).get(0));
        KernelTrace second = set.open(launches(set).get(1))) {
      BlockTrace block = new BlockTrace();
      assertThat(second.readBlock(0, block)).isTrue();
      assertThat(block.instructions()).isEqualTo(1);
      assertThat(first.readBlock(0, block)).isTrue();
      assertThat(block.instructions()).isEqualTo(2);
    }
  }

  @Test
  void aCompressedTraceThatWasCutShortGivesWhatIsThere() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = PACKERS.get(".xz").pack(packed)) {
      out.write(bytes(FIRST));
    }
    byte[] cut = java.util.Arrays.copyOf(packed.toByteArray(), packed.size() - 20);
    Files.write(folder.resolve("kernel-1.traceg.xz"), cut);
    Diagnostics diagnostics = Diagnostics.lenient();
    try (TraceSet set = Traces.open(folder.resolve("kernel-1.traceg.xz"), diagnostics)) {
      assertThat(instructions(set, 0)).isEqualTo(2);
    }
    // The text was whole; the damage is in what follows it.
    assertThat(diagnostics.messages())
        .singleElement()
        .asString()
        .contains("kernel-1.traceg.xz: found damaged data after byte " + FIRST.length())
        .endsWith("expected the rest of the trace");
  }

  @Test
  void linksInsideATarArchiveAreFollowed() throws IOException {
    Path archive = folder.resolve("prog.tar");
    try (TarArchiveOutputStream tar = new TarArchiveOutputStream(Files.newOutputStream(archive))) {
      put(
          tar,
          "./prog/kernelslist.g",
          LIST + "kernel-2.traceg\nkernel-3.traceg\nkernel-4.traceg\n");
      put(tar, "./data/first", FIRST);
      link(tar, "./prog/kernel-1.traceg", "../data/first", TarArchiveEntry.LF_SYMLINK);
      link(tar, "./prog/kernel-2.traceg", "./data/first", TarArchiveEntry.LF_LINK);
      link(tar, "./prog/kernel-3.traceg", "/etc/passwd", TarArchiveEntry.LF_SYMLINK);
      link(tar, "./prog/kernel-4.traceg", "kernel-4.traceg", TarArchiveEntry.LF_SYMLINK);
    }
    try (TraceSet set = Traces.open(archive, Diagnostics.strict())) {
      assertThat(instructions(set, 0)).isEqualTo(2);
      assertThat(instructions(set, 1)).isEqualTo(2);
      assertThatThrownBy(() -> instructions(set, 2))
          .hasMessage(
              archive
                  + "!kernel-3.traceg: found a link to /etc/passwd, expected a file in the archive");
      assertThatThrownBy(() -> instructions(set, 3))
          .hasMessageEndingWith("found a link to itself, expected a file in the archive");
    }
  }

  private static void put(TarArchiveOutputStream tar, String name, String text) throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(name);
    entry.setSize(text.length());
    tar.putArchiveEntry(entry);
    tar.write(bytes(text));
    tar.closeArchiveEntry();
  }

  private static void link(TarArchiveOutputStream tar, String name, String target, byte kind)
      throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(name, kind);
    entry.setLinkName(target);
    tar.putArchiveEntry(entry);
    tar.closeArchiveEntry();
  }

  @Test
  void linksInsideAZipArchiveAreFollowed() throws IOException {
    Path archive = folder.resolve("prog.zip");
    try (ZipArchiveOutputStream zip = new ZipArchiveOutputStream(archive)) {
      Map<String, String> files = new LinkedHashMap<>();
      files.put("prog/kernelslist.g", LIST + "kernel-2.traceg\n");
      files.put("data/first", FIRST);
      files.put("prog/kernel-1.traceg", "../data/first");
      files.put("prog/kernel-2.traceg", "/etc/passwd");
      for (Map.Entry<String, String> file : files.entrySet()) {
        ZipArchiveEntry entry = new ZipArchiveEntry(file.getKey());
        entry.setUnixMode(file.getKey().startsWith("prog/kernel-") ? 0120777 : 0100644);
        zip.putArchiveEntry(entry);
        zip.write(bytes(file.getValue()));
        zip.closeArchiveEntry();
      }
    }
    try (TraceSet set = Traces.open(archive, Diagnostics.strict())) {
      assertThat(instructions(set, 0)).isEqualTo(2);
      assertThatThrownBy(() -> instructions(set, 1))
          .hasMessageEndingWith("found a link to /etc/passwd, expected a file in the archive");
    }
  }

  @Test
  void ofTwoMembersOfOneNameTheLaterCounts() throws IOException {
    Path archive = folder.resolve("prog.tar");
    try (TarArchiveOutputStream tar = new TarArchiveOutputStream(Files.newOutputStream(archive))) {
      put(tar, "kernelslist.g", LIST);
      put(tar, "kernel-1.traceg", SECOND);
      put(tar, "kernel-1.traceg", FIRST);
    }
    try (TraceSet set = Traces.open(archive, Diagnostics.strict())) {
      assertThat(instructions(set, 0)).isEqualTo(2);
    }
  }

  @Test
  void anArchiveOfTwoProgramsIsRefused() throws IOException {
    Path archive = folder.resolve("two.tar");
    try (TarArchiveOutputStream tar = new TarArchiveOutputStream(Files.newOutputStream(archive))) {
      for (String program : List.of("a", "b")) {
        put(tar, program + "/kernelslist.g", LIST);
        put(tar, program + "/kernel-1.traceg", FIRST);
      }
    }
    assertThatThrownBy(() -> Traces.open(archive))
        .hasMessage(
            archive
                + ": found kernel lists in 2 folders (a/ b/), expected an archive of one program");
  }

  @Test
  void ofSeveralListsTheUsualOneIsReadAndElseTheUserMustChoose() throws IOException {
    Files.writeString(folder.resolve("kernel-1.traceg"), FIRST);
    Files.writeString(folder.resolve("kernelslist_ctx_0x1.g"), "kernel-1.traceg\n");
    Files.writeString(folder.resolve("kernelslist_ctx_0x2.g"), "kernel-1.traceg\n");
    assertThatThrownBy(() -> Traces.open(folder))
        .hasMessage(
            folder
                + ": found 2 kernel lists (kernelslist_ctx_0x1.g, kernelslist_ctx_0x2.g), expected"
                + " one, or the path of one of them");
    try (TraceSet set = Traces.open(folder.resolve("kernelslist_ctx_0x2.g"))) {
      assertThat(instructions(set, 0)).isEqualTo(2);
    }
    Files.writeString(folder.resolve("kernelslist"), "kernel-1.trace\n");
    Files.writeString(folder.resolve("kernelslist.g"), "kernel-1.traceg\n");
    try (TraceSet set = Traces.open(folder)) {
      assertThat(instructions(set, 0)).isEqualTo(2);
      assertThat(set.diagnostics().messages())
          .containsExactly(
              folder + ": kernelslist.g is read, kernelslist_ctx_0x1.g is not",
              folder + ": kernelslist.g is read, kernelslist_ctx_0x2.g is not");
    }
  }

  @Test
  void aDamagedArchiveIsAnErrorThatNamesIt() throws IOException {
    Path archive = folder.resolve("prog.tar.xz");
    Files.writeString(archive, "not an archive");
    assertThatThrownBy(() -> Traces.open(archive))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageStartingWith(archive + ": found a damaged archive (")
        .hasMessageEndingWith("), expected a complete .tar.xz, .tar.gz, .tar.zst or .tar file");
    byte[] beginning = {(byte) 0xfd, '7', 'z', 'X', 'Z', 0, 0, 4};
    Path cut = Files.write(folder.resolve("cut.tar.xz"), beginning);
    assertThatThrownBy(() -> Traces.open(cut)).hasMessageContaining("archive (it ends too early)");
    Path zip = folder.resolve("prog.zip");
    Files.writeString(zip, "not an archive");
    assertThatThrownBy(() -> Traces.open(zip))
        .hasMessageEndingWith("expected a complete .zip file");
  }

  @Test
  void aFolderWithoutAListIsAnError() {
    assertThatThrownBy(() -> Traces.open(folder))
        .hasMessage(folder + ": found no kernel list, expected a file kernelslist.g");
  }

  @Test
  void aMissingTraceIsNamed() {
    assertThatThrownBy(() -> Traces.open(folder.resolve("nothing")))
        .isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void theListOfACudaContextIsFound() throws IOException {
    Files.writeString(folder.resolve("kernelslist_ctx_0x55.g"), "kernel-1-ctx_0x55.traceg\n");
    Files.writeString(folder.resolve("kernel-1-ctx_0x55.traceg"), FIRST);
    try (TraceSet set = Traces.open(folder)) {
      assertThat(instructions(set, 0)).isEqualTo(2);
    }
  }

  private static void check(Path path) throws IOException {
    try (TraceSet set = Traces.open(path, Diagnostics.strict())) {
      assertThat(set.name()).isEqualTo(path.toString());
      assertThat(set.commands()).first().isEqualTo(new TraceCommand.MemcpyHtoD(0x1000, 64));
      assertThat(instructions(set, 0)).isEqualTo(2);
      assertThat(instructions(set, 1)).isEqualTo(1);
      try (KernelTrace kernel = set.open(launches(set).get(0))) {
        kernel.readBlock(0, new BlockTrace());
        assertThat(kernel.code().get(0).disassembly()).isEqualTo("NOP");
        assertThat(kernel.hasControlBits()).isFalse();
      }
    }
  }

  private static List<TraceCommand.Launch> launches(TraceSet set) {
    return set.commands().stream()
        .filter(TraceCommand.Launch.class::isInstance)
        .map(TraceCommand.Launch.class::cast)
        .toList();
  }

  private static int instructions(TraceSet set, int launch) throws IOException {
    try (KernelTrace kernel = set.open(launches(set).get(launch))) {
      BlockTrace block = new BlockTrace();
      assertThat(kernel.readBlock(0, block)).isTrue();
      return block.instructions();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
