package dev.warpline.nvidia.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.trace.program.Stream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** SMs that streams have of their own. */
class SmPartitionsTest {
  private static SmPartitions of(String... sms) throws DescriptionException {
    List<Stream> streams = new ArrayList<>();
    for (String its : sms) {
      streams.add(new Stream(streams.size(), "stream " + streams.size(), 0, false, its));
    }
    return new SmPartitions(streams, 8);
  }

  @Test
  void aListIsTheSmsThatItNames() throws DescriptionException {
    SmPartitions some = of("0-2,7", "");
    assertThat(some.of(0)).containsExactly(0, 1, 2, 7);
    assertThat(some.of(1)).as("all").isEmpty();
  }

  @Test
  void sharesLieBesideEachOtherAndBeginAgainWhenTheGpuIsFull() throws DescriptionException {
    SmPartitions some = of("50%", "25%", "50%");
    assertThat(some.of(0)).containsExactly(0, 1, 2, 3);
    assertThat(some.of(1)).containsExactly(4, 5);
    assertThat(some.of(2)).containsExactly(0, 1, 6, 7);
    assertThat(of("1%").of(0)).as("one SM at least").hasSize(1);
  }

  @Test
  void whatIsNoSmIsRefused() {
    for (String wrong : List.of("0%", "101%", "a", "3-1", "1,,2", "-1", "50 %")) {
      assertThatThrownBy(() -> of(wrong)).as(wrong).hasMessageContaining("found SMs " + wrong);
    }
    assertThatThrownBy(() -> of("0-8"))
        .hasMessageStartingWith("stream 0: found SM 8, expected one of 0 to 7");
  }
}
