package dev.warpline.amd.samples;

import dev.warpline.isa.gcn.GcnTarget;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every sample gives the results computed in Java, on every target, at every optimisation level.
 */
class FunctionalSamplesTest {
  @TestFactory
  Stream<DynamicTest> everySampleGivesTheExpectedResult() {
    List<DynamicTest> tests = new ArrayList<>();
    for (GcnTarget target : GcnTarget.values()) {
      for (String level : List.of("O0", "O2", "O3")) {
        for (Sample sample : Samples.all()) {
          if (sample.runsOn(target)) {
            tests.add(
                DynamicTest.dynamicTest(
                    sample + " on " + target.processor() + " at -" + level,
                    () -> sample.body().run(new FunctionalSampleDevice(sample, target, level))));
          }
        }
      }
    }
    return tests.stream();
  }

  /**
   * Version 4 tells a kernel its group size through the dispatch packet, later ones by argument.
   */
  @TestFactory
  Stream<DynamicTest> otherCodeObjectVersionsGiveTheSameResults() {
    List<DynamicTest> tests = new ArrayList<>();
    for (GcnTarget target : List.of(GcnTarget.GFX900, GcnTarget.GFX942)) {
      for (int version : new int[] {4, 6}) {
        Path file =
            FunctionalSampleDevice.CODE.resolve(
                "stream.v" + version + "." + target.processor() + ".co");
        for (Sample sample : Samples.all()) {
          if (sample.source().equals("stream")) {
            tests.add(
                DynamicTest.dynamicTest(
                    sample + " from " + file.getFileName(),
                    () -> sample.body().run(new FunctionalSampleDevice(file, target))));
          }
        }
      }
    }
    return tests.stream();
  }
}
