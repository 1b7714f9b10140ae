package dev.warpline.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TagStoreTest {
  @Test
  void aLineIsFoundUntilItsSetIsFullOfOthers() {
    TagStore tags = new TagStore(8, 4);
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
    TagStore tags = new TagStore(4, 4);
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
    TagStore tags = new TagStore(1, 1);
    tags.markDirty(tags.insert(7, 0));
    tags.insert(8, 0);
    assertThat(tags.evictedDirty()).isEqualTo(7);
    tags.insert(9, 0);
    assertThat(tags.evictedDirty()).isEqualTo(-1);
  }

  @Test
  void waysMustBeAPowerOfTwo() {
    assertThatThrownBy(() -> new TagStore(9, 3)).hasMessageContaining("power of two");
  }
}
