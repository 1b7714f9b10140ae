package dev.warpline.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class WorkersTest {
  @Test
  void everyTaskOfEveryRoundRunsOnce() {
    try (Workers workers = new Workers(4)) {
      for (int round = 0; round < 2000; round++) {
        int tasks = round % 7 + 1;
        AtomicIntegerArray runs = new AtomicIntegerArray(8);
        workers.run(tasks, runs::incrementAndGet);
        for (int task = 0; task < 8; task++) {
          assertThat(runs.get(task)).isEqualTo(task < tasks ? 1 : 0);
        }
      }
    }
  }

  @Test
  void theFailureOfTheFirstTaskIsReported() {
    try (Workers workers = new Workers(3)) {
      assertThatThrownBy(
              () ->
                  workers.run(
                      20,
                      task -> {
                        if (task % 5 == 3) {
                          throw new IllegalArgumentException("task " + task);
                        }
                      }))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("task 3");
      int[] sum = new int[1];
      workers.run(1, task -> sum[0]++);
      assertThat(sum[0]).isEqualTo(1);
    }
  }
}
