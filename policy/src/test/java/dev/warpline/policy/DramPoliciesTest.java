package dev.warpline.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What every page policy and DRAM scheduler must do, and what each of them does. */
class DramPoliciesTest {
  /** Requests as two words of a letter each: r ready, - not; h its row is open, - not. */
  private record Waiting(String ready, String hits) implements DramScheduler.Requests {
    @Override
    public int count() {
      return ready.length();
    }

    @Override
    public boolean ready(int request) {
      return ready.charAt(request) == 'r';
    }

    @Override
    public boolean hits(int request) {
      return hits.charAt(request) == 'h';
    }
  }

  static List<String> schedulers() {
    return Policies.of(DramScheduler.class).choices().stream().map(Policies.Choice::name).toList();
  }

  private static DramScheduler scheduler(String words) {
    return Policies.of(DramScheduler.class).maker(words).get();
  }

  static List<String> pages() {
    return Policies.of(PagePolicy.class).choices().stream()
        .map(choice -> choice.name() + (choice.about().contains(":N") ? ":50" : ""))
        .toList();
  }

  private static PagePolicy page(String words) {
    PagePolicy policy = Policies.of(PagePolicy.class).maker(words).get();
    policy.begin(4);
    return policy;
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void whoIsChosenIsReady(String words) {
    DramScheduler scheduler = scheduler(words);
    Random random = new Random(1);
    for (int i = 0; i < 1000; i++) {
      StringBuilder ready = new StringBuilder();
      StringBuilder hits = new StringBuilder();
      int count = random.nextInt(8);
      for (int k = 0; k < count; k++) {
        ready.append(random.nextBoolean() ? 'r' : '-');
        hits.append(random.nextBoolean() ? 'h' : '-');
      }
      int chosen = scheduler.choose(new Waiting(ready.toString(), hits.toString()));
      if (chosen != DramScheduler.NONE) {
        assertThat(ready.charAt(chosen)).isEqualTo('r');
      }
    }
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void aRequestThatIsAloneAndReadyGoes(String words) {
    assertThat(scheduler(words).choose(new Waiting("r", "-"))).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "fr-fcfs, rrr, -h-, 1",
    "fr-fcfs, rrr, ---, 0",
    "fr-fcfs, -rr, h--, 1",
    "fr-fcfs, ---, hhh, -1",
    "fcfs, rrr, -h-, 0",
    "fcfs, -rr, h--, -1"
  })
  void whoGoesFirst(String words, String ready, String hits, int chosen) {
    assertThat(scheduler(words).choose(new Waiting(ready, hits))).isEqualTo(chosen);
  }

  @ParameterizedTest
  @MethodSource("pages")
  void banksDoNotDisturbEachOtherAndAStartIsAStart(String words) {
    PagePolicy policy = page(words);
    long first = policy.openFor(0, 5);
    assertThat(first).isNotNegative();
    for (int i = 0; i < 20; i++) {
      policy.openFor(1, i);
    }
    assertThat(policy.openFor(0, 5)).isEqualTo(page(words).openFor(0, 5));
    policy.begin(4);
    assertThat(policy.openFor(1, 5)).isEqualTo(first);
  }

  @Test
  void timesAreChecked() {
    assertThat(page("open").openFor(0, 1)).isEqualTo(PagePolicy.FOREVER);
    assertThat(page("closed").openFor(0, 1)).isZero();
    assertThat(page("timeout:50").openFor(0, 1)).isEqualTo(50);
    assertThatThrownBy(() -> page("timeout")).hasMessageContaining("expected nanoseconds");
    assertThatThrownBy(() -> page("timeout:0")).hasMessageContaining("expected nanoseconds");
  }
}
