package dev.warpline.nvidia.modern.warp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The sets of {@link ReadyWarps} against a look at every warp. */
class ReadyWarpsTest {
  private static final int SLOTS = Long.SIZE;

  private final long[] readyAt = new long[SLOTS];
  private final ReadyWarps warps = new ReadyWarps(readyAt);

  private long plainReady(long now) {
    long ready = 0;
    for (int w = 0; w < SLOTS; w++) {
      ready |= readyAt[w] <= now ? 1L << w : 0;
    }
    return ready;
  }

  private long plainNext(long now) {
    return Arrays.stream(readyAt).filter(t -> t > now).min().orElse(Warps.NEVER);
  }

  @Test
  void whoIsReadyAndWhoIsNextIsWhatALookAtEveryWarpFinds() {
    Random random = new Random(12);
    Arrays.fill(readyAt, Warps.NEVER);
    warps.clear();
    long now = 0;
    for (int step = 0; step < 20_000; step++) {
      for (int changes = random.nextInt(4); changes > 0; changes--) {
        int far = random.nextInt(10) == 0 ? 5_000 : 70;
        long when = random.nextInt(8) == 0 ? Warps.NEVER : now + random.nextInt(far) - 2;
        warps.set(random.nextInt(SLOTS), when);
      }
      now += random.nextInt(50) == 0 ? random.nextInt(3_000) : random.nextInt(3);
      assertThat(warps.at(now)).isEqualTo(plainReady(now));
      assertThat(warps.next()).isEqualTo(plainNext(now));
    }
  }
}
