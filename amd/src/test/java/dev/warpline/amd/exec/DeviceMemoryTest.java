package dev.warpline.amd.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class DeviceMemoryTest {
  private final DeviceMemory memory = new DeviceMemory();

  @Test
  void memoryIsZeroedAndLittleEndian() {
    long at = memory.allocate(16);
    assertThat(memory.readLong(at)).isZero();
    memory.writeInt(at + 4, 0x11223344);
    assertThat(memory.readByte(at + 4)).isEqualTo(0x44);
    assertThat(memory.readShort(at + 6)).isEqualTo(0x1122);
    assertThat(memory.readLong(at)).isEqualTo(0x11223344L << 32);
    assertThat(memory.allocatedBytes()).isEqualTo(16);
  }

  @Test
  void theByteAfterABufferIsNotMapped() {
    long small = memory.allocate(100);
    memory.writeInt(small + 96, 1);
    assertThat(memory.isMapped(small, 100)).isTrue();
    assertThat(memory.isMapped(small, 101)).isFalse();
    assertThatThrownBy(() -> memory.readInt(small + 97))
        .isInstanceOf(MemoryFault.class)
        .hasMessage(
            "4 bytes at 0x%x reach past the end of a buffer at 0x%x", small + 97, small + 100);
    long pages = memory.allocate(2 * 65536);
    assertThat(memory.isMapped(pages, 2 * 65536)).isTrue();
    assertThatThrownBy(() -> memory.writeByte(pages + 2 * 65536, 1))
        .hasMessage(
            "address 0x%x is not mapped (just past the end of a buffer)", pages + 2 * 65536);
    assertThatThrownBy(() -> memory.readInt(-4)).hasMessageContaining("is not mapped");
  }

  @Test
  void freedMemoryIsGone() {
    long at = memory.allocate(70000);
    memory.free(at, 70000);
    assertThat(memory.isMapped(at, 1)).isFalse();
    assertThat(memory.allocatedBytes()).isZero();
    assertThatThrownBy(() -> memory.free(at, 70000)).isInstanceOf(MemoryFault.class);
  }

  @Test
  void mappingTwiceIsAnError() {
    memory.map(0x10000, 10);
    assertThatThrownBy(() -> memory.map(0x10000, 10)).hasMessageContaining("already mapped");
    assertThatThrownBy(() -> memory.map(0x123, 10))
        .hasMessageContaining("expected a multiple of 0x10000");
    assertThatThrownBy(() -> memory.allocate(0)).hasMessageContaining("at least one byte, found 0");
  }

  @Property(tries = 200)
  void accessesAcrossPagesAgreeWithCopies(
      @ForAll @IntRange(min = 65520, max = 65540) int offset, @ForAll long value) {
    DeviceMemory m = new DeviceMemory();
    long at = m.allocate(3 * 65536);
    m.writeLong(at + offset, value);
    assertThat(m.readLong(at + offset)).isEqualTo(value);
    byte[] bytes = m.copyOut(at + offset, 8);
    for (int i = 0; i < 8; i++) {
      assertThat(bytes[i]).isEqualTo((byte) (value >> 8 * i));
    }
    long other = m.allocate(2 * 65536);
    m.copy(at + offset, other + 65533, 8);
    assertThat(m.readLong(other + 65533)).isEqualTo(value);
    m.fill(at + offset, 8, 0xab);
    assertThat(m.readInt(at + offset + 4)).isEqualTo(0xabababab);
    m.copyIn(at + 65530, bytes);
    assertThat(m.readInt(at + 65530)).isEqualTo((int) value);
  }
}
