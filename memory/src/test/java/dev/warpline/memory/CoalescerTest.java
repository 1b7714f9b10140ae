package dev.warpline.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.memory.Coalescer.Order;
import java.util.Arrays;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class CoalescerTest {
  private static long[] lanes(long base, long stride) {
    long[] address = new long[32];
    Arrays.setAll(address, lane -> base + lane * stride);
    return address;
  }

  private static long[] starts(Coalescer coalescer) {
    return Arrays.copyOf(coalescer.start, coalescer.count);
  }

  private static int[] touched(Coalescer coalescer) {
    return Arrays.copyOf(coalescer.touched, coalescer.count);
  }

  @Nested
  class SectorsInAscendingOrder {
    private final Coalescer coalescer = new Coalescer(Order.ASCENDING, 1);

    @Test
    void consecutiveWordsNeedFourSectors() {
      coalescer.begin(32);
      coalescer.touch(lanes(0x1000, 4), -1, 4);
      assertThat(starts(coalescer)).containsExactly(0x1000, 0x1020, 0x1040, 0x1060);
      assertThat(touched(coalescer)).containsOnly(-1);
    }

    @Test
    void sixteenBytesPerLaneNeedSixteenSectors() {
      coalescer.begin(32);
      coalescer.touch(lanes(0x1000, 16), -1, 16);
      assertThat(coalescer.count).isEqualTo(16);
    }

    @Test
    void anAccessAcrossASectorsEndTouchesBoth() {
      coalescer.begin(32);
      coalescer.touch(0x101e, 4);
      assertThat(starts(coalescer)).containsExactly(0x1000, 0x1020);
      assertThat(touched(coalescer)).containsExactly(0b11 << 30, 0b11);
    }

    @Test
    void descendingLanesGiveAscendingSectors() {
      coalescer.begin(32);
      coalescer.touch(lanes(0x1000, -128), 0b111, 4);
      assertThat(starts(coalescer)).containsExactly(0xf00, 0xf80, 0x1000);
    }

    @Test
    void atomicsOnOneWordNeedAnAccessPerLane() {
      coalescer.begin(32);
      for (long address : lanes(0x1000, 0)) {
        coalescer.touchAlone(address, 4);
      }
      assertThat(coalescer.count).isEqualTo(32);
    }

    @Test
    void atomicsOnDifferentWordsOfASectorShareAnAccess() {
      coalescer.begin(32);
      for (long address : lanes(0x1000, 4)) {
        coalescer.touchAlone(address, 4);
      }
      assertThat(coalescer.count).isEqualTo(4);
      assertThat(coalescer.lanes[0]).isEqualTo(8);
    }

    @Test
    void longSegmentsTakeWholeLines() {
      coalescer.begin(128);
      coalescer.touch(lanes(0x1000, 4), -1, 4);
      assertThat(starts(coalescer)).containsExactly(0x1000);
      assertThat(coalescer.segmentBytes()).isEqualTo(128);
    }
  }

  @Nested
  class LinesInTheOrderOfTheLanes {
    private final Coalescer coalescer = new Coalescer(Order.AS_TOUCHED, 4);

    @Test
    void consecutiveWordsNeedOneLine() {
      coalescer.begin(128);
      coalescer.touch(lanes(0x1000, 4), -1, 4);
      assertThat(starts(coalescer)).containsExactly(0x1000);
      assertThat(touched(coalescer)).containsExactly(-1);
    }

    @Test
    void descendingLanesGiveDescendingLines() {
      coalescer.begin(128);
      coalescer.touch(lanes(0x1000, -128), 0b111, 4);
      assertThat(starts(coalescer)).containsExactly(0x1000, 0xf80, 0xf00);
    }

    @Test
    void lanesThatGoToAndFroShareTheirLines() {
      coalescer.begin(128);
      for (int lane = 0; lane < 32; lane++) {
        coalescer.touch(0x2000 - lane % 2 * 0x1000 + 4 * lane, 4);
      }
      assertThat(starts(coalescer)).containsExactly(0x2000, 0x1000);
      assertThat(touched(coalescer)).containsExactly(0x55555555, 0xaaaaaaaa);
    }

    @Test
    void bytesOfAWordTouchTheWord() {
      coalescer.begin(128);
      coalescer.touch(0x1006, 2);
      assertThat(touched(coalescer)).containsExactly(0b10);
    }
  }

  @Test
  void aRunOfLanesGivesWhatTheLanesGiveOneByOne() {
    for (int cell : new int[] {1, 4, 64}) {
      int segment = Math.min(32 * cell, 128);
      Coalescer run = new Coalescer(Order.ASCENDING, cell);
      Coalescer slow = new Coalescer(Order.AS_TOUCHED, cell);
      for (int width : new int[] {1, 2, 4, 8, 16}) {
        for (int n = 1; n <= 32; n++) {
          for (long base = 0x1000; base < 0x1040; base += width) {
            run.begin(segment);
            slow.begin(segment);
            assertThat(run.isRun(base, width, width)).isTrue();
            run.touchRun(base, n, width);
            slow.touch(lanes(base, width), n == 32 ? -1 : (1 << n) - 1, width);
            assertThat(starts(run)).isEqualTo(starts(slow));
            assertThat(touched(run)).isEqualTo(touched(slow));
            assertThat(Arrays.copyOf(run.lanes, run.count))
                .isEqualTo(Arrays.copyOf(slow.lanes, slow.count));
          }
        }
      }
    }
  }
}
