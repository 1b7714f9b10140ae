package dev.warpline.web;

import dev.warpline.engine.Activity;
import dev.warpline.engine.KernelResult;
import dev.warpline.engine.ProgramTime;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.KernelRecorder;
import dev.warpline.engine.profile.LaneWork;
import dev.warpline.engine.profile.MemoryRecorder;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.engine.profile.SmRecorder;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.isa.Instruction;
import dev.warpline.isa.OpcodeTable;
import dev.warpline.nvidia.KernelListing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A made-up run with the shape of a real one, for tests of the pages that need no simulator: a
 * tiled matrix product on a GPU of 132 SMs.
 */
public final class SyntheticRun {
  private static final String[] CODE = {
    "LDC R1, c[0x0][0x28]",
    "S2R R0, SR_CTAID.X",
    "S2R R3, SR_TID.X",
    "IMAD R0, R0, c[0x0][0x0], R3",
    "ISETP.GE.AND P0, PT, R0, UR4, PT",
    "@P0 EXIT",
    "LDG.E R12, desc[UR6][R4.64]",
    "LDG.E.128 R16, desc[UR6][R8.64]",
    "STS [R20], R12",
    "STS.128 [R21], R16",
    "BAR.SYNC.DEFER_BLOCKING 0x0",
    "LDS R24, [R22]",
    "LDS.128 R28, [R23]",
    "FFMA R40, R24, R28, R40",
    "FFMA R41, R24, R29, R41",
    "FFMA R42, R24, R30, R42",
    "FFMA R43, R24, R31, R43",
    "MUFU.EX2 R44, R43",
    "IADD3 R22, R22, 0x80, RZ",
    "ISETP.NE.AND P1, PT, R22, R25, PT",
    "@P1 BRA 0x60",
    "STG.E desc[UR6][R10.64], R40",
    "EXIT",
  };
  private static final int LOOP = 6;
  private static final int LOOP_END = 20;

  private SyntheticRun() {}

  /** A run of two launches of the same kernel, the second with more work. */
  public static RunResult run(ProfileOptions options) {
    return run(options, 12);
  }

  /** The same with so many trips through the loop of the second launch. */
  public static RunResult run(ProfileOptions options, int trips) {
    Map<String, String> configuration = new LinkedHashMap<>();
    configuration.put("gpu.sms", "132");
    configuration.put("l2.size", "50 MiB");
    configuration.put("dram.channels", "40");
    return new RunResult(
            "synthetic",
            "modern",
            1755,
            List.of(
                kernel(1, "_Z11sgemm_tiledPKfS0_Pfi", 6, options),
                kernel(2, "_Z11sgemm_tiledPKfS0_Pfi", trips, options)),
            new RunResult.Simulation(1, 0.8, 410_000, 200_000_000))
        .withConfiguration(configuration);
  }

  /** A program of so many launches, each with its profile. */
  public static RunResult launches(int count) {
    RunResult two = run(ProfileOptions.NO_TIMELINE);
    List<KernelResult> all = new ArrayList<>();
    long start = 0;
    for (int i = 0; i < count; i++) {
      KernelResult model = two.kernels().get(i % 2);
      String name = "_Z" + (4 + Integer.toString(i % 40).length()) + "step" + i % 40 + "PKfS0_Pfi";
      all.add(model.as(i + 1, name, start, model.cycles() + 13 * (i % 97), null));
      start += model.cycles() + 2000;
    }
    return two.withKernels(all);
  }

  /** A program of so many launches in two streams, with copies, as sampling leaves it. */
  public static RunResult program(int count) {
    RunResult plain = launches(count);
    List<KernelResult> kernels = new ArrayList<>();
    List<Activity> activities = new ArrayList<>();
    for (KernelResult kernel : plain.kernels()) {
      KernelResult bare =
          new KernelResult(
              kernel.id(),
              kernel.name(),
              kernel.start(),
              kernel.cycles(),
              kernel.warpInstructions(),
              kernel.threadInstructions(),
              kernel.occupancy(),
              kernel.limiter(),
              kernel.statistics(),
              kernel.stalls(),
              List.of(),
              null,
              null,
              null);
      kernels.add(bare);
      activities.add(
          new Activity(
              Activity.Kind.KERNEL,
              bare.id(),
              bare.name(),
              bare.id() % 2,
              0,
              bare.start(),
              bare.start(),
              bare.start(),
              bare.end(),
              bare.end()));
      if (bare.id() % 40 == 0) {
        long at = bare.end();
        activities.add(
            new Activity(
                Activity.Kind.TO_HOST, 0, "memory", 0, 4096, at, at, at, at + 900, at + 900));
      }
    }
    long end = activities.get(activities.size() - 1).end();
    List<ProgramTime.StreamTime> streams = new ArrayList<>();
    for (int stream = 0; stream < 2; stream++) {
      streams.add(
          new ProgramTime.StreamTime(
              stream, "stream " + stream, 0, count / 2, end / 2, count / 40, 900, 4096, end / 2));
    }
    return plain
        .withKernels(kernels)
        .withActivities(activities)
        .withProgram(
            new ProgramTime(
                end,
                count + count / 40,
                java.util.Map.of(ProgramTime.Part.KERNEL, end),
                List.of(),
                0,
                "kernels limit it: 100 % of the critical path",
                streams));
  }

  /**
   * A run at least as large as a matrix product of 25 million warp instructions: many more static
   * instructions, every SM, every reason, series of full length.
   */
  public static RunResult large() {
    int sms = 132;
    int rows = 4000;
    KernelRecorder recorder = new KernelRecorder(ProfileOptions.NO_TIMELINE, sms, 16, 80, 40, 0);
    long instructions = 0;
    long end = 0;
    for (int sm = 0; sm < sms; sm++) {
      SmRecorder its = recorder.sm(sm);
      for (int warp = 0; warp < 16; warp++) {
        long now = 500 + sm;
        its.start(warp, now);
        for (int i = 0; i < 3 * rows; i++) {
          int row = i % rows;
          now += 1 + (row * 37 + sm) % 23;
          its.charge(warp, row, (row * 7 + i / rows) % StallReason.COUNT, now);
          now += row % 3;
          its.charge(warp, row, StallReason.NOT_SELECTED, now);
          its.issue(warp, row, now++, 32);
          if (row % 8 == 0) {
            its.access(row, now, 4 + row % 13, row % 5, row % 3);
            its.filled(row, 4, row % 2 == 0);
            recorder.memory().l2(row % 80, now, 4, 3);
            recorder.memory().dram(row % 40, now, 32, row % 16 == 0);
          }
          instructions++;
        }
        its.end(warp, rows - 1, now);
        end = Math.max(end, now);
      }
    }
    KernelProfile.Launch launch =
        new KernelProfile.Launch(
            "2112 x 1 x 1", "512 x 1 x 1", 128, 49152, 16, 64, Map.of("registers", 1));
    KernelProfile profile =
        recorder.profile(
            launch,
            new KernelRecorder.Listing() {
              @Override
              public LaneWork work(int row) {
                return laneWork(row, text(row));
              }

              @Override
              public int pc(int row) {
                return 16 * row;
              }

              @Override
              public String text(int row) {
                return row % 8 == 0
                    ? "LDG.E.128.CONSTANT R" + row % 250 + ", desc[UR6][R" + row % 97 + ".64+0x200]"
                    : "FFMA R" + row % 250 + ", R" + row % 241 + ", R" + row % 239 + ", R9";
              }

              @Override
              public KernelProfile.Source source(int row) {
                return new KernelProfile.Source("/src/gemm.cu", 10 + row / 9, null, null, null);
              }
            });
    KernelResult kernel =
        new KernelResult(
            1,
            "_Z9sgemm_bigPKfS0_Pfi",
            0,
            end + 900,
            instructions,
            32 * instructions,
            0.25,
            "registers",
            Map.of(),
            Map.of(),
            List.of(),
            profile.withThroughputs(
                List.of(
                    new KernelProfile.Throughput(
                        "Issue", "instructions", instructions, 4.0 * sms))));
    return new RunResult(
        "synthetic",
        "modern",
        1755,
        List.of(kernel),
        new RunResult.Simulation(1, 9, 2_800_000, 900_000_000));
  }

  private static LaneWork laneWork(int row, String text) {
    return KernelListing.work(
        Instruction.listed(row, 16 * row, text, OpcodeTable.forBinaryVersion(90)));
  }

  private static KernelResult kernel(int id, String name, int trips, ProfileOptions options) {
    int sms = 132;
    KernelRecorder recorder = new KernelRecorder(options, sms, 64, 80, 40, 0);
    Random random = new Random(id);
    long end = 0;
    long instructions = 0;
    for (int sm = 0; sm < sms; sm++) {
      recorder.placed(sm);
      for (int warp = 0; warp < 24; warp++) {
        Warp life = new Warp(recorder.sm(sm), recorder.memory(), warp, random);
        end = Math.max(end, life.live(700 + 3L * warp + random.nextInt(200), trips));
        instructions += life.instructions;
      }
    }
    KernelProfile profile =
        recorder
            .profile(
                new KernelProfile.Launch(
                    "264 x 1 x 1",
                    "384 x 1 x 1",
                    96,
                    16384,
                    12,
                    64,
                    Map.of("threads", 5, "registers", 2, "shared memory", 13, "blocks", 32)),
                new KernelRecorder.Listing() {
                  @Override
                  public LaneWork work(int row) {
                    return laneWork(row, text(row));
                  }

                  @Override
                  public int pc(int row) {
                    return 16 * row;
                  }

                  @Override
                  public String text(int row) {
                    return CODE[row];
                  }

                  @Override
                  public KernelProfile.Source source(int row) {
                    return new KernelProfile.Source("/src/gemm.cu", 40 + row / 3, null, null, null);
                  }
                })
            .withThroughputs(
                List.of(
                    new KernelProfile.Throughput("Issue", "instructions", instructions, 4.0 * sms),
                    new KernelProfile.Throughput(
                        "FMA", "instructions", 0.27 * instructions, 4.0 * sms),
                    new KernelProfile.Throughput(
                        "LSU", "instructions", 0.3 * instructions, 1.0 * sms),
                    new KernelProfile.Throughput("L1", "bytes", 55e6, 128.0 * sms),
                    new KernelProfile.Throughput("L2", "bytes", 30e6, 4700),
                    new KernelProfile.Throughput("DRAM", "bytes", 11e6, 2270),
                    new KernelProfile.Throughput("FP32", "flops", 1e8, 256.0 * sms),
                    new KernelProfile.Throughput("TENSOR", "flops", 0, 4096.0 * sms)));
    Map<String, Long> stalls = new LinkedHashMap<>();
    profile.stalls().forEach((reason, cycles) -> stalls.put(reason.key(), cycles));
    Map<String, Number> statistics = new LinkedHashMap<>();
    statistics.put("l1.sectors", 1_700_000L);
    statistics.put("l2.sectors", 930_000L);
    return new KernelResult(
        id,
        name,
        0,
        end + 900,
        instructions,
        instructions * 31,
        0.36,
        "registers",
        statistics,
        stalls,
        List.of(),
        profile);
  }

  private static final class Warp {
    private final SmRecorder sm;
    private final MemoryRecorder memory;
    private final int slot;
    private final Random random;
    private long now;
    private long instructions;

    Warp(SmRecorder sm, MemoryRecorder memory, int slot, Random random) {
      this.sm = sm;
      this.memory = memory;
      this.slot = slot;
      this.random = random;
    }

    long live(long start, int trips) {
      now = start;
      sm.start(slot, now);
      wait(0, StallReason.FETCH, 60);
      for (int row = 0; row < LOOP; row++) {
        wait(row, row == 3 ? StallReason.SPECIAL_REGISTER : StallReason.WAIT, row == 3 ? 30 : 3);
        issue(row);
      }
      for (int trip = 0; trip < trips; trip++) {
        for (int row = LOOP; row <= LOOP_END; row++) {
          step(row);
        }
      }
      issue(21);
      access(21, 4, 0);
      issue(22);
      now += random.nextInt(300);
      sm.end(slot, 22, now);
      return now;
    }

    private void step(int row) {
      switch (row) {
        case 8 -> wait(row, random.nextInt(3) == 0 ? StallReason.DRAM : StallReason.L2_HIT, 320);
        case 11 -> wait(row, StallReason.BARRIER, 90);
        case 13 -> wait(row, StallReason.SHARED, 40);
        case 14, 15, 16 -> wait(row, StallReason.UNIT_BUSY, 3);
        default -> wait(row, StallReason.WAIT, 4);
      }
      wait(row, StallReason.NOT_SELECTED, 4);
      issue(row);
      switch (row) {
        case 6 -> access(row, 14, 6);
        case 7 -> access(row, 16, 4);
        case 8, 9, 11, 12 -> sm.access(row, now, 0, 0, row == 12 ? 3 : 0);
        default -> {}
      }
    }

    private void access(int row, int sectors, int hits) {
      sm.access(row, now, sectors, hits, 0);
      int misses = sectors - hits;
      boolean dram = random.nextInt(3) == 0;
      sm.filled(row, misses, dram);
      memory.l2(random.nextInt(80), now + 130, misses, dram ? 0 : misses);
      if (dram) {
        memory.dram(random.nextInt(40), now + 300, 32 * misses, row == 21);
      }
      sm.completes(slot, row, now - 1, now + (dram ? 700 : 270), true);
    }

    private void wait(int row, StallReason reason, int mean) {
      now += random.nextInt(2 * mean);
      sm.charge(slot, row, reason, now);
    }

    private void issue(int row) {
      sm.issue(slot, row, now, row == 13 ? 20 : 32);
      now++;
      instructions++;
    }
  }
}
