package dev.warpline.policy;

import dev.warpline.policy.block.BreadthFirst;
import dev.warpline.policy.block.DepthFirst;
import dev.warpline.policy.block.LongestFree;
import dev.warpline.policy.block.RoundRobin;
import dev.warpline.policy.dram.AdaptivePage;
import dev.warpline.policy.dram.ClosedPage;
import dev.warpline.policy.dram.FirstReady;
import dev.warpline.policy.dram.InOrder;
import dev.warpline.policy.dram.OpenPage;
import dev.warpline.policy.dram.Timeout;
import dev.warpline.policy.hash.Fermi;
import dev.warpline.policy.hash.Ipoly;
import dev.warpline.policy.hash.Linear;
import dev.warpline.policy.hash.Mix;
import dev.warpline.policy.hash.One;
import dev.warpline.policy.hash.Parities;
import dev.warpline.policy.hash.Remainder;
import dev.warpline.policy.hash.Scatter;
import dev.warpline.policy.hash.Xor;
import dev.warpline.policy.prefetch.NextLine;
import dev.warpline.policy.prefetch.NoPrefetch;
import dev.warpline.policy.prefetch.StreamBuffer;
import dev.warpline.policy.replacement.FirstInFirstOut;
import dev.warpline.policy.replacement.LeastRecentlyUsed;
import dev.warpline.policy.replacement.RandomChoice;
import dev.warpline.policy.replacement.Rrip;
import dev.warpline.policy.replacement.TreePseudoLru;
import dev.warpline.policy.warp.GreedyThenOldest;
import dev.warpline.policy.warp.GreedyThenYoungest;
import dev.warpline.policy.warp.LeastRecent;
import dev.warpline.policy.warp.LooseRoundRobin;
import dev.warpline.policy.warp.Oldest;
import dev.warpline.policy.warp.OldestBlock;
import dev.warpline.policy.warp.OldestFew;
import dev.warpline.policy.warp.StrictRoundRobin;
import dev.warpline.policy.warp.TwoLevel;

/**
 * Warpline's own policies by the names that their {@link Named} says. Who chooses one of them needs
 * no look into all jars, which takes longer than a short simulation.
 */
final class OwnPolicies {
  private OwnPolicies() {}

  /** A new policy; null if none of the kind has this name here. */
  static Policy make(Class<? extends Policy> kind, String name) {
    return switch (kind.getSimpleName()) {
      case "AddressHash" -> addressHash(name);
      case "BlockScheduler" -> blockScheduler(name);
      case "DramScheduler" -> dramScheduler(name);
      case "PagePolicy" -> pagePolicy(name);
      case "Prefetcher" -> prefetcher(name);
      case "Replacement" -> replacement(name);
      case "WarpScheduler" -> warpScheduler(name);
      default -> null;
    };
  }

  private static AddressHash addressHash(String name) {
    return switch (name) {
      case "fermi" -> new Fermi();
      case "ipoly" -> new Ipoly();
      case "linear" -> new Linear();
      case "mix" -> new Mix();
      case "custom" -> new One();
      case "parities" -> new Parities();
      case "remainder" -> new Remainder();
      case "scatter" -> new Scatter();
      case "xor" -> new Xor();
      default -> null;
    };
  }

  private static BlockScheduler blockScheduler(String name) {
    return switch (name) {
      case "breadth-first" -> new BreadthFirst();
      case "depth-first" -> new DepthFirst();
      case "longest-free" -> new LongestFree();
      case "round-robin" -> new RoundRobin();
      default -> null;
    };
  }

  private static DramScheduler dramScheduler(String name) {
    return switch (name) {
      case "fr-fcfs" -> new FirstReady();
      case "fcfs" -> new InOrder();
      default -> null;
    };
  }

  private static PagePolicy pagePolicy(String name) {
    return switch (name) {
      case "adaptive" -> new AdaptivePage();
      case "closed" -> new ClosedPage();
      case "open" -> new OpenPage();
      case "timeout" -> new Timeout();
      default -> null;
    };
  }

  private static Prefetcher prefetcher(String name) {
    return switch (name) {
      case "next-line" -> new NextLine();
      case "none" -> new NoPrefetch();
      case "stream-buffer" -> new StreamBuffer();
      default -> null;
    };
  }

  private static Replacement replacement(String name) {
    return switch (name) {
      case "fifo" -> new FirstInFirstOut();
      case "lru" -> new LeastRecentlyUsed();
      case "random" -> new RandomChoice();
      case "srrip" -> new Rrip();
      case "tree-plru" -> new TreePseudoLru();
      default -> null;
    };
  }

  private static WarpScheduler warpScheduler(String name) {
    return switch (name) {
      case "gto" -> new GreedyThenOldest();
      case "youngest" -> new GreedyThenYoungest();
      case "least-recent" -> new LeastRecent();
      case "lrr" -> new LooseRoundRobin();
      case "old" -> new Oldest();
      case "oldest-block" -> new OldestBlock();
      case "warp-limiting" -> new OldestFew();
      case "rrr" -> new StrictRoundRobin();
      case "two-level" -> new TwoLevel();
      default -> null;
    };
  }
}
