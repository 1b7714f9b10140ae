package dev.warpline.amd.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.amd.cu.TinyScenes;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.gpu.Binder;
import dev.warpline.engine.gpu.ClockSpec;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.isa.gcn.GcnTarget;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * Every parameter in the description of an AMD GPU changes what the samples do, and
 * docs/effects-amd.md says how.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ParametersTest {
  private static final Path PAGE = Path.of("../docs/effects-amd.md");
  private static final String HEAD =
      """
      # What every field of an AMD GPU does

      One change of each field, and what it does to the first of a few small kernels that shows it: cycles, or the
      first counter that moves. The GPU is gem5's with two compute units; the kernels, and what a host does, are those of `amd/src/test`.
      `clocks.interconnectMHz` and `clocks.l2MHz` are not read: links and L2 count core cycles.

      Written by `mvn -pl amd -am test -Dtest=ParametersTest -Dsurefire.failIfNoSpecifiedTests=false -Dwarpline.effects=write`;
      the same test, without the last option, checks that this page is current. NVIDIA's fields: [effects.md](effects.md).

      | field | effect |
      |---|---|
      """;

  /** Sections of which a description says all or nothing, with gem5's defaults. */
  private static final List<String> BASE =
      List.of(
          "target=gfx90a",
          "computeUnits=2",
          "translation.l1.entries=64",
          "translation.l1.ways=64",
          "translation.l1.hitLatency=1",
          "translation.l2.entries=4096",
          "translation.l2.ways=64",
          "translation.l2.hitLatency=69",
          "translation.l3.entries=8192",
          "translation.l3.ways=64",
          "translation.l3.hitLatency=150",
          "tcp.bytes=16384",
          "tcp.ways=16",
          "tcp.banks=16",
          "tcp.latency=4",
          "tcp.requestLatency=1",
          "sqc.bytes=32768",
          "sqc.ways=8",
          "sqc.latency=1",
          "sqc.requestLatency=80",
          "scalarCache.bytes=32768",
          "scalarCache.ways=8",
          "scalarCache.latency=1",
          "scalarCache.requestLatency=80");

  private static final List<String> SAMPLES =
      List.of(
          "matmul_tiled",
          "matmul_naive",
          "strided_sum",
          "horner_f64",
          "mfma_f32",
          "tickets",
          "histogram_lds",
          "kmeans_assign",
          "convolution",
          "sha256_block",
          "scan");

  /** A parameter and another value for it; after that what else must be set for it to matter. */
  private static final List<List<String>> ROWS =
      List.of(
          List.of("clocks.coreMHz=2000"),
          List.of("clocks.dramMHz=100"),
          List.of("computeUnits=1"),
          List.of("complexes=2"),
          List.of("cusPerSqc=1"),
          List.of("cusPerScalarCache=1"),
          List.of("waves.simds=2"),
          List.of("waves.simdWidth=8", "issue.rates=hardware"),
          List.of("waves.slotsPerSimd=1"),
          List.of("waves.barrierSlots=1"),
          List.of("issue.fetchDepth=4"),
          List.of("issue.instructionBuffer=2"),
          List.of("issue.policy=lrr"),
          List.of("issue.issuePeriod=8"),
          List.of("issue.scalarPeriod=1"),
          List.of("issue.wavePeriod=8"),
          List.of("issue.singleBypass=2"),
          List.of("issue.doubleBypass=2"),
          List.of("issue.scalarPipe=5"),
          List.of("issue.rates=hardware"),
          List.of("issue.doubleRate=2", "issue.rates=hardware"),
          List.of("issue.scalarUnits=4"),
          List.of("issue.operandNetwork=3"),
          List.of("issue.mfmaScale=3.0"),
          List.of("registers.vectorRegisters=64"),
          List.of("registers.vectorGranule=1024"),
          List.of("registers.scalarRegisters=64"),
          List.of("registers.scalarGranule=1024"),
          List.of("registers.policy=simple"),
          List.of("registers.cacheRegisters=8"),
          List.of("registers.cachePipe=3", "registers.cacheRegisters=8"),
          List.of("pipes.memReqLatency=60"),
          List.of("pipes.memRespLatency=60"),
          List.of("pipes.scalarMemReqLatency=60"),
          List.of("pipes.scalarMemRespLatency=50"),
          List.of("pipes.vrfGmBus=8"),
          List.of("pipes.vrfLmBus=8"),
          List.of("pipes.srfScmBus=40"),
          List.of("pipes.returnBytes=16"),
          List.of("pipes.vrfToCoalescerBytes=16"),
          List.of("pipes.coalescerToVrfBytes=16"),
          List.of("pipes.globalQueue=1"),
          List.of("pipes.localQueue=1"),
          List.of("pipes.scalarQueue=1"),
          List.of("pipes.maxWaveRequests=1"),
          List.of("pipes.maxCuTokens=1"),
          List.of("pipes.coalescesPerCycle=4"),
          List.of("pipes.mandatoryQueueLatency=9"),
          List.of("pipes.glcAtomicLatency=99"),
          List.of("pipes.bypassTcp=true"),
          List.of("pipes.inOrderReturn=false"),
          List.of("lds.bytes=8192"),
          List.of("lds.granule=32768"),
          List.of("lds.banks=8"),
          List.of("lds.bankConflictPenalty=9"),
          List.of("lds.latency=99"),
          List.of("translation.functional=true"),
          List.of("translation.pageBytes=65536"),
          List.of("translation.probesPerCycle=64"),
          List.of("translation.prefetchDepth=2"),
          List.of("translation.prefetchType=fixed", "translation.prefetchDepth=2"),
          List.of(
              "translation.prefetchStride=3",
              "translation.prefetchDepth=2",
              "translation.prefetchType=fixed"),
          List.of("translation.l1.entries=1", "translation.l1.ways=1"),
          List.of("translation.l1.hitLatency=30"),
          List.of(
              "translation.l2.entries=1",
              "translation.l2.ways=1",
              "translation.l1.entries=1",
              "translation.l1.ways=1"),
          List.of("translation.l1.ways=1", "translation.l1.ways=4", "translation.l1.entries=4"),
          List.of(
              "translation.l2.ways=1",
              "translation.l2.ways=4",
              "translation.l2.entries=4",
              "translation.l1.entries=1",
              "translation.l1.ways=1"),
          List.of(
              "translation.l3.entries=1",
              "translation.l3.ways=1",
              "translation.l2.entries=1",
              "translation.l2.ways=1",
              "translation.l1.entries=1",
              "translation.l1.ways=1"),
          List.of(
              "translation.l3.ways=1",
              "translation.l3.ways=4",
              "translation.l3.entries=4",
              "translation.l2.entries=1",
              "translation.l2.ways=1",
              "translation.l1.entries=1",
              "translation.l1.ways=1"),
          List.of("translation.l2.hitLatency=99"),
          List.of("translation.l3.hitLatency=250"),
          List.of("translation.walkLatency=999"),
          List.of("tcp.bytes=1024"),
          List.of("tcp.ways=1"),
          List.of("tcp.replacement=fifo", "tcp.bytes=1024"),
          List.of("tcp.banks=1"),
          List.of("tcp.latency=30"),
          List.of("tcp.requestLatency=30"),
          List.of("sqc.bytes=64", "sqc.ways=1"),
          List.of("sqc.ways=1", "sqc.bytes=512"),
          List.of("sqc.replacement=random:1", "sqc.bytes=512", "sqc.ways=4"),
          List.of("sqc.banks=1"),
          List.of("sqc.latency=30"),
          List.of("sqc.requestLatency=120"),
          List.of("scalarCache.bytes=64", "scalarCache.ways=1"),
          List.of("scalarCache.ways=1", "scalarCache.ways=2", "scalarCache.bytes=128"),
          List.of(
              "scalarCache.replacement=random:1", "scalarCache.bytes=128", "scalarCache.ways=2"),
          List.of("scalarCache.latency=30"),
          List.of("scalarCache.requestLatency=120"),
          List.of("network.topology=ring", "network.bytesPerCycle=16", "tcc.slices=4"),
          List.of("network.bytesPerCycle=1"),
          List.of("network.hopLatency=20"),
          List.of("tcc.bytes=2048", "tcc.ways=1"),
          List.of("tcc.ways=1", "tcc.bytes=4096"),
          List.of("tcc.replacement=random:1", "tcc.bytes=4096", "tcc.ways=4"),
          List.of("tcc.slices=4"),
          List.of("tcc.bytesPerCycle=4"),
          List.of("tcc.tagLatency=20"),
          List.of("tcc.dataLatency=20"),
          List.of("tcc.responseLatency=40"),
          List.of("tcc.toMemoryLatency=20"),
          List.of("tcc.writeBack=true"),
          List.of("tcc.setIndex=remainder:2", "tcc.ways=1", "tcc.bytes=4096"),
          List.of("tcc.atomicLatency=40"),
          List.of("memoryCache.bytes=0"),
          List.of("memoryCache.ways=1", "memoryCache.bytes=4096"),
          List.of(
              "memoryCache.replacement=random:1", "memoryCache.bytes=4096", "memoryCache.ways=4"),
          List.of("memoryCache.slices=4"),
          List.of("memoryCache.bytesPerCycle=1"),
          List.of("memoryCache.latency=99"),
          List.of("memory.channels=4"),
          List.of("memory.interleaveBytes=4096", "memory.channels=4"),
          List.of("memory.gigabytesPerSecond=1"),
          List.of("memory.banks=1"),
          List.of("memory.rowBytes=64"),
          List.of("memory.rowHitNs=40"),
          List.of("memory.rowMissNs=90"),
          List.of("memory.dram.standard=hbm3"),
          List.of("memory.dram.stacks=4", "memory.dram.standard=hbm2"),
          List.of("memory.dram.ratedMHz=4000", "memory.dram.standard=hbm2"),
          List.of("memory.dram.controllerNs=90", "memory.dram.standard=hbm2"),
          List.of("memory.dram.pages=closed", "memory.dram.standard=hbm2"),
          List.of("memory.dram.writeQueue=1", "memory.dram.standard=hbm2", "memoryCache.bytes=0"),
          List.of("packetProcessor.packetNs=2000"),
          List.of("packetProcessor.doorbellNs=500"),
          List.of("packetProcessor.launchNs=500"),
          List.of("packetProcessor.completeNs=500"),
          List.of("dispatch.blockScheduler=depth-first"),
          List.of("dispatch.launchAcquire=false"),
          List.of("dispatch.endRelease=true", "tcc.writeBack=true"),
          List.of("dispatch.packetFences=true", "tcc.writeBack=true", "complexes=2"),
          List.of("dispatch.invalidatesPerCycle=1"),
          List.of("dispatch.groupsPerCycle=1", "dispatch.groupLaunchLatency=1"),
          List.of("dispatch.groupLaunchLatency=90"),
          List.of("target=gfx942"),
          List.of(
              "tcp.lineBytes=128 sqc.lineBytes=128 scalarCache.lineBytes=128 tcc.lineBytes=128"),
          List.of("tcp.fillPort=false"),
          List.of("lds.busAfterBanks=false"),
          List.of("a scalar load: scalarCache.banks=1"),
          List.of("a clock: pipes.memtimeLatency=100"),
          List.of("a raised priority: issue.priorities=true"),
          List.of(
              "a system fence: tcc.probes=true",
              "tcc.writeBack=true",
              "dispatch.packetFences=true"),
          List.of("thirteen queues: packetProcessor.hardwareQueues=2"),
          List.of("thirteen queues: packetProcessor.quantumNs=500000"),
          List.of("kernels side by side: packetProcessor.bufferedPackets=1"),
          List.of("copies: transfers.engines=1"),
          List.of("copies: transfers.stagedBytes=100"),
          List.of("copies: transfers.stagedNs=9000"),
          List.of("copies: transfers.stagedGigabytes=1"),
          List.of("copies: transfers.pinNs=90000"),
          List.of("copies: transfers.hostGigabytes=1"),
          List.of("copies: transfers.deviceStartNs=9000"),
          List.of("copies: transfers.deviceGigabytes=1"));

  /** What shows a parameter that no sample does. */
  private static final Map<String, Function<AmdSpec, Map<String, Number>>> SCENES =
      Map.of(
          "a scalar load", TinyScenes::scalarLoad,
          "a clock", TinyScenes::clock,
          "a raised priority", TinyScenes::priority,
          "a system fence", HostScenes::fences,
          "thirteen queues", HostScenes::queues,
          "kernels side by side", HostScenes::concurrent,
          "copies", HostScenes::copies);

  private final Map<List<String>, Map<String, Number>> results = new HashMap<>();
  private final Map<List<String>, String> effects = new HashMap<>();

  /** The scene that a row names, or null. */
  private static String scene(List<String> row) {
    int end = row.get(0).indexOf(": ");
    return end < 0 ? null : row.get(0).substring(0, end);
  }

  /** What a row changes: settings with a space between them. */
  private static String change(List<String> row) {
    return row.get(0).substring(row.get(0).indexOf(": ") < 0 ? 0 : row.get(0).indexOf(": ") + 2);
  }

  /** What a row's change does and to which sample, as the page says it; null if it does nothing. */
  private String effect(List<String> row) {
    if (!effects.containsKey(row)) {
      effects.put(row, firstEffect(row));
    }
    return effects.get(row);
  }

  private String firstEffect(List<String> row) {
    List<String> without = row.subList(1, row.size());
    List<String> changed =
        Stream.concat(without.stream(), Stream.of(change(row).split(" "))).toList();
    for (String sample : scene(row) == null ? SAMPLES : List.of(scene(row))) {
      Map<String, Number> before =
          results.computeIfAbsent(
              Stream.concat(Stream.of(sample), without.stream()).toList(),
              k -> simulate(sample, without));
      String effect = difference(before, simulate(sample, changed));
      if (effect != null) {
        return effect + " on " + sample;
      }
    }
    return null;
  }

  private static String difference(Map<String, Number> before, Map<String, Number> after) {
    double cycles = before.get("cycles").doubleValue();
    double more = after.get("cycles").doubleValue() - cycles;
    if (more != 0) {
      double percent = 100 * more / cycles;
      return Math.abs(percent) >= 0.05
          ? String.format(Locale.ROOT, "%+.1f %%", percent)
          : String.format(Locale.ROOT, "%+d cycles", (long) more);
    }
    for (Map.Entry<String, Number> counter : new TreeMap<>(before).entrySet()) {
      Number other = after.get(counter.getKey());
      if (!counter.getValue().equals(other)) {
        return counter.getKey() + " " + counter.getValue() + " to " + other;
      }
    }
    return null;
  }

  @TestFactory
  Stream<DynamicTest> everyParameterHasAnEffect() {
    return ROWS.stream()
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row.get(0),
                    () -> assertThat(effect(row)).as("what another value does").isNotNull()));
  }

  @Test
  void cachesThatShareLinesHaveLinesOfOneSize() {
    for (String cache : List.of("tcp", "sqc", "scalarCache", "tcc")) {
      assertThatThrownBy(() -> simulate(SAMPLES.get(0), List.of(cache + ".lineBytes=128")))
          .hasMessageContaining("expected tcc.lineBytes");
    }
  }

  @Test
  void thePageIsCurrent() throws IOException {
    StringBuilder page = new StringBuilder(HEAD);
    for (List<String> row : ROWS) {
      String with =
          row.size() == 1 ? "" : ", with `" + String.join(" ", row.subList(1, row.size())) + "`";
      for (String setting : change(row).split(" ")) {
        String[] sides = setting.split("=", 2);
        String field = sides[0].startsWith("clocks.") ? sides[0] : "amd." + sides[0];
        String value = change(row).contains(" ") ? change(row) : "=" + sides[1];
        page.append(String.format("| `%s` | %s (`%s`%s) |%n", field, effect(row), value, with));
      }
    }
    if ("write".equals(System.getProperty("warpline.effects"))) {
      Files.writeString(PAGE, page);
    }
    assertThat(Files.readString(PAGE).lines())
        .as("docs/effects-amd.md; the command at its top writes it anew")
        .containsExactlyElementsOf(page.toString().lines().toList());
  }

  @Test
  void everyParameterHasARow() {
    Set<String> rows =
        ROWS.stream()
            .flatMap(row -> Stream.of(change(row).split(" ")))
            .map(setting -> setting.split("=")[0])
            .collect(Collectors.toSet());
    Set<String> missing = new TreeSet<>();
    collect(AmdSpec.class, "", missing);
    missing.removeAll(rows);
    assertThat(missing).isEmpty();
  }

  private static void collect(Class<?> type, String prefix, Set<String> into) {
    for (RecordComponent component : type.getRecordComponents()) {
      if (component.getType().isRecord()) {
        collect(component.getType(), prefix + component.getName() + ".", into);
      } else {
        into.add(prefix + component.getName());
      }
    }
  }

  /** Cycles and counters of a sample under these settings. */
  private static Map<String, Number> simulate(String name, List<String> settings) {
    Map<String, Object> tree = new TreeMap<>();
    BASE.forEach(s -> put(tree, s));
    double coreMHz = 1000;
    double dramMHz = 1000;
    for (String setting : settings) {
      String value = setting.substring(setting.indexOf('=') + 1);
      if (setting.startsWith("clocks.coreMHz=")) {
        coreMHz = Double.parseDouble(value);
      } else if (setting.startsWith("clocks.dramMHz=")) {
        dramMHz = Double.parseDouble(value);
      } else {
        put(tree, setting);
      }
    }
    ClockSpec clocks = new ClockSpec(coreMHz, coreMHz, coreMHz, dramMHz);
    AmdSpec spec = spec(tree);
    if (SCENES.containsKey(name)) {
      return SCENES.get(name).apply(spec);
    }
    Sample sample = Samples.named(name);
    GcnTarget target = GcnTarget.valueOf(spec.target().toUpperCase(Locale.ROOT));
    try (TimedSampleDevice device = new TimedSampleDevice(sample, spec, clocks, target, "O2", 1)) {
      sample.body().run(device);
      Map<String, Number> counters = new TreeMap<>(device.statistics());
      counters.put("cycles", device.cycles());
      return counters;
    }
  }

  private static AmdSpec spec(Map<String, Object> tree) {
    try {
      return Binder.read(
          AmdSpec.class, tree.toString().replace("=", ": "), "a description with another value");
    } catch (DescriptionException e) {
      throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("unchecked")
  private static void put(Map<String, Object> tree, String setting) {
    String[] sides = setting.split("=");
    String[] path = sides[0].split("\\.");
    Map<String, Object> at = tree;
    for (int i = 0; i < path.length - 1; i++) {
      at = (Map<String, Object>) at.computeIfAbsent(path[i], k -> new TreeMap<String, Object>());
    }
    at.put(path[path.length - 1], sides[1]);
  }
}
