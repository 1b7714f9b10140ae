package dev.warpline.amd.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.isa.gcn.GcnTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every sample gives the results computed in Java through the timed compute units too, with the
 * same cycles and the same memory on any number of threads.
 */
class TimedSamplesTest {
  @TestFactory
  Stream<DynamicTest> everySampleGivesTheExpectedResult() {
    List<DynamicTest> tests = new ArrayList<>();
    for (GcnTarget target : GcnTarget.values()) {
      for (Sample sample : Samples.all()) {
        for (String level : List.of("O0", "O2", "O3")) {
          if (sample.runsOn(target)) {
            tests.add(
                DynamicTest.dynamicTest(
                    sample + " on " + target.processor() + " at -" + level,
                    () -> {
                      try (TimedSampleDevice device =
                          new TimedSampleDevice(sample, target, level, 1)) {
                        sample.body().run(device);
                      }
                    }));
          }
        }
      }
    }
    return tests.stream();
  }

  @Test
  @Tag("long")
  void threadsChangeNeitherCyclesNorMemory() {
    for (GcnTarget target : GcnTarget.values()) {
      for (Sample sample : Samples.all()) {
        if (sample.runsOn(target)) {
          compareThreads(sample, target);
        }
      }
    }
  }

  private static void compareThreads(Sample sample, GcnTarget target) {
    String name = sample.name() + " on " + target.processor();
    long cycles = -1;
    long image = -1;
    for (int threads : new int[] {1, 2, 5}) {
      try (TimedSampleDevice device = new TimedSampleDevice(sample, target, "O2", threads)) {
        sample.body().run(device);
        if (threads == 1) {
          cycles = device.cycles();
          image = device.memoryImage();
        } else {
          assertThat(device.cycles()).as("%s on %d threads", name, threads).isEqualTo(cycles);
          assertThat(device.memoryImage()).as("%s on %d threads", name, threads).isEqualTo(image);
        }
      }
    }
  }
}
