package dev.warpline.memory.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestOrderTest {
  private record One(long time, int sm, int index) {}

  /** Close in time they are counted, far apart they are compared: both give one order. */
  @ParameterizedTest
  @ValueSource(ints = {1, 30, 3_000, 1_000_000})
  void requestsGoByTimeThenSmThenAsTheyWereMade(int cycles) {
    Random random = new Random(cycles);
    RequestOrder order = new RequestOrder();
    for (int round = 0; round < 3; round++) {
      Requests[] sms = new Requests[7];
      List<One> expected = new ArrayList<>();
      for (int sm = 0; sm < sms.length; sm++) {
        sms[sm] = new Requests(10 * sm);
        int count = random.nextInt(400);
        for (int i = 0; i < count; i++) {
          long time = 5_000 + random.nextInt(cycles);
          sms[sm].add(time, 128, Requests.READ, 1, 0, 0, false, Requests.LOADS, i);
          expected.add(new One(time, sm, i));
        }
        sms[sm].swap();
      }
      expected.sort(
          Comparator.comparingLong(One::time).thenComparing(One::sm).thenComparing(One::index));
      int n = order.sort(sms, sms.length);
      List<One> found = new ArrayList<>();
      for (int k = 0; k < n; k++) {
        int sm = order.sm(k);
        found.add(new One(order.time(k), sm, order.tag(k)));
      }
      assertThat(found).isEqualTo(expected);
    }
  }
}
