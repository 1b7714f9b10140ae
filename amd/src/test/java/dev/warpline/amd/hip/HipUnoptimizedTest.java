package dev.warpline.amd.hip;

import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * HIP programs with everything on the stack and every function called; only if all is asked for.
 */
@EnabledIfSystemProperty(named = HipPrograms.SWITCH, matches = "all")
class HipUnoptimizedTest {
  private static HipPrograms programs;

  @BeforeAll
  static void build() throws Exception {
    programs = new HipPrograms("-O0");
  }

  @TestFactory
  Stream<DynamicTest> everyProgramFindsItsResultsRight() throws IOException {
    return HipOptimizedTest.tests(programs, "mi210");
  }
}
