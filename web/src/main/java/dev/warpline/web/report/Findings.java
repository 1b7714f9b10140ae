package dev.warpline.web.report;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.KernelProfile.Line;
import dev.warpline.engine.profile.KernelProfile.Throughput;
import dev.warpline.engine.profile.LaneWork.Space;
import dev.warpline.engine.profile.StallReason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * Says in words why a kernel takes its time. The first finding is the bottleneck: a part of the
 * machine near its peak, or else what its warps wait for. Each rule is one method that looks at one
 * kind of evidence and stays silent when there is none.
 */
public final class Findings {
  /** A part this near to its peak is what limits the kernel. */
  private static final double BOUND = 0.6;

  /** Lines and reasons below this share of warp time are not worth words. */
  private static final double WORTH_SAYING = 0.05;

  private final KernelResult kernel;
  private final Function<StallReason, String> profiler;
  private final KernelProfile profile;
  private final long warpCycles;
  private final List<Finding> findings = new ArrayList<>();

  private Findings(KernelResult kernel, Function<StallReason, String> profiler) {
    this.kernel = kernel;
    this.profiler = profiler;
    profile = kernel.profile();
    warpCycles = Math.max(1, profile.warpCycles());
  }

  /** What there is to say of a kernel, with Nsight's names beside the reasons. */
  public static List<Finding> of(KernelResult kernel) {
    return of(kernel, StallReason::nsight);
  }

  /**
   * What there is to say of a kernel, the bottleneck first. Empty without a profile.
   *
   * @param profiler a reason's name in the profiler that people of this GPU know
   */
  public static List<Finding> of(KernelResult kernel, Function<StallReason, String> profiler) {
    return kernel.profile() == null ? List.of() : new Findings(kernel, profiler).all();
  }

  private List<Finding> all() {
    occupancy();
    idleSms();
    imbalance();
    overhead();
    scattered();
    conflicts();
    divergence();
    barriers();
    fetch();
    hotSlice();
    findings.sort(Comparator.comparingDouble(Finding::weight).reversed());
    findings.add(0, bottleneck());
    return List.copyOf(findings);
  }

  private Finding bottleneck() {
    Throughput top =
        profile.throughputs().stream()
            .filter(t -> !t.unit().equals("flops"))
            .max(Comparator.comparingDouble(t -> t.share(kernel.cycles())))
            .orElse(null);
    double share = top == null ? 0 : top.share(kernel.cycles());
    Map.Entry<StallReason, Long> wait = topWait();
    if (share >= BOUND) {
      String text =
          say(
              "The %s works at %s of its peak (%s of %s %s per cycle).",
              part(top),
              percent(share),
              number(top.done() / kernel.cycles()),
              number(top.peakPerCycle()),
              top.unit());
      if (wait != null) {
        text += " " + waits(wait);
      }
      return new Finding(
          share, "Limited by the " + part(top), text, advice(top.part()), "speed", -1);
    }
    if (wait == null) {
      return new Finding(0, "No bottleneck found", "Warps never wait.", "", "states", -1);
    }
    StringBuilder text = new StringBuilder(waits(wait));
    Line hot = hottest(wait.getKey());
    if (hot != null) {
      text.append(
          say(
              " The line that waits longest is %s at %s (%s of that time).",
              hot.opcode(),
              hex(hot.pc()),
              percent((double) hot.stalls().get(wait.getKey()) / wait.getValue())));
    }
    if (top != null) {
      text.append(
          say(
              " The busiest part, the %s, works at only %s of its peak.",
              part(top), percent(share)));
    }
    return new Finding(
        (double) wait.getValue() / warpCycles,
        "Limited by latency: " + lower(wait.getKey().label()),
        text.toString(),
        advice(wait.getKey()),
        "listing",
        hot == null ? -1 : hot.pc());
  }

  /** A part as a sentence wants it: units are called units, bandwidths bandwidths. */
  private static String part(Throughput throughput) {
    return switch (throughput.unit()) {
      case "bytes" -> throughput.part() + " bandwidth";
      case "instructions" -> lower(throughput.part()) + " rate";
      default -> throughput.part().contains(" ") ? throughput.part() : throughput.part() + " unit";
    };
  }

  private static String advice(String part) {
    return switch (part) {
      case "DRAM" -> "Move fewer bytes: reuse data in caches, use smaller types, fuse kernels.";
      case "L2" -> "Keep data in registers or shared memory; access whole sectors.";
      case "Issue" -> "Fewer instructions: wider accesses, less address arithmetic, matrix units.";
      default ->
          part.startsWith("L1")
              ? "Fewer and wider accesses; keep values in registers; avoid bank conflicts."
              : "Fewer instructions for this unit; move work to units that are idle.";
    };
  }

  private String waits(Map.Entry<StallReason, Long> wait) {
    return say(
        "Warps spend %s of their time in \u201c%s\u201d (%s).",
        percent((double) wait.getValue() / warpCycles),
        lower(wait.getKey().label()),
        profiler.apply(wait.getKey()));
  }

  private Map.Entry<StallReason, Long> topWait() {
    return profile.stalls().entrySet().stream()
        .filter(e -> e.getKey() != StallReason.SELECTED)
        .max(Map.Entry.comparingByValue())
        .orElse(null);
  }

  private Line hottest(StallReason reason) {
    return profile.lines().stream()
        .filter(line -> line.stalls().containsKey(reason))
        .max(Comparator.comparingLong(line -> line.stalls().get(reason)))
        .orElse(null);
  }

  private static String advice(StallReason reason) {
    return switch (reason) {
      case L1_HIT, L1_MISS, L2_HIT, DRAM, ATOMIC, DISTRIBUTED_SHARED ->
          "Keep more loads in flight: load earlier, unroll, or fit more warps on an SM.";
      case ASYNC_COPY, MBARRIER -> "Start copies earlier: more stages in the pipeline.";
      case SHARED, SHUFFLE, CONSTANT_LOAD, MUFU, SPECIAL_REGISTER, SHORT_OTHER ->
          "Put independent work between the instruction and the use of its result.";
      case WAIT, TENSOR, FP64, GMMA ->
          "Chains of dependent instructions: give each warp more independent work, or add warps.";
      case BARRIER -> "Split the work more evenly between barriers, or synchronise fewer warps.";
      case FETCH, BRANCH -> "Shorter code or smaller loops; less unrolling.";
      case GLOBAL_QUEUE, MIO_QUEUE, TEXTURE_QUEUE -> "Fewer, wider memory instructions.";
      case UNIT_BUSY, NOT_SELECTED -> "The units are busy: fewer instructions are what helps.";
      default -> "";
    };
  }

  private void occupancy() {
    if (kernel.occupancy() > 0 && kernel.occupancy() < 0.4 && issueShare() < 0.5) {
      findings.add(
          new Finding(
              (1 - kernel.occupancy()) * (1 - issueShare()) * 0.5,
              "Few warps to hide latency",
              say(
                  "%s of the warp slots are filled; blocks per SM are limited by %s, and warps"
                      + " issue in %s of the slots they have.",
                  percent(kernel.occupancy()), kernel.limiter(), percent(issueShare())),
              "Lower what limits the blocks, or give each warp more independent work.",
              "occupancy",
              -1));
    }
  }

  private double issueShare() {
    return (double) profile.stalls().getOrDefault(StallReason.SELECTED, 0L) / warpCycles;
  }

  private void idleSms() {
    long busy = profile.sms().stream().filter(sm -> sm.warps() > 0).count();
    if (busy > 0 && busy < profile.sms().size()) {
      findings.add(
          new Finding(
              1 - (double) busy / profile.sms().size(),
              "Not every SM has work",
              say("%d of %d SMs got a block.", busy, profile.sms().size()),
              "Smaller blocks, or more of them.",
              "balance",
              -1));
    }
  }

  private void imbalance() {
    double most = profile.sms().stream().mapToLong(KernelProfile.Sm::activeCycles).max().orElse(0);
    double mean =
        profile.sms().stream()
            .filter(sm -> sm.warps() > 0)
            .mapToLong(KernelProfile.Sm::activeCycles)
            .average()
            .orElse(0);
    if (mean > 0 && most > 1.15 * mean) {
      findings.add(
          new Finding(
              1 - mean / most,
              "SMs finish at different times",
              say(
                  "The busiest SM works %s times as long as the average one that has work.",
                  number(most / mean)),
              "Balance the blocks, or launch a multiple of what fits on the GPU at once.",
              "balance",
              -1));
    }
  }

  private void overhead() {
    long most = profile.sms().stream().mapToLong(KernelProfile.Sm::activeCycles).max().orElse(0);
    double idle = 1 - (double) most / Math.max(1, kernel.cycles());
    if (idle > 0.2) {
      findings.add(
          new Finding(
              idle,
              "Launch and drain weigh",
              say(
                  "No SM works for more than %s of %s cycles; the rest is launch and drain.",
                  number(most), number(kernel.cycles())),
              "More work per launch.",
              "time",
              -1));
    }
  }

  /** Sectors beyond what the lanes need concern the time that warps wait for data. */
  private void scattered() {
    double all = 0;
    double excess = 0;
    double worstExcess = 0;
    int count = 0;
    Line worst = null;
    for (Line line : profile.lines()) {
      if (line.work().space() != Space.GLOBAL || line.requests() == 0) {
        continue;
      }
      all += line.sectors();
      double more = line.sectors() - line.requests() * neededSectors(line);
      if (more > line.sectors() / 2.0) {
        count++;
        excess += more;
        if (more > worstExcess) {
          worstExcess = more;
          worst = line;
        }
      }
    }
    double weight =
        all == 0
            ? 0
            : excess
                / all
                * share(
                    StallReason.L1_HIT,
                    StallReason.L1_MISS,
                    StallReason.L2_HIT,
                    StallReason.DRAM,
                    StallReason.GLOBAL_QUEUE);
    if (weight > WORTH_SAYING) {
      findings.add(
          new Finding(
              weight,
              "Scattered accesses",
              say(
                  "%s at %s touches %s sectors per request where %s would do%s; %s of all sectors"
                      + " asked of L1 are not needed.",
                  worst.opcode(),
                  hex(worst.pc()),
                  number((double) worst.sectors() / worst.requests()),
                  number(neededSectors(worst)),
                  others(count),
                  percent(excess / all)),
              "Let neighbouring lanes use neighbouring addresses.",
              "listing",
              worst.pc()));
    }
  }

  private static double neededSectors(Line line) {
    double lanes = line.executed() == 0 ? 32 : (double) line.lanes() / line.executed();
    return Math.max(1, lanes * line.work().bytes() / 32);
  }

  /** Extra passes concern the time that warps wait for shared memory and for room in its queue. */
  private void conflicts() {
    double passes = 0;
    double extra = 0;
    int count = 0;
    Line worst = null;
    for (Line line : profile.lines()) {
      if (line.work().space() == Space.SHARED) {
        passes += line.requests() + line.conflicts();
        extra += line.conflicts();
      }
      if (line.conflicts() > line.requests() / 2) {
        count++;
        worst = worst == null || line.conflicts() > worst.conflicts() ? line : worst;
      }
    }
    double weight =
        passes == 0 ? 0 : extra / passes * share(StallReason.SHARED, StallReason.MIO_QUEUE);
    if (worst != null && weight > WORTH_SAYING) {
      findings.add(
          new Finding(
              weight,
              "Shared-memory bank conflicts",
              say(
                  "%s at %s needs %s extra passes per request%s.",
                  worst.opcode(),
                  hex(worst.pc()),
                  number((double) worst.conflicts() / worst.requests()),
                  others(count)),
              "Pad rows by one word or change the layout.",
              "listing",
              worst.pc()));
    }
  }

  private static String others(int count) {
    return count < 2 ? "" : ", " + (count - 1) + (count == 2 ? " other too" : " others too");
  }

  /** Share of the warps' time in some reasons. */
  private double share(StallReason... reasons) {
    long sum = 0;
    for (StallReason reason : reasons) {
      sum += profile.stalls().getOrDefault(reason, 0L);
    }
    return warpCycles == 0 ? 0 : (double) sum / warpCycles;
  }

  private void divergence() {
    if (kernel.warpInstructions() == 0) {
      return;
    }
    double lanes = (double) kernel.threadInstructions() / kernel.warpInstructions();
    double width = lanes > 32 ? 64 : 32;
    if (lanes < 0.75 * width) {
      findings.add(
          new Finding(
              (1 - lanes / width) * 0.5,
              "Lanes idle",
              say("%s of %d lanes are active on average.", number(lanes), (int) width),
              "Let threads of a warp take the same path; avoid partly filled warps.",
              "listing",
              -1));
    }
  }

  private void barriers() {
    double share = (double) profile.stalls().getOrDefault(StallReason.BARRIER, 0L) / warpCycles;
    if (share > 0.2) {
      findings.add(
          new Finding(
              share,
              "Barriers hold warps",
              say("Warps spend %s of their time at barriers.", percent(share)),
              advice(StallReason.BARRIER),
              "states",
              -1));
    }
  }

  private void fetch() {
    double share =
        (double)
                (profile.stalls().getOrDefault(StallReason.FETCH, 0L)
                    + profile.stalls().getOrDefault(StallReason.CONSTANT_MISS, 0L))
            / warpCycles;
    if (share > 0.15) {
      findings.add(
          new Finding(
              share,
              "Instructions and constants arrive late",
              say(
                  "Warps spend %s of their time without an instruction or its constant.",
                  percent(share)),
              "Short kernels pay for cold caches; long ones for code that does not fit.",
              "states",
              -1));
    }
  }

  private void hotSlice() {
    double most = profile.slices().stream().mapToLong(t -> t.first()).max().orElse(0);
    double mean = profile.slices().stream().mapToLong(t -> t.first()).average().orElse(0);
    if (mean > 100 && most > 1.5 * mean) {
      findings.add(
          new Finding(
              0.3 * (1 - mean / most),
              "L2 slices are not used evenly",
              say("The busiest slice serves %s times the average.", number(most / mean)),
              "Addresses a large power of two apart share a slice; change the stride.",
              "balance",
              -1));
    }
  }

  private static String say(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  private static String lower(String label) {
    boolean acronym = label.length() > 1 && Character.isUpperCase(label.charAt(1));
    return acronym ? label : label.substring(0, 1).toLowerCase(Locale.ROOT) + label.substring(1);
  }

  private static String percent(double share) {
    return say(share < 0.1 ? "%.1f %%" : "%.0f %%", 100 * share);
  }

  private static String number(double value) {
    return value >= 1000
        ? say("%,.0f", value)
        : value >= 100 ? say("%.0f", value) : say("%.3g", value);
  }

  private static String hex(int pc) {
    return say("0x%04x", pc);
  }
}
