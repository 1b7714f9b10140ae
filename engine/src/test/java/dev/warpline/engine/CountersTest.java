package dev.warpline.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import org.junit.jupiter.api.Test;

class CountersTest {
  static class Part {
    @Counter("moved")
    long moved = 3;

    int notCounted = 7;
  }

  static class Bank extends Part {
    @Counter(value = "busy", unit = "cycles")
    double busy = 0.5;

    @Counter("conflicts, by number of lanes")
    final long[] lanes = {1, 2};
  }

  static class Wrong {
    @Counter("a number of the wrong kind")
    int count;
  }

  @Test
  void whatIsRegisteredUnderOneNameIsAddedUp() {
    Counters bank = new Counters().add("bank.", new Bank());
    Counters all = new Counters().addAll(bank).add("part.", new Part()).add("bank.", new Bank());
    assertThat(all.read())
        .containsExactly(
            entry("bank.moved", 6L),
            entry("bank.busy", 1.0),
            entry("bank.lanes0", 2L),
            entry("bank.lanes1", 4L),
            entry("part.moved", 3L));
  }

  @Test
  void aResetForgetsNoCounterAndTouchesNothingElse() {
    Bank bank = new Bank();
    Counters counters = new Counters().add("bank.", bank);
    counters.reset();
    assertThat(counters.read().values()).allMatch(value -> value.doubleValue() == 0).hasSize(4);
    assertThat(bank.notCounted).isEqualTo(7);
  }

  @Test
  void whoIsRegisteredIsKnownByIdentity() {
    Part part = new Part();
    Counters counters = new Counters().add("part.", part);
    assertThat(counters.contains(part)).isTrue();
    assertThat(counters.contains(new Part())).isFalse();
  }

  @Test
  void aCounterOfAnotherTypeIsRefused() {
    assertThatThrownBy(() -> Counters.of(new Wrong()))
        .hasMessageContaining("count")
        .hasMessageContaining("found int, expected long, double or long[]");
  }
}
