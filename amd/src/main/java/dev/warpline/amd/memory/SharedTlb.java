package dev.warpline.amd.memory;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.memory.cache.TimedTags;
import dev.warpline.policy.replacement.TreePseudoLru;

/** The TLB levels behind the compute units' own, and the page walk. */
final class SharedTlb {
  @Counter("translations asked for")
  long accesses;

  @Counter("translations the second level had")
  long l2Hits;

  @Counter("translations the third level had")
  long l3Hits;

  @Counter("page walks")
  long walks;

  private final AmdSpec.Translation spec;
  private final TimedTags l2;
  private final TimedTags l3;

  SharedTlb(AmdSpec.Translation spec) {
    this.spec = spec;
    l2 = new TimedTags(spec.l2().entries(), spec.l2().ways(), new TreePseudoLru());
    l3 = new TimedTags(spec.l3().entries(), spec.l3().ways(), new TreePseudoLru());
  }

  /** Cycle at which the translation of a page asked for at {@code cycle} is there. */
  long translate(long page, long cycle) {
    accesses++;
    long atL2 = cycle + spec.l2().hitLatency();
    int entry = l2.find(page);
    if (entry >= 0) {
      l2Hits++;
      return Math.max(atL2, l2.readyAt(entry));
    }
    long atL3 = atL2 + spec.l3().hitLatency();
    entry = l3.find(page);
    long done;
    if (entry >= 0) {
      l3Hits++;
      done = Math.max(atL3, l3.readyAt(entry));
    } else {
      walks++;
      done = atL3 + spec.walkLatency();
      l3.insert(page, done);
    }
    l2.insert(page, done);
    return done;
  }
}
