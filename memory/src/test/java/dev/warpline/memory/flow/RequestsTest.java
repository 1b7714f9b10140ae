package dev.warpline.memory.flow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RequestsTest {
  private static final long LINE = 0x1000;

  private final Requests requests = new Requests(0);

  private long store(long time, long line, int words) {
    long number = requests.nextNumber();
    requests.add(time, line, Requests.WRITE, 1, words, 0, false, Requests.STORES, 1);
    return number;
  }

  /** A window ends at a cycle; memory has answered what was sent before. */
  private void send(long end) {
    requests.sent.clearRequests();
    requests.send(end);
  }

  @Test
  void aRequestIsOfTheWindowInWhichItLeaves() {
    store(95, LINE, 1);
    store(105, LINE + 128, 1);
    store(99, LINE + 256, 1);
    send(100);
    assertThat(requests.sent.size).isEqualTo(2);
    assertThat(requests.sent.line(0)).isEqualTo(LINE);
    assertThat(requests.sent.line(1)).isEqualTo(LINE + 256);
    assertThat(requests.size()).isEqualTo(1);
    assertThat(requests.line(0)).isEqualTo(LINE + 128);
    assertThat(requests.time(0)).isEqualTo(105);
  }

  @Test
  void whatHasNotLeftIsFoundByItsNumberInTheNextWindow() {
    long early = store(95, LINE, 1);
    long late = store(105, LINE, 1);
    send(100);
    long next = store(120, LINE, 1);
    assertThat(requests.join(early, LINE, 1, 2)).isNegative();
    assertThat(requests.join(late, LINE, 3, 2)).isEqualTo(2);
    requests.postpone(late, 112);
    assertThat(requests.time(0)).isEqualTo(112);
    send(110);
    assertThat(requests.join(late, LINE, 1, 4)).isZero();
    assertThat(requests.join(next, LINE, 1, 8)).isZero();
    assertThat(requests.size()).isEqualTo(2);
    send(200);
    assertThat(requests.sent.size).isEqualTo(2);
    assertThat(requests.join(late, LINE, 1, 16)).isNegative();
  }

  @Test
  void answersAreReadAWindowAfterTheyWereGiven() {
    store(95, LINE, 1);
    send(100);
    assertThat(requests.awaitsReplies()).isTrue();
    requests.sent.replies.add(300, requests.sent.tag(0), Requests.FROM_L2);
    requests.sent.clearRequests();
    assertThat(requests.replies().count()).isZero();
    send(200);
    assertThat(requests.replies().time(0)).isEqualTo(300);
    assertThat(requests.replies().client(0)).isEqualTo(Requests.STORES);
    requests.replies().clear();
    assertThat(requests.awaitsReplies()).isFalse();
  }
}
