package dev.warpline.study.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.engine.StopSignal;
import dev.warpline.study.store.Point;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Points of one process at the same time. */
class LocalTest {
  private static Point point(int number) {
    return new Point(
        "trace", "h200", "modern", List.of(), List.of(), 0, "t" + number, "gpu", "version");
  }

  @Test
  @Timeout(60)
  void pointsThatRanOutOfMemoryTogetherAreSimulatedAgainOneByOne() {
    int count = 3;
    CountDownLatch allFailed = new CountDownLatch(count);
    Set<String> failed = ConcurrentHashMap.newKeySet();
    AtomicInteger atOnce = new AtomicInteger();
    List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
    List<On.Ended> ends = Collections.synchronizedList(new ArrayList<>());
    Local.Simulator scarce =
        point -> {
          if (failed.add(point.traceSha256())) {
            allFailed.countDown();
            await(allFailed);
            throw new OutOfMemoryError("as many points need");
          }
          seen.add(atOnce.incrementAndGet());
          sleep();
          atOnce.decrementAndGet();
          throw new IllegalStateException("simulated again");
        };
    try (Local local = new Local(count, 1L << 30, new StopSignal(), scarce)) {
      for (int i = 0; i < count; i++) {
        local.begin(point(i), ends::add);
      }
    }
    assertThat(seen).containsExactly(1, 1, 1);
    assertThat(ends).hasSize(count);
    assertThat(ends).allSatisfy(end -> assertThat(end.failure()).contains("simulated again"));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void sleep() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
