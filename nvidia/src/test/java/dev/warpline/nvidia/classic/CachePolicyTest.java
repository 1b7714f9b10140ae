package dev.warpline.nvidia.classic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.gpu.CacheSpec.Allocate;
import dev.warpline.engine.gpu.CacheSpec.Write;
import dev.warpline.engine.gpu.CacheSpec.WriteAllocate;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.trace.KernelBuilder;
import dev.warpline.trace.MemoryKernel;
import dev.warpline.trace.MemoryTrace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every policy that a cache string of GPGPU-Sim can name, on the L1 and on the L2: a kernel of
 * loads, partial and whole stores, atomics and local memory runs to its end with nothing left
 * anywhere, or the description is refused with a message that names the policy.
 */
@Tag("long")
class CachePolicyTest {
  private static final String L1 = "classic.l1.cache.";
  private static final String L2 = "detailedMemory.l2.cache.";

  /** Two SMs, one channel, caches so small that lines have to leave. */
  private static final List<String> SMALL =
      List.of(
          "sm.count=2",
          "sm.count=2",
          "sm.l1.unified=false",
          "classic.l1.dirtyPercent=0",
          "classic.l1.cache.sets=32",
          "classic.l1.cache.ways=2",
          "detailedMemory.channels=2",
          "detailedMemory.l2.cache.sets=32",
          "detailedMemory.l2.cache.ways=1");

  /** Pairs of rules of both caches are tried one in so many. */
  private static final int EVERY = Integer.getInteger("warpline.everyPolicyPair", 6);

  private static final MemoryKernel KERNEL = kernel();

  private static MemoryKernel kernel() {
    KernelBuilder builder =
        new KernelBuilder("mix").grid(4, 1, 1).block(64, 1, 1).binaryVersion(86).registers(16);
    int pc = 0;
    for (int i = 0; i < 6; i++) {
      long a = 0x10000 + 0x3000L * i;
      builder.line(line(pc++, "1 R2 LDG.E 1 R1 4 1 0x%x 4 0", a));
      builder.line(line(pc++, "0 STG.E 2 R2 R4 4 1 0x%x 4 0", a));
      builder.line(line(pc++, "0 STG.E.U8 2 R2 R4 1 1 0x%x 64 0", a + 0x1000));
      builder.line(line(pc++, "1 R3 LDG.E 1 R1 4 1 0x%x 64 0", a + 0x1000));
      builder.line(line(pc++, "1 R5 ATOMG.E.ADD 2 R2 R4 4 1 0x%x 8 0", a + 0x800));
      builder.line(line(pc++, "0 STL 2 R1 R4 4 1 0x%x 0 0", 0xfffc00 + 4L * i));
      builder.line(line(pc++, "1 R6 LDL 1 R1 4 1 0x%x 0 0", 0xfffc00 + 4L * i));
      builder.line(line(pc++, "1 R7 LDG.E 1 R1 4 1 0x%x 4 0", 0x10000 + 0x3000L * (i / 2)));
    }
    return builder.line(line(pc, "0 EXIT 0 0 0%s", "")).everyWarpTheSame().build();
  }

  private static String line(int at, String format, Object address) {
    return String.format("%04x ffffffff " + format, 16 * at, address);
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static List<String> policy(String cache, Write w, Allocate a, WriteAllocate wa) {
    return List.of(
        cache + "write=" + word(w),
        cache + "allocate=" + word(a),
        cache + "writeAllocate=" + word(wa));
  }

  private static GpuDescription gpu(List<List<String>> settings) throws IOException {
    List<String> all = new ArrayList<>(SMALL);
    settings.forEach(all::addAll);
    return Kernels.gpu(all.toArray(new String[0]));
  }

  /** Runs a kernel and looks whether everything has come back to where it belongs. */
  private static KernelResult run(GpuDescription gpu, MemoryKernel kernel) throws IOException {
    ClassicMachine machine = new ClassicMachine(gpu);
    RunResult run =
        machine.run(new MemoryTrace("test").launch(kernel), RunOptions.DEFAULT, Progress.NONE);
    machine.drain();
    assertThat(machine.isDrained()).as("every request came back").isTrue();
    return run.kernels().get(0);
  }

  /** All combinations of the three write rules that a data cache takes. */
  private static List<List<String>> allowed(String cache) {
    List<List<String>> allowed = new ArrayList<>();
    for (Write w : Write.values()) {
      for (Allocate a : Allocate.values()) {
        for (WriteAllocate wa : WriteAllocate.values()) {
          List<String> settings = policy(cache, w, a, wa);
          try {
            gpu(List.of(settings));
            allowed.add(settings);
          } catch (IOException e) {
            assertThat(e)
                .as(settings.toString())
                .isInstanceOf(DescriptionException.class)
                .hasMessageContaining("cache: found")
                .hasMessageContaining("expected");
            assertThat(e.getMessage())
                .as(settings.toString())
                .containsAnyOf(word(w), word(a), word(wa));
          }
        }
      }
    }
    return allowed;
  }

  /** All 576 pairs end; the build tries a sixth of them, each rule with four of the other cache. */
  @Test
  void everyWriteRuleOfBothCachesRunsToItsEnd() throws IOException {
    List<List<String>> l1 = allowed(L1);
    List<List<String>> l2 = allowed(L2);
    // B with m, T with m: 4 each; T with f or s, E and L with any allocation: 2 each.
    assertThat(l1).hasSize(4 + 4 + 2 * 2 + 2 * 3 * 2);
    assertThat(l2).hasSameSizeAs(l1);
    for (int i = 0; i < l1.size(); i++) {
      for (int j = i % EVERY; j < l2.size(); j += EVERY) {
        KernelResult result = run(gpu(List.of(l1.get(i), l2.get(j))), KERNEL);
        assertThat(result.warpInstructions()).as(l1.get(i) + " " + l2.get(j)).isEqualTo(8 * 49);
      }
    }
  }

  @Test
  void everySetIndexAndReplacementRunsToItsEnd() throws IOException {
    for (String cache : List.of(L1, L2)) {
      for (String r : List.of("lru", "fifo", "tree-plru", "random:1", "srrip")) {
        for (String index : List.of("linear", "xor", "ipoly", "fermi", "custom", "scatter")) {
          run(
              gpu(List.of(List.of(cache + "replacement=" + r, cache + "setIndex=" + index))),
              KERNEL);
        }
      }
    }
  }

  @Test
  void aFermiIndexNeeds32Or64Sets() {
    assertThatThrownBy(() -> gpu(List.of(List.of(L2 + "setIndex=fermi", L2 + "sets=16"))))
        .hasMessageContaining("sets: found 16, expected 32 or 64 with setIndex fermi");
  }

  // ---- what each policy means

  private static final String STORE = "0000 ffffffff 0 STG.E 2 R2 R4 4 1 0x10000 4 0";
  private static final String BYTES = "0000 ffffffff 0 STG.E.U8 2 R2 R4 1 1 0x10000 32 0";
  private static final String LOAD = "%04x ffffffff 1 R%d LDG.E.STRONG.GPU 1 R1 4 1 0x10000 4 0";

  private static KernelResult l2(Write w, WriteAllocate wa, String... lines) throws IOException {
    return run(gpu(List.of(policy(L2, w, Allocate.ON_MISS, wa))), Kernels.oneWarp(lines));
  }

  /** A store that is acknowledged before a load follows: two warps, the second behind a barrier. */
  private static KernelResult storeThenLoad(Write w, WriteAllocate wa) throws IOException {
    GpuDescription gpu = gpu(List.of(policy(L2, w, Allocate.ON_MISS, wa)));
    RunResult run =
        Kernels.run(gpu, 1, Kernels.oneWarp(STORE), Kernels.oneWarp(String.format(LOAD, 0, 2)));
    return run.kernels().get(1);
  }

  @Test
  void writeThroughSendsEveryStoreOn() throws IOException {
    for (WriteAllocate wa : WriteAllocate.values()) {
      KernelResult twice = l2(Write.WRITE_THROUGH, wa, STORE, STORE.replace("0000 f", "0010 f"));
      assertThat(Kernels.statistic(twice, "dram.writeBursts")).as(word(wa)).isEqualTo(8);
    }
  }

  @Test
  void writeBackKeepsStoresUntilTheirLineLeaves() throws IOException {
    KernelResult kept = l2(Write.WRITE_BACK, WriteAllocate.LAZY_FETCH_ON_READ, STORE);
    assertThat(Kernels.statistic(kept, "dram.writeBursts")).isZero();
    // 32 sets of one way in each of four slices: 64 KiB of stores do not fit.
    String[] many = new String[512];
    for (int i = 0; i < many.length; i++) {
      many[i] = String.format("0000 ffffffff 0 STG.E 2 R2 R4 4 1 0x%x 4 0", 0x10000 + 128 * i);
    }
    MemoryKernel large = Kernels.oneWarp(many);
    GpuDescription gpu =
        gpu(
            List.of(
                policy(L2, Write.WRITE_BACK, Allocate.ON_MISS, WriteAllocate.LAZY_FETCH_ON_READ)));
    assertThat(Kernels.statistic(run(gpu, large), "dram.writeBursts")).isGreaterThan(4 * 256);
  }

  @Test
  void withoutWriteAllocationAStoreLeavesNoLine() throws IOException {
    for (Write w : List.of(Write.WRITE_BACK, Write.WRITE_THROUGH, Write.WRITE_EVICT)) {
      KernelResult load = storeThenLoad(w, WriteAllocate.NONE);
      assertThat(Kernels.statistic(load, "l2.misses")).as(word(w)).isEqualTo(4);
      assertThat(Kernels.statistic(load, "dram.readBursts")).as(word(w)).isEqualTo(4);
    }
  }

  @Test
  void withWriteAllocationALoadFindsTheLine() throws IOException {
    for (Write w : List.of(Write.WRITE_BACK, Write.WRITE_THROUGH)) {
      for (WriteAllocate wa : WriteAllocate.values()) {
        if (wa != WriteAllocate.NONE) {
          KernelResult load = storeThenLoad(w, wa);
          assertThat(Kernels.statistic(load, "l2.hits")).as(word(w) + " " + word(wa)).isEqualTo(4);
        }
      }
    }
  }

  @Test
  void onlySomeWriteAllocationsRead() throws IOException {
    // Whole sectors are read only by the naive policy, parts of sectors by fetch-on-write too.
    assertThat(reads(WriteAllocate.WRITE_AND_FETCH, STORE)).isEqualTo(4);
    assertThat(reads(WriteAllocate.FETCH_ON_WRITE, STORE)).isZero();
    assertThat(reads(WriteAllocate.LAZY_FETCH_ON_READ, STORE)).isZero();
    assertThat(reads(WriteAllocate.NONE, STORE)).isZero();
    assertThat(reads(WriteAllocate.WRITE_AND_FETCH, BYTES)).isEqualTo(32);
    assertThat(reads(WriteAllocate.FETCH_ON_WRITE, BYTES)).isEqualTo(32);
    assertThat(reads(WriteAllocate.LAZY_FETCH_ON_READ, BYTES)).isZero();
    assertThat(reads(WriteAllocate.NONE, BYTES)).isZero();
  }

  private static long reads(WriteAllocate wa, String store) throws IOException {
    return Kernels.statistic(l2(Write.WRITE_BACK, wa, store), "dram.readBursts");
  }

  @Test
  void writeEvictDropsTheSectorItWrites() throws IOException {
    GpuDescription gpu =
        gpu(List.of(policy(L2, Write.WRITE_EVICT, Allocate.ON_MISS, WriteAllocate.NONE)));
    MemoryKernel load = Kernels.oneWarp(String.format(LOAD, 0, 2));
    List<KernelResult> kernels =
        Kernels.run(gpu, 1, load, load, Kernels.oneWarp(STORE), load).kernels();
    assertThat(Kernels.statistic(kernels.get(1), "l2.hits")).as("loaded before").isEqualTo(4);
    assertThat(Kernels.statistic(kernels.get(2), "dram.writeBursts")).isEqualTo(4);
    assertThat(Kernels.statistic(kernels.get(3), "l2.misses")).as("evicted").isEqualTo(4);
  }

  @Test
  void anL1ThatWritesBackSendsNoStoresOfAKernelThatFits() throws IOException {
    GpuDescription back =
        gpu(
            List.of(
                policy(L1, Write.WRITE_BACK, Allocate.ON_MISS, WriteAllocate.LAZY_FETCH_ON_READ)));
    assertThat(Kernels.statistic(run(back, Kernels.oneWarp(STORE)), "loadStore.globalWrites"))
        .isZero();
    GpuDescription through =
        gpu(List.of(policy(L1, Write.WRITE_THROUGH, Allocate.ON_FILL, WriteAllocate.NONE)));
    assertThat(Kernels.statistic(run(through, Kernels.oneWarp(STORE)), "loadStore.globalWrites"))
        .isEqualTo(4);
  }

  @Test
  void aLoadWithoutADestinationThatHitsIsDone() throws IOException {
    String first = "0000 ffffffff 1 R2 LDG.E 1 R1 4 1 0x10000 4 0";
    String use = "0010 ffffffff 1 R3 MOV 1 R2 0 0";
    String none = "0020 ffffffff 0 LDG.E 1 R1 4 1 0x10000 4 0";
    String last = "0030 ffffffff 1 R4 LDG.E 1 R1 4 1 0x10000 4 0";
    String wait = "0040 ffffffff 1 R5 MOV 1 R4 0 0";
    KernelResult result = run(gpu(List.of()), Kernels.oneWarp(first, use, none, last, wait));
    assertThat(Kernels.statistic(result, "l1.hits")).isEqualTo(8);
  }
}
