package dev.warpline.study.advice;

import dev.warpline.trace.TraceSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;

/**
 * Kernels made to have one cause of lost time, each with its repaired twin: the same work without
 * the cause.
 */
final class Twins {
  private static final long GLOBAL = 0x7f10_0000_0000L;
  private static final long SHARED = 0x400;
  private static final int LOW = 0x0000ffff;
  private static final int HIGH = 0xffff0000;

  /**
   * Two kernels.
   *
   * @param rule the rule that sees the cause in the one and not in the other
   * @param made how the one is made, and the other
   * @param settings of the small H200 that they run on, beside its own
   * @param gain whether the relief does what the repair does, so that the gains can be compared
   */
  record Twin(
      String rule, String made, Kernel with, Kernel without, List<String> settings, boolean gain) {}

  /** A kernel as a program, which may be run several times. */
  interface Kernel {
    TraceSet trace();
  }

  private final List<Twin> all = new ArrayList<>();

  private Twins() {}

  static List<Twin> all() {
    Twins twins = new Twins();
    twins.memory();
    twins.latency();
    twins.control();
    twins.units();
    twins.grid();
    twins.asynchronous();
    return twins.all;
  }

  private void add(String rule, String made, Sketch with, Sketch without, String... settings) {
    all.add(new Twin(rule, made, with, without, List.of(settings), true));
  }

  /** The relief takes away more, or less, than this repair does. */
  private void seen(String rule, String made, Kernel with, Kernel without, String... settings) {
    all.add(new Twin(rule, made, with, without, List.of(settings), false));
  }

  private static void times(int count, java.util.function.IntConsumer step) {
    for (int i = 0; i < count; i++) {
      step.accept(i);
    }
  }

  private static Sketch each(int blocks, int warps, java.util.function.Consumer<Sketch.Warp> body) {
    return new Sketch(blocks, warps, (warp, block, number) -> body.accept(warp));
  }

  private void memory() {
    add(
        "bank-conflicts",
        "LDS of a column of 32 words a row; rows padded by a word",
        each(2, 8, w -> sharedColumn(w, 128)),
        each(2, 8, w -> sharedColumn(w, 132)));
    add(
        "shared-atomics",
        "ATOMS of all lanes on 4 words; on 32",
        each(
            2,
            4,
            w ->
                times(
                    40,
                    i ->
                        w.access("S02 W0 ATOMS.ADD R4, [R6], R8", l -> SHARED + 4 * (l % 4))
                            .run("S04 B01 IADD3 R10, R4, R10, RZ"))),
        each(
            2,
            4,
            w ->
                times(
                    40,
                    i ->
                        w.access("S02 W0 ATOMS.ADD R4, [R6], R8", SHARED, 4)
                            .run("S04 B01 IADD3 R10, R4, R10, RZ"))));
    add(
        "scattered",
        "LDG of one word of each of 32 lines; of 32 words of a line",
        new Sketch(
            4, 16, (w, b, n) -> batch(w, i -> GLOBAL + 65536L * (16 * b + n) + 4096 * i, 128)),
        new Sketch(4, 16, (w, b, n) -> batch(w, i -> GLOBAL + 65536L * (16 * b + n) + 128 * i, 4)));
    add(
        "dram-bandwidth",
        "LDG.128 of 512 KiB once; of 8 KiB 64 times",
        new Sketch(
            16,
            8,
            (w, b, n) -> stream(w, "LDG.E.128", i -> GLOBAL + 4096L * (8 * b + n) + 512L * i)),
        new Sketch(
            16,
            8,
            (w, b, n) -> stream(w, "LDG.E.128", i -> GLOBAL + 512L * ((8 * b + n + i) % 16))),
        "flowMemory.dramChannels=1");
    add(
        "l2-bandwidth",
        "LDG.128 past L1; through it",
        new Sketch(
            32,
            8,
            (w, b, n) -> stream(w, "LDG.E.128.STRONG.GPU", i -> GLOBAL + 512L * ((n + i) % 8))),
        new Sketch(32, 8, (w, b, n) -> stream(w, "LDG.E.128", i -> GLOBAL + 512L * ((n + i) % 8))),
        "flowMemory.partitions=1",
        "flowMemory.slices=1",
        "flowMemory.l2SectorCycles=3x");
    seen(
        "uneven-slices",
        "all read one line past L1; lines of their own",
        new Sketch(2, 16, (w, b, n) -> batch(w, "STRONG.GPU", i -> GLOBAL, 4)),
        new Sketch(
            2, 16, (w, b, n) -> batch(w, "STRONG.GPU", i -> GLOBAL + 128L * (16 * n + i), 4)),
        "flowMemory.slices=4");
    seen(
        "l1-bandwidth",
        "LDG.128 from L1 again and again; arithmetic in between",
        each(2, 16, w -> times(20, i -> w.access("S02 W0 LDG.E.128 R8, [R2.64]", GLOBAL, 16))),
        each(
            2,
            16,
            w ->
                times(
                    20,
                    i ->
                        w.access("S02 W0 LDG.E.128 R8, [R2.64]", GLOBAL, 16)
                            .run("S08 FFMA R4, R4, R5, R4")
                            .run("S14 FFMA R5, R4, R5, R4")
                            .run("S14 FFMA R6, R4, R5, R4")
                            .run("S14 FFMA R7, R4, R5, R4")
                            .run("S14 FFMA R8, R4, R5, R4")
                            .run("S14 FFMA R9, R4, R5, R4"))));
    seen(
        "l1-path",
        "LDS.128 and nothing else; values stay in registers",
        each(2, 16, w -> times(40, i -> w.access("S01 W0 LDS.128 R8, [R6]", SHARED, 16))),
        each(2, 16, w -> times(40, i -> w.run("S01 FADD R8, R4, R5"))));
    seen(
        "memory-queue",
        "LDS.128 and nothing else; values stay in registers",
        each(2, 16, w -> times(40, i -> w.access("S01 W0 LDS.128 R8, [R6]", SHARED, 16))),
        each(2, 16, w -> times(40, i -> w.run("S01 FADD R8, R4, R5"))));
    add(
        "local-memory",
        "every value goes through local memory; stays in its register",
        each(
            4,
            8,
            w ->
                times(
                    30,
                    i ->
                        w.access("S02 R1 STL [R1], R4", 0x7f80_0000_0000L, 4)
                            .run("S04 B02 FFMA R4, R4, R5, R6")
                            .access("S02 W0 LDL R7, [R1]", 0x7f80_0000_0000L, 4)
                            .run("S04 B01 FFMA R4, R7, R5, R6"))),
        each(
            4,
            8,
            w -> times(30, i -> w.run("S04 FFMA R4, R4, R5, R6").run("S04 FFMA R4, R7, R5, R6"))));
    add(
        "atomics",
        "RED of all lanes on one word; added up before, one RED of a warp on a word of its own",
        each(
            4, 8, w -> times(16, i -> w.access("S02 RED.E.ADD.STRONG.GPU [R2.64], R6", GLOBAL, 0))),
        new Sketch(
            4,
            8,
            (w, b, n) -> {
              times(16, i -> w.run("S04 IADD3 R6, R6, R5, RZ"));
              times(100, i -> w.run("S04 IADD3 R7, R7, R5, RZ"));
              w.access("S02 RED.E.ADD.STRONG.GPU [R2.64], R6", GLOBAL + 128L * (8 * b + n), 0);
            }));
    seen(
        "atomic-result",
        "the value before the addition is used; not even asked for",
        each(
            2,
            4,
            w ->
                times(
                    8,
                    i ->
                        w.access("S02 W0 ATOMG.E.ADD.STRONG.GPU R4, [R2.64], R6", GLOBAL, 4)
                            .run("S04 B01 IADD3 R5, R4, R5, RZ"))),
        each(
            2,
            4,
            w ->
                times(
                    8,
                    i ->
                        w.access("S02 RED.E.ADD.STRONG.GPU [R2.64], R6", GLOBAL, 4)
                            .run("S04 IADD3 R5, R4, R5, RZ"))));
  }

  private static void sharedColumn(Sketch.Warp w, long stride) {
    times(
        40,
        i ->
            w.access("S02 W0 LDS R4, [R6]", SHARED + 4 * (i % 8), stride)
                .run("S04 B01 FADD R5, R4, R5"));
  }

  private static void load(Sketch.Warp w, long base, long stride) {
    w.access("S02 W0 LDG.E R4, [R2.64]", base, stride).run("S04 B01 FADD R5, R4, R5");
  }

  /** 16 loads at a time. */
  private static void batch(Sketch.Warp w, IntToLongFunction place, long stride) {
    batch(w, "CONSTANT", place, stride);
  }

  private static void batch(Sketch.Warp w, String how, IntToLongFunction place, long stride) {
    for (int i = 0; i < 16; i++) {
      w.access("S02 W0 LDG.E." + how + " R" + (8 + i) + ", [R2.64]", place.applyAsLong(i), stride);
    }
    w.run("S04 B01 FADD R5, R8, R5");
  }

  private static void stream(Sketch.Warp w, String opcode, IntToLongFunction place) {
    for (int i = 0; i < 8; i++) {
      w.access("S02 W0 " + opcode + " R" + (8 + 4 * i) + ", [R2.64]", place.applyAsLong(i), 16);
    }
    w.run("S04 B01 FADD R5, R8, R5");
  }

  private void latency() {
    add(
        "load-latency",
        "each load is waited for; all are on their way from the beginning",
        new Sketch(
            2,
            4,
            (w, b, n) ->
                times(
                    32,
                    i -> {
                      w.access(
                          "S02 W0 LDG.E R4, [R2.64]", GLOBAL + 131072L * (4 * b + n) + 4096 * i, 4);
                      work(w, "B01", "R4", 60);
                    })),
        new Sketch(
            2,
            4,
            (w, b, n) -> {
              times(
                  32,
                  i ->
                      w.access(
                          "S02 W0 LDG.E R" + (8 + i) + ", [R2.64]",
                          GLOBAL + 131072L * (4 * b + n) + 4096 * i,
                          4));
              times(32, i -> work(w, "B01", "R" + (8 + i), 60));
            }));
    add(
        "short-latency",
        "each LDS is waited for; 16 are on their way at a time",
        each(
            2,
            4,
            w ->
                times(
                    64,
                    i -> {
                      w.access("S02 W0 LDS R4, [R6]", SHARED, 4);
                      work(w, "B01", "R4", 4);
                    })),
        each(
            2,
            4,
            w ->
                times(
                    4,
                    k -> {
                      times(16, i -> w.access("S02 W0 LDS R" + (8 + i) + ", [R6]", SHARED, 4));
                      times(16, i -> work(w, "B01", "R" + (8 + i), 4));
                    })));
    add(
        "fixed-latency",
        "one chain of FFMA; four",
        each(2, 4, w -> times(100, i -> times(4, k -> w.run("S04 FFMA R4, R4, R5, R6 #" + k)))),
        each(
            2,
            4,
            w ->
                times(
                    100,
                    i ->
                        times(
                            4,
                            k -> w.run("S01 FFMA R" + (8 + k) + ", R" + (8 + k) + ", R5, R6")))));
    add(
        "occupancy",
        "255 registers a thread; 32",
        loads(32, 4).registers(255),
        loads(32, 4).registers(32));
    add(
        "fence",
        "a fence after each step; none",
        each(
            2,
            4,
            w ->
                times(
                    20,
                    i ->
                        w.run("S04 FADD R4, R4, R5")
                            .run("S01 W5 MEMBAR.SC.GPU")
                            .run("S04 B20 FADD R6, R4, R5"))),
        each(2, 4, w -> times(20, i -> w.run("S04 FADD R4, R4, R5").run("S04 FADD R6, R4, R5"))));
    add(
        "sleep",
        "a nap in each turn; none",
        each(2, 4, w -> times(20, i -> w.run("S04 FADD R4, R4, R5").run("S02 NANOSLEEP 0x64"))),
        each(2, 4, w -> times(20, i -> w.run("S04 FADD R4, R4, R5"))));
  }

  /** Dependent additions, the first of which needs a value. */
  private static void work(Sketch.Warp w, String wait, String value, int count) {
    w.run("S04 " + wait + " FADD R5, " + value + ", R5");
    times(count - 1, k -> w.run("S04 FADD R5, R3, R5 #" + value + k));
  }

  /** Loads that are waited for, of few warps a block. */
  private static Sketch loads(int blocks, int warps) {
    return new Sketch(
        blocks,
        warps,
        (w, b, n) -> times(12, i -> load(w, GLOBAL + 65536L * (warps * b + n) + 4096 * i, 4)));
  }

  private void control() {
    add(
        "divergence",
        "half of each warp goes each way; half of the warps",
        each(
            2,
            8,
            w ->
                times(
                    10,
                    i -> {
                      way(w, "R4", LOW);
                      way(w, "R5", HIGH);
                    })),
        new Sketch(2, 8, (w, b, n) -> times(10, i -> way(w, n % 2 == 0 ? "R4" : "R5", -1))));
    add(
        "barrier",
        "one of eight warps has all the work between two barriers; an eighth each",
        new Sketch(
            2,
            8,
            (w, b, n) ->
                times(
                    8,
                    i -> {
                      times(i % 8 == n ? 512 : 0, k -> w.run("S04 FFMA R4, R4, R5, R6"));
                      w.run("S01 BAR.SYNC 0x0");
                    })),
        new Sketch(
            2,
            8,
            (w, b, n) ->
                times(
                    8,
                    i -> {
                      times(64, k -> w.run("S04 FFMA R4, R4, R5, R6"));
                      w.run("S01 BAR.SYNC 0x0");
                    })));
    seen(
        "branch",
        "a loop of 2 instructions; unrolled 16 times",
        each(
            2,
            4,
            w ->
                times(
                    100,
                    i ->
                        w.run("S01 FADD R4, R6, R5")
                            .run("S01 FADD R7, R8, R5")
                            .run("S05 BRA 0x0"))),
        each(
            2,
            4,
            w ->
                times(
                    6,
                    k -> {
                      times(
                          16,
                          i -> w.run("S01 FADD R4, R6, R5 #" + i).run("S01 FADD R7, R8, R5 #" + i));
                      w.run("S05 BRA 0x0");
                    })));
    add(
        "instruction-fetch",
        "3,072 different instructions; 64 of them 48 times",
        each(2, 4, w -> times(3072, i -> w.run("S04 FADD R4, R6, R5 #" + i))),
        each(2, 4, w -> times(3072, i -> w.run("S04 FADD R4, R6, R5 #" + i % 64))),
        "modern.supply.prefetchLines=0");
    seen(
        "constant-miss",
        "every operand from another line of constants; from one",
        each(2, 4, w -> times(100, i -> constants(w, 128 * i))),
        each(2, 4, w -> times(100, i -> constants(w, 0))));
  }

  private static void constants(Sketch.Warp w, int from) {
    w.run("S02 FADD R4, R6, c[0x3][0x" + Integer.toHexString(from) + "]");
    times(20, k -> w.run("S04 FADD R4, R6, R4 #" + k));
  }

  private static void way(Sketch.Warp w, String register, int mask) {
    times(20, k -> w.run("S04 FFMA " + register + ", " + register + ", R8, R9 #" + k % 8, mask));
  }

  private void units() {
    seen(
        "issue-rate",
        "instructions of 32 warps; of 8",
        each(2, 32, w -> mixed(w, 100)),
        each(2, 8, w -> mixed(w, 100)));
    seen(
        "unit-fma",
        "multiply-adds and nothing else; every other one on another unit",
        each(2, 32, w -> times(3, i -> group(w, 4, "S01 FADD R8, R4, R5", 0, ""))),
        each(2, 32, w -> times(3, i -> group(w, 2, "S01 FADD R8, R4, R5", 2, LOGIC))));
    seen(
        "unit-busy",
        "all want one unit; one that takes as many as can issue",
        each(2, 16, w -> group(w, 4, LOGIC, 0, "")),
        each(2, 16, w -> group(w, 4, "S01 FADD R8, R4, R5", 0, "")));
    seen(
        "unit-uniform",
        "uniform instructions of 16 warps; regular ones",
        each(2, 16, w -> group(w, 4, "S01 UIADD3 UR4, UR5, UR6, URZ", 0, "")),
        each(2, 16, w -> group(w, 4, "S01 FADD R8, R4, R5", 0, "")));
    seen(
        "unit-branch",
        "lanes are made to meet all the time; not at all",
        each(2, 16, w -> group(w, 4, "S01 BSSY B0, 0x1d0", 0, "")),
        each(2, 16, w -> group(w, 4, "S01 FADD R8, R4, R5", 0, "")));
    add(
        "unit-xu",
        "seven logic instructions for four special functions; for one",
        each(2, 16, w -> group(w, 7, LOGIC, 4, "S01 W0 MUFU.RCP R12, R4")),
        each(2, 16, w -> group(w, 7, LOGIC, 1, "S01 W0 MUFU.RCP R12, R4")));
    add(
        "unit-alu",
        "four logic instructions and two additions; one and five",
        each(2, 16, w -> group(w, 4, LOGIC, 2, "S01 FADD R12, R4, R5")),
        each(2, 16, w -> group(w, 1, LOGIC, 5, "S01 FADD R12, R4, R5")));
    add(
        "unit-fp64",
        "four doubles and two additions; one and five",
        each(2, 16, w -> group(w, 4, "S01 DMUL R8, R4, R4", 2, "S01 FADD R12, R4, R5")),
        each(2, 16, w -> group(w, 1, "S01 DMUL R8, R4, R4", 5, "S01 FADD R12, R4, R5")));
    seen(
        "unit-tensor",
        "a logic instruction for each matrix product; without products",
        each(2, 16, w -> group(w, 1, LOGIC, 1, "S01 HMMA.16816.F32 R12, R4, R6, R24")),
        each(2, 16, w -> group(w, 1, LOGIC, 0, "")));
    add(
        "register-ports",
        "three operands of one bank; of different banks",
        each(2, 8, w -> times(200, i -> w.run("S01 FFMA R" + (8 + 2 * (i % 8)) + ", R2, R4, R6"))),
        each(2, 8, w -> times(200, i -> w.run("S01 FFMA R" + (8 + 2 * (i % 8)) + ", R2, R3, R2"))));
  }

  private static final String LOGIC = "S01 LOP3.LUT R8, R4, R5, R4, 0x3c, !PT";

  /** Some of one instruction and some of another, again and again. */
  private static void group(Sketch.Warp w, int some, String one, int others, String other) {
    times(
        40,
        i -> {
          times(some, k -> w.run(one + " #" + k + "." + i % 8));
          times(others, k -> w.run(other + " #" + k + "." + i % 8));
        });
  }

  private static void mixed(Sketch.Warp w, int turns) {
    times(
        turns,
        i ->
            w.run("S01 FFMA R8, R4, R5, R4")
                .run("S01 IADD3 R9, R4, R5, RZ")
                .run("S01 FFMA R10, R4, R5, R4")
                .run("S01 FADD R11, R4, R5"));
  }

  /** So many turns of dependent arithmetic. */
  private static Sketch chains(int blocks, int warps, java.util.function.IntUnaryOperator turns) {
    return new Sketch(
        blocks,
        warps,
        (w, b, n) ->
            times(turns.applyAsInt(b), i -> times(4, k -> w.run("S04 FFMA R4, R4, R5, R6 #" + k))));
  }

  private void grid() {
    add(
        "idle-sms",
        "1 block; 4 with a quarter of the work each",
        chains(1, 8, b -> 400),
        chains(4, 8, b -> 100),
        "sm.count=4");
    add(
        "waves",
        "5 blocks; 8 with five eighths of the work each",
        chains(5, 32, b -> 80),
        chains(8, 32, b -> 50),
        "sm.count=4");
    add(
        "few-blocks",
        "2 blocks; 16 with an eighth of the work each",
        chains(2, 8, b -> 320),
        chains(16, 8, b -> 40));
    seen(
        "uneven-blocks",
        "one of 4 blocks has four times the work; all the same",
        chains(4, 8, b -> b == 1 ? 280 : 70),
        chains(4, 8, b -> 122),
        "sm.count=4");
    seen(
        "launch",
        "a kernel of a few instructions; one that goes on for longer",
        chains(2, 8, b -> 4),
        chains(2, 8, b -> 1000),
        "modern.launch.kernelCycles=1900",
        "modern.launch.drainCycles=790");
  }

  private void asynchronous() {
    seen(
        "bulk-copy",
        "each copy of 4 KiB is waited for; one, and arithmetic meanwhile",
        new AsyncSketch(1).copies(12, 4096, 0),
        new AsyncSketch(1).copies(1, 4096, 600));
    seen(
        "warpgroup-matrix",
        "40 products and a wait; one, and arithmetic meanwhile",
        new AsyncSketch(1).products(40, 0),
        new AsyncSketch(1).products(1, 600));
    seen(
        "cluster-memory",
        "values of the neighbour's shared memory, waited for; values of one's own",
        new AsyncSketch(2).loads(40, 1),
        new AsyncSketch(2).loads(40, 0));
    seen(
        "store-drain",
        "stores at the end; at the beginning",
        each(2, 8, w -> storesAnd(w, false)),
        each(2, 8, w -> storesAnd(w, true)));
    seen(
        "register-handover",
        "registers are given up after 600 additions; before",
        new AsyncSketch(1).handover(false),
        new AsyncSketch(1).handover(true));
  }

  private static void storesAnd(Sketch.Warp w, boolean first) {
    if (first) {
      times(4, i -> w.access("S02 STG.E [R2.64], R6", GLOBAL + 131072L * i, 4096));
    }
    times(600, i -> w.run("S04 FFMA R4, R4, R5, R6 #" + i % 8));
    if (!first) {
      times(4, i -> w.access("S02 STG.E [R2.64], R6", GLOBAL + 131072L * i, 4096));
    }
  }
}
