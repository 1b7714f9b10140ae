package dev.warpline.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SharedShapesTest {
  private static final int LANES = 32;

  /** A block of one warp whose loads name these addresses. */
  private static BlockTrace block(long[]... addresses) {
    WarpTrace warp = new WarpTrace();
    for (long[] lanes : addresses) {
      warp.add(0, -1);
      warp.addresses(lanes);
      warp.add(1, -1);
    }
    BlockTrace block = new BlockTrace();
    block.gather(0, 0, new WarpTrace[] {warp});
    return block;
  }

  private static BlockTrace shared(BlockTrace block) {
    SharedShapes shapes = new SharedShapes();
    BlockTrace into = new BlockTrace();
    shapes.begin(into);
    into.copy(block);
    shapes.end(into);
    return into;
  }

  private static long[] scattered(long seed, long base) {
    Random random = new Random(seed);
    long[] lanes = new long[LANES];
    Arrays.setAll(lanes, lane -> base + 4 * random.nextInt(1000));
    return lanes;
  }

  @Test
  void addressesThatAreAsFarApartStandOnceAndReadAsBefore() {
    long[][] addresses = new long[100][];
    Arrays.setAll(addresses, i -> scattered(i % 3, 0x7f00_0000_0000L + 4096L * i * (i % 7)));
    BlockTrace plain = block(addresses);
    BlockTrace packed = shared(plain);
    assertThat(packed.dataSize).isEqualTo(3 * (1 + LANES) + 97 * Payload.SHARED_WORDS);
    assertThat(packed.data).hasSizeLessThan(packed.dataSize + 1024);
    for (int i = 0; i < plain.instructions(); i++) {
      assertThat(KernelAssert.payloads(packed, i)).isEqualTo(KernelAssert.payloads(plain, i));
    }
  }

  @Test
  void addressesThatAreNotAlikeStayAsTheyAre() {
    BlockTrace plain = block(scattered(1, 0), scattered(2, 0), scattered(3, 0));
    BlockTrace packed = shared(plain);
    assertThat(packed.dataSize).isEqualTo(plain.dataSize);
  }
}
