package dev.warpline.engine.gpu;

import dev.warpline.engine.gpu.CacheSpec.SetIndex;
import java.util.List;

/** The classic SM core: the pipeline of GPGPU-Sim as Accel-Sim drives it with SASS traces. */
public record ClassicCoreSpec(
    @Field(value = "SIMT clusters: ports of the crossbar", least = 1) int clusters,
    @Field(value = "SMs that share a cluster's port", standard = "1", least = 1) int smsPerCluster,
    @Field(value = "whether the SMs of a cluster take turns in being first", standard = "true")
        boolean rotateSms,
    @Field(value = "responses a cluster holds", unit = "packets", least = 1)
        int clusterEjectionBuffer,
    @Field("fetch and issue") FrontEnd frontEnd,
    @Field("widths of the pipeline registers") PipelineWidths widths,
    @Field("execution units") Units units,
    @Field("register file and operand collectors") Operands operands,
    @Field("loads and stores") LoadStore loadStore,
    @Field("first-level data cache") L1 l1,
    @Field(value = "instruction cache", optional = true) CacheSpec instructionCache,
    @Field(value = "constant cache", optional = true) CacheSpec constantCache,
    @Field(value = "texture cache", optional = true) CacheSpec textureCache) {

  /** Fetch and issue. */
  public record FrontEnd(
      @Field(value = "fetch and decode steps", unit = "per cycle", least = 1) int fetchThroughput,
      @Field("whether instruction and constant caches always hit")
          boolean perfectInstructionAndConstantCache,
      @Field(value = "warp schedulers", least = 1) int schedulers,
      @Field(
              "policy: lrr, gto, rrr, old, two_level_active:<active>:<inner>:<outer>,"
                  + " warp_limiting:2:<warps>")
          String policy,
      @Field(value = "instructions a scheduler may issue of its chosen warp", unit = "per cycle")
          int issuesPerWarp,
      @Field("whether the second of them must go to a unit of another kind")
          boolean dualIssueToDifferentUnits,
      @Field("whether each scheduler has units, collectors and banks of its own")
          boolean subCoreModel) {}

  /** Widths of the registers between issue (ID), collector (OC), execution (EX), write-back. */
  public record PipelineWidths(
      @Field("issue to collector, SP") int idOcSp,
      @Field("issue to collector, DP") int idOcDp,
      @Field("issue to collector, INT") int idOcInt,
      @Field("issue to collector, SFU") int idOcSfu,
      @Field("issue to collector, memory") int idOcMem,
      @Field("collector to execution, SP") int ocExSp,
      @Field("collector to execution, DP") int ocExDp,
      @Field("collector to execution, INT") int ocExInt,
      @Field("collector to execution, SFU") int ocExSfu,
      @Field("collector to execution, memory") int ocExMem,
      @Field("execution to write-back") int exWb,
      @Field(value = "issue to collector, tensor", standard = "1") int idOcTensor,
      @Field(value = "collector to execution, tensor", standard = "1") int ocExTensor) {}

  /** Execution units. */
  public record Units(
      @Field("single precision") Unit sp,
      @Field("integer and everything simple") Unit integer,
      @Field("double precision") Unit dp,
      @Field("transcendentals") Unit sfu,
      @Field("tensor unit of PTX runs; SASS tensor instructions use a specialised unit")
          Unit tensor,
      @Field(
              value = "specialised units, in the order of categories SPEC1, SPEC2, ...",
              standard = "[]")
          List<SpecializedUnit> specialized) {}

  /** A kind of execution unit. */
  public record Unit(
      @Field("how many of them") int count,
      @Field(value = "latency", unit = "cycles") int latency,
      @Field(value = "cycles between two instructions", unit = "cycles") int interval,
      @Field(value = "pipeline stages, at least the latency", unit = "cycles") int depth) {}

  /** A specialised unit: branches, textures, matrix products, uniform datapath. */
  public record SpecializedUnit(
      @Field("name") String name,
      @Field("how many of them") int count,
      @Field(value = "latency", unit = "cycles") int latency,
      @Field(value = "cycles between two instructions", unit = "cycles") int interval,
      @Field(value = "pipeline stages", unit = "cycles") int depth,
      @Field("width of issue to collector") int idOc,
      @Field("width of collector to execution") int ocEx) {}

  /** Register file and operand collectors. */
  public record Operands(
      @Field(value = "register banks of the SM", least = 1) int banks,
      @Field(value = "collector steps", unit = "per cycle", least = 1) int portThroughput,
      @Field("whether kinds of units have collectors of their own besides the general ones")
          boolean specializedCollectors,
      @Field("SP collectors") Collectors sp,
      @Field("DP collectors") Collectors dp,
      @Field("SFU collectors") Collectors sfu,
      @Field("INT collectors") Collectors integer,
      @Field("tensor collectors") Collectors tensor,
      @Field("memory collectors") Collectors mem,
      @Field("general collectors") Collectors general) {}

  /** A set of operand collectors. */
  public record Collectors(
      @Field("collector units") int units,
      @Field("ports into them") int inPorts,
      @Field("ports out of them") int outPorts) {}

  /** The load/store unit and shared memory. */
  public record LoadStore(
      @Field(value = "steps of the unit", unit = "per cycle", standard = "1", least = 1) int ports,
      @Field("rules of coalescing, as an SM number, e.g. 70") int coalesceArchitecture,
      @Field(value = "responses the unit holds", unit = "packets", least = 1) int responseBuffer,
      @Field(value = "banks of shared memory, 4 bytes each", least = 1) int sharedBanks,
      @Field("whether only one word of an access is broadcast") boolean sharedLimitedBroadcast,
      @Field(value = "parts a warp is split in for shared memory and coalescing", least = 1)
          int warpParts,
      @Field(value = "latency of shared memory", unit = "cycles", least = 2) int sharedLatency,
      @Field(value = "whether local memory of different threads is interleaved", standard = "true")
          boolean interleaveLocal,
      @Field(value = "whether every memory request is answered at once", standard = "false")
          boolean perfectMemory) {}

  /** The first-level data cache. */
  public record L1(
      @Field(value = "latency", unit = "cycles", least = 1) int latency,
      @Field(value = "banks, also requests accepted in a cycle", least = 1) int banks,
      @Field(value = "interleaving of the banks", unit = "bytes", standard = "32", least = 1)
          int bankInterleaveBytes,
      @Field(value = "how an address chooses its bank", standard = "linear") SetIndex bankHash,
      @Field("the cache; with a unified array its ways are scaled to what shared memory leaves")
          CacheSpec cache,
      @Field(
              value = "clean lines make room first until this part of the lines is dirty",
              unit = "percent",
              standard = "0")
          int dirtyPercent,
      @Field(value = "whether global memory bypasses the cache", standard = "false")
          boolean globalBypasses,
      @Field(
              value = "whether the cache is emptied between kernels and at MEMBAR",
              standard = "false")
          boolean flush) {}
}
