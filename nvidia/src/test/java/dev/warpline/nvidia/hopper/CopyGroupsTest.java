package dev.warpline.nvidia.hopper;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CopyGroupsTest {
  private final CopyGroups groups = new CopyGroups();

  @Test
  void aWaitWithoutGroupsIsFree() {
    assertThat(groups.readyAt(0, true)).isZero();
  }

  @Test
  void aGroupEndsWithItsSlowestCopy() {
    groups.join(100, 140);
    groups.join(90, 200);
    groups.commit();
    assertThat(groups.readyAt(0, true)).isEqualTo(100);
    assertThat(groups.readyAt(0, false)).isEqualTo(200);
    assertThat(groups.readyAt(1, false)).isZero();
  }

  @Test
  void groupsEndInOrder() {
    groups.join(500, 600);
    groups.commit();
    groups.join(100, 150);
    groups.commit();
    assertThat(groups.readyAt(0, false)).isEqualTo(600);
    assertThat(groups.readyAt(1, true)).isEqualTo(500);
  }

  @Test
  void copiesOfTheOpenGroupAreNotWaitedFor() {
    groups.join(100, 150);
    assertThat(groups.readyAt(0, false)).isZero();
  }

  @Test
  void finishedGroupsAreForgottenAndManyFit() {
    for (int i = 1; i <= 20; i++) {
      groups.join(10L * i, 10L * i + 5);
      groups.commit();
    }
    assertThat(groups.readyAt(3, true)).isEqualTo(170);
    groups.retire(195);
    assertThat(groups.readyAt(0, false)).isEqualTo(205);
    assertThat(groups.readyAt(1, false)).isZero();
  }
}
