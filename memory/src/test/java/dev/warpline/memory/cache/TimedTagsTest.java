package dev.warpline.memory.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.policy.replacement.TreePseudoLru;
import org.junit.jupiter.api.Test;

class TimedTagsTest {
  @Test
  void aLineIsFoundUntilItsSetIsFullOfOthers() {
    TimedTags tags = new TimedTags(8, 4, new TreePseudoLru());
    tags.insert(0, 0);
    assertThat(tags.find(0)).isNotNegative();
    for (long line = 2; line <= 8; line += 2) {
      tags.insert(line, 0);
    }
    assertThat(tags.find(0)).isNegative();
    assertThat(tags.find(8)).isNotNegative();
  }

  @Test
  void theLineUsedLastStays() {
    TimedTags tags = new TimedTags(4, 4, new TreePseudoLru());
    for (long line = 0; line < 4; line++) {
      tags.insert(line, 0);
    }
    tags.find(0);
    tags.insert(4, 0);
    assertThat(tags.find(0)).isNotNegative();
    assertThat(tags.find(4)).isNotNegative();
  }

  @Test
  void aWrittenLineIsNamedWhenItLeaves() {
    TimedTags tags = new TimedTags(1, 1, new TreePseudoLru());
    tags.markDirty(tags.insert(7, 0));
    tags.insert(8, 0);
    assertThat(tags.evictedDirty()).isEqualTo(7);
    tags.insert(9, 0);
    assertThat(tags.evictedDirty()).isEqualTo(-1);
  }

  @Test
  void entriesMakeWholeSets() {
    assertThatThrownBy(() -> new TimedTags(10, 3, new TreePseudoLru()))
        .hasMessage("10 entries in 3 ways; expected a multiple of the ways");
  }
}
