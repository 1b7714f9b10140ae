package dev.warpline.study.advice;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.KernelProfile.Line;
import dev.warpline.engine.profile.KernelProfile.Throughput;
import dev.warpline.engine.profile.StallReason;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** What a run says of one kernel, as rules ask for it. */
final class KernelEvidence {
  /** Sources of a line that a sentence names. */
  private static final int NAMED = 2;

  final KernelResult kernel;
  final KernelProfile profile;
  private final Function<StallReason, String> profiler;

  KernelEvidence(KernelResult kernel, Function<StallReason, String> profiler) {
    this.kernel = kernel;
    this.profiler = profiler;
    profile = kernel.profile();
  }

  double cycles() {
    return Math.max(1, kernel.cycles());
  }

  /** Share of the warps' time in some reasons. */
  double share(StallReason... reasons) {
    return share(Arrays.asList(reasons));
  }

  double share(List<StallReason> reasons) {
    var stalls = profile.stalls();
    long sum = reasons.stream().mapToLong(reason -> stalls.getOrDefault(reason, 0L)).sum();
    return (double) sum / Math.max(1, profile.warpCycles());
  }

  /** The part of the machine that is nearest to its peak, null if peaks are not known. */
  Throughput busiest(Predicate<Throughput> which) {
    return profile.throughputs().stream()
        .filter(t -> !t.unit().equals("flops"))
        .filter(which)
        .max(Comparator.comparingDouble(this::share))
        .orElse(null);
  }

  double share(Throughput part) {
    return part == null ? 0 : part.share(kernel.cycles());
  }

  /** Share of the peak of a part by its name, 0 if it is not known. */
  double part(String name) {
    return share(busiest(t -> t.part().equals(name)));
  }

  /** Lines by how much of something they have, the most first, those without any left out. */
  List<Line> most(ToDoubleFunction<Line> amount) {
    return profile.lines().stream()
        .filter(line -> amount.applyAsDouble(line) > 0)
        .sorted(Comparator.comparingDouble(amount).reversed())
        .toList();
  }

  /** Warp-cycles of a line in some reasons. */
  static double waits(Line line, List<StallReason> reasons) {
    return reasons.stream().mapToLong(reason -> line.stalls().getOrDefault(reason, 0L)).sum();
  }

  static List<Integer> pcs(List<Line> lines) {
    return lines.stream().limit(8).map(Line::pc).toList();
  }

  /** A line with its place: {@code STS.128 at 0x0760}. */
  static String name(Line line) {
    return line.opcode() + " at " + Words.hex(line.pc());
  }

  /** The lines that one waits for, in words; empty if they are not known. */
  String sources(Line line) {
    return line.code().waitsFor().stream()
        .limit(NAMED)
        .map(
            source ->
                Words.say(
                    "%s (%s, %d %s before)",
                    profile.lines().stream()
                        .filter(other -> other.pc() == source.pc())
                        .map(KernelEvidence::name)
                        .findFirst()
                        .orElse(Words.hex(source.pc())),
                    source.via(),
                    source.distance(),
                    source.distance() == 1 ? "instruction" : "instructions"))
        .collect(Collectors.joining(" and "));
  }

  /** A reason in the words of the profiler that people of this GPU know. */
  String profilers(StallReason reason) {
    return profiler.apply(reason);
  }

  int sms() {
    return profile.sms().size();
  }

  /** Blocks of the grid. */
  long blocks() {
    return Arrays.stream(profile.launch().grid().split("\\D+"))
        .filter(word -> !word.isEmpty())
        .mapToLong(Long::parseLong)
        .reduce(1, (a, b) -> a * b);
  }

  /** Blocks that an SM can hold at a time, whatever the grid has. */
  int resident() {
    return profile.launch().blocksPerSm().entrySet().stream()
        .filter(limit -> !limit.getKey().equals("grid"))
        .mapToInt(java.util.Map.Entry::getValue)
        .min()
        .orElse(0);
  }

  /** Longest time that an SM had warps, and the average of those that had any. */
  double longest() {
    return profile.sms().stream().mapToLong(KernelProfile.Sm::activeCycles).max().orElse(0);
  }

  double average() {
    return profile.sms().stream()
        .filter(sm -> sm.warps() > 0)
        .mapToLong(KernelProfile.Sm::activeCycles)
        .average()
        .orElse(0);
  }

  /** Most warps that one SM got, and what each would get if all got the same. */
  double mostWarps() {
    return profile.sms().stream().mapToLong(KernelProfile.Sm::warps).max().orElse(0);
  }

  double meanWarps() {
    return profile.sms().stream().mapToLong(KernelProfile.Sm::warps).average().orElse(0);
  }
}
