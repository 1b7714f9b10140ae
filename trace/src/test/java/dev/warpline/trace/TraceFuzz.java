package dev.warpline.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The fuzzer of the trace readers. Not part of the tests; to run it for ten minutes:
 *
 * <pre>
 * mvn -pl trace -am test -Dtest=TraceFuzz -Dfuzz.minutes=10 -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 *
 * <p>{@code -Dfuzz.seed=N} repeats a run. An input that breaks a reader is kept in {@code
 * trace/target/fuzz}.
 */
class TraceFuzz {
  private static final int SAMPLES = 60;
  private static final long LONGEST_NANOS = 2_000_000_000L;

  @Test
  void readersWithstandDamagedInput() throws IOException {
    double minutes = Double.parseDouble(System.getProperty("fuzz.minutes", "1"));
    long seed = Long.getLong("fuzz.seed", System.nanoTime());
    long end = System.nanoTime() + (long) (minutes * 60e9);
    Map<FuzzTarget, Long> tries = new EnumMap<>(FuzzTarget.class);
    Map<FuzzTarget, List<byte[]>> samples = new EnumMap<>(FuzzTarget.class);
    for (FuzzTarget target : FuzzTarget.values()) {
      List<byte[]> some = new ArrayList<>();
      for (int i = 0; i < SAMPLES; i++) {
        some.add(target.sample(new Random(seed + i)));
      }
      samples.put(target, some);
    }
    long number = seed;
    while (System.nanoTime() - end < 0) {
      for (FuzzTarget target : FuzzTarget.values()) {
        attempt(target, samples.get(target), number++);
        tries.merge(target, 1L, Long::sum);
      }
    }
    System.out.println("fuzzed " + minutes + " minutes from seed " + seed + ": " + tries);
  }

  private static void attempt(FuzzTarget target, List<byte[]> samples, long seed)
      throws IOException {
    Random random = new Random(seed);
    byte[] input = new Mutator(random).mutate(samples.get(random.nextInt(SAMPLES)));
    // Processor time, so that a busy machine is not taken for a hanging reader.
    long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    try {
      target.check(input);
      long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
      assertThat(nanos).as("nanoseconds").isLessThan(LONGEST_NANOS);
    } catch (AssertionError | RuntimeException | IOException e) {
      Path folder = Files.createDirectories(Path.of("target/fuzz"));
      Path kept = folder.resolve(target + "-" + seed);
      Files.write(kept, input);
      throw new AssertionError(kept + " breaks " + target + ": " + e, e);
    }
  }
}
