package dev.warpline.nvidia.capture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Captures that are executed and compared with what the GPU wrote. */
class CaptureExecutionTest {
  private static final String REDUCE = "_Z6reducePKfPfi";
  private static final long IN = 0x7f5492000000L;
  private static final long OUT = 0x7f5491e00000L;
  private static final int COUNT = 20_000;

  @TempDir Path folder;

  private static List<KernelOutcome> execute(Path capture) throws IOException {
    List<KernelOutcome> outcomes = new ArrayList<>();
    CaptureExecution.run(capture, outcomes::add, done -> {});
    return outcomes;
  }

  /** Small integers as real numbers, so that every order of adding gives the same sum. */
  private static byte[] input() {
    ByteBuffer numbers = ByteBuffer.allocate(4 * COUNT).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < COUNT; i++) {
      numbers.putFloat(i % 7);
    }
    return numbers.array();
  }

  /** What the blocks of a grid leave: each the sum of its share. */
  private static byte[] sums(byte[] numbers, int blocks, int threads) {
    float[] sums = new float[blocks];
    ByteBuffer in = ByteBuffer.wrap(numbers).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < COUNT; i++) {
      sums[i / threads % blocks] += in.getFloat(4 * i);
    }
    ByteBuffer out = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
    for (float sum : sums) {
      out.putFloat(sum);
    }
    return out.array();
  }

  private Recording begin() throws IOException {
    return new Recording(folder)
        .module("reduce", REDUCE)
        .allocate(1, IN, 4L * COUNT)
        .allocate(2, OUT, 4096)
        .pages(1, 0, input());
  }

  private static Recording reduce(Recording recording, int blocks) {
    byte[] parameters = Recording.parameters(20, IN, OUT, COUNT);
    return recording.launch(REDUCE, blocks, "[256,1,1]", parameters);
  }

  @Test
  void resultsThatAreTheGpusToTheLastBitAreExact() throws IOException {
    Path capture = reduce(begin(), 5).wrote(2, sums(input(), 5, 256)).write();

    assertThat(execute(capture))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.details()).isEmpty();
              assertThat(one.result()).isEqualTo(KernelOutcome.Result.EXACT);
              assertThat(one.instructions()).isGreaterThan(1000);
            });
  }

  @Test
  void differencesAreListedByAllocationAndPages() throws IOException {
    byte[] other = sums(input(), 5, 256);
    other[3] ^= 1;
    Path capture = reduce(begin(), 5).wrote(2, other).write();

    assertThat(execute(capture))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.result()).isEqualTo(KernelOutcome.Result.DIFFERS);
              assertThat(one.inputDiffered()).isFalse();
              assertThat(one.details().get(0))
                  .contains("allocation 2 (0x7f5491e00000, 4096 bytes): sum 0x")
                  .contains("changed here: pages 0, on the GPU: pages 0");
              assertThat(one.details()).anyMatch(line -> line.contains("order of its blocks"));
            });
  }

  @Test
  void memoryIsCarriedFromLaunchToLaunchAndWhatWasWrongBeforeIsSaid() throws IOException {
    byte[] wrong = sums(input(), 5, 256);
    wrong[0] ^= 1;
    // The second launch reads the first one's sums: 5 of them, by one block.
    Recording recording = reduce(begin(), 5).wrote(2, wrong);
    recording.allocate(3, 0x7f5490000000L, 4096);
    byte[] parameters = Recording.parameters(20, OUT, 0x7f5490000000L, 5);
    recording.launch(REDUCE, 1, "[256,1,1]", parameters).wrote(3, new byte[4096]);

    List<KernelOutcome> outcomes = execute(recording.write());

    assertThat(outcomes).hasSize(2);
    assertThat(outcomes.get(1).inputDiffered()).isTrue();
    assertThat(outcomes.get(1).exact()).isFalse();
  }

  @Test
  void aLaunchAfterAWrongOneThatTouchesOtherPagesIsStillExact() throws IOException {
    // Two results in one allocation, on different pages; only the first one is wrong.
    long out = 0x7f5480000000L;
    byte[] input = input();
    byte[] right = sums(input, 5, 256);
    byte[] first = Arrays.copyOf(right, 2 * Sums.PAGE);
    first[0] ^= 1;
    byte[] both = first.clone();
    System.arraycopy(right, 0, both, Sums.PAGE, right.length);
    Recording recording =
        new Recording(folder)
            .module("reduce", REDUCE)
            .allocate(1, IN, 4L * COUNT)
            .allocate(2, out, 2 * Sums.PAGE)
            .pages(1, 0, input);
    recording.launch(REDUCE, 5, "[256,1,1]", Recording.parameters(20, IN, out, COUNT));
    recording.wrote(2, first, 0, 1);
    recording.launch(REDUCE, 5, "[256,1,1]", Recording.parameters(20, IN, out + Sums.PAGE, COUNT));
    recording.wrote(2, both, 1, 1);

    List<KernelOutcome> outcomes = execute(recording.write());

    assertThat(outcomes.get(0).exact()).isFalse();
    assertThat(outcomes.get(1).exact()).isTrue();
  }

  @Test
  void whatTheGpuDidNotChangeMustNotBeChanged() throws IOException {
    Path capture = reduce(begin(), 5).line("{'event':'wrote','n':1,'allocations':[]}").write();

    assertThat(execute(capture).get(0).details().get(0))
        .isEqualTo(
            "allocation 2 (0x7f5491e00000, 4096 bytes): changed here (pages 0), not on the GPU");
  }

  @Test
  void aKernelThatCannotBeExecutedIsNamedAndTheOthersGoOn() throws IOException {
    String listing = Files.readString(Path.of("../examples/tracing/reduce.sass"));
    byte[] cubin = Files.readAllBytes(Path.of("../examples/tracing/reduce.cubin"));
    String other = listing.replaceFirst("FADD", "FROBNICATE");
    Recording recording =
        new Recording(folder)
            .module(cubin, REDUCE, other)
            .allocate(1, IN, 4L * COUNT)
            .allocate(2, OUT, 4096)
            .pages(1, 0, input());
    reduce(recording, 5).wrote(2, sums(input(), 5, 256));
    recording.module(cubin, REDUCE, listing);
    reduce(recording, 5).line("{'event':'wrote','n':2,'allocations':[]}");

    List<KernelOutcome> outcomes = execute(recording.write());

    assertThat(outcomes.get(0).result()).isEqualTo(KernelOutcome.Result.FAILED);
    assertThat(outcomes.get(0).details().get(0)).contains("PC").contains("FROBNICATE");
    assertThat(outcomes).hasSize(2);
    assertThat(outcomes.get(1).instructions()).isGreaterThan(1000);
  }

  @Test
  void aPackedCaptureWithoutUntouchedPagesGivesTheSameResults() throws IOException {
    byte[] more = Arrays.copyOf(input(), 20 * Sums.PAGE);
    new Random(1).nextBytes(more);
    byte[] numbers = input();
    System.arraycopy(numbers, 0, more, 0, numbers.length);
    Path capture =
        reduce(
                new Recording(folder)
                    .module("reduce", REDUCE)
                    .allocate(1, IN, more.length)
                    .allocate(2, OUT, 4096)
                    .pages(1, 0, more),
                5)
            .wrote(2, sums(numbers, 5, 256))
            .write();
    Path whole = folder.resolve("whole.wcap");
    Path less = folder.resolve("less.wcap");
    try (OutputStream out = Files.newOutputStream(whole)) {
      CapturePacker.pack(capture, null, false, out, done -> {});
    }
    try (OutputStream out = Files.newOutputStream(less)) {
      CapturePacker.pack(capture, null, true, out, done -> {});
    }

    assertThat(execute(whole)).singleElement().matches(KernelOutcome::exact);
    assertThat(execute(less)).singleElement().matches(KernelOutcome::exact);
    assertThat(Files.size(less)).isLessThan(Files.size(whole) / 4);
  }

  @Test
  void whatKernelsWroteThatAreLeftOutIsNotKeptWhereNobodyTouchesIt() throws IOException {
    Recording recording = reduce(begin(), 5).wrote(2, sums(input(), 5, 256));
    recording.module("mandelbrot", "_Z10mandelbrotPiiii");
    recording.allocate(3, 0x7f5490000000L, 1024);
    recording.launch(
        "_Z10mandelbrotPiiii", 1, "[32,8,1]", Recording.parameters(20, 0x7f5490000000L, 32, 8, 8));
    recording.line("{'event':'wrote','n':2,'allocations':[]}");
    Path capture = recording.write();
    Path packed = folder.resolve("x.wcap");
    try (OutputStream out = Files.newOutputStream(packed)) {
      CapturePacker.pack(capture, name -> name.contains("mandel"), true, out, d -> {});
    }
    Path other = folder.resolve("y.wcap");
    try (OutputStream out = Files.newOutputStream(other)) {
      CapturePacker.pack(capture, name -> name.contains("reduce"), true, out, d -> {});
    }

    try (Capture read = Capture.open(packed)) {
      assertThat(read.events()).noneMatch(CaptureEvent.Pages.class::isInstance);
    }
    assertThat(execute(other)).singleElement().matches(KernelOutcome::exact);
  }

  @Test
  void kernelsThatAreLeftOutLeaveWhatTheyWrote() throws IOException {
    byte[] first = sums(input(), 5, 256);
    Recording recording = reduce(begin(), 5).wrote(2, first);
    recording.module("mandelbrot", "_Z10mandelbrotPiiii");
    recording.allocate(3, 0x7f5490000000L, 1024);
    recording.launch(
        "_Z10mandelbrotPiiii", 1, "[32,8,1]", Recording.parameters(20, 0x7f5490000000L, 32, 8, 8));
    recording.line("{'event':'wrote','n':2,'allocations':[]}");
    Path packed = folder.resolve("x.wcap");
    try (OutputStream out = Files.newOutputStream(packed)) {
      CapturePacker.pack(recording.write(), name -> name.contains("mandel"), false, out, d -> {});
    }

    try (Capture capture = Capture.open(packed)) {
      List<CaptureEvent> events = capture.events();
      assertThat(events)
          .filteredOn(CaptureEvent.Launch.class::isInstance)
          .extracting(event -> ((CaptureEvent.Launch) event).skipped())
          .containsExactly("left out when it was packed", null);
      CaptureEvent.Pages stored =
          (CaptureEvent.Pages)
              events.stream()
                  .filter(e -> e instanceof CaptureEvent.Pages p && p.allocation() == 2)
                  .findFirst()
                  .orElseThrow();
      assertThat(capture.contents(stored)).isEqualTo(first);
    }
  }

  @Test
  void theLaunchesAndCopiesOfAGraphAreComparedOnceAtItsEnd() throws IOException {
    long copied = 0x7f5490000000L;
    byte[] result = sums(input(), 5, 256);
    Recording recording = begin().allocate(3, copied, 4096);
    recording.operation("{'event':'graph','n':%d,'graph':1,'stream':0,'nodes':2}");
    recording.launch(
        REDUCE,
        5,
        "[256,1,1]",
        Recording.parameters(20, IN, OUT, COUNT),
        ",'graph':1,'node':0,'after':[]");
    recording.operation(
        "{'event':'copy','n':%d,'kind':'DtoD','bytes':4096,'to':'0x7f5490000000',"
            + "'from':'0x7f5491e00000','stream':0,'async':true,'pinned':false,"
            + "'graph':1,'node':1,'after':[0]}");
    long sum = Sums.of(result, result.length, 0);
    recording.line(
        String.format(
            "{'event':'wrote','n':1,'allocations':["
                + "{'allocation':2,'sum':'0x%x','pages':[[0,1]]},"
                + "{'allocation':3,'sum':'0x%x','pages':[[0,1]]}]}",
            sum, sum));

    assertThat(execute(recording.write()))
        .singleElement()
        .satisfies(one -> assertThat(one.details()).isEmpty())
        .matches(KernelOutcome::exact);
  }
}
