package dev.warpline.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What needs no look into jars is what they have. */
class OwnPoliciesTest {
  private static final List<Class<? extends Policy>> KINDS =
      List.of(
          AddressHash.class,
          BlockScheduler.class,
          DramScheduler.class,
          PagePolicy.class,
          Prefetcher.class,
          Replacement.class,
          WarpScheduler.class);

  @Test
  void everyPolicyIsMadeByTheNameThatItSays() {
    for (Class<? extends Policy> kind : KINDS) {
      List<Policies.Choice> choices = Policies.of(kind).choices();
      assertThat(choices).isNotEmpty();
      for (Policies.Choice choice : choices) {
        assertThat(OwnPolicies.make(kind, choice.name()).getClass().getName())
            .isEqualTo(choice.className());
      }
    }
  }

  @Test
  void anotherNameIsNoneOfThese() {
    for (Class<? extends Policy> kind : KINDS) {
      assertThat(OwnPolicies.make(kind, "none of these")).isNull();
    }
  }
}
