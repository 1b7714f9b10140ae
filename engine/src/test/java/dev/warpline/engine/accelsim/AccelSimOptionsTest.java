package dev.warpline.engine.accelsim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.gpu.CacheSpec;
import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.policy.AddressHash;
import dev.warpline.policy.Chosen;
import dev.warpline.policy.Replacement;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccelSimOptionsTest {
  /** Options whose default is not modelled. */
  private static final String MODELLED = "-network_mode 2\n-gpgpu_cache:dl2_texture_only 0\n";

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"SM86_RTX3070, rtx3070", "SM75_RTX2060, rtx2060", "SM7_QV100, qv100"})
  void aShippedConfigurationIsReadWithoutAWarningAndEqualsThePreset(String config, String preset)
      throws IOException {
    AccelSimOptions options = shipped(config);
    assertThat(options.warnings()).isEmpty();
    GpuDescription read = AccelSimGpu.describe(config, options);
    GpuDescription known = Gpus.load(preset);
    assertThat(read.classic()).isEqualTo(known.classic());
    assertThat(read.detailedMemory()).isEqualTo(known.detailedMemory());
    assertThat(read.clocks()).isEqualTo(known.clocks());
    assertThat(read.launch()).isEqualTo(known.launch());
    assertThat(read.sm()).isEqualTo(known.sm());
    assertThat(read.architecture()).isEqualTo(known.architecture());
  }

  @Test
  void aQuotedValueMayBeBrokenOverLines() throws IOException {
    assertThat(shipped("SM7_QV100").text("-gpgpu_dram_timing_opt"))
        .isEqualTo(
            "nbk=16:CCD=1:RRD=3:RCD=12:RAS=28:RP=12:RC=40:CL=12:WL=2:CDLR=3:WR=10:nbkgrp=4:CCDL=2:RTPL=3");
  }

  @Test
  void anOptionThatIsNotGivenHasItsDefault() throws IOException {
    AccelSimOptions options = read("");
    assertThat(options.integer("-gpgpu_n_clusters")).isEqualTo(10);
    assertThat(options.flag("-gpgpu_perf_sim_memcpy")).isTrue();
    assertThat(options.text("-gpgpu_scheduler")).isEqualTo("gto");
    assertThat(options.cache("-gpgpu_cache:dl1")).isNull();
    assertThat(options.given("-gpgpu_n_clusters")).isFalse();
    assertThat(options.all()).containsEntry("-gpgpu_clock_domains", "500:2000:2000:2000");
  }

  @Test
  void laterSettingsOverrideEarlierOnes() throws IOException {
    Path first = write("a.config", "-gpgpu_n_mem 4\n-gpgpu_n_clusters 7\n-gpgpu_n_clusters 8\n");
    Path second = write("b.config", "-gpgpu_n_mem 5 -dram_latency 9");
    AccelSimOptions options =
        AccelSimOptions.read(List.of(first, second), List.of("-gpgpu_n_mem", "6"));
    assertThat(options.integer("-gpgpu_n_clusters")).isEqualTo(8);
    assertThat(options.integer("-gpgpu_n_mem")).isEqualTo(6);
    assertThat(options.integer("-dram_latency")).isEqualTo(9);
  }

  @Test
  void aFileIncludesAnotherAtThatPoint() throws IOException {
    write("inner.config", "-gpgpu_n_mem 4\n-gpgpu_n_clusters 4\n");
    Path outer =
        write("outer.config", "-gpgpu_n_mem 1\n-config inner.config\n-gpgpu_n_clusters 5\n");
    AccelSimOptions options = AccelSimOptions.read(List.of(outer), List.of());
    assertThat(options.integer("-gpgpu_n_mem")).isEqualTo(4);
    assertThat(options.integer("-gpgpu_n_clusters")).isEqualTo(5);
  }

  @Test
  void optionsOfSomebodyElseIncludeTheirNeighboursAlone() throws IOException {
    write("secret.config", "-gpgpu_n_mem 4\n");
    Path shelf = java.nio.file.Files.createDirectory(folder.resolve("shelf"));
    write("shelf/inner.config", "-gpgpu_n_mem 3\n");
    Path good = write("shelf/good.config", "-config inner.config\n");
    assertThat(AccelSimOptions.readWithin(shelf, List.of(good)).integer("-gpgpu_n_mem"))
        .isEqualTo(3);
    String absolute = folder.resolve("secret.config").toAbsolutePath().toString();
    for (String other : List.of("../secret.config", absolute, "none.config")) {
      Path thief = write("shelf/thief.config", "-config " + other + "\n");
      assertThatThrownBy(() -> AccelSimOptions.readWithin(shelf, List.of(thief)))
          .hasMessageContaining("-config: found \"" + other + "\", expected a file beside this");
    }
  }

  @Test
  void aFileThatIncludesItselfIsRefused() throws IOException {
    Path file = write("loop.config", "-config loop.config\n");
    assertThatThrownBy(() -> AccelSimOptions.read(List.of(file), List.of()))
        .hasMessage("loop.config includes itself");
  }

  @ParameterizedTest
  @CsvSource({"0x10, 16", "010, 8", "12, 12", "-1, -1", "0xffffffff, -1"})
  void numbersAreWrittenAsInC(String text, int value) throws IOException {
    assertThat(read("-gpgpu_mem_address_mask " + text).integer("-gpgpu_mem_address_mask"))
        .isEqualTo(value);
  }

  @Test
  void aBareFlagIsTrue() throws IOException {
    AccelSimOptions options = read("-gpgpu_perfect_mem -gpgpu_gmem_skip_L1D 0");
    assertThat(options.flag("-gpgpu_perfect_mem")).isTrue();
    assertThat(options.flag("-gpgpu_gmem_skip_L1D")).isFalse();
  }

  @Test
  void commentsAndLineStructureMeanNothing() throws IOException {
    AccelSimOptions options = read("# -gpgpu_n_mem 1\n-gpgpu_n_mem\n\n 3#4\n");
    assertThat(options.integer("-gpgpu_n_mem")).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "-smem_latency, -gpgpu_smem_latency",
    "-rop_latency, -gpgpu_l2_rop_latency",
    "-l1_banks, -gpgpu_l1_banks"
  })
  void olderSpellingsAreUnderstood(String old, String today) throws IOException {
    AccelSimOptions options = read(old + " 24");
    assertThat(options.warnings()).isEmpty();
    assertThat(options.integer(today)).isEqualTo(24);
  }

  @Test
  void anUnknownOptionIsAWarningThatNamesIt() throws IOException {
    AccelSimOptions options = read("-gpgpu_n_mem 3\n-gpgpu_n_cluster 3 4\n-dram_latency 1");
    assertThat(options.warnings())
        .containsExactly(
            folder.resolve("test.config")
                + ":2: unknown option -gpgpu_n_cluster ignored (did you mean -gpgpu_n_clusters?)");
    assertThat(options.integer("-dram_latency")).isEqualTo(1);
  }

  @Test
  void anOptionThatWouldMatterButIsNotModelledIsAWarning() throws IOException {
    assertThat(read("-gpgpu_lrc_enabled 1").warnings())
        .containsExactly(
            folder.resolve("test.config")
                + ":1: -gpgpu_lrc_enabled 1 is not modelled: simulated as with 0");
    assertThat(read("-gpgpu_lrc_enabled 0").warnings()).isEmpty();
  }

  @Test
  void booksimIsNamedInAWarningEvenWhereItIsTheDefault() throws IOException {
    Path given = write("given.config", "-network_mode 1\n-gpgpu_cache:dl2_texture_only 0\n");
    assertThat(AccelSimOptions.read(List.of(given), List.of()).warnings())
        .containsExactly(given + ":1: -network_mode 1 is not modelled: simulated as with 2");
    Path silent = write("silent.config", "-gpgpu_cache:dl2_texture_only 0\n");
    assertThat(AccelSimOptions.read(List.of(silent), List.of()).warnings())
        .containsExactly("by default: -network_mode 1 is not modelled: simulated as with 2");
  }

  @Test
  void anOptionWithoutEffectOnTracesIsNamedWhenGivenByHand() throws IOException {
    Path file = write("a.config", MODELLED + "-visualizer_enabled 1\n");
    assertThat(AccelSimOptions.read(List.of(file), List.of()).warnings()).isEmpty();
    assertThat(AccelSimOptions.read(List.of(file), List.of("-visualizer_enabled", "0")).warnings())
        .containsExactly("command line: -visualizer_enabled has no effect on traces");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-gpgpu_n_mem many|-gpgpu_n_mem: found \"many\", expected a whole number",
        "-gpgpu_n_mem 1.5|-gpgpu_n_mem: found \"1.5\", expected a whole number",
        "-gpgpu_n_mem -dram_latency 3|-gpgpu_n_mem: found no value, expected a whole number",
        "-gpgpu_n_mem 3 4|-gpgpu_n_mem: found \"4\" after the value, expected the next option",
        "-gpgpu_perfect_mem yes|-gpgpu_perfect_mem: found \"yes\", expected 0 or 1",
        "-gpgpu_clock_domains 1:2:3|-gpgpu_clock_domains: found \"1:2:3\", expected 4 numbers separated by ':'",
        "-gpgpu_pipeline_widths 1,2|-gpgpu_pipeline_widths: found \"1,2\", expected from 11 to 13 whole numbers separated by ','",
        "-specialized_unit_1 1,4,4|-specialized_unit_1: found \"1,4,4\", expected enabled,units,max latency,ID_OC width,OC_EX width,name",
        "-gpgpu_shmem_option 0,x|-gpgpu_shmem_option: found \"0,x\", expected whole numbers separated by ','",
        "-gpgpu_dram_timing_opt nbk=16|-gpgpu_dram_timing_opt: found \"nbk=16\", expected 14 numbers nbk:CCD:RRD:RCD:RAS:RP:RC:CL:WL:CDLR:WR:nbkgrp:CCDL:RTPL, or name=value for each",
        "-gpgpu_cache:dl1 S:4:128|-gpgpu_cache:dl1: found \"S:4:128\", expected <N|S>:<sets>:",
        "-gpgpu_cache:dl1 S:4:128:64,Q:T:m:L:L,A:512:8,16:0,32|-gpgpu_cache:dl1: found \"S:4:128:64,Q:T:m:L:L,A:512:8,16:0,32\", expected replacement one of L F in <N|S>",
        "-gpgpu_cache:dl1 S:0:128:64,L:T:m:L:L,A:512:8,16:0,32|-gpgpu_cache:dl1: found \"S:0:128:64,L:T:m:L:L,A:512:8,16:0,32\", expected sets a whole number, at least 1",
        "-gpgpu_cache:dl1 S:4:64:64,L:T:m:L:L,A:512:8,16:0,32|-gpgpu_cache:dl1: found \"S:4:64:64,L:T:m:L:L,A:512:8,16:0,32\", expected numbers that make a cache: lineBytes: found 64, expected 128 in a sectored cache",
        "-gpgpu_cache:dl2 S:4:128:64,L:B:f:N:L,A:512:8,16:0,32|-gpgpu_cache:dl2: found \"S:4:128:64,L:B:f:N:L,A:512:8,16:0,32\", expected a cache that can work: found write policy write-back (B) with allocation on-fill, expected on-miss (m)",
        "-gpgpu_cache:dl1 S:4:128:64,L:T:f:L:L,A:512:8,16:0,32|-gpgpu_cache:dl1: found \"S:4:128:64,L:T:f:L:L,A:512:8,16:0,32\", expected a cache that can work: found write allocation lazy-fetch-on-read with allocation on-fill, expected on-miss (m)",
        "-gpgpu_cache:dl1 S:4:128:64,L:R:m:N:L,A:512:8,16:0,32|-gpgpu_cache:dl1: found \"S:4:128:64,L:R:m:N:L,A:512:8,16:0,32\", expected a cache that can work: found write policy read-only (R)",
        "-gpgpu_cache:dl2 S:4:128:64,L:B:m:L:L,T:512:8,16:0,32|-gpgpu_cache:dl2: found \"S:4:128:64,L:B:m:L:L,T:512:8,16:0,32\", expected a cache that can work: found MSHR type T (texture queues), expected A or S",
        "-gpgpu_cache:dl2 N:4:128:64,L:B:m:L:L,A:512:8,16:0,32|-gpgpu_cache:dl2: found \"N:4:128:64,L:B:m:L:L,A:512:8,16:0,32\", expected a cache that can work: found lines filled as a whole (N), expected sectors (S)",
        "-gpgpu_cache:dl2 S:16:128:64,L:B:m:L:H,A:512:8,16:0,32|-gpgpu_cache:dl2: found \"S:16:128:64,L:B:m:L:H,A:512:8,16:0,32\", expected numbers that make a cache: sets: found 16, expected 32 or 64 with setIndex fermi",
        "-gpgpu_cache:dl2 S:16:128:64,L:E:m:L:L,A:512:8,16:0,32|-gpgpu_cache:dl2: found \"S:16:128:64,L:E:m:L:L,A:512:8,16:0,32\", expected a cache that can work: found write allocation lazy-fetch-on-read with write policy write-evict",
        "-gpgpu_cache:il1 N:64:128:16,L:B:m:N:L,S:2:48,4|-gpgpu_cache:il1: found \"N:64:128:16,L:B:m:N:L,S:2:48,4\", expected a cache that can work: found write policy write-back, expected read-only (R)",
        "gpgpu_n_mem 4|found \"gpgpu_n_mem\", expected an option, which begins with -",
        "-gpgpu_scheduler \"lrr|found the end of the file, expected a closing quotation mark"
      })
  void anIllFormedValueIsAnErrorThatNamesTheOption(String text, String message) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(DescriptionException.class)
        .hasMessageStartingWith(folder.resolve("test.config") + ":1: " + message);
  }

  @Test
  void aValueOutOfRangeIsAnErrorOfTheDescription() throws IOException {
    AccelSimOptions options =
        AccelSimOptions.read(
            files("SM86_RTX3070"), List.of("-gpgpu_n_mem", "-5", "-icnt_arbiter_algo", "1"));
    assertThatThrownBy(() -> AccelSimGpu.describe("SM86_RTX3070", options))
        .hasMessage(
            "command line: -gpgpu_n_mem: detailedMemory.channels: found \"-5\", expected a whole"
                + " number, 1 to 1024");
    AccelSimOptions unknown =
        AccelSimOptions.read(files("SM86_RTX3070"), List.of("-icnt_arbiter_algo", "7"));
    assertThatThrownBy(() -> AccelSimGpu.describe("SM86_RTX3070", unknown))
        .hasMessage(
            "command line: -icnt_arbiter_algo: found \"7\", expected a whole number from 0 to 1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-gpgpu_n_clusters 100000|sm.count: found \"100000\", expected a whole number, 1 to 1024",
        "-gpgpu_num_sched_per_core 0|classic.frontEnd.schedulers: found \"0\", expected a whole number, 1 to 16",
        "-gpgpu_clock_domains 1.98:1:1:1|clocks.coreMHz: found \"1.98\", expected a number of MHz, 50 to 20000",
        "-gpgpu_scheduler foo|found \"foo\", expected lrr, gto, rrr, old, two_level_active:<active>",
        "-gpgpu_scheduler two-level:6|found \"two-level:6\", expected lrr, gto, rrr, old, two_level_active:<active>",
        "-gpgpu_scheduler warp_limiting:3:8|found \"warp_limiting:3:8\", expected lrr, gto, rrr,",
        "-gpgpu_l1_banks 3|classic.l1: banks: found 3, expected a power of two",
        "-gpgpu_operand_collector_num_units_gen 2|classic: operands.general.units: found 2, expected a multiple of 4",
        "-gpgpu_dram_timing_opt nbk=3:CCD=4:RRD=12:RCD=24:RAS=55:RP=24:RC=78:CL=24:WL=8:CDLR=10:WR=24:nbkgrp=4:CCDL=6:RTPL=4|detailedMemory.dram.timing: banks: found 3, expected a power of two"
      })
  void anOptionThatMakesNoGpuIsNamedWithItsPlace(String options, String message)
      throws IOException {
    List<Path> files = new ArrayList<>(files("SM86_RTX3070"));
    files.add(Files.writeString(folder.resolve("more.config"), "# more\n" + options));
    AccelSimOptions read = AccelSimOptions.read(files, List.of());
    String name = options.split(" ")[0];
    assertThatThrownBy(() -> AccelSimGpu.describe("SM86_RTX3070", read))
        .isInstanceOf(DescriptionException.class)
        .hasMessageContaining(folder.resolve("more.config") + ":2: " + name)
        .hasMessageContaining(": " + message);
  }

  @ParameterizedTest
  @CsvSource({
    "lrr, lrr",
    "gto, gto",
    "rrr, rrr",
    "old, old",
    "two_level_active:6:0:1, two-level:6",
    "two_level_active:6, two-level:6",
    "warp_limiting:2:8, warp-limiting:8"
  })
  void theSchedulersOfAccelSimAreOursUnderTheirOwnNames(String option, String policy)
      throws IOException {
    AccelSimOptions options =
        AccelSimOptions.read(files("SM86_RTX3070"), List.of("-gpgpu_scheduler", option));
    GpuDescription gpu = AccelSimGpu.describe("SM86_RTX3070", options);
    assertThat(gpu.classic().frontEnd().policy()).hasToString(policy);
  }

  @Test
  void optionsWithoutCachesDescribeNoGpu() throws IOException {
    AccelSimOptions options = read("");
    assertThatThrownBy(() -> AccelSimGpu.describe("empty", options))
        .hasMessageStartingWith("-gpgpu_cache:dl1 (not given): found none, expected a cache");
  }

  @Test
  void aCacheStringIsReadFieldByField() throws IOException {
    CacheSpec cache =
        read("-gpgpu_cache:dl1 S:4:128:256,L:T:m:L:L,A:384:48,16:0,32").cache("-gpgpu_cache:dl1");
    assertThat(cache)
        .isEqualTo(
            new CacheSpec(
                true,
                4,
                128,
                256,
                Chosen.of(Replacement.class, "lru"),
                CacheSpec.Write.WRITE_THROUGH,
                CacheSpec.Allocate.ON_MISS,
                CacheSpec.WriteAllocate.LAZY_FETCH_ON_READ,
                Chosen.of(AddressHash.class, "linear"),
                384,
                48,
                16,
                32));
    assertThat(cache.bytes()).isEqualTo(128 * 1024);
  }

  private AccelSimOptions read(String text) throws IOException {
    return AccelSimOptions.read(List.of(write("test.config", text + "\n" + MODELLED)), List.of());
  }

  private static AccelSimOptions shipped(String config) throws IOException {
    return AccelSimOptions.read(files(config), List.of());
  }

  private static List<Path> files(String config) {
    try {
      Path folder = Path.of(AccelSimOptionsTest.class.getResource(config).toURI());
      return List.of(folder.resolve("gpgpusim.config"), folder.resolve("trace.config"));
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}
