package dev.warpline.engine.gpu;

import java.util.ArrayList;
import java.util.List;

/**
 * Where the SMs of a GPU are: which share a GPC's link to L2, which L2 partition it reads through,
 * how far they are from the GPC's cache.
 *
 * <p>It follows from numbers. There are as many GPCs as the SMs need; TPCs are dealt to them in
 * turn, SMs are numbered TPC by TPC, and GPCs are on the sides of the L2 partitions in turn, so
 * that blocks that fill GPC after GPC use both. Where a {@link CardSpec} is given and the numbers
 * are the card's, it says all this instead.
 *
 * @param groups SMs of each GPC, in the order they get blocks
 * @param sides L2 partition of each GPC
 * @param hops stations between each SM and the cache of its GPC
 * @param loneSms SMs that get the first blocks
 * @param measured whether this is the card that was measured
 */
public record Topology(
    List<List<Integer>> groups,
    List<Integer> sides,
    List<Double> hops,
    List<Integer> loneSms,
    boolean measured) {

  /** The topology of a GPU with a modern core. */
  public static Topology of(GpuDescription gpu) {
    int sms = gpu.sm().count();
    ModernCoreSpec.Layout layout = gpu.modern().layout();
    int partitions = gpu.flowMemory().partitions();
    CardSpec card = gpu.card();
    return card != null && card.is(sms, layout)
        ? of(card, layout, partitions)
        : of(sms, layout, partitions);
  }

  private static Topology of(CardSpec card, ModernCoreSpec.Layout layout, int partitions) {
    List<Double> hops = new ArrayList<>();
    for (int sm = 0; sm < card.sms(); sm++) {
      hops.add((double) card.hops().get(sm / layout.smsPerTpc()));
    }
    List<Integer> sides = card.sides().stream().map(side -> side % partitions).toList();
    return new Topology(card.groups(), sides, List.copyOf(hops), card.loneSms(), true);
  }

  private static Topology of(int sms, ModernCoreSpec.Layout layout, int partitions) {
    int gpcs = (sms + layout.smsPerGpc() - 1) / layout.smsPerGpc();
    List<List<Integer>> groups = new ArrayList<>();
    List<Integer> sides = new ArrayList<>();
    List<Double> hops = new ArrayList<>();
    for (int gpc = 0; gpc < gpcs; gpc++) {
      groups.add(new ArrayList<>());
      sides.add(gpc % partitions);
    }
    for (int sm = 0; sm < sms; sm++) {
      groups.get(sm / layout.smsPerTpc() % gpcs).add(sm);
      hops.add(layout.hops());
    }
    groups.removeIf(List::isEmpty);
    return new Topology(
        groups.stream().map(List::copyOf).toList(),
        List.copyOf(sides.subList(0, groups.size())),
        List.copyOf(hops),
        List.of(),
        false);
  }

  /** SMs of the GPU. */
  public int sms() {
    return hops.size();
  }

  /** What is to be said where a description has a card, but its numbers are another machine's. */
  public static List<String> warnings(GpuDescription gpu) {
    CardSpec card = gpu.card();
    if (card == null || gpu.modern() == null || card.is(gpu.sm().count(), gpu.modern().layout())) {
      return List.of();
    }
    return List.of(
        "section card is left out: it is of a card with "
            + card.sms()
            + " SMs in GPCs of up to "
            + card.largestGroup()
            + ", this GPU has "
            + gpu.sm().count()
            + " in GPCs of up to "
            + gpu.modern().layout().smsPerGpc()
            + "; places and numbers of SMs follow from sm.count and modern.layout");
  }
}
