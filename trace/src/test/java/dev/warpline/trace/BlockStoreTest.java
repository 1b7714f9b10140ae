package dev.warpline.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Blocks that are made before they are asked for. */
class BlockStoreTest {
  private static BlockTrace block(long id) {
    WarpTrace[] warps = {new WarpTrace(), new WarpTrace()};
    long[] addresses = new long[32];
    for (int w = 0; w < warps.length; w++) {
      for (int i = 0; i < 100; i++) {
        warps[w].add(i % 7, i % 3 == 0 ? 0x0000f0f0 : -1);
        if (i % 7 == 2) {
          for (int lane = 0; lane < 32; lane++) {
            addresses[lane] = 0x7f0000000000L + id * 4096 + lane * (i % 2 == 0 ? 4 : lane);
          }
          warps[w].addresses(addresses);
        } else if (i % 7 == 3) {
          warps[w].bulk(0x400, 0, 4096, 0);
          warps[w].sectors(0x7f0000100000L + id, 32, 128);
          warps[w].values(id, i);
          warps[w].values(7);
        }
      }
    }
    BlockTrace block = new BlockTrace();
    block.gather(id, (int) id % 2, warps);
    return block;
  }

  private static void same(BlockTrace a, BlockTrace b) {
    assertThat(a.blockId()).isEqualTo(b.blockId());
    assertThat(a.clusterRank()).isEqualTo(b.clusterRank());
    assertThat(a.instructions()).isEqualTo(b.instructions());
    for (int i = 0; i < a.instructions(); i++) {
      assertThat(a.row(i)).isEqualTo(b.row(i));
      assertThat(a.mask(i)).isEqualTo(b.mask(i));
      int x = a.payload(i);
      int y = b.payload(i);
      assertThat(x < 0).isEqualTo(y < 0);
      while (x >= 0) {
        x = Payload.next(a.data(), x);
        y = Payload.next(b.data(), y);
      }
      assertThat(y).isNegative();
      assertThat(KernelAssert.payloads(a, i)).isEqualTo(KernelAssert.payloads(b, i));
    }
  }

  @Test
  void blocksComeBackAsTheyWereInAnyOrderFromMemoryAndFromTheFile() throws IOException {
    // Room for a few blocks only: the others go to a file.
    try (BlockStore store = new BlockStore(2, 2000)) {
      for (long id = 0; id < 20; id++) {
        store.put(block(id));
      }
      BlockTrace into = new BlockTrace();
      for (long id : new long[] {19, 0, 7, 1, 18, 2}) {
        assertThat(store.take(id, 7, into)).isTrue();
        same(into, block(id));
        assertThat(store.take(id, 7, into)).as("taken once").isFalse();
      }
    }
  }
}
