package dev.warpline.nvidia.hopper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class TensorMapTest {
  private static final long BASE = 0x7f0000000000L;

  private static List<Long> sectors(TensorMap map, int... origin) {
    List<Long> list = new ArrayList<>();
    map.sectors(origin, list::add);
    return list;
  }

  private static TensorMap matrix(int width, int height, int boxWidth, int boxHeight) {
    return new TensorMap(
        BASE,
        2,
        new long[] {width, height},
        new long[] {2, 2L * width},
        new int[] {boxWidth, boxHeight},
        new int[] {1, 1});
  }

  @Test
  void aBoxIsReadRowByRow() {
    TensorMap map = matrix(1024, 768, 64, 64);
    List<Long> list = sectors(map, 0, 0);
    assertThat(list).hasSize(256);
    assertThat(map.boxBytes()).isEqualTo(8192);
    assertThat(list.subList(0, 5))
        .containsExactly(BASE, BASE + 32, BASE + 64, BASE + 96, BASE + 2048);
  }

  @Test
  void elementsOutsideTheTensorAreFilledAndNotRead() {
    TensorMap map = matrix(104, 10, 64, 8);
    List<Long> list = new ArrayList<>();
    long outside = map.sectors(new int[] {64, 6}, list::add);
    // 40 columns and 4 rows are inside.
    assertThat(outside).isEqualTo(2 * (64 * 8 - 40 * 4));
    assertThat(list).allMatch(a -> a >= BASE && a < BASE + 2 * 104 * 10);
  }

  @Test
  void negativeCoordinatesAreOutsideToo() {
    TensorMap map = matrix(128, 128, 32, 4);
    List<Long> list = new ArrayList<>();
    assertThat(map.sectors(new int[] {-16, -2}, list::add)).isEqualTo(2 * (32 * 4 - 16 * 2));
    assertThat(list).containsExactly(BASE, BASE + 256);
  }

  @Test
  void aBoxWhollyOutsideReadsNothing() {
    TensorMap map = matrix(128, 128, 32, 4);
    List<Long> list = new ArrayList<>();
    assertThat(map.sectors(new int[] {0, 128}, list::add)).isEqualTo(map.boxBytes());
    assertThat(list).isEmpty();
  }

  @Test
  void fiveDimensionsAddTheirStrides() {
    TensorMap map =
        new TensorMap(
            BASE,
            4,
            new long[] {8, 4, 3, 5, 7},
            new long[] {4, 32, 128, 384, 1920},
            new int[] {8, 2, 2, 2, 2},
            new int[] {1, 1, 1, 1, 1});
    List<Long> list = sectors(map, 0, 1, 1, 2, 3);
    assertThat(list).hasSize(16);
    assertThat(list.get(0)).isEqualTo(BASE + 32 + 128 + 2 * 384 + 3 * 1920);
    assertThat(list.get(15)).isEqualTo(BASE + 2 * 32 + 2 * 128 + 3 * 384 + 4 * 1920);
  }

  @Test
  void elementStridesThinABoxOut() {
    TensorMap map =
        new TensorMap(
            BASE,
            4,
            new long[] {256, 16},
            new long[] {4, 1024},
            new int[] {64, 4},
            new int[] {8, 2});
    assertThat(map.boxBytes()).isEqualTo(8 * 2 * 4);
    assertThat(sectors(map, 0, 0)).hasSize(16).contains(BASE + 2 * 1024);
  }

  @Test
  void mapsThatTheHardwareRefusesAreRefused() {
    assertThatThrownBy(() -> matrix(1024, 768, 257, 1))
        .hasMessage("box extent 257 in dimension 0, expected 1 to 256");
    assertThatThrownBy(() -> matrix(104, 10, 64, 8).sectors(new int[] {0}, s -> {}))
        .hasMessage("a box of this map has 2 coordinates, found 1");
    assertThatThrownBy(() -> matrix(7, 10, 4, 8))
        .hasMessage("stride 14 in dimension 1 is not a multiple of 16 bytes");
  }

  @Property
  void whatIsReadIsExactlyWhatLiesInside(
      @ForAll @IntRange(min = -40, max = 140) int x,
      @ForAll @IntRange(min = -40, max = 80) int y,
      @ForAll @IntRange(min = 1, max = 64) int boxWidth,
      @ForAll @IntRange(min = 1, max = 32) int boxHeight) {
    TensorMap map = matrix(96, 40, boxWidth, boxHeight);
    TreeSet<Long> expected = new TreeSet<>();
    long inside = 0;
    for (int r = y; r < y + boxHeight; r++) {
      for (int c = x; c < x + boxWidth; c++) {
        if (r >= 0 && r < 40 && c >= 0 && c < 96) {
          expected.add((BASE + 192L * r + 2L * c) / 32 * 32);
          inside += 2;
        }
      }
    }
    TreeSet<Long> found = new TreeSet<>();
    long outside = map.sectors(new int[] {x, y}, found::add);
    assertThat(found).isEqualTo(expected);
    assertThat(outside).isEqualTo(map.boxBytes() - inside);
  }
}
