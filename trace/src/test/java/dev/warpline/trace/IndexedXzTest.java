package dev.warpline.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZ;
import org.tukaani.xz.XZOutputStream;

/** Archives of several blocks, with any check, and with one that is wrong. */
class IndexedXzTest {
  private static final int MEMORY_KIB = 1 << 16;

  /** Bytes of a footer and of an index of one short block. */
  private static final int BEHIND_CHECK = 12 + 8;

  @TempDir Path folder;

  private static byte[] content() {
    byte[] content = new byte[300_001];
    new Random(3).nextBytes(content);
    return content;
  }

  private Path pack(int check, byte[]... blocks) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (XZOutputStream out = new XZOutputStream(packed, new LZMA2Options(0), check)) {
      for (byte[] block : blocks) {
        out.write(block);
        out.endBlock();
      }
    }
    return Files.write(folder.resolve("x.xz"), packed.toByteArray());
  }

  private static byte[] unpack(Path file, boolean check) throws IOException {
    try (InputStream in = IndexedXz.open(file, MEMORY_KIB, check)) {
      return in.readAllBytes();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {XZ.CHECK_NONE, XZ.CHECK_CRC32, XZ.CHECK_CRC64, XZ.CHECK_SHA256})
  void blocksComeOneAfterTheOther(int check) throws IOException {
    byte[] content = content();
    Path file = pack(check, content, new byte[] {1, 2, 3}, content);
    byte[] unpacked = unpack(file, true);
    assertThat(unpacked).hasSize(2 * content.length + 3).startsWith(content).endsWith(content);
    assertThat(unpack(file, false)).isEqualTo(unpacked);
  }

  @ParameterizedTest
  @ValueSource(ints = {XZ.CHECK_CRC32, XZ.CHECK_CRC64})
  void aWrongCheckIsFoundByWhoLooks(int check) throws IOException {
    byte[] content = "a short block".getBytes();
    Path file = pack(check, content);
    byte[] packed = Files.readAllBytes(file);
    packed[packed.length - BEHIND_CHECK - 1] ^= 1;
    Files.write(file, packed);
    assertThatThrownBy(() -> unpack(file, true)).hasMessageContaining("Integrity check");
    assertThat(unpack(file, false)).isEqualTo(content);
  }

  @Test
  void withoutAnIndexThereIsNone() throws IOException {
    byte[] packed = Files.readAllBytes(pack(XZ.CHECK_CRC64, content()));
    packed[packed.length - 20] ^= 1;
    assertThat(IndexedXz.open(Files.write(folder.resolve("y.xz"), packed), MEMORY_KIB, true))
        .isNull();
  }

  @Test
  void theCheckIsTheOneOfTheFormat() {
    Crc64 crc = new Crc64();
    crc.update("x123456789".getBytes(), 1, 9);
    assertThat(crc.value()).isEqualTo(0x995dc9bbdf1939faL);
  }
}
