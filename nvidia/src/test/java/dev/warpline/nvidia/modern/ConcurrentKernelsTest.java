package dev.warpline.nvidia.modern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.trace.Agenda;
import dev.warpline.trace.KernelBuilder;
import dev.warpline.trace.MemoryKernel;
import dev.warpline.trace.MemoryTrace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Several kernels on the GPU at a time: who gets which SM, when, and what each of them counts. */
class ConcurrentKernelsTest {
  private static final int SMS = 4;
  private static final String STREAMS = "launch.kernelsShareSms=true";

  /** Launches that wait for nothing but their cycle. */
  private static final class Given implements Agenda {
    private final List<Start> starts;
    private final List<String> told = new ArrayList<>();

    Given(Start... starts) {
      this.starts = new ArrayList<>(List.of(starts));
    }

    @Override
    public Start next(long sure) {
      return starts.isEmpty() ? null : starts.get(0);
    }

    @Override
    public void started(int launch, long cycle) {
      starts.remove(0);
      told.add(launch + " started at " + cycle);
    }

    @Override
    public void ended(int launch, long cycle) {
      told.add(launch + " ended at " + cycle);
    }
  }

  private static Agenda.Start start(int launch, long cycle, int priority) {
    return new Agenda.Start(launch, cycle, priority, Agenda.NOBODY, false, List.of(), false);
  }

  private static Agenda.Start onSms(int launch, Integer... sms) {
    return new Agenda.Start(launch, 0, 0, Agenda.NOBODY, false, List.of(sms), false);
  }

  private static GpuDescription gpu(String... settings) throws IOException {
    List<String> all = new ArrayList<>(List.of(settings));
    all.add("sm.count=" + SMS);
    return Gpus.load("h200", all);
  }

  /** Blocks of so many warps that do so many dependent multiplications. */
  private static KernelBuilder kernel(String name, int blocks, int warps, int work) {
    KernelBuilder builder = new KernelBuilder(name).grid(blocks, 1, 1).block(32 * warps, 1, 1);
    for (int i = 0; i < work; i++) {
      builder.line(String.format("%04x ffffffff 1 R1 FFMA 2 R1 R9 0 0", 16 * (i % 64)));
    }
    return builder.line("0400 ffffffff 0 EXIT 0 0 0").everyWarpTheSame();
  }

  /** Blocks of eight warps that copy data of their own. */
  private static MemoryKernel copy(String name, long stream, int blocks) {
    KernelBuilder builder =
        new KernelBuilder(name).grid(blocks, 1, 1).block(256, 1, 1).stream(stream);
    for (int b = 0; b < blocks; b++) {
      for (int w = 0; w < 8; w++) {
        long at = 0x10_0000_0000L + (stream << 28) + ((long) b * 8 + w) * 128;
        builder.warp(b, w);
        builder.line(String.format("0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x%x 4 0", at));
        builder.line("0010 ffffffff 1 R5 FADD 2 R4 R4 0 0");
        builder.line(String.format("0020 ffffffff 0 STG.E 2 R2 R5 4 1 0x%x 4 0", at + (1 << 26)));
        builder.line("0030 ffffffff 0 EXIT 0 0 0");
      }
    }
    return builder.build();
  }

  private static MemoryTrace program(MemoryKernel... kernels) {
    MemoryTrace program = new MemoryTrace("test");
    for (MemoryKernel kernel : kernels) {
      program.launch(kernel);
    }
    return program;
  }

  private static RunResult run(GpuDescription gpu, int threads, MemoryKernel... kernels)
      throws IOException {
    return new ModernMachine(gpu, false)
        .run(program(kernels), RunOptions.DEFAULT.withThreads(threads), Progress.NONE);
  }

  private static List<KernelResult> run(Agenda agenda, MemoryKernel... kernels) throws IOException {
    return new ModernMachine(gpu(), false)
        .run(program(kernels), agenda, RunOptions.DEFAULT, Progress.NONE)
        .kernels();
  }

  private static long alone(MemoryKernel kernel) throws IOException {
    return run(gpu(), 1, kernel).cycles();
  }

  @Test
  void smallKernelsOfTwoStreamsTakeTheTimeOfTheLonger() throws IOException {
    MemoryKernel longer = kernel("longer", SMS, 4, 2000).stream(1).build();
    MemoryKernel shorter = kernel("shorter", SMS, 4, 1000).stream(2).build();
    RunResult both = run(gpu(STREAMS), 1, longer, shorter);
    assertThat(both.cycles()).isBetween(alone(longer), alone(longer) + 400);
    assertThat(both.kernels()).extracting(KernelResult::start).containsExactly(0L, 0L);
    KernelResult first = both.kernels().get(0);
    assertThat(first.warpInstructions()).isEqualTo(SMS * 4 * 2001L);
    assertThat(first.threadInstructions()).isEqualTo(32 * SMS * 4 * 2001L);
    assertThat(first.stalls().get("selected")).isEqualTo(first.warpInstructions());
    assertThat(first.warnings()).anyMatch(text -> text.startsWith("ran beside kernel 2: "));
  }

  @Test
  void kernelsOfOneStreamFollowEachOther() throws IOException {
    MemoryKernel one = kernel("one", SMS, 4, 500).stream(1).build();
    MemoryKernel two = kernel("two", SMS, 4, 500).stream(1).build();
    RunResult streams = run(gpu(STREAMS), 1, one, two);
    assertThat(streams.kernels()).isEqualTo(run(gpu(), 1, one, two).kernels());
    assertThat(streams.kernels().get(1).start()).isEqualTo(streams.kernels().get(0).end());
  }

  @Test
  void kernelsThatFillTheGpuTakeTheSumOfTheirTimes() throws IOException {
    // 64 warps fill an SM; both kernels have many blocks for each.
    MemoryKernel one = kernel("one", 4 * SMS, 32, 200).stream(1).build();
    MemoryKernel two = kernel("two", 4 * SMS, 32, 200).stream(2).build();
    long launch = alone(kernel("empty", 1, 1, 1).build());
    long work = alone(one) - launch;
    RunResult both = run(gpu(STREAMS), 1, one, two);
    assertThat((double) both.cycles() - launch).isBetween(1.9 * work, 2.05 * work);
    assertThat(both.kernels().get(0).cycles()).as("comes first").isLessThan(alone(one) + work / 4);
  }

  @Test
  void theSecondKernelFillsTheTailOfTheFirst() throws IOException {
    // Registers let two blocks be on an SM: a full round, then one block alone.
    MemoryKernel first = kernel("first", 2 * SMS + 1, 4, 800).registers(255).stream(1).build();
    MemoryKernel second = kernel("second", 2 * SMS - 1, 4, 800).registers(255).stream(2).build();
    long one = alone(first);
    RunResult both = run(gpu(STREAMS), 1, first, second);
    assertThat(both.cycles()).isBetween(one, one + 600);
    assertThat(run(gpu(), 1, first, second).cycles()).isGreaterThan(one + 4000);
  }

  @Test
  void blocksOfAHigherPriorityComeFirstButRunningOnesStay() throws IOException {
    MemoryKernel low = kernel("low", 6 * SMS, 32, 200).build();
    MemoryKernel high = kernel("high", 2 * SMS, 32, 200).build();
    List<KernelResult> fair = run(new Given(start(0, 0, 0), start(1, 1000, 0)), low, high);
    List<KernelResult> urgent = run(new Given(start(0, 0, 0), start(1, 1000, -1)), low, high);
    long waits = urgent.get(1).end() - 1000 - alone(high);
    assertThat(waits).as("for the blocks that run").isBetween(100L, alone(high));
    assertThat(urgent.get(1).start()).as("begins with its first block").isGreaterThan(1000 + 90);
    assertThat(fair.get(1).end()).isGreaterThan(urgent.get(1).end() + waits);
    assertThat(urgent.get(0).end()).isGreaterThan(fair.get(0).end() + waits);
  }

  @Test
  void aKernelThatDoesNotFitBesideAnotherWaitsUntilAnSmIsEmpty() throws IOException {
    MemoryKernel first = kernel("first", SMS, 4, 1500).stream(1).build();
    MemoryKernel light = kernel("light", SMS, 4, 200).stream(2).build();
    MemoryKernel shared = kernel("shared", SMS, 4, 200).sharedBytes(100 << 10).stream(2).build();
    MemoryKernel large = kernel("large", SMS, 32, 200).registers(64).stream(2).build();
    long end = alone(first);
    assertThat(run(gpu(STREAMS), 1, first, light).kernels().get(1).end()).isLessThan(end - 3000);
    for (MemoryKernel big : List.of(shared, large)) {
      assertThat(run(gpu(STREAMS), 1, first, big).kernels().get(1).end()).isGreaterThan(end);
    }
  }

  @Test
  void aKernelThatIsAloneTakesWhatItTakesInARow() throws IOException {
    MemoryKernel one = copy("one", 1, 40);
    MemoryKernel two = copy("two", 2, 40);
    List<KernelResult> row = run(gpu(), 1, one, two).kernels();
    long gap = 5000;
    List<KernelResult> apart =
        run(new Given(start(0, 0, 0), start(1, row.get(0).end() + gap, 0)), one, two);
    assertThat(apart.get(0)).isEqualTo(row.get(0));
    KernelResult second = row.get(1);
    assertThat(apart.get(1))
        .isEqualTo(second.as(2, "two", second.start() + gap, second.cycles(), null));
  }

  @Test
  void codeThatRanBeforeIsNotFetchedAgainUnlessCachesAreEmptied() throws IOException {
    MemoryKernel one = kernel("one", SMS, 4, 64).build();
    MemoryKernel other = kernel("other", SMS, 4, 64).build();
    MemoryTrace program = program(one, other, one);
    List<KernelResult> warm =
        new ModernMachine(gpu(), false).run(program, RunOptions.DEFAULT, Progress.NONE).kernels();
    List<KernelResult> cold =
        new ModernMachine(gpu(), true).run(program, RunOptions.DEFAULT, Progress.NONE).kernels();
    assertThat(warm).extracting(ConcurrentKernelsTest::fetched).containsExactly(true, true, false);
    assertThat(cold).extracting(ConcurrentKernelsTest::fetched).containsOnly(true);
    // A way to the GPC's cache and back is what the first launch waits for its first instruction.
    assertThat(warm.get(1).cycles() - warm.get(2).cycles()).isBetween(90L, 250L);
  }

  private static boolean fetched(KernelResult kernel) {
    return kernel.statistics().get("supply.l1Misses").longValue() > 0;
  }

  @Test
  void theAgendaIsToldWhatStartedAndEnded() throws IOException {
    MemoryKernel one = kernel("one", 1, 1, 100).build();
    Given agenda = new Given(start(0, 0, 0), start(1, 300, 0));
    List<KernelResult> results = run(agenda, one, one);
    assertThat(agenda.told)
        .containsExactly(
            "0 started at 0",
            "1 started at 300",
            "0 ended at " + results.get(0).end(),
            "1 ended at " + results.get(1).end());
  }

  @Test
  void kernelsOfDifferentPartitionsLeaveEachOtherAlone() throws IOException {
    MemoryKernel one = kernel("one", 8, 32, 300).build();
    MemoryKernel two = kernel("two", 8, 32, 300).build();
    List<KernelResult> halves = run(new Given(onSms(0, 0, 1), onSms(1, 2, 3)), one, two);
    long half = run(new Given(onSms(0, 0, 1)), one).get(0).cycles();
    assertThat(half).as("on half of the SMs").isGreaterThan(alone(one) + 300);
    assertThat(halves.get(0).cycles()).isBetween(half - 50, half + 50);
    assertThat(halves.get(1).cycles()).isBetween(half, half + 700);
  }

  @Test
  void aCooperativeGridIsPlacedWholeOrNotAtAll() throws IOException {
    Agenda.Start whole = new Agenda.Start(1, 1, 0, Agenda.NOBODY, true, List.of(), false);
    MemoryKernel first = kernel("first", SMS + 1, 32, 400).build();
    MemoryKernel grid = kernel("grid", 2 * SMS, 32, 100).build();
    KernelResult waited = run(new Given(start(0, 0, 0), whole), first, grid).get(1);
    assertThat(waited.end()).isGreaterThan(alone(first));
    KernelResult mixed = run(new Given(start(0, 0, 0), start(1, 1, 0)), first, grid).get(1);
    assertThat(mixed.end()).as("some blocks beside the first kernel's").isLessThan(waited.end());
    MemoryKernel tooLarge = kernel("large", 2 * SMS + 1, 32, 100).build();
    assertThatThrownBy(() -> run(new Given(start(0, 0, 0), whole), first, tooLarge))
        .isInstanceOf(UnfinishedSimulationException.class)
        .hasMessage(
            "kernel 2 (large): a cooperative launch of 9 blocks, expected at most 8, which can be"
                + " resident at once");
  }

  @Test
  void aDependentKernelStartsWhenItsPredecessorLetsItGoAndWaitsForItsEnd() throws IOException {
    String letGo = "0010 ffffffff 0 PREEXIT 0 0 0";
    String await = "0010 ffffffff 0 ACQBULK 0 0 0";
    MemoryKernel first = dependent("first", letGo, 2000);
    MemoryKernel early = dependent("early", "0010 ffffffff 0 NOP 0 0 0", 10);
    MemoryKernel waits = dependent("waits", await, 10);
    int hears = gpu().modern().launch().dependentCycles();
    Following agenda = new Following();
    List<KernelResult> results = run(agenda, first, waits);
    long end = results.get(0).end();
    assertThat(agenda.released).as("long before the end").isBetween(1900L, 2600L);
    assertThat(results.get(1).start()).isEqualTo(agenda.released);
    assertThat(results.get(1).end()).isBetween(end + hears + 790, end + hears + 1300);
    KernelResult free = run(new Following(), first, early).get(1);
    assertThat(free.end()).as("waits for nothing").isLessThan(end - 3000);
    // One that lets nobody go: the dependent kernel comes after its last block, and hears its end.
    KernelResult late = run(new Following(), early, waits).get(1);
    long last = run(gpu(), 1, early).cycles() - gpu().modern().launch().drainCycles();
    assertThat(late.start()).isBetween(last - 10, last);
    assertThat(late.end()).isBetween(last + 790 + hears + 790, last + 790 + hears + 1500);
    assertThat(run(gpu(), 1, waits).cycles()).as("alone").isLessThan(3500);
  }

  @Test
  void aFreshKernelWaitsForItsCode() throws IOException {
    MemoryKernel kernel = kernel("k", 1, 1, 0).build();
    Agenda.Start warm = start(1, 10_000, 0);
    Agenda.Start fresh = new Agenda.Start(1, 10_000, 0, Agenda.NOBODY, false, List.of(), true);
    long known = second(gpu(), kernel, warm);
    // It comes after the first block, and is fetched from the GPC's cache.
    assertThat(second(gpu(), kernel, fresh)).isBetween(known + 300, known + 600);
    GpuDescription slow = gpu("modern.launch.freshCycles=3000");
    assertThat(second(slow, kernel, fresh)).isEqualTo(second(gpu(), kernel, fresh) + 1000);
    assertThat(second(slow, kernel, warm)).isEqualTo(known);
  }

  /** Cycles of the second of two launches of a kernel. */
  private static long second(GpuDescription gpu, MemoryKernel kernel, Agenda.Start start)
      throws IOException {
    return new ModernMachine(gpu, false)
        .run(
            program(kernel, kernel),
            new Given(start(0, 0, 0), start),
            RunOptions.DEFAULT,
            Progress.NONE)
        .kernels()
        .get(1)
        .cycles();
  }

  @Test
  void aKernelThatWroteEndsLaterAndAfterItsLastStore() throws IOException {
    MemoryKernel copy = copy("copy", 0, SMS);
    long cycles = run(gpu(), 1, copy).cycles();
    long waits = run(gpu("modern.launch.overlapCycles=0"), 1, copy).cycles();
    assertThat(waits).isBetween(cycles + 1, cycles + 140);
    assertThat(run(gpu("modern.launch.writtenCycles=5060"), 1, copy).cycles())
        .isBetween(cycles + 4860, cycles + 5000);
    MemoryKernel reads = kernel("reads", SMS, 4, 100).build();
    assertThat(run(gpu("modern.launch.writtenCycles=5060"), 1, reads).cycles())
        .isEqualTo(run(gpu(), 1, reads).cycles());
  }

  private static MemoryKernel dependent(String name, String line, int work) {
    KernelBuilder builder = new KernelBuilder(name).grid(SMS, 1, 1).block(64, 1, 1);
    builder.line("0000 ffffffff 1 R1 FFMA 2 R1 R9 0 0").line(line);
    for (int i = 0; i < work; i++) {
      builder.line(String.format("%04x ffffffff 1 R1 FFMA 2 R1 R9 0 0", 32 + 16 * (i % 62)));
    }
    return builder.line("0400 ffffffff 0 EXIT 0 0 0").everyWarpTheSame().build();
  }

  /** The second launch depends on the first, which lets it go. */
  private static final class Following implements Agenda {
    private int started;
    private long released = -1;

    @Override
    public Start next(long sure) {
      if (started == 0) {
        return start(0, 0, 0);
      }
      return started == 1 && released >= 0
          ? new Start(1, released, 0, 0, false, List.of(), false)
          : null;
    }

    @Override
    public void started(int launch, long cycle) {
      started++;
    }

    @Override
    public void released(int launch, long cycle) {
      if (launch == 0) {
        released = cycle;
      }
    }

    @Override
    public void ended(int launch, long cycle) {}
  }

  @Test
  void noMoreKernelsRunAtOnceThanTheGpuTakes() throws IOException {
    MemoryKernel[] four = new MemoryKernel[4];
    for (int i = 0; i < 4; i++) {
      four[i] = kernel("k" + i, 1, 4, 500).stream(i).build();
    }
    long together = run(gpu(STREAMS), 1, four).cycles();
    long two = run(gpu(STREAMS, "launch.concurrentKernels=2"), 1, four).cycles();
    int interval = gpu().modern().launch().kernelInterval();
    long one = alone(four[0]);
    assertThat(together).isBetween(one + 3 * interval, one + 3 * interval + 300);
    // An SM that had code before needs no translation for other code.
    long known = gpu().modern().supply().firstCycles();
    assertThat(two).isBetween(2 * one + interval - known, 2 * one + interval + 300);
    List<KernelResult> row =
        new ModernMachine(gpu("launch.concurrentKernels=1"), false)
            .run(
                program(four[0], four[1]),
                new Given(start(0, 0, 0), start(1, 0, 0)),
                RunOptions.DEFAULT,
                Progress.NONE)
            .kernels();
    assertThat(row.get(1).start()).isEqualTo(row.get(0).end());
  }

  @Test
  void resultsAreTheSameForAnyNumberOfThreads() throws IOException {
    MemoryKernel[] three = {
      copy("one", 1, 60), copy("two", 2, 60), kernel("three", 9, 8, 200).stream(3).build()
    };
    List<KernelResult> one = run(gpu(STREAMS), 1, three).kernels();
    for (int threads : new int[] {2, 5}) {
      assertThat(run(gpu(STREAMS), threads, three).kernels()).isEqualTo(one);
    }
  }

  @Test
  void anSmTellsMoreKernelsApartThanItHasRoomFor() throws IOException {
    MemoryKernel[] many = new MemoryKernel[80];
    many[0] = kernel("long", SMS, 2, 8000).stream(1).build();
    for (int i = 1; i < many.length; i++) {
      many[i] = kernel("k" + i, SMS, 1, 20).stream(1 + i).build();
    }
    for (KernelResult kernel : run(gpu(STREAMS), 1, many).kernels()) {
      assertThat(kernel.stalls().get("selected")).isEqualTo(kernel.warpInstructions());
      assertThat(kernel.warpInstructions()).isEqualTo(kernel.id() == 1 ? SMS * 16002 : SMS * 21);
    }
  }

  @Test
  void trafficOfKernelsThatOverlapAddsUpToThatOfTheGpu() throws IOException {
    List<KernelResult> both =
        run(gpu(STREAMS), 1, copy("one", 1, 60), copy("two", 2, 60)).kernels();
    long stored = 0;
    for (KernelResult kernel : both) {
      stored += kernel.statistics().get("l1.globalStoreSectors").longValue();
    }
    assertThat(stored).isEqualTo(2 * 60 * 8 * 4);
  }

  @Test
  void profilesOfKernelsThatOverlapAreTheirOwn() throws IOException {
    RunOptions options = RunOptions.DEFAULT.withProfile(ProfileOptions.NO_TIMELINE);
    MemoryKernel[] two = {copy("one", 1, 30), kernel("two", 9, 8, 200).stream(2).build()};
    List<KernelResult> plain = run(gpu(STREAMS), 1, two).kernels();
    List<KernelResult> both =
        new ModernMachine(gpu(STREAMS), false).run(program(two), options, Progress.NONE).kernels();
    for (int i = 0; i < 2; i++) {
      assertThat(both.get(i).cycles()).isEqualTo(plain.get(i).cycles());
      assertThat(both.get(i).stalls()).isEqualTo(plain.get(i).stalls());
      assertThat(both.get(i).profile().lines().stream().mapToLong(line -> line.executed()).sum())
          .isEqualTo(both.get(i).warpInstructions());
    }
  }

  @Test
  void aKernelFindsInTheL2WhatACopyWrote() throws IOException {
    MemoryTrace program = new MemoryTrace("copied").launch(copy("copy", 0, 8));
    Agenda copied =
        new Agenda() {
          private final Agenda inOrder = Agenda.inOrder(program);

          @Override
          public List<Written> written(long cycle) {
            return List.of(new Written(0x10_0000_0000L, 8 * 8 * 128));
          }

          @Override
          public Start next(long sure) {
            return inOrder.next(sure);
          }

          @Override
          public void started(int launch, long cycle) {
            inOrder.started(launch, cycle);
          }

          @Override
          public void ended(int launch, long cycle) {
            inOrder.ended(launch, cycle);
          }
        };
    KernelResult from =
        new ModernMachine(gpu(), false)
            .run(program, RunOptions.DEFAULT, Progress.NONE)
            .kernels()
            .get(0);
    KernelResult after =
        new ModernMachine(gpu(), false)
            .run(program, copied, RunOptions.DEFAULT, Progress.NONE)
            .kernels()
            .get(0);
    long data = 8 * 8 * 128;
    assertThat(from.statistics().get("dram.bytesRead").longValue())
        .isEqualTo(after.statistics().get("dram.bytesRead").longValue() + data);
    assertThat(after.cycles()).isLessThan(from.cycles());
  }
}
