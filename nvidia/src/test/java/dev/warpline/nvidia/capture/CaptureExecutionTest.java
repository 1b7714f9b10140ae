package dev.warpline.nvidia.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Captures that are executed and compared with what the GPU wrote. */
class CaptureExecutionTest {
  private static final String REDUCE = "_Z6reducePKfPfi";
  private static final long IN = 0x7f5492000000L;
  private static final long OUT = 0x7f5491e00000L;
  private static final int COUNT = 20_000;

  @TempDir Path folder;

  private static List<KernelOutcome> execute(Path capture) throws IOException {
    List<KernelOutcome> outcomes = new ArrayList<>();
    CaptureExecution.run(capture, outcomes::add, done -> {});
    return outcomes;
  }

  /** Small integers as real numbers, so that every order of adding gives the same sum. */
  private static byte[] input() {
    ByteBuffer numbers = ByteBuffer.allocate(4 * COUNT).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < COUNT; i++) {
      numbers.putFloat(i % 7);
    }
    return numbers.array();
  }

  /** What the blocks of a grid leave: each the sum of its share. */
  private static byte[] sums(byte[] numbers, int blocks, int threads) {
    float[] sums = new float[blocks];
    ByteBuffer in = ByteBuffer.wrap(numbers).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < COUNT; i++) {
      sums[i / threads % blocks] += in.getFloat(4 * i);
    }
    ByteBuffer out = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
    for (float sum : sums) {
      out.putFloat(sum);
    }
    return out.array();
  }

  private Recording begin() throws IOException {
    return new Recording(folder)
        .module("reduce", REDUCE)
        .allocate(1, IN, 4L * COUNT)
        .allocate(2, OUT, 4096)
        .pages(1, 0, input());
  }

  private static Recording reduce(Recording recording, int blocks) {
    byte[] parameters = Recording.parameters(20, IN, OUT, COUNT);
    return recording.launch(REDUCE, blocks, "[256,1,1]", parameters);
  }

  @Test
  void resultsThatAreTheGpusToTheLastBitAreExact() throws IOException {
    Path capture = reduce(begin(), 5).wrote(2, sums(input(), 5, 256)).write();

    assertThat(execute(capture))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.details()).isEmpty();
              assertThat(one.result()).isEqualTo(KernelOutcome.Result.EXACT);
              assertThat(one.instructions()).isGreaterThan(1000);
            });
  }
}
