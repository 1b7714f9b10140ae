package dev.warpline.memory.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.policy.Replacement;
import dev.warpline.policy.replacement.LeastRecentlyUsed;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TagArrayTest {
  private static void bring(TagArray tags, int set, long line) {
    int place = tags.find(set, line);
    if (place >= 0) {
      tags.used(place);
    } else {
      tags.put(tags.room(set, Replacement.Lines.ALL), line);
    }
  }

  /** Ways are searched one by one, by their marks or through an index; all do what a list does. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 8, 12, 16, 17, 100})
  void aSetIsAListOfLinesInTheOrderOfUse(int ways) {
    int sets = 3;
    TagArray tags = new TagArray(sets, ways, new LeastRecentlyUsed());
    List<List<Long>> expected = new ArrayList<>();
    for (int set = 0; set < sets; set++) {
      expected.add(new ArrayList<>());
    }
    Random random = new Random(ways);
    for (int i = 0; i < 20_000; i++) {
      int set = random.nextInt(sets);
      long line = random.nextInt(2 * ways + 2) * (long) sets + set;
      List<Long> lines = expected.get(set);
      if (random.nextInt(10) == 0) {
        int place = tags.find(set, line);
        assertThat(place >= 0).isEqualTo(lines.remove(line));
        if (place >= 0) {
          tags.remove(place);
        }
      } else {
        assertThat(tags.find(set, line) >= 0).isEqualTo(lines.contains(line));
        bring(tags, set, line);
        lines.remove(line);
        lines.add(line);
        if (lines.size() > ways) {
          lines.remove(0);
        }
      }
    }
    for (int set = 0; set < sets; set++) {
      for (long line : expected.get(set)) {
        assertThat(tags.line(tags.find(set, line))).isEqualTo(line);
      }
    }
  }

  @Test
  void aLineThatMustStayIsPassedBy() {
    TagArray tags = new TagArray(1, 3, new LeastRecentlyUsed());
    for (long line = 0; line < 3; line++) {
      bring(tags, 0, line);
    }
    int oldest = tags.find(0, 0);
    assertThat(tags.line(tags.room(0, (set, way) -> tags.place(set, way) != oldest))).isEqualTo(1);
    assertThat(tags.room(0, (set, way) -> false)).isEqualTo(TagArray.NONE);
    tags.remove(oldest);
    assertThat(tags.room(0, (set, way) -> false)).as("an empty place").isEqualTo(oldest);
  }

  @Test
  void anotherShapeIsEmpty() {
    TagArray tags = new TagArray(2, 4, new LeastRecentlyUsed());
    bring(tags, 1, 7);
    tags.resize(2, 20);
    assertThat(tags.find(1, 7)).isEqualTo(TagArray.NONE);
    for (long line = 0; line < 20; line++) {
      bring(tags, 1, line);
    }
    assertThat(tags.find(1, 0)).isNotNegative();
    assertThat(tags.places()).isEqualTo(64);
  }
}
