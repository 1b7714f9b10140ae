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

class WaitTableTest {
  @Test
  void waitersComeBackInOrder() {
    WaitTable table = new WaitTable();
    int entry = table.add(100);
    table.addWaiter(entry, 5);
    table.addWaiter(entry, 3);
    assertThat(table.removeWaiter(entry)).isEqualTo(5);
    assertThat(table.removeWaiter(entry)).isEqualTo(3);
    assertThat(table.hasWaiter(entry)).isFalse();
  }

  @Property(tries = 200)
  void behavesAsAMap(@ForAll @Size(max = 400) List<@IntRange(max = 60) Integer> lines) {
    WaitTable table = new WaitTable();
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
