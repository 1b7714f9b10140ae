package dev.warpline.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class BlocksAheadTest {
  private static String block(int id) {
    return TraceText.block(
        id,
        TraceText.warp(0, "0000 ffffffff 1 R" + id + " MOV 0 0", "0010 ffffffff 0 EXIT 0 0")
            + TraceText.warp(1, "0020 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7f0000" + id + "00 4"));
  }

  private static KernelTrace open(String text) throws IOException {
    return TraceText.open(text, Diagnostics.strict());
  }

  private static String whole() {
    return TraceText.kernel(block(0), block(1), block(2), block(3));
  }

  @Test
  void givesWhatTheReaderReads() throws IOException {
    try (KernelTrace ahead = BlocksAhead.onOwnThread(open(whole()), 1);
        KernelTrace expected = open(whole())) {
      KernelAssert.assertSame(ahead, expected);
      // From the first block on once more: nothing is read ahead then.
      KernelAssert.assertSame(ahead, expected);
      assertThat(ahead.code().size()).isEqualTo(expected.code().size());
    }
  }

  @Test
  void readsOneBlockAheadWhereThereIsRoomForNone() throws IOException {
    try (KernelTrace ahead = BlocksAhead.onOwnThread(open(whole()), Integer.MAX_VALUE);
        KernelTrace expected = open(whole())) {
      KernelAssert.assertSame(ahead, expected);
    }
  }

  @Test
  void nothingIsReadBeforeSomebodyAsks() throws IOException {
    KernelTrace trace = open(whole());
    try (KernelTrace ahead = BlocksAhead.onOwnThread(trace, 1)) {
      assertThat(ahead.header()).isSameAs(trace.header());
    }
    assertThat(trace.code().size()).isZero();
  }

  @Test
  void takesBlocksInAnyOrder() throws IOException {
    try (KernelTrace ahead = BlocksAhead.onOwnThread(open(whole()), 1);
        KernelTrace expected = open(whole())) {
      BlockTrace a = new BlockTrace();
      BlockTrace b = new BlockTrace();
      for (long id : new long[] {0, 2, 1, 3, 0}) {
        assertThat(ahead.readBlock(id, a)).isTrue();
        assertThat(expected.readBlock(id, b)).isTrue();
        KernelAssert.assertSameBlock(ahead, a, expected, b);
      }
    }
  }

  @Test
  void knowsTheCodeOfTheBlocksThatItGave() throws IOException {
    try (KernelTrace ahead = BlocksAhead.onOwnThread(open(whole()), 1)) {
      assertThat(ahead.code().size()).isZero();
      BlockTrace block = new BlockTrace();
      ahead.readBlock(0, block);
      assertThat(ahead.code().size()).isEqualTo(3);
      ahead.readBlock(1, block);
      assertThat(ahead.code().size()).isEqualTo(4);
    }
  }

  @Test
  void failsAtTheBlockThatCannotBeRead() throws IOException {
    String text = TraceText.kernel(block(0), TraceText.block(1, TraceText.warp(0, "no line")));
    try (KernelTrace ahead = BlocksAhead.onOwnThread(open(text), 1)) {
      BlockTrace block = new BlockTrace();
      assertThat(ahead.readBlock(0, block)).isTrue();
      assertThatThrownBy(() -> ahead.readBlock(1, block)).isInstanceOf(TraceFormatException.class);
    }
  }

  @Test
  void readsAheadWhenTold() throws IOException {
    KernelTrace trace = open(whole());
    try (KernelTrace ahead = BlocksAhead.whenTold(trace, 1);
        KernelTrace expected = open(whole())) {
      ahead.readAhead(2);
      assertThat(trace.code().size()).isEqualTo(4);
      assertThat(ahead.code().size()).isZero();
      BlockTrace a = new BlockTrace();
      BlockTrace b = new BlockTrace();
      for (int id = 0; id < 4; id++) {
        assertThat(ahead.readBlock(id, a)).isTrue();
        assertThat(expected.readBlock(id, b)).isTrue();
        KernelAssert.assertSameBlock(ahead, a, expected, b);
        if (id == 2) {
          ahead.readAhead(5);
        }
      }
      assertThat(ahead.readBlock(4, a)).isFalse();
      assertThat(ahead.readBlock(1, a)).isTrue();
      ahead.readAhead(3);
      assertThat(ahead.code().size()).isEqualTo(expected.code().size());
    }
  }

  @Test
  void aBlockThatWasReadAheadFailsWhenItIsAskedFor() throws IOException {
    String text = TraceText.kernel(block(0), TraceText.block(1, TraceText.warp(0, "no line")));
    try (KernelTrace ahead = BlocksAhead.whenTold(open(text), 1)) {
      ahead.readAhead(3);
      BlockTrace block = new BlockTrace();
      assertThat(ahead.readBlock(0, block)).isTrue();
      assertThatThrownBy(() -> ahead.readBlock(1, block)).isInstanceOf(TraceFormatException.class);
    }
  }
}
