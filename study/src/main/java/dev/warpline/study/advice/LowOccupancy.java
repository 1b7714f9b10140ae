package dev.warpline.study.advice;

import dev.warpline.engine.profile.StallReason;
import java.util.List;
import java.util.Map;

/** A block needs so much of an SM that few warps fit. */
final class LowOccupancy implements AdviceRule {
  private static final Map<String, Relief> RELIEFS =
      Map.of(
          "registers", Relief.of("sm.registers=1048576"),
          "shared memory", Relief.of("sm.l1.sharedBytes=1048576"),
          "blocks", Relief.of("sm.blocks=32"));

  @Override
  public String name() {
    return "occupancy";
  }

  @Override
  public Finding look(KernelEvidence kernel) {
    Relief relief = RELIEFS.get(kernel.kernel.limiter());
    double issue = kernel.share(StallReason.SELECTED);
    double occupancy = kernel.kernel.occupancy();
    if (relief == null || occupancy == 0 || occupancy > 0.5 || issue > 0.5) {
      return null;
    }
    return new Finding(
        name(),
        (1 - occupancy) * (1 - issue) * 0.5,
        "Few warps to hide latency",
        Words.say(
            "%s of the warp slots are filled: a block needs so much (%d registers a thread, %s"
                + " bytes of shared memory) that an SM holds %d; warps issue in %s of their time.",
            Words.percent(occupancy),
            kernel.profile.launch().registers(),
            Words.number(kernel.profile.launch().sharedBytes()),
            kernel.resident(),
            Words.percent(issue)),
        "Use fewer "
            + kernel.kernel.limiter().replace("shared memory", "bytes of shared memory")
            + " per block, or give each warp more independent work.",
        "occupancy",
        List.of(),
        relief);
  }
}
