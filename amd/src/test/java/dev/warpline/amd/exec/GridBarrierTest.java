package dev.warpline.amd.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class GridBarrierTest {
  private static final int LAG = 10;

  private final GridBarrier barrier = new GridBarrier(2, LAG);
  private final GroupState first = new GroupState("k", 0, 0, 0, 0, barrier, 0);
  private final GroupState second = new GroupState("k", 1, 0, 0, 0, barrier, 1);

  @Test
  void agroupGoesOnWhenAllHaveArrivedAndEverybodyCanKnow() {
    assertThat(first.passGridBarrier(2, 100)).isFalse();
    assertThat(first.passGridBarrier(2, 150)).isFalse();
    assertThat(second.passGridBarrier(2, 200)).isFalse();
    assertThat(first.passGridBarrier(2, 209)).isFalse();
    assertThat(first.passGridBarrier(2, 210)).isTrue();
  }

  @Test
  void oneThatIsAlreadyAtTheNextRoundDoesNotHoldUpAnother() {
    first.passGridBarrier(2, 100);
    second.passGridBarrier(2, 100);
    assertThat(first.passGridBarrier(2, 110)).isTrue();
    assertThat(first.passGridBarrier(2, 111)).isFalse();
    assertThat(second.passGridBarrier(2, 110)).isTrue();
    assertThat(second.passGridBarrier(2, 120)).isFalse();
    assertThat(second.passGridBarrier(2, 130)).isTrue();
    assertThat(first.passGridBarrier(2, 130)).isTrue();
  }

  @Test
  void anotherNumberOfGroupsIsRefused() {
    assertThatThrownBy(() -> first.passGridBarrier(3, 1))
        .hasMessage("a barrier of 3 groups; expected one of all 2 groups of the launch");
  }
}
