package dev.warpline.amd.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

class KernargSegmentTest {
  private static final KernargSegment.Launch LAUNCH =
      new KernargSegment.Launch(
          new int[] {1000, 6, 1},
          new int[] {256, 4, 1},
          2,
          0x1_0000_0000_0000L,
          0x2_0000_0000_0000L,
          0x1234_5678_9abcL);

  private static Kernel kernel(String file, String name) throws IOException {
    return CodeObject.read(CodeObjectTest.CODE.resolve(file)).kernel(name);
  }

  private static ByteBuffer bytes(KernargSegment segment) {
    return ByteBuffer.wrap(segment.bytes(LAUNCH)).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Test
  void explicitArgumentsLieAtTheirOffsets() throws IOException {
    KernargSegment segment = new KernargSegment(kernel("stream.gfx900.co", "saxpy"));
    ByteBuffer bytes = bytes(segment.set(0, 0x700000000000L).set(1, 16L).set(2, 1.5f).set(3, -7));
    assertThat(bytes.getLong(0)).isEqualTo(0x700000000000L);
    assertThat(bytes.getLong(8)).isEqualTo(16);
    assertThat(bytes.getFloat(16)).isEqualTo(1.5f);
    assertThat(bytes.getInt(20)).isEqualTo(-7);
  }

  @Test
  void hiddenArgumentsDescribeTheLaunch() throws IOException {
    Kernel kernel = kernel("stream.gfx900.co", "vector_add");
    KernargSegment segment = new KernargSegment(kernel);
    ByteBuffer bytes = bytes(segment.set(0, 0L).set(1, 0L).set(2, 0L).set(3, 0));
    int hidden = 32; // after the last argument, rounded up to 8
    assertThat(bytes.getInt(hidden)).isEqualTo(3); // whole groups along x
    assertThat(bytes.getInt(hidden + 4)).isEqualTo(1);
    assertThat(bytes.getShort(hidden + 12)).isEqualTo((short) 256);
    assertThat(bytes.getShort(hidden + 18)).isEqualTo((short) (1000 - 3 * 256));
    assertThat(bytes.getShort(hidden + 64)).isEqualTo((short) 2);
    assertThat(bytes.capacity()).isEqualTo(kernel.kernargBytes()).isEqualTo(hidden + 256);
  }

  @Test
  void aStructureIsCopiedAsItIs() throws IOException {
    KernargSegment segment = new KernargSegment(kernel("program.gfx90a.co", "structures"));
    byte[] pair = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    ByteBuffer bytes = bytes(segment.set(0, pair).set(1, 1L).set(2, 2L));
    assertThat(bytes.get(11)).isEqualTo((byte) 12);
    assertThat(bytes.getLong(16)).isEqualTo(1);
  }

  @Test
  void localPointersFollowTheStaticLdsWithoutOverlap() {
    KernelDescriptor descriptor = new KernelDescriptor(100, 0, 8, 0, 0, 0, 0, 0, 0);
    KernelArgument first = new KernelArgument("a", 0, 4, "dynamic_shared_pointer", "");
    KernelArgument second = new KernelArgument("b", 4, 4, "dynamic_shared_pointer", "");
    Kernel kernel =
        new Kernel("k", descriptor, 0, 0, 0, List.of(first, second), 8, 0, 0, 0, 256, List.of());
    KernargSegment segment = new KernargSegment(kernel).setLocal(0, 20).setLocal(1, 64);
    ByteBuffer bytes = bytes(segment);
    assertThat(bytes.getInt(0)).isEqualTo(112);
    assertThat(bytes.getInt(4)).isEqualTo(144);
    assertThat(segment.groupSegmentBytes()).isEqualTo(208);
  }

  @Test
  void wrongArgumentsAreNamed() throws IOException {
    KernargSegment segment = new KernargSegment(kernel("stream.gfx900.co", "relu"));
    assertThatThrownBy(() -> segment.set(3, 1L)).hasMessage("kernel relu has 3 arguments, not 3");
    assertThatThrownBy(() -> segment.set(0, new byte[3]))
        .hasMessageContaining("argument 0")
        .hasMessageContaining("8 bytes, found 3");
    assertThatThrownBy(() -> segment.bytes(LAUNCH)).hasMessageContaining("is missing");
    assertThatThrownBy(() -> segment.setLocal(0, 4)).hasMessageContaining("no LDS pointer");
  }
}
