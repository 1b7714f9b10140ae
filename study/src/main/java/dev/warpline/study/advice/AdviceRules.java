package dev.warpline.study.advice;

import static dev.warpline.engine.profile.StallReason.ASYNC_COPY;
import static dev.warpline.engine.profile.StallReason.ATOMIC;
import static dev.warpline.engine.profile.StallReason.BARRIER;
import static dev.warpline.engine.profile.StallReason.BRANCH;
import static dev.warpline.engine.profile.StallReason.CONSTANT_LOAD;
import static dev.warpline.engine.profile.StallReason.CONSTANT_MISS;
import static dev.warpline.engine.profile.StallReason.DISPATCH;
import static dev.warpline.engine.profile.StallReason.DISTRIBUTED_SHARED;
import static dev.warpline.engine.profile.StallReason.DRAIN;
import static dev.warpline.engine.profile.StallReason.DRAM;
import static dev.warpline.engine.profile.StallReason.FETCH;
import static dev.warpline.engine.profile.StallReason.FP64;
import static dev.warpline.engine.profile.StallReason.GLOBAL_QUEUE;
import static dev.warpline.engine.profile.StallReason.GMMA;
import static dev.warpline.engine.profile.StallReason.L1_HIT;
import static dev.warpline.engine.profile.StallReason.L1_MISS;
import static dev.warpline.engine.profile.StallReason.L2_HIT;
import static dev.warpline.engine.profile.StallReason.MBARRIER;
import static dev.warpline.engine.profile.StallReason.MEMBAR;
import static dev.warpline.engine.profile.StallReason.MIO_QUEUE;
import static dev.warpline.engine.profile.StallReason.MISC;
import static dev.warpline.engine.profile.StallReason.MUFU;
import static dev.warpline.engine.profile.StallReason.NOT_SELECTED;
import static dev.warpline.engine.profile.StallReason.SCALAR_WAIT;
import static dev.warpline.engine.profile.StallReason.SHARED;
import static dev.warpline.engine.profile.StallReason.SHORT_OTHER;
import static dev.warpline.engine.profile.StallReason.SHUFFLE;
import static dev.warpline.engine.profile.StallReason.SLEEPING;
import static dev.warpline.engine.profile.StallReason.SPECIAL_REGISTER;
import static dev.warpline.engine.profile.StallReason.TENSOR;
import static dev.warpline.engine.profile.StallReason.TEXTURE_QUEUE;
import static dev.warpline.engine.profile.StallReason.UNIT_BUSY;
import static dev.warpline.engine.profile.StallReason.WAIT;

import dev.warpline.engine.profile.KernelProfile.Line;
import dev.warpline.engine.profile.LaneWork.Space;
import java.util.List;

/** The table of rules. */
final class AdviceRules {
  /** Everything beyond L2 is there at once, also on its way from one partition to the other. */
  static final Relief BEYOND_L2 =
      Relief.of(
          "flowMemory.dramNs=0",
          "flowMemory.dramClockBytes=10000",
          "flowMemory.dramRowNs=0",
          "flowMemory.dramWriteRowNs=0",
          "flowMemory.dramTurnNs=0",
          "flowMemory.dramLateEveryNs=0",
          "flowMemory.linkBytes=100000");

  /** L2 and the links to it take any amount. */
  static final Relief L2 =
      Relief.of(
          "flowMemory.l2SectorCycles=0",
          "flowMemory.l2ReadCycles=0",
          "flowMemory.l2WriteCycles=0",
          "flowMemory.l2PartialWriteCycles=0",
          "flowMemory.l2LocalWriteCycles=0",
          "flowMemory.l2NextPartialCycles=0",
          "flowMemory.l2PartialTurnCycles=0",
          "flowMemory.smReadBytes=100000",
          "flowMemory.groupReadBytes=100000",
          "flowMemory.groupWriteBytes=100000",
          "flowMemory.linkBytes=100000",
          "modern.loadStore.writeBytes=100000",
          "modern.loadStore.partialStoreCycles=0",
          "modern.loadStore.storeSectors=65536");

  /** Twice the schedulers, and the units that they feed. */
  private static final Relief ISSUE = Relief.of("sm.subCores=2x");

  private static final Relief TENSOR_RATE =
      Relief.of(
          "modern.units.tensorRate=2x", "modern.units.dmmaRate=2x", "modern.units.tensorFloor=1");

  private static final Relief PATH =
      Relief.of(
          "modern.ideal.banks=true",
          "modern.ideal.coalesced=true",
          "modern.loadStore.passCycles=1",
          "modern.loadStore.queue=1024",
          "modern.loadStore.writeBytes=100000",
          "modern.loadStore.storeSectors=65536");

  private static final Relief FETCHED =
      Relief.of(
          "modern.supply.l0Lines=4096",
          "modern.supply.l1Lines=16384",
          "modern.supply.l15Lines=16384",
          "modern.supply.l1Cycles=0",
          "modern.supply.l15Cycles=0",
          "modern.supply.l15MissCycles=0",
          "modern.supply.l15Interval=0",
          "modern.supply.lineHopCycles=0",
          "modern.supply.prefetchLines=256");

  private static final Relief CONSTANTS =
      Relief.of(
          "modern.constants.operandLines=4096",
          "modern.constants.loadLines=4096",
          "modern.constants.operandMissCycles=0",
          "modern.constants.loadMissCycles=0",
          "modern.constants.tableLines=64",
          "modern.supply.constantHopCycles=0");

  private static final String FEWER_HERE =
      "Fewer instructions for this unit; move work to units that are idle.";

  /** Parts of the machine near their peaks. */
  static final List<PartRule> PARTS =
      List.of(
          new PartRule(
              "dram-bandwidth",
              "DRAM",
              "Move fewer bytes: reuse data in caches, use smaller types, fuse kernels.",
              BEYOND_L2,
              Line::dramSectors),
          new PartRule(
              "l2-bandwidth",
              "L2",
              "Keep data in registers or shared memory; access whole sectors.",
              L2,
              line -> line.l2Hits() + line.dramSectors()),
          new PartRule(
              "issue-rate",
              "Issue",
              "Fewer instructions: wider accesses, less address arithmetic, matrix units.",
              ISSUE,
              Line::executed),
          new PartRule(
              "l1-path",
              "L1 and shared path",
              "Fewer and wider accesses; keep values in registers; avoid bank conflicts.",
              PATH,
              AdviceRules::passes),
          new PartRule(
              "l1-bandwidth",
              "L1",
              "Keep values in registers; let lanes share sectors.",
              PATH,
              Line::sectors),
          PartRule.unit("FMA", ISSUE, FEWER_HERE, "FMA", "FMA_HEAVY", "FP16"),
          PartRule.unit("ALU", Relief.of("modern.units.alu=1"), FEWER_HERE, "ALU"),
          PartRule.unit("FP64", Relief.of("modern.units.fp64=1"), FEWER_HERE, "FP64"),
          PartRule.unit(
              "XU",
              Relief.of("modern.units.xu=0.5x", "modern.units.xuDispatch=0.5x"),
              "Fewer special functions and conversions: polynomials, integer tricks, tables.",
              "XU"),
          PartRule.unit(
              "Tensor",
              TENSOR_RATE,
              "The matrix units are busy, as they should be: smaller types are what is left.",
              "TENSOR"),
          PartRule.unit("Uniform", Relief.of("modern.units.uniform=1"), FEWER_HERE, "UNIFORM"),
          PartRule.unit(
              "Branch",
              Relief.of("modern.units.branch=1", "modern.units.converge=1"),
              "Unroll loops; replace short branches by predicates.",
              "BRANCH"));

  /** What warps wait for. Each reason is in one of them. */
  static final List<WaitRule> WAITS =
      List.of(
          new WaitRule(
              "load-latency",
              List.of(L1_HIT, L1_MISS, L2_HIT, DRAM, ASYNC_COPY),
              "Keep more loads in flight: load earlier, unroll, or fit more warps on an SM.",
              Relief.of("modern.ideal.loadResults=true")),
          new WaitRule(
              "short-latency",
              List.of(SHARED, SHUFFLE, CONSTANT_LOAD, MUFU, SPECIAL_REGISTER, SHORT_OTHER),
              "Put independent work between the instruction and the use of its result.",
              Relief.of("modern.ideal.shortResults=true")),
          new WaitRule(
              "fixed-latency",
              List.of(WAIT, SCALAR_WAIT, TENSOR, FP64),
              "Chains of dependent instructions: give each warp more independent work, or add warps.",
              Relief.of("modern.ideal.fixedResults=true")),
          new WaitRule(
              "barrier",
              List.of(BARRIER),
              "Split the work more evenly between barriers, or synchronise fewer warps.",
              Relief.of("modern.ideal.barriers=true")),
          new WaitRule(
              "instruction-fetch",
              List.of(FETCH),
              "Shorter code or smaller loops, less unrolling; short kernels pay for cold caches.",
              FETCHED),
          new WaitRule(
              "constant-miss",
              List.of(CONSTANT_MISS),
              "Use fewer constants, close together; short kernels pay for cold caches.",
              CONSTANTS),
          new WaitRule(
              "branch",
              List.of(BRANCH),
              "Unroll loops; replace short branches by predicates.",
              Relief.of(
                  "modern.supply.branchCycles=1",
                  "modern.supply.notTakenCycles=1",
                  "modern.supply.convergeCycles=4",
                  "modern.supply.decodeCycles=1")),
          new WaitRule(
              "memory-queue",
              List.of(GLOBAL_QUEUE, MIO_QUEUE, TEXTURE_QUEUE),
              "Fewer, wider memory instructions.",
              PATH),
          new WaitRule(
              "unit-busy",
              List.of(UNIT_BUSY, NOT_SELECTED),
              "The units are busy: fewer instructions are what helps.",
              ISSUE),
          new WaitRule(
              "register-ports",
              List.of(DISPATCH),
              "Operands in different register banks, or reused: reorder, or let the compiler choose.",
              Relief.of("modern.issue.readPorts=16")),
          new WaitRule(
              "atomic-result",
              List.of(ATOMIC),
              "Do not use the value that an atomic returns, or add up before it.",
              Relief.of("flowMemory.atomicWordCycles=0", "flowMemory.atomicFloatCycles=0")),
          new WaitRule(
              "fence",
              List.of(MEMBAR),
              "Fewer fences, or of a smaller scope.",
              Relief.of(
                  "modern.loadStore.membarBlock=0",
                  "modern.loadStore.membarGpu=0",
                  "modern.loadStore.membarSystem=0")),
          new WaitRule(
              "store-drain",
              List.of(DRAIN),
              "Spread stores over the kernel; write whole sectors.",
              L2),
          new WaitRule(
              "bulk-copy",
              List.of(MBARRIER),
              "Start copies earlier: more stages in the pipeline.",
              Relief.of(
                  "flowMemory.dramNs=0",
                  "flowMemory.dramClockBytes=10000",
                  "flowMemory.l2SectorCycles=0",
                  "flowMemory.smReadBytes=100000",
                  "flowMemory.groupReadBytes=100000",
                  "modern.async.copyCycles=0",
                  "modern.async.copyLineCycles=0")),
          new WaitRule(
              "warpgroup-matrix",
              List.of(GMMA),
              "The matrix units are busy, as they should be: more products in flight, smaller types.",
              TENSOR_RATE),
          new WaitRule(
              "cluster-memory",
              List.of(DISTRIBUTED_SHARED),
              "Load what other SMs of the cluster hold earlier, or keep it here.",
              Relief.of(
                  "modern.async.remoteCycles=1",
                  "modern.async.remoteLoadCycles=0",
                  "modern.async.remoteBytes=100000")),
          new WaitRule(
              "sleep",
              List.of(SLEEPING),
              "Sleep shorter, or wait at a barrier instead.",
              Relief.of("modern.units.sleepCycles=0")),
          new WaitRule(
              "register-handover",
              List.of(MISC),
              "Where warps hand registers over (setmaxnreg), give them up earlier.",
              Relief.NONE));

  /** Patterns that cost time wherever it is then waited. */
  static final List<AdviceRule> PATTERNS =
      List.of(
          new BankConflicts(false),
          new BankConflicts(true),
          new Scattered(),
          new Divergence(),
          new Spills(),
          new Atomics(),
          new LowOccupancy(),
          new IdleSms(),
          new Waves(),
          new FewBlocks(),
          new UnevenBlocks(),
          new LaunchOverhead(),
          new HotSlice());

  private AdviceRules() {}

  private static double passes(Line line) {
    return line.work().space() == Space.NONE
        ? 0
        : line.requests() + line.conflicts() + line.sectors() / 4.0;
  }
}
