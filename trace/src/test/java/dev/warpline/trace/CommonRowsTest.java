package dev.warpline.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommonRowsTest {
  private static final int WARPS = 3;

  /** Reads a block of loads and arithmetic, as a reader of texts does. */
  private static BlockTrace read(CommonRows common, BlockTrace into, long base, int[] rows) {
    common.begin(into);
    into.reset(base, WARPS);
    for (int w = 0; w < WARPS; w++) {
      into.beginWarp(w);
      for (int row : rows) {
        boolean loads = row % 2 == 0;
        int at = loads ? into.dataSize : BlockTrace.NO_PAYLOAD;
        if (loads) {
          long[] data = into.room(3);
          data[at] = Payload.header(Payload.STRIDE, 3);
          data[at + 1] = base + 128L * row;
          data[at + 2] = 4;
          into.dataSize += 3;
        }
        into.add(row, -1 >>> w, at);
      }
      into.endWarp(w);
    }
    common.end(into);
    return into;
  }

  private static void assertIs(BlockTrace block, long base, int[] rows) {
    for (int w = 0; w < WARPS; w++) {
      assertThat(block.count(w)).isEqualTo(rows.length);
      for (int i = 0; i < rows.length; i++) {
        int at = block.start(w) + i;
        assertThat(block.row(at)).isEqualTo(rows[i]);
        assertThat(block.mask(at)).isEqualTo(-1 >>> w);
        if (rows[i] % 2 == 0) {
          assertThat(block.data()[block.payload(at) + 1]).isEqualTo(base + 128L * rows[i]);
        } else {
          assertThat(block.payload(at)).isEqualTo(BlockTrace.NO_PAYLOAD);
        }
      }
    }
  }

  @Test
  void blocksThatExecuteTheSameShareItAndKeepTheirOwnAddresses() {
    CommonRows common = new CommonRows();
    int[] rows = {0, 1, 2, 3, 4, 5, 1, 2};
    BlockTrace first = read(common, new BlockTrace(), 0x1000, rows);
    BlockTrace second = read(common, new BlockTrace(), 0x2000, rows);
    assertThat(second.executes(first.common())).isTrue();
    assertIs(first, 0x1000, rows);
    assertIs(second, 0x2000, rows);
  }

  /** Buffers are read into again and again while other blocks are resident. */
  @Test
  void oneThatIsReadAgainLeavesTheOthersAlone() {
    CommonRows common = new CommonRows();
    int[] rows = new int[5_000];
    Arrays.setAll(rows, i -> i % 7);
    int[] others = rows.clone();
    others[4_321]++;
    List<BlockTrace> blocks = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      blocks.add(read(common, new BlockTrace(), i << 20, i % 3 == 0 ? others : rows));
    }
    read(common, blocks.get(2), 99 << 20, others);
    for (int i = 0; i < 6; i++) {
      boolean again = i == 2;
      assertIs(blocks.get(i), (again ? 99L : i) << 20, again || i % 3 == 0 ? others : rows);
    }
  }
}
