package dev.warpline.amd.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedWindowTest {
  private static final long GIB = 1L << 30;

  @TempDir Path folder;

  private FileChannel file;
  private SharedWindow window;
  private DeviceMemory memory;

  @BeforeEach
  void open() throws IOException {
    RandomAccessFile random = new RandomAccessFile(folder.resolve("window").toFile(), "rw");
    random.setLength(2 * GIB);
    file = random.getChannel();
    window = new SharedWindow(file, 2 * GIB);
    memory = new DeviceMemory(window);
  }

  @AfterEach
  void close() throws IOException {
    file.close();
  }

  @Test
  void theGpuAndTheFileSeeTheSameBytes() throws IOException {
    long at = memory.allocateVisible(200_000);
    memory.writeLong(at + 65532, 0x1122334455667788L);
    ByteBuffer seen = ByteBuffer.allocate(8);
    file.read(seen, at - SharedWindow.BASE + 65532);
    assertThat(seen.array()).containsExactly(0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11);
    file.write(ByteBuffer.wrap(new byte[] {7, 1}), at - SharedWindow.BASE + 100);
    assertThat(memory.readShort(at + 100)).isEqualTo(0x107);
    long own = memory.allocate(200_000);
    memory.copy(at, own, 200_000);
    assertThat(memory.readLong(own + 65532)).isEqualTo(0x1122334455667788L);
    memory.fill(own, 200_000, 9);
    memory.copy(own, at, 200_000);
    assertThat(memory.copyOut(at + 199_999, 1)).containsExactly(9);
  }

  @Test
  void anAccessBehindAnAllocationIsFound() {
    long at = memory.allocateVisible(100);
    assertThat(memory.isMapped(at, 100)).isTrue();
    assertThat(memory.isMapped(at, 101)).isFalse();
    assertThatThrownBy(() -> memory.writeInt(at + 98, 1))
        .isInstanceOf(MemoryFault.class)
        .hasMessage("4 bytes at 0x%x reach past the end of a buffer at 0x%x", at + 98, at + 100);
    assertThat(window.free(at)).isTrue();
    assertThatThrownBy(() -> memory.readByte(at)).hasMessageContaining("is not mapped");
  }

  @Test
  void freedRoomIsUsedAgainAndAnAllocationTooLargeIsRefused() throws IOException {
    long first = window.allocate(GIB);
    long second = window.allocate(GIB / 2);
    assertThat(window.allocate(GIB)).isZero();
    assertThat(window.free(second + 4)).isFalse();
    assertThat(window.free(first)).isTrue();
    assertThat(window.free(second)).isTrue();
    assertThat(window.allocatedBytes()).isZero();
    assertThat(window.allocate(2 * GIB - 65536)).isEqualTo(first);
  }
}
