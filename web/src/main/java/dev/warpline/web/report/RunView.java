package dev.warpline.web.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.energy.KernelEnergy;
import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.LaneWork;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.isa.Demangler;
import dev.warpline.study.advice.Finding;
import dev.warpline.study.advice.Findings;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A run as the pages want it: results, findings and the profile in compact columns. A file of many
 * kernels keeps the profiles of the longest ones within a size budget and says which were left out.
 */
public final class RunView {
  /** Characters of profile data that a page carries; leaves room for the page in 5 MB. */
  static final int PROFILE_BUDGET = 4_000_000;

  /** Launches beyond which those that were not simulated are kept as what they are like. */
  private static final int MANY = 200;

  private static final String LIKE = "like launch ";

  private static final ObjectMapper JSON = new ObjectMapper();

  private RunView() {}

  /** The data of a run. */
  public static ObjectNode of(RunResult run) {
    return of(run, List.of());
  }

  /** The data of a run and of others that it is compared with. */
  public static ObjectNode of(RunResult run, List<Baseline> baselines) {
    ObjectNode view = JSON.createObjectNode();
    view.put("gpu", run.gpu());
    view.put("core", run.core());
    view.put("coreMHz", run.coreMHz());
    view.set("configuration", JSON.valueToTree(run.configuration()));
    view.put("cycles", run.cycles());
    view.put("unfinished", run.unfinished());
    view.set("warnings", JSON.valueToTree(run.warnings()));
    view.set("origin", JSON.valueToTree(run.origin()));
    view.set("simulation", JSON.valueToTree(run.simulation()));
    view.set("reasons", reasons());
    view.set("sources", JSON.valueToTree(run.sources()));
    view.put("profiler", isAmd(run) ? "gem5" : "nsight");
    ArrayNode kernels = view.putArray("kernels");
    for (KernelResult kernel : run.kernels()) {
      int like = run.kernels().size() > MANY ? like(kernel) : 0;
      kernels.add(like > 0 ? copy(kernel, like) : kernel(kernel));
    }
    if (run.program() != null) {
      view.set("program", ProgramView.of(run));
    }
    addProfiles(run, kernels);
    ArrayNode others = view.putArray("others");
    for (RunResult.Alternative alternative : run.alternatives()) {
      others.add(OtherRun.alternative(run, alternative));
    }
    for (Baseline baseline : baselines) {
      others.add(OtherRun.baseline(run, baseline));
    }
    return view;
  }

  /** The launch that one which was not simulated is taken to be like; 0 for all others. */
  private static int like(KernelResult kernel) {
    String how = kernel.sampling() == null ? "" : kernel.sampling().how();
    return kernel.simulatedInstructions() == 0 && how.startsWith(LIKE)
        ? Integer.parseInt(how.substring(LIKE.length()))
        : 0;
  }

  /** What a launch has of its own that was taken to be like another. */
  private static ObjectNode copy(KernelResult kernel, int like) {
    ObjectNode node = JSON.createObjectNode();
    node.put("id", kernel.id()).put("like", like);
    node.put("start", kernel.start()).put("end", kernel.end()).put("cycles", kernel.cycles());
    return node;
  }

  /** Everything that a run warns of, its kernels included, each once. */
  public static List<String> warnings(RunResult run) {
    return Stream.concat(
            run.warnings().stream(), run.kernels().stream().flatMap(k -> k.warnings().stream()))
        .distinct()
        .toList();
  }

  /** The reasons in their order: names, Nsight's and gem5's names, explanations. */
  public static ArrayNode reasons() {
    ArrayNode reasons = JSON.createArrayNode();
    for (StallReason reason : StallReason.values()) {
      reasons
          .addObject()
          .put("key", reason.key())
          .put("label", reason.label())
          .put("nsight", reason.nsight())
          .put("gem5", reason.gem5())
          .put("explanation", reason.explanation());
    }
    return reasons;
  }

  private static ObjectNode kernel(KernelResult kernel) {
    ObjectNode node = JSON.createObjectNode();
    node.put("id", kernel.id());
    node.put("name", Demangler.demangle(kernel.name()));
    node.put("title", Demangler.shortName(kernel.name()));
    node.put("start", kernel.start());
    node.put("end", kernel.end());
    node.put("cycles", kernel.cycles());
    node.put("warpInstructions", kernel.warpInstructions());
    node.put("threadInstructions", kernel.threadInstructions());
    node.put("occupancy", kernel.occupancy());
    node.put("limiter", kernel.limiter());
    node.set("statistics", JSON.valueToTree(kernel.statistics()));
    node.set("stalls", JSON.valueToTree(kernel.stalls()));
    node.set("warnings", JSON.valueToTree(kernel.warnings()));
    if (kernel.energy() != null) {
      node.set("energy", energy(kernel.energy()));
    }
    if (kernel.sampling() != null) {
      ObjectNode sampling = JSON.valueToTree(kernel.sampling());
      sampling.put("low", kernel.sampling().low(kernel.cycles()));
      sampling.put("high", kernel.sampling().high(kernel.cycles()));
      node.set("sampling", sampling);
    }
    return node;
  }

  /** Joules by component and by instruction, power over time. */
  private static ObjectNode energy(KernelEnergy energy) {
    ObjectNode node = JSON.createObjectNode();
    node.put("joules", energy.joules());
    node.put("betweenCards", energy.betweenCards());
    node.put("watts", energy.watts());
    node.put("energyDelay", energy.energyDelay());
    node.put("coreMHz", energy.coreMHz());
    node.set("parts", JSON.valueToTree(energy.parts()));
    if (!energy.lines().isEmpty()) {
      ObjectNode lines = node.putObject("lines");
      energy.lines().forEach(line -> lines.put(Integer.toString(line.pc()), line.joules()));
    }
    if (energy.trace() != null) {
      node.put("intervalCycles", energy.trace().intervalCycles());
      node.set("power", JSON.valueToTree(energy.trace().watts()));
    }
    return node;
  }

  private static boolean isAmd(RunResult run) {
    return run.core().equals("gcn");
  }

  private static void addProfiles(RunResult run, ArrayNode nodes) {
    List<KernelResult> kernels = run.kernels();
    List<Integer> longestFirst =
        java.util.stream.IntStream.range(0, kernels.size())
            .boxed()
            .filter(i -> kernels.get(i).profile() != null)
            .sorted(Comparator.comparingLong(i -> -kernels.get(i).cycles()))
            .toList();
    int spent = 0;
    for (int index : longestFirst) {
      ObjectNode node = (ObjectNode) nodes.get(index);
      ArrayNode findings = node.putArray("findings");
      Findings.of(run, kernels.get(index)).forEach(finding -> findings.add(finding(finding)));
      ObjectNode profile = spent > PROFILE_BUDGET ? null : profile(kernels.get(index).profile());
      spent += profile == null ? 0 : profile.toString().length();
      if (spent > PROFILE_BUDGET) {
        node.put("profileLeftOut", true);
      } else {
        node.set("profile", profile);
      }
    }
  }

  private static ObjectNode finding(Finding finding) {
    ObjectNode node = JSON.createObjectNode();
    node.put("rule", finding.rule());
    node.put("weight", finding.weight());
    node.put("title", finding.title());
    node.put("text", finding.text());
    node.put("advice", finding.advice());
    node.put("section", finding.section());
    node.set("lines", JSON.valueToTree(finding.pcs()));
    if (finding.relief().exists()) {
      node.put("whatIf", String.join(",", finding.relief().settings()));
    }
    if (finding.gain() != null) {
      node.put("gain", finding.gain());
    }
    return node;
  }

  private static ObjectNode profile(KernelProfile profile) {
    ObjectNode node = JSON.createObjectNode();
    node.set("launch", JSON.valueToTree(profile.launch()));
    node.set("throughputs", JSON.valueToTree(profile.throughputs()));
    ArrayNode lines = node.putArray("lines");
    PlaceTable places = new PlaceTable();
    for (KernelProfile.Line line : profile.lines()) {
      ObjectNode one = line(line);
      if (line.source() != null) {
        one.put("at", places.number(line.source()));
        one.put("ptx", line.source().ptx());
      }
      lines.add(one);
    }
    places.addTo(node);
    ArrayNode sms = node.putArray("sms");
    for (KernelProfile.Sm sm : profile.sms()) {
      ArrayNode one = sms.addArray().add(sm.warps()).add(sm.warpCycles()).add(sm.activeCycles());
      one.add(sm.stalls().getOrDefault(StallReason.SELECTED, 0L));
    }
    node.set("slices", traffic(profile.slices()));
    node.set("channels", traffic(profile.channels()));
    KernelProfile.Series series = profile.series();
    ObjectNode over = node.putObject("series");
    over.put("bucketCycles", series.bucketCycles());
    ObjectNode states = over.putObject("states");
    series.states().forEach((reason, values) -> states.set(reason.key(), longs(values)));
    over.set("l1Sectors", longs(series.l1Sectors()));
    over.set("l1Hits", longs(series.l1Hits()));
    over.set("l2Sectors", longs(series.l2Sectors()));
    over.set("l2Hits", longs(series.l2Hits()));
    over.set("dramRead", longs(series.dramRead()));
    over.set("dramWrite", longs(series.dramWrite()));
    return node;
  }

  /** Field names are short because there are thousands of lines; zeros are left out. */
  private static ObjectNode line(KernelProfile.Line line) {
    LaneWork work = line.work();
    ObjectNode node = JSON.createObjectNode();
    node.put("pc", line.pc()).put("text", line.text()).put("n", line.executed());
    put(node, "lanes", line.lanes());
    put(node, "requests", line.requests());
    put(node, "sectors", line.sectors());
    put(node, "l1", line.l1Hits());
    put(node, "l2", line.l2Hits());
    put(node, "dram", line.dramSectors());
    put(node, "conflicts", line.conflicts());
    if (work.space() != LaneWork.Space.NONE) {
      node.put("space", work.space().name().toLowerCase(java.util.Locale.ROOT));
      node.put("bytes", work.bytes());
    }
    if (work.flops() > 0) {
      node.put("flops", work.flops() * line.lanes());
      node.put("kind", work.kind().name());
    }
    KernelProfile.Code code = line.code();
    if (!code.pipe().isEmpty()) {
      node.put("pipe", code.pipe());
      put(node, "live", code.live());
    }
    if (!code.waitsFor().isEmpty()) {
      ArrayNode sources = node.putArray("waitsFor");
      code.waitsFor().forEach(s -> sources.addArray().add(s.pc()).add(s.distance()).add(s.via()));
    }
    ArrayNode stalls = node.putArray("stalls");
    for (Map.Entry<StallReason, Long> entry : line.stalls().entrySet()) {
      stalls.add(entry.getKey().ordinal()).add(entry.getValue());
    }
    return node;
  }

  private static void put(ObjectNode node, String name, long value) {
    if (value != 0) {
      node.put(name, value);
    }
  }

  private static ArrayNode traffic(List<KernelProfile.Traffic> parts) {
    ArrayNode node = JSON.createArrayNode();
    for (KernelProfile.Traffic part : parts) {
      node.addArray().add(part.first()).add(part.second());
    }
    return node;
  }

  private static ArrayNode longs(long[] values) {
    ArrayNode node = JSON.createArrayNode();
    for (long value : values) {
      node.add(value);
    }
    return node;
  }
}
