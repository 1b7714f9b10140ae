package dev.warpline.memory.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.gpu.DramStandard;
import dev.warpline.memory.dram.Banks;
import dev.warpline.memory.dram.Rules;
import dev.warpline.policy.PagePolicy;
import dev.warpline.policy.Policies;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A channel that is reserved ahead obeys its standard as one that is given commands does. */
class ReservedChannelTest {
  static List<String> standards() {
    return DramStandard.names();
  }

  private static PagePolicy pages(String words) {
    return Policies.of(PagePolicy.class).maker(words).get();
  }

  private static ReservedChannel channel(String standard) {
    return new ReservedChannel(Rules.of(DramStandard.known(standard)), pages("open"));
  }

  /**
   * One request at a time, each long after the last: nothing is left to the order. Only a refresh
   * that begins while a request is under way finds it at another point.
   */
  @ParameterizedTest
  @MethodSource("standards")
  void aLoneRequestTakesTheSameTimeWhetherReservedOrCommanded(String standard) {
    Rules rules = Rules.of(DramStandard.known(standard));
    for (String policy : List.of("open", "closed", "timeout:60")) {
      Banks banks = new Banks(rules, pages(policy));
      ReservedChannel channel = new ReservedChannel(rules, pages(policy));
      Random random = new Random(4);
      long now = 0;
      int same = 0;
      for (int i = 0; i < 500; i++) {
        int bank = random.nextInt(3);
        long row = random.nextInt(2);
        long commanded = banks.access(bank, row, false, now);
        double reserved = channel.access(bank, row, false, now);
        same += Math.abs(reserved - commanded) < 0.5 ? 1 : 0;
        now = commanded + 160 + random.nextInt(400);
      }
      assertThat(same).as(policy).isGreaterThan(465);
      assertThat(channel.opened).as(policy).isBetween(banks.activates - 5, banks.activates + 5);
    }
  }

  @Test
  void aRequestThatComesEarlierDoesNotWaitForOneThatWasReservedBefore() {
    ReservedChannel channel = channel("hbm3");
    assertThat(channel.access(0, 7, false, 100)).isEqualTo(123);
    assertThat(channel.access(1, 7, false, 40)).isEqualTo(63);
  }

  @Test
  void aRequestJoinsItsRowIfThatWasOpenWhenItCame() {
    ReservedChannel channel = channel("hbm3");
    channel.access(0, 7, false, 0);
    // Another row of the bank, from cycle 60 on.
    assertThat(channel.access(0, 8, false, 60)).isEqualTo(60 + 23 + 23);
    assertThat(channel.access(0, 7, false, 50)).as("came before the row closed").isEqualTo(50);
    assertThat(channel.opened).isEqualTo(2);
    channel.access(0, 7, false, 70);
    assertThat(channel.opened).as("came after").isEqualTo(3);
    assertThat(channel.conflicts).isEqualTo(2);
  }

  @Test
  void aStreamReachesThePeakAndRandomRowsTheRateOfActivates() {
    ReservedChannel channel = channel("hbm3");
    double last = 0;
    for (int i = 0; i < 60; i++) {
      last = Math.max(last, channel.access(i % 8, 7, false, 0));
    }
    // Two cycles each; time is reserved in buckets of 16.
    assertThat(last).isBetween(23 + 59 * 2.0 - 16, 23 + 59 * 2.0 + 16);
    channel = channel("hbm3");
    for (int i = 0; i < 24; i++) {
      last = channel.access(i, i, false, 0);
    }
    // Four activates in 16 ns, 26 cycles.
    assertThat(last).isBetween(23 + 23 * 6.5 - 16, 23 + 23 * 6.5 + 16);
  }
}
