package dev.warpline.trace;

import java.io.IOException;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** A short run of what {@link TraceFuzz} does for longer. */
class MutationTest {
  @Property(tries = 800, seed = "1")
  void damagedInputIsReadOrRefusedButNothingIsLostInSilence(
      @ForAll FuzzTarget target, @ForAll long seed) throws IOException {
    Random random = new Random(seed);
    target.check(new Mutator(random).mutate(target.sample(random)));
  }
}
