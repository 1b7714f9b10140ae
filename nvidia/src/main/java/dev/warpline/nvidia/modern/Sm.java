package dev.warpline.nvidia.modern;

import dev.warpline.engine.Counters;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.gpu.SmSpec;
import dev.warpline.engine.profile.SmRecorder;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.memory.flow.Replies;
import dev.warpline.memory.flow.Requests;
import dev.warpline.nvidia.modern.async.AsyncUnits;
import dev.warpline.nvidia.modern.async.CopyGroups;
import dev.warpline.nvidia.modern.block.Barriers;
import dev.warpline.nvidia.modern.block.Blocks;
import dev.warpline.nvidia.modern.cache.GroupPort;
import dev.warpline.nvidia.modern.code.CodeRows;
import dev.warpline.nvidia.modern.constant.ConstantAddresses;
import dev.warpline.nvidia.modern.constant.ConstantLoads;
import dev.warpline.nvidia.modern.constant.ConstantMemory;
import dev.warpline.nvidia.modern.constant.IndexedConstants;
import dev.warpline.nvidia.modern.constant.OperandConstants;
import dev.warpline.nvidia.modern.fetch.Fetch;
import dev.warpline.nvidia.modern.fetch.InstructionCaches;
import dev.warpline.nvidia.modern.launch.Placer;
import dev.warpline.nvidia.modern.memory.LaneAddresses;
import dev.warpline.nvidia.modern.memory.LoadStoreUnit;
import dev.warpline.nvidia.modern.memory.SharedPath;
import dev.warpline.nvidia.modern.operand.ReadPorts;
import dev.warpline.nvidia.modern.operand.WritePorts;
import dev.warpline.nvidia.modern.warp.ResidentKernel;
import dev.warpline.nvidia.modern.warp.ResidentKernels;
import dev.warpline.nvidia.modern.warp.Warps;
import dev.warpline.policy.WarpScheduler;
import dev.warpline.trace.BlockTrace;
import dev.warpline.trace.KernelHeader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * One SM: puts its parts together and runs them from event to event inside a window; talks to the
 * rest of the machine only between windows.
 */
final class Sm {
  private final int index;
  private final ModernCoreSpec spec;
  private final Requests requests;
  private final Warps warps;
  private final Blocks blocks;
  private final Barriers barriers;
  private final SubCore[] subCores;
  private final GroupPort port;
  private final InstructionCaches instructions;
  private final Fetch[] fetchers;
  private final ConstantMemory constants;
  private final OperandConstants[] operandConstants;
  private final ConstantLoads constantLoads;
  private final ConstantAddresses[] constantAddresses;
  private final LoadStoreUnit loadStore;
  private final CopyGroups copies;

  /** Null where the GPU has no such units. */
  private final AsyncUnits async;

  private final Counters counters = new Counters();
  private final ResidentKernels kernels = new ResidentKernels();

  /** The kernel whose block comes next. */
  private ResidentKernel kernel;

  /**
   * @param index its number
   * @param hops stations between it and the cache of its GPC
   */
  Sm(int index, double hops, ModernCoreSpec spec, SmSpec sm) {
    this.index = index;
    this.spec = spec;
    int count = sm.subCores();
    requests = new Requests(index);
    warps = new Warps(sm.warps(), count, spec.issue());
    blocks = new Blocks(sm.blocks(), spec.launch(), warps);
    barriers = new Barriers(spec, warps, blocks);
    port = new GroupPort(requests, hops);
    instructions = new InstructionCaches(spec.supply(), spec.launch().codeBytes(), count, port);
    counters.add("sm.", blocks).add("supply.", instructions);
    constants = new ConstantMemory(spec, port);
    constantLoads = new ConstantLoads(spec.constants(), spec.loadStore().queue(), constants, warps);
    constantAddresses = new ConstantAddresses[sm.blocks()];
    SharedPath path = new SharedPath(spec.loadStore());
    async =
        spec.async() == null
            ? null
            : new AsyncUnits(
                spec.async(),
                spec.issue().fixedReadCycles(),
                requests,
                warps,
                blocks,
                path,
                counters);
    copies = async == null ? new CopyGroups(warps, null) : async.groups();
    ReadPorts[] readPorts = new ReadPorts[count];
    Arrays.setAll(readPorts, s -> new ReadPorts(spec.issue()));
    WritePorts[] writePorts = new WritePorts[count];
    Arrays.setAll(
        writePorts, s -> new WritePorts(warps, spec.issue().banks(), spec.issue().writePort()));
    loadStore =
        new LoadStoreUnit(
            spec,
            requests,
            index,
            warps,
            blocks,
            path,
            copies,
            async == null ? null : async.clusters(),
            readPorts,
            writePorts,
            counters);
    SubCore.Shared shared =
        new SubCore.Shared(warps, blocks, barriers, loadStore, copies, constantLoads, async);
    Supplier<WarpScheduler> schedulers = spec.issue().policy();
    fetchers = new Fetch[count];
    Arrays.setAll(fetchers, s -> new Fetch(spec.supply(), s, warps, instructions));
    operandConstants = new OperandConstants[count];
    Arrays.setAll(
        operandConstants, s -> new OperandConstants(spec.constants(), constants, s, warps.slots));
    subCores = new SubCore[count];
    Arrays.setAll(
        subCores,
        s ->
            new SubCore(
                s,
                spec,
                shared,
                schedulers,
                fetchers[s],
                operandConstants[s],
                readPorts[s],
                writePorts[s],
                counters));
  }

  /** Its caches for code are empty. */
  void forgetCode() {
    instructions.forget();
  }

  /**
   * The SM was not at work before: everything but the caches for code starts anew; {@link #admit}
   * follows.
   */
  void startKernel(int l1Bytes, SmRecorder recorder) {
    counters.reset();
    requests.clear();
    warps.startKernel(recorder);
    blocks.startKernel();
    barriers.startKernel();
    for (SubCore subCore : subCores) {
      subCore.startKernel();
    }
    loadStore.startKernel(l1Bytes, recorder);
    if (async != null) {
      async.startKernel();
    }
    port.startKernel();
    instructions.startKernel();
    constantLoads.startKernel();
    kernels.clear();
  }

  /**
   * The next blocks are of a kernel. Those of others may be there, too.
   *
   * @param launch its number
   * @param program that of its code
   * @param parameters that of its constants
   * @param gone of all SMs: time of its warps by reason where the SM has forgotten it since
   */
  ResidentKernel admit(
      int launch,
      int program,
      int parameters,
      CodeRows code,
      KernelHeader header,
      SmRecorder recorder,
      long[] gone) {
    kernel = kernels.find(launch);
    if (kernel != null) {
      return kernel;
    }
    kernel = kernels.add(launch, program, code, header, recorder, gone);
    if (kernels.reused) {
      constantLoads.forget();
      for (OperandConstants its : operandConstants) {
        its.forget();
      }
    }
    instructions.admit(kernel);
    constants.admit(kernel, parameters);
    return kernel;
  }

  /** The kernel that one of the SM's kernels may wait for has ended; they hear of it at a cycle. */
  void predecessorEnded(int launch, long when) {
    ResidentKernel waiting = kernels.find(launch);
    long freed = waiting == null ? 0 : waiting.predecessorEnded(when);
    for (; freed != 0; freed &= freed - 1) {
      warps.free(Long.numberOfTrailingZeros(freed), when);
    }
  }

  /** L1 takes what the SM's blocks leave of the array, and is empty; while it has no blocks. */
  void resizeL1(int bytes) {
    loadStore.resizeL1(bytes);
  }

  /** What the SM knows of a kernel, by its launch; null if it had no block of it. */
  ResidentKernel kernel(int launch) {
    return kernels.find(launch);
  }

  /** A trace buffer for the next block of a place; read a block into it, then {@link #place}. */
  BlockTrace buffer(int place) {
    return blocks.buffer(place);
  }

  /** Finds what the constant loads of the block in a place's buffer read; null: it has none. */
  void readConstants(int place, IndexedConstants its) {
    constantAddresses[place] = its == null ? null : its.of(blocks.buffer(place));
  }

  /**
   * A block that has been read into its place's buffer arrives at a cycle.
   *
   * @param placer how it was placed, and with whom
   */
  void place(int place, long now, Placer placer) {
    int count = blocks.arrive(place, kernel, now);
    barriers.startBlock(place);
    if (async != null) {
      async.startBlock(
          place,
          count,
          kernel.header.registers(),
          placer.rank,
          placer.clusterSms,
          placer.clusterPlaces);
    }
    for (SubCore subCore : subCores) {
      subCore.addBlock();
    }
    for (int i = 0; i < count; i++) {
      long start = now + spec.launch().warpStart() + (long) i * spec.launch().smWarpInterval();
      int w = blocks.startWarp(place, i, start);
      copies.startWarp(w);
      constantLoads.startWarp(w, constantAddresses[place], i);
      if (async != null) {
        async.startWarp(w);
      }
      subCores[warps.subCoreOf(w)].add(w, instructions.fetchFrom(start));
      if (warps.get(w).at == warps.get(w).end) {
        warpEnded(w, now);
      }
    }
  }

  /** A thread begins to run it, or ends that with null. */
  void use(LaneAddresses lanes) {
    loadStore.use(lanes);
  }

  /**
   * Runs up to, not including, a cycle, or up to where it has to be told when lines of code come.
   *
   * @return whether it got there
   */
  boolean run(long until) {
    long[] wakeAt = warps.wakeAt;
    while (true) {
      long asyncNext = async == null ? Warps.NEVER : async.next();
      long now = Math.min(loadStore.next(), asyncNext);
      for (long wake : wakeAt) {
        now = Math.min(now, wake);
      }
      if (now >= until) {
        return true;
      }
      if (now >= port.unknownFrom()) {
        return false;
      }
      if (asyncNext <= now) {
        async.step(now);
      }
      if (loadStore.next() <= now) {
        loadStore.step(now);
      }
      for (int s = 0; s < wakeAt.length; s++) {
        if (wakeAt[s] <= now) {
          SubCore subCore = subCores[s];
          subCore.step(now);
          if (subCore.ended >= 0) {
            warpEnded(subCore.ended, now);
            subCore.ended = -1;
          }
        }
      }
    }
  }

  /** Earliest cycle at which something can happen without news from outside. */
  long next() {
    long soonest = loadStore.next();
    if (async != null) {
      soonest = Math.min(soonest, async.next());
    }
    for (long wake : warps.wakeAt) {
      soonest = Math.min(soonest, wake);
    }
    return soonest;
  }

  /** A warp issued its last instruction: nobody waits for it any more. */
  private void warpEnded(int w, long now) {
    int place = warps.get(w).block;
    blocks.issuedLast(w, now);
    subCores[warps.subCoreOf(w)].remove(w);
    barriers.warpEnded(place, now);
    if (async != null) {
      async.warpEnded(place, now);
    }
    blocks.leaveIfDone(w);
  }

  /** Takes the replies that have come since it ran last. */
  void takeReplies() {
    port.answered();
    take(requests.lineReplies());
    take(requests.replies());
    constantLoads.settle();
  }

  private void take(Replies replies) {
    for (int i = 0; i < replies.count(); i++) {
      int number = replies.number(i);
      long when = replies.time(i);
      switch (replies.client(i)) {
        case Requests.COPIES -> async.copies().answered(number, when);
        case Requests.INSTRUCTIONS -> instructions.answered(number, when, fetchers);
        case Requests.CONSTANT_OPERANDS ->
            operandConstants[OperandConstants.subCore(number)].answered(number, when);
        case Requests.CONSTANT_LOADS -> constantLoads.answered(number, when);
        default -> loadStore.answered(replies.client(i), number, when, replies.level(i));
      }
    }
    replies.clear();
  }

  /** Its number in the GPU. */
  int index() {
    return index;
  }

  Requests requests() {
    return requests;
  }

  Blocks blocks() {
    return blocks;
  }

  SubCore[] subCores() {
    return subCores;
  }

  Counters counters() {
    return counters;
  }

  AsyncUnits async() {
    return async;
  }

  Warps warps() {
    return warps;
  }

  /** Who is resident and what they wait for, alike ones together; empty if nobody is. */
  String waiting() {
    Map<String, List<Integer>> groups = new LinkedHashMap<>();
    for (int w = 0; w < warps.slots; w++) {
      if (warps.get(w).live) {
        groups.computeIfAbsent(state(w), key -> new ArrayList<>()).add(warps.get(w).warpOfBlock);
      }
    }
    StringBuilder text = new StringBuilder();
    groups.forEach(
        (state, members) ->
            text.append(text.isEmpty() ? "" : ", ")
                .append(members.size() == 1 ? "warp " : "warps ")
                .append(members.toString().replaceAll("[\\[\\]]", ""))
                .append(' ')
                .append(state));
    return text.toString();
  }

  private String state(int w) {
    if (warps.get(w).ended) {
      return "drains " + warps.get(w).inFlight + " memory instructions";
    }
    StallReason reason = warps.reason(w);
    String text =
        "at pc 0x" + Integer.toHexString(warps.get(w).row.pc) + " waits for " + reason.key();
    return reason == StallReason.MBARRIER && async != null
        ? text + " (" + async.describe(w) + ")"
        : text;
  }
}
