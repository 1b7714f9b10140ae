package dev.warpline.engine.gpu;

import dev.warpline.policy.AddressHash;
import dev.warpline.policy.BlockScheduler;
import dev.warpline.policy.Chosen;
import dev.warpline.policy.Named;
import dev.warpline.policy.Prefetcher;
import dev.warpline.policy.Replacement;
import dev.warpline.policy.WarpScheduler;

/** The modern SM core, driven by the control bits of the code. Cycles are core cycles. */
public record ModernCoreSpec(
    @Field("where the SMs are") Layout layout,
    @Field("instruction caches") Supply supply,
    @Field("constant caches") Constants constants,
    @Field("issue and operand read") Issue issue,
    @Field("execution units") Units units,
    @Field("memory instructions inside the SM") LoadStore loadStore,
    @Field("kernels and blocks") Launch launch,
    @Field(value = "Hopper's asynchronous machine", optional = true) Async async,
    @Field(value = "what is better than on any GPU, to ask what it costs", standard = "{}")
        Ideal ideal) {

  /** Where the SMs are: the numbers that a {@link Topology} follows from, with {@code sm.count}. */
  public record Layout(
      @Field(value = "SMs of a TPC", least = 1, most = 8) int smsPerTpc,
      @Field(
              value = "TPCs of a whole GPC: there are as many GPCs as the SMs need",
              least = 1,
              most = 128)
          int tpcsPerGpc,
      @Field(value = "stations between an SM and the cache its GPC shares, on average", most = 64)
          double hops) {
    /** SMs of a whole GPC. */
    public int smsPerGpc() {
      return smsPerTpc * tpcsPerGpc;
    }
  }

  /** Instruction caches. */
  public record Supply(
      @Field(
              value = "128-byte lines of a sub-core's instruction cache",
              unit = "lines",
              least = 1,
              most = 1 << 12)
          int l0Lines,
      @Field(
              value = "lines of the SM's instruction cache",
              unit = "lines",
              least = 1,
              most = 1 << 14)
          int l1Lines,
      @Field(value = "lines of the cache behind it", unit = "lines", least = 1, most = 1 << 14)
          int l15Lines,
      @Field(value = "more when the SM's cache answers", unit = "cycles") int l1Cycles,
      @Field(value = "more when the cache behind it answers", unit = "cycles") int l15Cycles,
      @Field(
              value = "more when that one has to ask L2, beside the way there and back",
              unit = "cycles")
          int l15MissCycles,
      @Field(
              value = "more before an SM's first line of a kernel: where the code lies",
              unit = "cycles",
              most = 10_000)
          int firstCycles,
      @Field(value = "between two lines that the GPC's cache sends", unit = "cycles", most = 1000)
          double l15Interval,
      @Field(value = "lines that the stream buffer runs ahead", unit = "lines", most = 256)
          int prefetchLines,
      @Field(value = "which lines are asked for ahead") Chosen<Prefetcher> prefetcher,
      @Field(value = "instructions that a warp's buffer holds", least = 1, most = 64)
          int bufferEntries,
      @Field(value = "fetch of an instruction to its issue", unit = "cycles", least = 1, most = 64)
          int decodeCycles,
      @Field(value = "taken branch, issue to the target's fetch", unit = "cycles", least = 1)
          int branchCycles,
      @Field(value = "branch that is not taken, issue to the next", unit = "cycles", least = 1)
          int notTakenCycles,
      @Field(value = "BSYNC, issue to the next instruction", unit = "cycles", least = 1)
          int convergeCycles,
      @Field(value = "a station's share of a line's way", unit = "cycles", most = 1000)
          double lineHopCycles,
      @Field(value = "a station's share of a constant's way", unit = "cycles", most = 1000)
          double constantHopCycles) {}

  /** Constant caches. */
  public record Constants(
      @Field(
              value = "64-byte lines of the cache for operands of fixed-latency instructions",
              unit = "lines",
              least = 1,
              most = 1 << 12)
          int operandLines,
      @Field(
              value = "64-byte lines of the cache for LDC",
              unit = "lines",
              least = 1,
              most = 1 << 12)
          int loadLines,
      @Field(value = "more when an operand misses", unit = "cycles") int operandMissCycles,
      @Field(value = "lines of the program's constants that come together", least = 1, most = 64)
          int tableLines,
      @Field(value = "LDC issue to result when it misses", unit = "cycles") int loadMissCycles,
      @Field(
              value = "between two LDC with an immediate address, or S2UR",
              unit = "cycles",
              most = 1000)
          double immediateInterval,
      @Field(
              value = "between two passes of the LDC unit, one word each",
              unit = "cycles",
              most = 1000)
          double loadInterval,
      @Field(value = "the same for a pass that misses", unit = "cycles", most = 1000)
          double missInterval,
      @Field(value = "a load goes round for each word its lanes read", unit = "cycles")
          int roundCycles,
      @Field(value = "the same for a word whose line misses", unit = "cycles") int missRoundCycles,
      @Field(value = "loads of a warp that go round at a time", least = 1, most = 64) double rounds,
      @Field(value = "LDC issue to result", unit = "cycles") int loadCycles,
      @Field(value = "LDC with an immediate address, issue to result", unit = "cycles")
          int immediateCycles,
      @Field(value = "LDC with an immediate address, issue to sources free", unit = "cycles")
          int immediateReadCycles,
      @Field(value = "LDC issue to sources free", unit = "cycles") int loadReadCycles,
      @Field(
              value = "how long the scheduler stays with a warp whose constant missed",
              unit = "cycles")
          int patience) {}

  /** Who sees to it that an instruction finds its operands. */
  @Named(value = "dependences", about = "what an instruction waits for before it issues")
  public enum Dependences {
    @Named(
        value = "control-bits",
        about = "the compiler's stall counts and counters; scoreboards where a trace has none")
    CONTROL_BITS,
    @Named(
        value = "scoreboard",
        about = "scoreboards over registers of every kind, whatever the compiler wrote")
    SCOREBOARD
  }

  /** Issue and operand read. */
  public record Issue(
      @Field(value = "which warp issues") Chosen<WarpScheduler> policy,
      @Field(value = "who sees to dependences between instructions", was = "controlBits")
          Dependences dependences,
      @Field(value = "how long stall 0 with yield holds a warp", unit = "cycles") int drainStall,
      @Field(
              value = "the least stall of an instruction that yields",
              unit = "cycles",
              least = 1,
              most = 1000)
          int yieldStall,
      @Field(
              value =
                  "an instruction stays in Control, behind issue: then it is in Allocate or its"
                      + " queue, and its dependence counters are seen",
              unit = "cycles",
              most = 16)
          int controlCycles,
      @Field(
              value = "how long an instruction may take to read its registers",
              unit = "cycles",
              least = 1,
              most = 32)
          int readWindow,
      @Field(
              value = "fixed-latency instruction, issue to sources free",
              unit = "cycles",
              most = 1000)
          int fixedReadCycles,
      @Field(value = "register reads per bank and cycle", least = 1, most = 16) int readPorts,
      @Field(value = "register banks of a sub-core", least = 1, most = 8) int banks,
      @Field("whether reuse bits keep operands") boolean registerCache,
      @Field("whether a load's result waits for the write port of its register bank")
          boolean writePort,
      @Field("whether an instruction leaves its queue only when every bank has a read port left")
          boolean queuesUsePorts,
      @Field(
              value = "instructions that may have yet to read a register, without control bits",
              most = 1 << 16)
          int readers,
      @Field(
              value = "from a predicate's producer to a guard, without control bits",
              unit = "cycles",
              most = 1000)
          int guardCycles,
      @Field(
              value = "from a result to its reader, without control bits",
              unit = "cycles",
              least = 1,
              most = 120)
          int resultCycles,
      @Field(
              value = "from a uniform result to a fixed-latency reader, without control bits",
              unit = "cycles",
              least = 1,
              most = 1000)
          int uniformCycles,
      @Field(value = "the same to another reader", unit = "cycles", least = 1, most = 1000)
          int uniformFarCycles) {
    /** From issue to Allocate or a queue, with Control in between. */
    public int toAllocate() {
      return 1 + controlCycles;
    }
  }

  /** How long an instruction holds its unit, and variable latencies. */
  public record Units(
      @Field(value = "FP32 multiply or add holds its unit", unit = "cycles", least = 1, most = 1000)
          int fma,
      @Field(
              value = "integer multiply-add holds the FP32 unit",
              unit = "cycles",
              least = 1,
              most = 1000)
          int fmaHeavy,
      @Field(
              value = "IMAD.WIDE or IMAD.HI holds the FP32 unit",
              unit = "cycles",
              least = 1,
              most = 1000)
          int fmaWide,
      @Field(
              value = "IMAD.WIDE or IMAD.HI holds the dispatch port",
              unit = "cycles",
              least = 1,
              most = 1000)
          int wideDispatch,
      @Field(
              value = "packed half precision holds its unit",
              unit = "cycles",
              least = 1,
              most = 1000)
          int half,
      @Field(
              value = "integer, logic or compare holds its unit",
              unit = "cycles",
              least = 1,
              most = 1000)
          int alu,
      @Field(value = "double precision holds its unit", unit = "cycles", least = 1, most = 1000)
          int fp64,
      @Field(value = "its issue to result", unit = "cycles", least = 1, most = 1000) int fp64Cycles,
      @Field(
              value = "transcendental, conversion or bit count holds its unit",
              unit = "cycles",
              least = 1,
              most = 1000)
          int xu,
      @Field(
              value = "such an instruction keeps multiply-adds from issuing",
              unit = "cycles",
              least = 1,
              most = 1000)
          double xuDispatch,
      @Field(value = "such instructions that may wait for their unit", most = 1024) int xuQueue,
      @Field(value = "their issue to result", unit = "cycles") int xuCycles,
      @Field(value = "their issue to sources free", unit = "cycles") int xuReadCycles,
      @Field(value = "uniform instruction holds its unit", unit = "cycles", least = 1, most = 1000)
          int uniform,
      @Field(value = "branch holds its unit", unit = "cycles", least = 1, most = 1000) int branch,
      @Field(value = "BSSY or BSYNC holds it", unit = "cycles", least = 1, most = 1000)
          int converge,
      @Field(value = "S2R issue to result", unit = "cycles") int specialRegisterCycles,
      @Field(value = "S2R issue to sources free", unit = "cycles") int specialRegisterReadCycles,
      @Field(value = "NANOSLEEP", unit = "cycles") int sleepCycles,
      @Field(
              value = "multiply-adds of 16-bit values of a sub-core",
              unit = "per cycle",
              least = 0.1,
              most = 1_000_000)
          double tensorRate,
      @Field(value = "least time of a matrix instruction", unit = "cycles", least = 1, most = 1000)
          int tensorFloor,
      @Field(
              value = "matrix product's issue to result, beside its multiplications",
              unit = "cycles",
              most = 1000)
          int tensorCycles,
      @Field(
              value = "double-precision multiply-adds of a sub-core",
              unit = "per cycle",
              least = 0.1,
              most = 1_000_000)
          double dmmaRate) {}

  /** Memory instructions inside the SM. */
  public record LoadStore(
      @Field(
              value = "memory instructions a sub-core holds in front of the shared part",
              least = 1,
              most = 1024)
          int queue,
      @Field(
              value = "an instruction keeps its place after entering the shared part",
              unit = "cycles")
          int queueRelease,
      @Field(value = "address generation of an instruction", unit = "cycles", most = 1000)
          int addressCycles,
      @Field(
              value = "a sub-core's path is held by one pass of several",
              unit = "cycles",
              most = 1000)
          int passCycles,
      @Field(
              value = "between two instructions entering the shared part",
              unit = "cycles",
              most = 1000)
          int gate,
      @Field(value = "issue to entering the shared part", unit = "cycles", most = 1000)
          int entryCycles,
      @Field(value = "load that hits L1, issue to result: base", unit = "cycles")
          int globalLoadBase,
      @Field(value = "the same per 32-bit word of a lane", unit = "cycles", most = 1000)
          int globalLoadWord,
      @Field(value = "load from shared memory, issue to result: base", unit = "cycles")
          int sharedLoadBase,
      @Field(value = "words of a lane that such a load counts at least", least = 1, most = 32)
          int sharedLoadLeastWords,
      @Field(value = "a uniform address makes a global load's result earlier", unit = "cycles")
          int uniformGlobalLoad,
      @Field(value = "a uniform address frees a global load's sources earlier", unit = "cycles")
          int uniformGlobalLoadRead,
      @Field(value = "a uniform address makes a shared load's result earlier", unit = "cycles")
          int uniformSharedLoad,
      @Field(value = "a uniform address frees a global store's sources earlier", unit = "cycles")
          int uniformGlobalStoreRead,
      @Field(value = "a uniform address frees a shared store's sources earlier", unit = "cycles")
          int uniformSharedStoreRead,
      @Field(value = "LDGSTS issue to sources free", unit = "cycles") int asyncCopyRead,
      @Field(value = "the same per 32-bit word of a lane", unit = "cycles", most = 1000)
          int sharedLoadWord,
      @Field(value = "global load, issue to sources free", unit = "cycles") int globalLoadRead,
      @Field(value = "shared load, issue to sources free", unit = "cycles") int sharedLoadRead,
      @Field(value = "global store, issue to sources free: base", unit = "cycles")
          int globalStoreReadBase,
      @Field(value = "shared store, issue to sources free: base", unit = "cycles")
          int sharedStoreReadBase,
      @Field(value = "the same per 32-bit word of a lane", unit = "cycles", most = 1000)
          int storeReadWord,
      @Field(value = "LDSM issue to result", unit = "cycles") int matrixLoadCycles,
      @Field(value = "atomic on shared memory, issue to result", unit = "cycles")
          int sharedAtomicCycles,
      @Field(value = "compare-and-swap on shared memory, issue to result", unit = "cycles")
          int sharedCompareCycles,
      @Field(value = "SHFL issue to result", unit = "cycles") int shuffleCycles,
      @Field(value = "SHFL issue to sources free", unit = "cycles") int shuffleReadCycles,
      @Field(value = "passes of the shared part that S2R takes", least = 1, most = 1000)
          int specialPasses,
      @Field(value = "CCTL, entering the shared part to its end", unit = "cycles", most = 1000)
          int cacheControlCycles,
      @Field(value = "L1 lookup to a request's leaving the SM", unit = "cycles") int missLeave,
      @Field(value = "more for the first request of an SM in a kernel", unit = "cycles")
          int firstAccessCycles,
      @Field(value = "a reply's arrival at the SM to the result, without width", unit = "cycles")
          int missReturn,
      @Field(value = "LDGSTS: result to data in shared memory", unit = "cycles") int asyncCopyExtra,
      @Field(
              value = "LDGSTS takes as long as a load of so many words, whatever its width",
              unit = "words",
              least = 1,
              most = 1000)
          int asyncCopyWords,
      @Field(value = "associativity of L1", unit = "ways", least = 1, most = 256) int l1Ways,
      @Field(value = "which line of an L1 set makes room", standard = "lru")
          Chosen<Replacement> l1Replacement,
      @Field(value = "how an address chooses its L1 set", standard = "scatter")
          Chosen<AddressHash> l1SetIndex,
      @Field(
              value = "part of the unified array that is neither L1 nor shared memory",
              unit = "KiB",
              most = 1024)
          int l1OverheadKiB,
      @Field(
              value = "banks of L1's tags: as many lines of an access are looked up in a cycle",
              unit = "banks",
              least = 1,
              most = 64)
          int l1TagBanks,
      @Field("which bank has the tag of a line") Chosen<AddressHash> l1TagBank,
      @Field(
              value = "passes of the shared path that an arriving sector takes",
              unit = "passes",
              most = 100)
          double l1FillPasses,
      @Field(
              value = "passes that a load which missed takes at least when its data comes",
              unit = "passes",
              most = 100)
          int l1MissPasses,
      @Field(
              value = "store data leaving the SM",
              unit = "bytes per cycle",
              least = 1,
              most = 100_000)
          double writeBytes,
      @Field(
              value = "more for a line that is written in parts of sectors, leaving the SM",
              unit = "cycles",
              most = 1000)
          double partialStoreCycles,
      @Field(
              value = "a store of up to 8 bytes a lane waits for the next one to its lines",
              unit = "cycles",
              most = 1000)
          int storeJoinCycles,
      @Field(
              value = "until another store to the line leaves in L1 what a store wrote there",
              unit = "cycles",
              most = 1000)
          int storeSettleCycles,
      @Field(value = "most lines of a store that others can join", unit = "lines", most = 64)
          int storeJoinLines,
      @Field(
              value = "passes of the shared path that a store takes beside those of its lines",
              unit = "passes",
              most = 1000)
          int storePasses,
      @Field(
              value = "passes of the shared path that a line of a store takes",
              unit = "passes",
              least = 1,
              most = 1000)
          double storeLinePasses,
      @Field(
              value =
                  "more of ATOMS.POPC.INC than of a load of its words, where lanes name one word",
              unit = "passes",
              most = 32)
          int sharedCountPasses,
      @Field(value = "a sector of atomics leaving the SM", unit = "cycles", most = 1000)
          double atomicSectorCycles,
      @Field(
              value = "sectors of stores an SM may have on their way",
              unit = "sectors",
              least = 1,
              most = 1 << 16)
          int storeSectors,
      @Field(value = "stores may queue this long for the way out", unit = "cycles")
          int storePortAhead,
      @Field(value = "MEMBAR, block scope", unit = "cycles") int membarBlock,
      @Field(value = "MEMBAR, GPU scope", unit = "cycles") int membarGpu,
      @Field(value = "MEMBAR, system scope", unit = "cycles") int membarSystem,
      @Field(value = "last arrival at a barrier to going on", unit = "cycles") int barrierBase,
      @Field(value = "the barrier unit takes a warp", unit = "cycles", most = 1000)
          int barrierPerWarp) {
    private static final int L1_LINE = 128;

    public LoadStore {
      int soonest =
          Math.min(
              Math.min(globalLoadBase - uniformGlobalLoad, sharedLoadBase - uniformSharedLoad),
              Math.min(shuffleCycles, Math.min(sharedAtomicCycles, sharedCompareCycles)));
      Checks.require(
          entryCycles <= Math.min(soonest, matrixLoadCycles),
          "entryCycles: found "
              + entryCycles
              + ", expected at most "
              + Math.min(soonest, matrixLoadCycles)
              + ", the least of globalLoadBase - uniformGlobalLoad, sharedLoadBase -"
              + " uniformSharedLoad, shuffleCycles, sharedAtomicCycles, sharedCompareCycles and"
              + " matrixLoadCycles");
      Checks.hash("l1TagBanks", l1TagBanks, L1_LINE, "l1TagBank", l1TagBank);
    }
  }

  /** Kernels and blocks. */
  public record Launch(
      @Field(value = "which SM gets the next block", standard = "longest-free")
          Chosen<BlockScheduler> blockScheduler,
      @Field(
              value = "launch to the first block's arrival at an SM",
              unit = "cycles",
              most = 1_000_000)
          int kernelCycles,
      @Field(value = "last block's end to the kernel's end", unit = "cycles", most = 1_000_000)
          int drainCycles,
      @Field(
              value = "more than that where the kernel wrote to memory",
              unit = "cycles",
              most = 1_000_000)
          int writtenCycles,
      @Field(
              value = "of drainCycles, passes while the last writes are under way to L2",
              unit = "cycles",
              most = 1_000_000)
          int overlapCycles,
      @Field(value = "between two blocks of the grid that find SMs empty", unit = "cycles")
          double fillInterval,
      @Field(value = "between two blocks of the grid that end or follow others", unit = "cycles")
          double blockInterval,
      @Field(value = "between two blocks of an SM: base", unit = "cycles") int smBlockInterval,
      @Field(value = "between two blocks of an SM: per warp", unit = "cycles") int smWarpInterval,
      @Field(value = "block's arrival to its first warp's first instruction", unit = "cycles")
          int warpStart,
      @Field(value = "last exit to the block's end", unit = "cycles") int blockEnd,
      @Field(
              value = "block's end to the next block's arrival in its place",
              unit = "cycles",
              least = 1)
          int turnaround,
      @Field(value = "what a launch itself reads, through L2", unit = "bytes", most = 1 << 20)
          int readBytes,
      @Field(
              value =
                  "of a kernel's code comes to the GPCs with the launch, the rest when asked for",
              unit = "bytes",
              most = 1 << 24)
          int codeBytes,
      @Field(
              value =
                  "launch to the arrival of code and constants at the GPCs, where a graph's nodes of"
                      + " another branch have driven them out",
              unit = "cycles",
              most = 1_000_000)
          int freshCycles,
      @Field(
              value = "between the first blocks of two kernels that run at once",
              unit = "cycles",
              most = 1_000_000)
          int kernelInterval,
      @Field(
              value =
                  "until a programmatic dependent launch hears that it may start, or that the"
                      + " kernel it waits for has ended",
              unit = "cycles",
              most = 1_000_000)
          int dependentCycles) {}

  /**
   * Causes of lost time that are taken away, one each: no GPU is like that, and the difference to
   * the same kernel without it says what the cause costs.
   */
  public record Ideal(
      @Field(
              value = "shared memory takes as many passes as an access is wide, whatever its banks",
              standard = "false")
          boolean banks,
      @Field(
              value = "global accesses touch no more sectors than the bytes of their lanes fill",
              standard = "false")
          boolean coalesced,
      @Field(
              value = "warps do not wait for global loads; the data are asked for and moved anyhow",
              standard = "false")
          boolean loadResults,
      @Field(
              value = "nor for shared memory, shuffles, special functions and registers, constants",
              standard = "false")
          boolean shortResults,
      @Field(value = "fixed-latency results are there in the next cycle", standard = "false")
          boolean fixedResults,
      @Field(value = "warps go through barriers of their block", standard = "false")
          boolean barriers,
      @Field(
              value = "a warp does what one of its lanes does, and all its accesses to memory",
              standard = "false")
          boolean lanes,
      @Field(value = "accesses to local memory do nothing but issue", standard = "false")
          boolean registers) {}

  /** Copies by the tensor memory engine, mbarriers, warpgroup matrix products, clusters. */
  public record Async(
      @Field(
              value = "a matrix product keeps the tensor cores: per column",
              unit = "cycles",
              most = 1000)
          double columnCycles,
      @Field(value = "least with A in registers", unit = "cycles") int registerFloor,
      @Field(value = "least with A in shared memory: base", unit = "cycles") int sharedFloor,
      @Field(value = "least with A in shared memory: per column", unit = "cycles", most = 1000)
          double sharedColumnFloor,
      @Field(value = "start to result beyond the columns, A in registers", unit = "cycles")
          int registerLatency,
      @Field(value = "start to result beyond the columns, A in shared memory", unit = "cycles")
          int sharedLatency,
      @Field(value = "part of the operands' bytes that shared memory's other users lose", most = 1)
          double operandShare,
      @Field(value = "last warp of a warpgroup arrives to going on", unit = "cycles", least = 1)
          int rendezvousCycles,
      @Field(value = "instruction on an mbarrier to its effect", unit = "cycles", least = 1)
          int barrierCycles,
      @Field(value = "test of an mbarrier to its result", unit = "cycles", least = 1)
          int testCycles,
      @Field(value = "end of a phase to the waiting warp", unit = "cycles", least = 1)
          int wakeCycles,
      @Field(value = "copy instruction to its first request", unit = "cycles") int copyCycles,
      @Field(
              value = "between two requests of copies into shared memory",
              unit = "cycles",
              most = 1000)
          double copyLineCycles,
      @Field(value = "a tensor map's first use by an SM", unit = "cycles") int mapCycles,
      @Field(value = "store instruction to its first read of shared memory", unit = "cycles")
          int storeCycles,
      @Field(
              value = "copies out of shared memory",
              unit = "bytes per cycle",
              least = 1,
              most = 100_000)
          double storeBytes,
      @Field(
              value = "reductions out of shared memory",
              unit = "bytes per cycle",
              least = 1,
              most = 100_000)
          double reductionBytes,
      @Field(
              value = "USETMAXREG: registers given to the waiting warp's going on",
              unit = "cycles",
              least = 1)
          int handoverCycles,
      @Field(value = "to another SM of the cluster, one way", unit = "cycles", least = 1)
          int remoteCycles,
      @Field(value = "load from another SM's shared memory", unit = "cycles") int remoteLoadCycles,
      @Field(
              value = "loads and stores of other SMs' shared memory",
              unit = "bytes per cycle",
              least = 1,
              most = 100_000)
          double remoteBytes,
      @Field(value = "cluster barrier, one way", unit = "cycles", least = 1)
          int clusterBarrierCycles) {}
}
