package dev.warpline.nvidia.modern.code;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ColumnsTest {
  private static final class Table {
    private static final int[] SHARED = {7};

    int[] latency = {1, 2};
    boolean[] fixed = {true, false};
    short[] operands = {1, 2, 3, 4, 5, 6, 7, 8};
    int[][] reads = {{1}, {2, 3}};
    int rows = 2;
  }

  @Test
  void everyColumnHasRoomForTheSameRows() {
    Table table = new Table();
    Columns.grow(table, 2, 4);
    assertThat(table.latency).containsExactly(1, 2, 0, 0);
    assertThat(table.fixed).containsExactly(true, false, false, false);
    assertThat(table.operands).hasSize(16).startsWith(1, 2, 3, 4, 5, 6, 7, 8);
    assertThat(table.reads.length).isEqualTo(4);
    assertThat(table.reads[1]).containsExactly(2, 3);
    assertThat(table.rows).isEqualTo(2);
    assertThat(Table.SHARED).hasSize(1);
  }
}
