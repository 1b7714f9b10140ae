package dev.warpline.memory.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class MissTableTest {
  @Test
  void waitersComeBackInOrder() {
    MissTable table = MissTable.unbounded();
    int entry = table.add(100);
    table.await(entry, 5);
    table.await(entry, 3);
    assertThat(table.take(entry)).isEqualTo(5);
    assertThat(table.take(entry)).isEqualTo(3);
    assertThat(table.hasWaiter(entry)).isFalse();
  }

  @Test
  void whoeverIsToBeAnsweredFirstIs() {
    MissTable table = MissTable.besideTags();
    int entry = table.add(256, 7, 0b0110);
    table.awaitFirst(entry, 1);
    table.awaitFirst(entry, 2);
    table.await(entry, 3);
    assertThat(table.take(entry)).isEqualTo(2);
    assertThat(table.take(entry)).isEqualTo(1);
    assertThat(table.take(entry)).isEqualTo(3);
    assertThat(table.place(entry)).isEqualTo(7);
    assertThat(table.sectors(entry)).isEqualTo(0b0110);
  }

  @Test
  void aLineMayBeUnderWayTwiceWhereItsCacheKnowsTheEntries() {
    MissTable table = MissTable.besideTags();
    int lower = table.add(256, 7, 0b0011);
    int upper = table.add(256, 7, 0b1100);
    table.remove(lower);
    assertThat(table.line(upper)).isEqualTo(256);
    assertThat(table.size()).isEqualTo(1);
  }

  @Property(tries = 200)
  void behavesAsAMap(@ForAll @Size(max = 400) List<@IntRange(max = 60) Integer> lines) {
    MissTable table = MissTable.unbounded();
    Map<Integer, Integer> model = new HashMap<>();
    for (int line : lines) {
      Integer known = model.get(line);
      assertThat(table.find(line)).isEqualTo(known == null ? -1 : known);
      if (known == null) {
        model.put(line, table.add(line));
      } else {
        table.remove(known);
        model.remove(line);
      }
      assertThat(table.size()).isEqualTo(model.size());
    }
  }
}
