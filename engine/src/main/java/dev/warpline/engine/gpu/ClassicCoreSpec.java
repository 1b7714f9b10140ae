package dev.warpline.engine.gpu;

import dev.warpline.policy.AddressHash;
import dev.warpline.policy.Chosen;
import dev.warpline.policy.WarpScheduler;
import java.util.List;

/** The classic SM core: the pipeline of GPGPU-Sim as Accel-Sim drives it with SASS traces. */
public record ClassicCoreSpec(
    @Field(
            value = "SMs of a SIMT cluster, which share a port of the crossbar",
            standard = "1",
            least = 1,
            most = 64)
        int smsPerCluster,
    @Field(value = "whether the SMs of a cluster take turns in being first", standard = "true")
        boolean rotateSms,
    @Field(value = "responses a cluster holds", unit = "packets", least = 1, most = 1 << 16)
        int clusterEjectionBuffer,
    @Field("fetch and issue") FrontEnd frontEnd,
    @Field(value = "which registers an instruction waits for", standard = "{}")
        Scoreboard scoreboard,
    @Field("widths of the pipeline registers") PipelineWidths widths,
    @Field("execution units") Units units,
    @Field("register file and operand collectors") Operands operands,
    @Field("loads and stores") LoadStore loadStore,
    @Field("first-level data cache") L1 l1,
    @Field(value = "instruction cache", optional = true) CacheSpec instructionCache) {

  private static final int MOST_LINES = 1 << 23;

  /** From this SM number on accesses are made of sectors. */
  private static final int SECTORED_COALESCING = 40;

  public ClassicCoreSpec {
    String problem = instructionCache == null ? null : instructionCache.problemAsInstructionCache();
    Checks.require(problem == null, "instructionCache: " + problem);
    Checks.require(
        loadStore.coalesceArchitecture() >= SECTORED_COALESCING || l1.globalBypasses(),
        "loadStore.coalesceArchitecture: found "
            + loadStore.coalesceArchitecture()
            + ", expected at least "
            + SECTORED_COALESCING
            + " or l1.globalBypasses: older rules ask a sectored L1 for whole lines");
    int collectors = operands.units();
    Checks.require(
        collectors <= Long.SIZE,
        "operands: found " + collectors + " collector units, expected at most " + Long.SIZE);
    int own = frontEnd.subCoreModel() ? frontEnd.schedulers() : 1;
    Checks.require(
        operands.banks() % own == 0,
        "operands.banks: found " + operands.banks() + ", expected a multiple of " + each(own));
    Checks.require(
        operands.general().units() % own == 0,
        "operands.general.units: found "
            + operands.general().units()
            + ", expected a multiple of "
            + each(own));
    checkKind("sp", "sp", units.sp().count(), operands, operands.sp(), own);
    checkKind("sfu", "sfu", units.sfu().count(), operands, operands.sfu(), own);
    checkKind("dp", "dp", units.dp().count(), operands, operands.dp(), own);
    checkKind("integer", "integer", units.integer().count(), operands, operands.integer(), own);
    checkKind("mem", "mem", own, operands, operands.mem(), own);
    for (int i = 0; i < units.specialized().size(); i++) {
      SpecializedUnit unit = units.specialized().get(i);
      checkKind("specialized[" + i + "]", unit.name(), unit.count(), operands, null, own);
    }
  }

  /** What must hold for a GPU with a number of SMs. */
  void checkSms(int sms) {
    Checks.require(
        sms % smsPerCluster == 0,
        "sm.count: found "
            + sms
            + ", expected a multiple of classic.smsPerCluster, "
            + smsPerCluster);
    int lines = l1.cache().sets() * l1.cache().ways();
    Checks.require(
        (long) sms * lines <= MOST_LINES,
        "sm.count, classic.l1.cache.sets, classic.l1.cache.ways: found "
            + lines
            + " lines for each of "
            + sms
            + " SMs, expected at most "
            + MOST_LINES
            + " lines in all");
  }

  /** Where every scheduler has units and collectors of its own, there must be enough for each. */
  private static void checkKind(
      String kind, String name, int count, Operands operands, Collectors special, int schedulers) {
    Checks.require(
        count == 0 || count >= schedulers,
        "units."
            + kind
            + ".count: found "
            + count
            + " for "
            + name
            + ", expected 0 or at least "
            + each(schedulers));
    boolean general = operands.general().works(schedulers);
    boolean collected =
        operands.specializedCollectors() && special != null && special.works(schedulers);
    Checks.require(
        count == 0 || general || collected,
        "operands.general.units, operands.general.inPorts, operands.general.outPorts: found "
            + operands.general().units()
            + ", "
            + operands.general().inPorts()
            + ", "
            + operands.general().outPorts()
            + ", expected at least "
            + each(schedulers)
            + ", and a port each way: instructions for "
            + kind
            + " have no other collectors");
  }

  private static String each(int schedulers) {
    return schedulers == 1
        ? "1"
        : schedulers + ", one for each of frontEnd.schedulers with frontEnd.subCoreModel";
  }

  /** Fetch and issue. */
  public record FrontEnd(
      @Field(value = "fetch and decode steps", unit = "per cycle", least = 1, most = 64)
          int fetchThroughput,
      @Field(
              value = "instructions that a fetch brings into a warp's empty buffer",
              standard = "2",
              least = 1,
              most = 64)
          int instructionBuffer,
      @Field("whether instruction and constant caches always hit")
          boolean perfectInstructionAndConstantCache,
      @Field(value = "warp schedulers", least = 1, most = 16) int schedulers,
      @Field(value = "which warp a scheduler issues from") Chosen<WarpScheduler> policy,
      @Field(
              value = "instructions a scheduler may issue of its chosen warp",
              unit = "per cycle",
              least = 1,
              most = 8)
          int issuesPerWarp,
      @Field("whether the second of them must go to a unit of another kind")
          boolean dualIssueToDifferentUnits,
      @Field("whether each scheduler has units, collectors and banks of its own")
          boolean subCoreModel) {}

  /** Registers that the scoreboard knows. */
  public enum Tracked {
    FIRST,
    REGULAR,
    ALL
  }

  /**
   * Registers with pending writes, and perhaps pending reads. The standard values are Accel-Sim's.
   */
  public record Scoreboard(
      @Field(
              value =
                  "first: one destination and four sources as recorded; regular: every register of a"
                      + " pair or quad, too; all: also uniform registers, predicates and barriers"
                      + " that the listing names",
              standard = "first")
          Tracked tracks,
      @Field(
              value =
                  "instructions that may be about to read a register, which is not overwritten until"
                      + " they have; 0 does not track them, 1023 is no limit",
              standard = "0",
              most = 1023)
          int pendingReaders) {}

  /** Widths of the registers between issue (ID), collector (OC), execution (EX), write-back. */
  public record PipelineWidths(
      @Field(value = "issue to collector, SP", most = 31) int idOcSp,
      @Field(value = "issue to collector, DP", most = 31) int idOcDp,
      @Field(value = "issue to collector, INT", most = 31) int idOcInt,
      @Field(value = "issue to collector, SFU", most = 31) int idOcSfu,
      @Field(value = "issue to collector, memory", most = 31) int idOcMem,
      @Field(value = "collector to execution, SP", most = 31) int ocExSp,
      @Field(value = "collector to execution, DP", most = 31) int ocExDp,
      @Field(value = "collector to execution, INT", most = 31) int ocExInt,
      @Field(value = "collector to execution, SFU", most = 31) int ocExSfu,
      @Field(value = "collector to execution, memory", most = 31) int ocExMem,
      @Field(value = "execution to write-back", least = 1, most = 64) int exWb) {}

  /** Execution units. */
  public record Units(
      @Field("single precision") Unit sp,
      @Field("integer and everything simple") Unit integer,
      @Field("double precision") Unit dp,
      @Field("transcendentals") Unit sfu,
      @Field(
              value = "specialised units, in the order of categories SPEC1, SPEC2, ...",
              standard = "[]")
          List<SpecializedUnit> specialized) {
    /** Kinds of specialised units that instructions can ask for. */
    private static final int MOST_SPECIALIZED = 8;

    public Units {
      Checks.require(
          specialized.size() <= MOST_SPECIALIZED,
          "specialized: found "
              + specialized.size()
              + " units, expected at most "
              + MOST_SPECIALIZED);
      Checks.require(
          sp.count() > 0 && sfu.count() > 0,
          "sp.count, sfu.count: found "
              + sp.count()
              + ", "
              + sfu.count()
              + ", expected at least 1 each: they run what other units do not");
    }
  }

  /** A kind of execution unit. */
  public record Unit(
      @Field(value = "how many of them", most = 16) int count,
      @Field(value = "latency", unit = "cycles", least = 1, most = 1000) int latency,
      @Field(value = "cycles between two instructions", unit = "cycles", least = 1, most = 1000)
          int interval) {}

  /** A specialised unit: branches, textures, matrix products, uniform datapath. */
  public record SpecializedUnit(
      @Field("name") String name,
      @Field(value = "how many of them", least = 1, most = 16) int count,
      @Field(value = "latency", unit = "cycles", least = 1, most = 1000) int latency,
      @Field(value = "cycles between two instructions", unit = "cycles", least = 1, most = 1000)
          int interval,
      @Field(value = "width of issue to collector", most = 31) int idOc,
      @Field(value = "width of collector to execution", most = 31) int ocEx) {}

  /** Register file and operand collectors. */
  public record Operands(
      @Field(value = "register banks of the SM", least = 1, most = 64) int banks,
      @Field(value = "collector steps", unit = "per cycle", least = 1, most = 64)
          int portThroughput,
      @Field("whether kinds of units have collectors of their own besides the general ones")
          boolean specializedCollectors,
      @Field("SP collectors") Collectors sp,
      @Field("DP collectors") Collectors dp,
      @Field("SFU collectors") Collectors sfu,
      @Field("INT collectors") Collectors integer,
      @Field("memory collectors") Collectors mem,
      @Field("general collectors") Collectors general) {
    public Operands {
      checkPorts("general", general);
      if (specializedCollectors) {
        checkPorts("sp", sp);
        checkPorts("dp", dp);
        checkPorts("sfu", sfu);
        checkPorts("integer", integer);
        checkPorts("mem", mem);
      }
    }

    private static void checkPorts(String name, Collectors set) {
      Checks.require(
          set.units() == 0 || set.inPorts() == 0 || set.outPorts() > 0,
          name + ".outPorts: found 0, expected at least 1: nothing would come out of its units");
    }

    /** Collector units in all. */
    int units() {
      int own = sp.units() + dp.units() + sfu.units() + integer.units() + mem.units();
      return general.units() + (specializedCollectors ? own : 0);
    }
  }

  /** A set of operand collectors. */
  public record Collectors(
      @Field(value = "collector units", most = 64) int units,
      @Field(value = "ports into them", most = 64) int inPorts,
      @Field(value = "ports out of them", most = 64) int outPorts) {

    private boolean works(int schedulers) {
      return units >= schedulers && inPorts > 0 && outPorts > 0;
    }
  }

  /** The load/store unit and shared memory. */
  public record LoadStore(
      @Field(value = "steps of the unit", unit = "per cycle", standard = "1", least = 1, most = 16)
          int ports,
      @Field(value = "rules of coalescing, as an SM number, e.g. 70", least = 10, most = 255)
          int coalesceArchitecture,
      @Field(value = "responses the unit holds", unit = "packets", least = 1, most = 1 << 16)
          int responseBuffer,
      @Field(value = "banks of shared memory, 4 bytes each", least = 1, most = 1024)
          int sharedBanks,
      @Field("whether only one word of an access is broadcast") boolean sharedLimitedBroadcast,
      @Field(
              value = "parts a warp is split in for shared memory and coalescing",
              least = 1,
              most = 32)
          int warpParts,
      @Field(value = "latency of shared memory", unit = "cycles", least = 2) int sharedLatency,
      @Field(value = "whether local memory of different threads is interleaved", standard = "true")
          boolean interleaveLocal,
      @Field(value = "whether every memory request is answered at once", standard = "false")
          boolean perfectMemory) {
    public LoadStore {
      Checks.powerOfTwo("warpParts", warpParts);
    }
  }

  /** The first-level data cache. */
  public record L1(
      @Field(value = "latency", unit = "cycles", least = 1) int latency,
      @Field(value = "banks, also requests accepted in a cycle", least = 1, most = 256) int banks,
      @Field(
              value = "interleaving of the banks",
              unit = "bytes",
              standard = "32",
              least = 1,
              most = 1 << 12)
          int bankInterleaveBytes,
      @Field(value = "how an address chooses its bank", standard = "linear")
          Chosen<AddressHash> bankHash,
      @Field("the cache; with a unified array its ways are scaled to what shared memory leaves")
          CacheSpec cache,
      @Field(
              value = "clean lines make room first until this part of the lines is dirty",
              unit = "percent",
              standard = "0",
              most = 100)
          int dirtyPercent,
      @Field(value = "whether global memory bypasses the cache", standard = "false")
          boolean globalBypasses,
      @Field(
              value = "whether the cache is emptied between kernels and at MEMBAR",
              standard = "false")
          boolean flush) {
    public L1 {
      Checks.powerOfTwo("banks", banks);
      Checks.powerOfTwo("bankInterleaveBytes", bankInterleaveBytes);
      String problem = cache.problemAsDataCache();
      Checks.require(problem == null, "cache: " + problem);
      Checks.require(
          (long) dirtyPercent * cache.sets() <= 100,
          "dirtyPercent: found "
              + dirtyPercent
              + " with "
              + cache.sets()
              + " sets, expected at most "
              + 100 / cache.sets()
              + ": a set full of modified lines is no larger part of the cache");
    }
  }
}
