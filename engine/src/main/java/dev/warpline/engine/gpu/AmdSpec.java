package dev.warpline.engine.gpu;

import dev.warpline.policy.AddressHash;
import dev.warpline.policy.BlockScheduler;
import dev.warpline.policy.Chosen;
import dev.warpline.policy.Replacement;
import dev.warpline.policy.WarpScheduler;
import java.util.Set;

/**
 * An AMD GPU: compute units with their pipes and register files, caches, memory, packet processor.
 * A value that a description leaves out is gem5's default; gem5's name stands in parentheses where
 * it differs. Cycles are core cycles.
 */
public record AmdSpec(
    @Field(value = "instruction set: gfx900, gfx90a or gfx942", standard = "gfx900") String target,
    @Field(
            value = "compute units of the whole GPU (num-compute-units)",
            standard = "4",
            least = 1,
            most = 1024)
        int computeUnits,
    @Field(
            value =
                "dies with their own TCC (XCDs), at most as many as compute units; CU n is on die n"
                    + " mod complexes",
            standard = "1",
            least = 1,
            most = 64)
        int complexes,
    @Field(
            value = "compute units that share an instruction cache (cu-per-sqc)",
            standard = "4",
            least = 1,
            most = 64)
        int cusPerSqc,
    @Field(
            value = "compute units that share a scalar cache (cu-per-scalar-cache)",
            standard = "4",
            least = 1,
            most = 64)
        int cusPerScalarCache,
    @Field(value = "wave slots", standard = "{}") Waves waves,
    @Field(value = "from fetch to execution", standard = "{}") Issue issue,
    @Field(value = "register files", standard = "{}") Registers registers,
    @Field(value = "vector, LDS and scalar memory pipes", standard = "{}") MemoryPipes pipes,
    @Field(value = "local data share", standard = "{}") Lds lds,
    @Field(value = "TLBs", standard = "{}") Translation translation,
    @Field(
            value = "vector cache",
            standard = "{bytes: 16384, ways: 16, banks: 16, latency: 4, requestLatency: 1}")
        VectorCache tcp,
    @Field(
            value = "instruction cache",
            standard = "{bytes: 32768, ways: 8, latency: 1, requestLatency: 80}")
        Cache sqc,
    @Field(
            value = "scalar cache",
            standard = "{bytes: 32768, ways: 8, latency: 1, requestLatency: 80}")
        Cache scalarCache,
    @Field(value = "between the compute units and the TCC of a die", standard = "{}")
        Network network,
    @Field(value = "second-level cache", standard = "{}") Tcc tcc,
    @Field(value = "cache in front of memory", standard = "{}") MemoryCache memoryCache,
    @Field(value = "memory channels", standard = "{}") Channels memory,
    @Field(value = "queues and packets", standard = "{}") PacketProcessor packetProcessor,
    @Field(value = "work-group dispatch", standard = "{}") Dispatch dispatch,
    @Field(value = "copies and fills through queues", standard = "{}") Transfers transfers) {

  public AmdSpec {
    Checks.require(
        Set.of("gfx900", "gfx90a", "gfx942").contains(target),
        "target: found \"" + target + "\", expected gfx900, gfx90a or gfx942");
    Checks.require(
        waves.simds() * waves.slotsPerSimd() <= 64 || issue.policy().get().choosesOfMany(),
        "issue.policy: found "
            + issue.policy()
            + ", which chooses among 64 waves, and waves.simds times waves.slotsPerSimd are "
            + waves.simds() * waves.slotsPerSimd()
            + "; expected old or lrr");
    Checks.require(
        issue.scalarUnits() <= waves.simds(),
        "issue.scalarUnits: found "
            + issue.scalarUnits()
            + ", expected at most waves.simds, "
            + waves.simds());
    Checks.require(
        tcp.lineBytes() == tcc.lineBytes()
            && sqc.lineBytes() == tcc.lineBytes()
            && scalarCache.lineBytes() == tcc.lineBytes(),
        "tcp.lineBytes, sqc.lineBytes, scalarCache.lineBytes: found "
            + tcp.lineBytes()
            + ", "
            + sqc.lineBytes()
            + ", "
            + scalarCache.lineBytes()
            + ", expected tcc.lineBytes, "
            + tcc.lineBytes());
    Checks.require(
        translation.pageBytes() >= tcc.lineBytes(),
        "translation.pageBytes: found "
            + translation.pageBytes()
            + ", expected at least tcc.lineBytes, "
            + tcc.lineBytes());
    Checks.require(
        (long) complexes * tcc.bytes() / tcc.lineBytes() <= MOST_LINES,
        "tcc.bytes: found "
            + tcc.bytes()
            + " on each of "
            + complexes
            + " dies, expected at most "
            + MOST_LINES
            + " lines in all");
    checkMemoryCache(memoryCache, tcc.lineBytes());
    Checks.require(
        lineWay(pipes, tcp, sqc, scalarCache, tcc) >= 1,
        "the way of a line to the TCC and back (tcc.tagLatency, tcc.dataLatency,"
            + " tcc.responseLatency and that of a first-level cache) takes no time; expected a"
            + " cycle or more");
    Checks.require(
        pipes.memReqLatency() + pipes.memRespLatency() >= 1,
        "pipes.memReqLatency and pipes.memRespLatency: found 0 together, expected 1 or more");
  }

  private static final long MOST_LINES = 1 << 24;

  /** Dies that have compute units. */
  public int dies() {
    return Math.min(complexes, computeUnits);
  }

  private static void checkMemoryCache(MemoryCache cache, int lineBytes) {
    Checks.require(
        cache.bytes() == 0 || cache.bytes() / lineBytes / cache.slices() >= cache.ways(),
        "memoryCache.bytes: found "
            + cache.bytes()
            + ", expected 0 or at least a set of "
            + cache.ways()
            + " lines in each of "
            + cache.slices()
            + " slices");
    Checks.require(
        cache.bytes() / lineBytes <= MOST_LINES,
        "memoryCache.bytes: found "
            + cache.bytes()
            + ", expected at most "
            + MOST_LINES
            + " lines");
  }

  /** Least time from a line request to its answer. */
  private static int lineWay(
      MemoryPipes pipes, VectorCache tcp, Cache sqc, Cache scalarCache, Tcc tcc) {
    int vector = pipes.memReqLatency() + tcp.latency() + tcp.requestLatency();
    int scalar = pipes.scalarMemReqLatency() + scalarCache.latency() + scalarCache.requestLatency();
    int fetch = sqc.latency() + sqc.requestLatency();
    return Math.min(vector, Math.min(scalar, fetch))
        + tcc.tagLatency()
        + tcc.dataLatency()
        + tcc.responseLatency();
  }

  /** gem5's default machine: 4 Vega compute units, one TCC bank, one HBM channel. */
  public static AmdSpec gem5() {
    try {
      return Binder.read(AmdSpec.class, "{}", "gem5's defaults");
    } catch (DescriptionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** How long vector instructions occupy a SIMD. */
  public enum Rates {
    GEM5,
    HARDWARE
  }

  /** Whose last page a TLB prefetch looks at for its distance; fixed: it is given. */
  public enum TlbPrefetch {
    CU,
    PHASE,
    WAVE,
    FIXED
  }

  /** How register regions are given out. */
  public enum Allocation {
    SIMPLE,
    DYNAMIC
  }

  /** Wavefronts a compute unit holds. */
  public record Waves(
      @Field(value = "vector units (simds-per-cu)", standard = "4", least = 1, most = 16) int simds,
      @Field(
              value =
                  "lanes of a vector unit (simd_width); a wave takes 64 / width cycles, and no"
                      + " fewer than the issue period",
              unit = "lanes",
              standard = "16",
              least = 1,
              most = 64)
          int simdWidth,
      @Field(
              value = "wavefront slots of one SIMD (n_wf)",
              unit = "waves",
              standard = "10",
              least = 1,
              most = 64)
          int slotsPerSimd,
      @Field(
              value = "resident work-groups of more than one wave (num_barrier_slots)",
              unit = "groups",
              standard = "16",
              least = 1,
              most = 1024)
          int barrierSlots) {}

  /** From fetch to execution. */
  public record Issue(
      @Field(
              value = "cache lines in a wave's fetch buffer",
              unit = "lines",
              standard = "2",
              least = 2,
              most = 64)
          int fetchDepth,
      @Field(
              value = "decoded instructions a wave holds (max_ib_size)",
              unit = "instructions",
              standard = "13",
              least = 2,
              most = 256)
          int instructionBuffer,
      @Field(
              value =
                  "which of the waves that are ready for a unit goes first, and which of those that"
                      + " want code is fetched for (CUExecPolicy)",
              standard = "old")
          Chosen<WarpScheduler> policy,
      @Field(
              value = "time an instruction occupies its unit",
              unit = "cycles",
              standard = "4",
              least = 1)
          int issuePeriod,
      @Field(
              value = "the same for the scalar unit, which all SIMDs share",
              unit = "cycles",
              standard = "4",
              least = 1)
          int scalarPeriod,
      @Field(
              value =
                  "least distance of two instructions of one wave; 4 in hardware, where a SIMD has"
                      + " its turn every fourth cycle",
              unit = "cycles",
              standard = "1",
              least = 1)
          int wavePeriod,
      @Field(
              value = "until a 32-bit vector result can be read (spbypass_pipe_length)",
              unit = "cycles",
              standard = "4",
              least = 1)
          int singleBypass,
      @Field(
              value = "the same for wider operands (dpbypass_pipe_length)",
              unit = "cycles",
              standard = "4",
              least = 1)
          int doubleBypass,
      @Field(
              value = "until a scalar result can be read (scalar_pipe_length)",
              unit = "cycles",
              standard = "1",
              least = 1)
          int scalarPipe,
      @Field(
              value =
                  "gem5: all vector instructions take the issue period; hardware: quarter-rate and"
                      + " f64 take longer",
              standard = "gem5")
          Rates rates,
      @Field(
              value = "lanes of a SIMD that do an f64 operation per cycle, with hardware rates",
              unit = "lanes",
              standard = "16",
              least = 1,
              most = 64)
          int doubleRate,
      @Field(
              value = "scalar units; SIMD n has unit n mod this (num_scalar_cores)",
              standard = "1",
              least = 1,
              most = 16)
          int scalarUnits,
      @Field(
              value =
                  "from the register file to the vector units (operand_network_length); the first"
                      + " cycle is one of the stages",
              unit = "cycles",
              standard = "1",
              least = 1)
          int operandNetwork,
      @Field(
              value = "s_setprio counts: waves of higher priority go first; gem5 ignores it",
              standard = "false")
          boolean priorities,
      @Field(
              value = "factor on the matrix core's occupancy (mfma_scale)",
              standard = "1.0",
              most = 1000)
          double mfmaScale) {}

  /** Register files, per SIMD. */
  public record Registers(
      @Field(
              value = "registers of 64 lanes (vreg-file-size)",
              standard = "2048",
              least = 1,
              most = 1 << 16)
          int vectorRegisters,
      @Field(
              value = "given out in multiples of this (vreg-min-alloc)",
              unit = "registers",
              standard = "4",
              least = 1,
              most = 4096)
          int vectorGranule,
      @Field(
              value = "scalar registers (sreg-file-size)",
              standard = "2048",
              least = 1,
              most = 1 << 16)
          int scalarRegisters,
      @Field(
              value = "given out in multiples of this (sreg-min-alloc)",
              unit = "registers",
              standard = "4",
              least = 1,
              most = 4096)
          int scalarGranule,
      @Field(
              value =
                  "simple: a SIMD takes a new group only when it is empty; dynamic: first fit"
                      + " (reg-alloc-policy)",
              standard = "dynamic")
          Allocation policy,
      @Field(
              value =
                  "registers in the cache of results that are not yet in the file, per SIMD; 0:"
                      + " none (register-file-cache-size)",
              unit = "registers",
              standard = "0",
              most = 1 << 12)
          int cacheRegisters,
      @Field(
              value = "until a result is in that cache (rfc_pipe_length)",
              unit = "cycles",
              standard = "2",
              least = 1)
          int cachePipe) {}

  /** The vector, LDS and scalar memory pipes. */
  public record MemoryPipes(
      @Field(value = "translation to coalescer (mem_req_latency)", unit = "cycles", standard = "50")
          int memReqLatency,
      @Field(value = "vector cache to pipe (mem_resp_latency)", unit = "cycles", standard = "50")
          int memRespLatency,
      @Field(
              value = "translation to scalar cache (scalar_mem_req_latency)",
              unit = "cycles",
              standard = "50")
          int scalarMemReqLatency,
      @Field(
              value =
                  "scalar cache to pipe (scalar_mem_resp_latency; gem5 has 50 but does not use it)",
              unit = "cycles",
              standard = "0")
          int scalarMemRespLatency,
      @Field(value = "s_memtime and s_memrealtime", unit = "cycles", standard = "41", least = 1)
          int memtimeLatency,
      @Field(
              value =
                  "bus to and from the global pipe, per load; twice for stores"
                      + " (vrf_gm_bus_latency)",
              unit = "cycles",
              standard = "1",
              least = 1)
          int vrfGmBus,
      @Field(
              value = "the same for the LDS pipe (vrf_lm_bus_latency)",
              unit = "cycles",
              standard = "1",
              least = 1)
          int vrfLmBus,
      @Field(
              value = "the same for the scalar pipe (srf_scm_bus_latency)",
              unit = "cycles",
              standard = "1",
              least = 1)
          int srfScmBus,
      @Field(
              value =
                  "loaded data written to registers per cycle; 0: every load takes the bus time"
                      + " above",
              unit = "bytes per cycle",
              standard = "0",
              most = 1 << 16)
          int returnBytes,
      @Field(
              value = "width of the store bus to the LDS",
              unit = "bytes per cycle",
              standard = "64",
              least = 1,
              most = 1 << 16)
          int vrfToCoalescerBytes,
      @Field(
              value = "width of the load bus from the LDS",
              unit = "bytes per cycle",
              standard = "64",
              least = 1,
              most = 1 << 16)
          int coalescerToVrfBytes,
      @Field(
              value = "vector loads, and as many stores, in flight (global_mem_queue_size)",
              unit = "instructions",
              standard = "256",
              least = 1,
              most = 1 << 16)
          int globalQueue,
      @Field(
              value = "LDS instructions in flight (local_mem_queue_size)",
              unit = "instructions",
              standard = "256",
              least = 1,
              most = 1 << 16)
          int localQueue,
      @Field(
              value = "scalar accesses in flight (scalar_mem_queue_size)",
              unit = "instructions",
              standard = "32",
              least = 1,
              most = 4096)
          int scalarQueue,
      @Field(
              value = "vector memory instructions in flight of one wave (max_wave_requests)",
              unit = "instructions",
              standard = "64",
              least = 1,
              most = 1 << 16)
          int maxWaveRequests,
      @Field(
              value = "vector memory instructions between issue and coalescer (max_cu_tokens)",
              unit = "instructions",
              standard = "4",
              least = 1,
              most = 1 << 12)
          int maxCuTokens,
      @Field(
              value = "instructions split into lines per cycle (max_coalesces_per_cycle)",
              unit = "instructions",
              standard = "1",
              least = 1,
              most = 1 << 16)
          int coalescesPerCycle,
      @Field(
              value = "coalescer to vector cache (mandatory_queue_latency)",
              unit = "cycles",
              standard = "1",
              least = 1)
          int mandatoryQueueLatency,
      @Field(
              value = "an atomic that returns a value leaves the vector cache (glc-atomic-latency)",
              unit = "cycles",
              standard = "1",
              least = 1)
          int glcAtomicLatency,
      @Field(value = "vector loads go past the vector cache (noL1)", standard = "false")
          boolean bypassTcp,
      @Field(
              value = "vector memory returns in order over the whole CU, not only per wave",
              standard = "true")
          boolean inOrderReturn) {}

  /** Local data share of a compute unit. */
  public record Lds(
      @Field(value = "size", unit = "bytes", standard = "65536", most = 1 << 24) int bytes,
      @Field(
              value = "a work-group's share is rounded up to this",
              unit = "bytes",
              standard = "1",
              least = 1,
              most = 1 << 16)
          int granule,
      @Field(value = "banks of 4 bytes", standard = "32", least = 1, most = 1024) int banks,
      @Field(
              value = "per access to the busiest bank (bankConflictPenalty)",
              unit = "cycles",
              standard = "1",
              most = 1000)
          int bankConflictPenalty,
      @Field(value = "from service to return", unit = "cycles", standard = "24") int latency,
      @Field(
              value = "an access takes the bus after the banks; otherwise both at the same time",
              standard = "true")
          boolean busAfterBanks) {}

  /** One TLB level. */
  public record Tlb(
      @Field(value = "entries", least = 1, most = 1 << 18) int entries,
      @Field(value = "entries of a set, a power of two up to 64", least = 1, most = 64) int ways,
      @Field(value = "look-up", unit = "cycles", least = 1) int hitLatency) {
    public Tlb {
      Checks.powerOfTwo("ways", ways);
      Checks.require(
          entries % ways == 0,
          "entries: found " + entries + ", expected a multiple of ways, " + ways);
    }
  }

  /** Address translation. */
  public record Translation(
      @Field(value = "translation costs nothing (functionalTLB)", standard = "false")
          boolean functional,
      @Field(
              value = "page a TLB entry covers",
              unit = "bytes",
              standard = "4096",
              least = 1024,
              most = 1 << 30)
          int pageBytes,
      @Field(
              value = "pages of one instruction looked up per cycle (ProbesPerCycle)",
              unit = "pages",
              standard = "2",
              least = 1,
              most = 1024)
          int probesPerCycle,
      @Field(
              value = "pages fetched ahead into a CU's TLB at every access (prefetch_depth)",
              unit = "pages",
              standard = "0",
              most = 64)
          int prefetchDepth,
      @Field(
              value =
                  "distance of fetched-ahead pages: from the last page of the CU, of the SIMD"
                      + " (phase) or of the wave, or fixed (prefetch_prev_type)",
              standard = "phase")
          TlbPrefetch prefetchType,
      @Field(
              value = "the fixed distance (prefetch_stride)",
              unit = "pages",
              standard = "1",
              least = 1,
              most = 1 << 20)
          int prefetchStride,
      @Field(
              value = "first level: one per CU, per SQC and per scalar cache",
              standard = "{entries: 64, ways: 64, hitLatency: 1}")
          Tlb l1,
      @Field(
              value = "second level, shared by all",
              standard = "{entries: 4096, ways: 64, hitLatency: 69}")
          Tlb l2,
      @Field(
              value = "third level, shared by all",
              standard = "{entries: 8192, ways: 64, hitLatency: 150}")
          Tlb l3,
      @Field(value = "page walk after a miss in the third level", unit = "cycles", standard = "750")
          int walkLatency) {
    public Translation {
      Checks.powerOfTwo("pageBytes", pageBytes);
    }
  }

  /** The vector cache of a compute unit. */
  public record VectorCache(
      @Field(value = "size", unit = "bytes", least = 64, most = 1 << 24) int bytes,
      @Field(value = "lines of a set, a power of two up to 64", least = 1, most = 64) int ways,
      @Field(value = "which line of a set makes room", standard = "tree-plru")
          Chosen<Replacement> replacement,
      @Field(value = "line size", unit = "bytes", standard = "64", least = 64, most = 1024)
          int lineBytes,
      @Field(
              value = "lines in different banks are looked up in the same cycle",
              least = 1,
              most = 1024)
          int banks,
      @Field(value = "tag and data", unit = "cycles", least = 1) int latency,
      @Field(value = "to the TCC", unit = "cycles") int requestLatency,
      @Field(
              value =
                  "lines from the TCC have a port of their own; without one a line that was missing"
                      + " is written, then read, through the same port",
              standard = "true")
          boolean fillPort) {
    public VectorCache {
      Checks.powerOfTwo("ways", ways);
      Checks.powerOfTwo("lineBytes", lineBytes);
      Checks.require(
          bytes % (lineBytes * ways) == 0,
          "bytes: found "
              + bytes
              + ", expected whole sets of "
              + ways
              + " lines of "
              + lineBytes
              + " bytes");
    }
  }

  /** A cache that compute units share. */
  public record Cache(
      @Field(value = "size", unit = "bytes", least = 64, most = 1 << 24) int bytes,
      @Field(value = "lines of a set, a power of two up to 64", least = 1, most = 64) int ways,
      @Field(value = "which line of a set makes room", standard = "tree-plru")
          Chosen<Replacement> replacement,
      @Field(value = "line size", unit = "bytes", standard = "64", least = 32, most = 1024)
          int lineBytes,
      @Field(
              value = "lines in different banks are looked up in the same cycle, one in each",
              standard = "8",
              least = 1,
              most = 1024)
          int banks,
      @Field(value = "tag and data", unit = "cycles", least = 1) int latency,
      @Field(value = "to the TCC", unit = "cycles") int requestLatency) {
    public Cache {
      Checks.powerOfTwo("ways", ways);
      Checks.powerOfTwo("lineBytes", lineBytes);
      Checks.require(
          bytes % (lineBytes * ways) == 0,
          "bytes: found "
              + bytes
              + ", expected whole sets of "
              + ways
              + " lines of "
              + lineBytes
              + " bytes");
    }
  }

  /** How compute units and slices are connected. */
  public enum Topology {
    CROSSBAR,
    MESH,
    RING
  }

  /** The network of a die. */
  public record Network(
      @Field(
              value =
                  "crossbar: a link from and to every compute unit; mesh, ring: compute units and"
                      + " slices are nodes, data go from node to node (gpu-topology)",
              standard = "crossbar")
          Topology topology,
      @Field(
              value = "data a link moves in one direction; 0: no limit",
              unit = "bytes per cycle",
              standard = "0",
              most = 1 << 16)
          double bytesPerCycle,
      @Field(
              value = "from node to node, besides the latencies of the caches",
              unit = "cycles",
              standard = "0")
          int hopLatency) {}

  /** The second-level cache of one die. */
  public record Tcc(
      @Field(
              value = "size per die (tcc-size)",
              unit = "bytes",
              standard = "262144",
              least = 64,
              most = 1 << 28)
          int bytes,
      @Field(value = "lines of a set (tcc-assoc)", standard = "16", least = 1, most = 64) int ways,
      @Field(value = "which line of a set makes room", standard = "tree-plru")
          Chosen<Replacement> replacement,
      @Field(
              value = "line size; that of all first-level caches too",
              unit = "bytes",
              standard = "64",
              least = 64,
              most = 1024)
          int lineBytes,
      @Field(
              value = "independent slices (num-tccs); the bits above the line offset choose one",
              standard = "1",
              least = 1,
              most = 1024)
          int slices,
      @Field(
              value = "data a slice delivers",
              unit = "bytes per cycle",
              standard = "64",
              least = 1,
              most = 1 << 16)
          int bytesPerCycle,
      @Field(value = "tag look-up (tcc-tag-access-latency)", unit = "cycles", standard = "2")
          int tagLatency,
      @Field(value = "data array (tcc-data-access-latency)", unit = "cycles", standard = "8")
          int dataLatency,
      @Field(value = "back to the first level (TCC_latency)", unit = "cycles", standard = "16")
          int responseLatency,
      @Field(value = "to the memory side (gpu-to-dir-latency)", unit = "cycles", standard = "120")
          int toMemoryLatency,
      @Field(value = "keeps written lines (WB_L2); otherwise writes go through", standard = "false")
          boolean writeBack,
      @Field(
              value = "which set of its slice a line belongs to",
              standard = "remainder",
              was = "hashedSets")
          Chosen<AddressHash> setIndex,
      @Field(
              value =
                  "probes keep the TCC coherent with the host, so that a system acquire need not"
                      + " empty it",
              standard = "false")
          boolean probes,
      @Field(
              value = "arithmetic of an atomic (atomic-alu-latency)",
              unit = "cycles",
              standard = "0")
          int atomicLatency) {
    public Tcc {
      Checks.powerOfTwo("ways", ways);
      Checks.powerOfTwo("lineBytes", lineBytes);
      Checks.require(
          bytes / lineBytes / slices >= ways,
          "bytes: found "
              + bytes
              + ", expected at least a set of "
              + ways
              + " lines in each of "
              + slices
              + " slices");
      Checks.hash("sets of a slice", bytes / lineBytes / slices / ways, 1, "setIndex", setIndex);
    }
  }

  /** The cache in front of memory: gem5's L3, AMD's Infinity Cache. */
  public record MemoryCache(
      @Field(value = "size; 0 for none", unit = "bytes", standard = "16777216", most = 1L << 31)
          long bytes,
      @Field(
              value = "lines of a set, a power of two up to 64",
              standard = "16",
              least = 1,
              most = 64)
          int ways,
      @Field(value = "which line of a set makes room", standard = "tree-plru")
          Chosen<Replacement> replacement,
      @Field(value = "independent slices", standard = "1", least = 1, most = 1024) int slices,
      @Field(
              value = "data a slice delivers",
              unit = "bytes per cycle",
              standard = "64",
              least = 1,
              most = 1 << 16)
          int bytesPerCycle,
      @Field(value = "tag, data and response", unit = "cycles", standard = "65") int latency) {
    public MemoryCache {
      Checks.powerOfTwo("ways", ways);
    }
  }

  /** Memory channels. */
  public record Channels(
      @Field(value = "independent channels (dgpu-num-dirs)", standard = "1", least = 1, most = 1024)
          int channels,
      @Field(
              value = "consecutive bytes in one channel",
              unit = "bytes",
              standard = "64",
              least = 16,
              most = 1 << 24)
          int interleaveBytes,
      @Field(
              value = "bandwidth of one channel when clocks.dramMHz is dram.ratedMHz",
              unit = "GB/s",
              standard = "16",
              least = 0.01,
              most = 100_000)
          double gigabytesPerSecond,
      @Field(value = "banks per channel", standard = "8", least = 1, most = 1024) int banks,
      @Field(
              value = "bytes of an open row",
              unit = "bytes",
              standard = "2048",
              least = 64,
              most = 1 << 24)
          int rowBytes,
      @Field(value = "read of an open row: tCL", unit = "ns", standard = "15") double rowHitNs,
      @Field(value = "more to close and open a row: tRP and tRCD", unit = "ns", standard = "30")
          double rowMissNs,
      @Field(
              value = "memory by a DRAM standard, which then holds instead of the fields above",
              standard = "{}")
          FlowMemorySpec.Dram dram) {
    public Channels {
      if (dram.loaded() != null) {
        standing("channels", channels, 1);
        standing("gigabytesPerSecond", gigabytesPerSecond, 16);
        standing("banks", banks, 8);
        standing("rowBytes", rowBytes, 2048);
        standing("rowHitNs", rowHitNs, 15);
        standing("rowMissNs", rowMissNs, 30);
      }
    }

    /** What a standard says is not to be said besides, where nobody would look. */
    private static void standing(String field, double value, double standard) {
      Checks.require(
          value == standard,
          field
              + ": found "
              + Bounds.text(value)
              + " with dram.standard, expected nothing: the standard says it; dram.stacks,"
              + " dram.ratedMHz, dram.controllerNs and clocks.dramMHz can be changed, or"
              + " dram.standard=flow");
    }

    /** How many channels there are. */
    public int count() {
      DramStandard standard = dram.loaded();
      return standard == null ? channels : dram.stacks() * standard.channels();
    }

    /** Bandwidth of a channel that follows no standard. */
    public double channelGigabytes(ClockSpec clocks) {
      return gigabytesPerSecond * clocks.dramMHz() / dram.ratedMHz();
    }

    /** Peak of all of them. */
    public double peakGigabytes(ClockSpec clocks) {
      DramStandard standard = dram.loaded();
      return standard == null
          ? channels * channelGigabytes(clocks)
          : count() * standard.peakGigabytes() * clocks.dramMHz() / dram.ratedMHz();
    }
  }

  /** HSA packet processor and command processor. */
  public record PacketProcessor(
      @Field(
              value = "queues that can be mapped at a time (num-hw-queues)",
              standard = "10",
              least = 1,
              most = 1024)
          int hardwareQueues,
      @Field(
              value = "to take a packet from its queue (pktProcessDelay)",
              unit = "ns",
              standard = "4400")
          double packetNs,
      @Field(
              value = "a mapped queue gives way to waiting ones after this time (wakeupDelay)",
              unit = "ns",
              standard = "100000",
              least = 1)
          double quantumNs,
      @Field(value = "from the doorbell to the queue (pioDelay)", unit = "ns", standard = "0.01")
          double doorbellNs,
      @Field(
              value = "packets of a queue that may be in flight",
              unit = "packets",
              standard = "16",
              least = 1,
              most = 1024)
          int bufferedPackets,
      @Field(
              value = "from the packet to the dispatcher: descriptor and queue reads",
              unit = "ns",
              standard = "0")
          double launchNs,
      @Field(
              value = "from the last work-group's end to the completion signal",
              unit = "ns",
              standard = "0")
          double completeNs) {}

  /** Copies and fills, as the runtime and the copy engines do them; not part of gem5's GPU. */
  public record Transfers(
      @Field(value = "copies and fills that run at a time", standard = "2", least = 1, most = 64)
          int engines,
      @Field(
              value = "largest copy between pageable host memory and the GPU that is staged",
              unit = "bytes",
              standard = "1048576",
              most = 1 << 30)
          long stagedBytes,
      @Field(
              value = "before the first byte of a staged copy, or of one of pinned memory",
              unit = "ns",
              standard = "2800")
          double stagedNs,
      @Field(
              value = "rate of a staged copy",
              unit = "GB/s",
              standard = "16.1",
              least = 0.001,
              most = 1e6)
          double stagedGigabytes,
      @Field(
              value = "before the first byte of a larger copy: its pages are pinned",
              unit = "ns",
              standard = "8800")
          double pinNs,
      @Field(
              value = "rate of copies of pinned pages between host and GPU",
              unit = "GB/s",
              standard = "57.9",
              least = 0.001,
              most = 1e6)
          double hostGigabytes,
      @Field(
              value = "before the first byte of a copy inside GPU memory or a fill",
              unit = "ns",
              standard = "2000")
          double deviceStartNs,
      @Field(
              value = "rate at which a copy inside GPU memory or a fill writes",
              unit = "GB/s",
              standard = "100",
              least = 0.001,
              most = 1e6)
          double deviceGigabytes) {
    /** Nanoseconds of a copy between host and GPU. */
    public double hostNs(long bytes, boolean pinned) {
      if (pinned) {
        return stagedNs + bytes / hostGigabytes;
      }
      return bytes <= stagedBytes
          ? stagedNs + bytes / stagedGigabytes
          : pinNs + bytes / hostGigabytes;
    }

    /** Nanoseconds of a copy inside GPU memory or a fill. */
    public double deviceNs(long bytes) {
      return deviceStartNs + bytes / deviceGigabytes;
    }
  }

  /** Work-group dispatch. */
  public record Dispatch(
      @Field(
              value = "which compute unit of a die gets the next work-group",
              standard = "round-robin")
          Chosen<BlockScheduler> blockScheduler,
      @Field(
              value = "invalidate first-level caches when a kernel starts (impl_kern_launch_acq)",
              standard = "true")
          boolean launchAcquire,
      @Field(
              value = "write the TCC back when a kernel ends (impl_kern_end_rel)",
              standard = "false")
          boolean endRelease,
      @Field(
              value =
                  "follow the fence scopes of packets instead of the two switches above: acquire"
                      + " invalidates first-level caches, at system scope the TCC too; release"
                      + " writes the TCC back, at agent scope only where dies have their own",
              standard = "false")
          boolean packetFences,
      @Field(
              value = "lines of a TCP that are invalidated per cycle",
              unit = "lines per cycle",
              standard = "32",
              least = 1,
              most = 1 << 20)
          int invalidatesPerCycle,
      @Field(
              value = "work-groups placed per cycle; 0: no limit",
              unit = "groups",
              standard = "0",
              most = 1024)
          int groupsPerCycle,
      @Field(
              value = "from placement to the first fetch of its waves; gem5 has 1",
              unit = "cycles",
              standard = "50",
              least = 1)
          int groupLaunchLatency) {}
}
