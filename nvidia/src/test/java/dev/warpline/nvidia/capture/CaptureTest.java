package dev.warpline.nvidia.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Captures that cannot be are refused, with file, line and reason. */
class CaptureTest {
  private static final String REDUCE = "_Z6reducePKfPfi";

  @TempDir Path folder;

  private Recording recording;

  @BeforeEach
  void record() throws IOException {
    recording =
        new Recording(folder.resolve("capture"))
            .module("reduce", REDUCE)
            .allocate(1, 0x7f0000000000L, 100_000)
            .allocate(2, 0x7f0000100000L, 4096)
            .pages(1, 0, content())
            .launch(REDUCE, 1, "[256,1,1]", new byte[20])
            .wrote(2, new byte[4096]);
  }

  private static byte[] content() {
    byte[] content = new byte[100_000];
    new Random(1).nextBytes(content);
    return Arrays.copyOf(Arrays.copyOf(content, 50_000), 100_000);
  }

  private void refused(String... parts) throws IOException {
    Path capture = recording.write();
    assertThatThrownBy(() -> Capture.open(capture).close())
        .isInstanceOf(CaptureException.class)
        .hasMessageContaining("capture.jsonl:")
        .satisfies(e -> assertThat(e.getMessage()).contains(parts));
  }

  @Test
  void whatWasMeasuredSeveralTimesTookTheMedian() throws IOException {
    Path folder = recording.write();
    Files.writeString(
        folder.resolve("times.jsonl"),
        """
        {"version":1,"origin":"1000","command":["a"]}
        {"n":1,"call":[0,100],"start":900,"end":1100,"took":[200,260,230]}
        {"n":2,"call":[200,300],"start":3000,"end":3500}
        {"n":3,"call":[400,500],"start":4000,"end":4500,"took":[500,300]}
        """);
    try (Capture capture = Capture.open(folder)) {
      Map<Integer, CapturedProgram.Times> times = CapturedProgram.of(capture).times();
      assertThat(times.get(1).took()).isEqualTo(230);
      assertThat(times.get(2).took()).isEqualTo(500);
      assertThat(times.get(3).took()).isEqualTo(400);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "7", "[\"x\"]", "[5,-1]", "null"})
  void timesThatAreNoneAreRefused(String took) throws IOException {
    Path folder = recording.write();
    Files.writeString(
        folder.resolve("times.jsonl"), "{\"n\":1,\"start\":1,\"end\":2,\"took\":" + took + "}\n");
    try (Capture capture = Capture.open(folder)) {
      assertThatThrownBy(() -> CapturedProgram.of(capture))
          .hasMessageContaining("times.jsonl:1")
          .hasMessageContaining("took " + took)
          .hasMessageContaining("a list of nanoseconds");
    }
  }

  @Test
  void whatEveryPassTookStandsBesideTheFirst() throws Exception {
    Path first = folder.resolve("first.jsonl");
    Path again = folder.resolve("again.jsonl");
    Files.writeString(
        first,
        """
        {"version":1,"origin":"1000","command":["a"]}
        {"n":1,"call":[0,100],"start":900,"end":1100}
        {"n":2,"call":[200,300]}
        {"n":3,"call":[200,300],"start":3000,"end":3500,"took":[500,480]}
        """);
    Files.writeString(
        again,
        """
        {"version":1,"origin":"2000","command":["a"]}
        {"n":1,"call":[0,100],"start":700,"end":960}
        {"n":2,"call":[200,300]}
        {"n":3,"call":[200,300],"start":3000,"end":3510}
        """);
    Path script = Path.of("../capture/took.awk").toAbsolutePath();
    Path both = folder.resolve("both.jsonl");
    Process awk =
        new ProcessBuilder("awk", "-f", script.toString(), again.toString(), first.toString())
            .redirectOutput(both.toFile())
            .redirectErrorStream(true)
            .start();
    assertThat(awk.waitFor()).isZero();
    assertThat(both)
        .hasContent(
            """
            {"version":1,"origin":"1000","command":["a"]}
            {"n":1,"call":[0,100],"start":900,"end":1100,"took":[200,260]}
            {"n":2,"call":[200,300]}
            {"n":3,"call":[200,300],"start":3000,"end":3500,"took":[500,480,510]}
            """);
  }

  @Test
  void aSoundOneIsRead() throws IOException {
    try (Capture capture = Capture.open(recording.write())) {
      assertThat(capture.head().device()).isEqualTo("NVIDIA H200");
      assertThat(capture.events()).hasSize(6);
    }
  }

  @Test
  void oneThatEndsInTheMiddleIsCutOff() throws IOException {
    Path capture = recording.writeAsItIs();

    assertThatThrownBy(() -> Capture.open(capture).close())
        .hasMessageContaining("capture.jsonl:8: found the end of the file")
        .hasMessageContaining("the capture is cut off");
  }

  @Test
  void aLineThatDoesNotEndIsCutOff() throws IOException {
    Path capture = recording.write();
    Path file = capture.resolve("capture.jsonl");
    Files.writeString(file, Files.readString(file).stripTrailing());

    assertThatThrownBy(() -> Capture.open(capture).close()).hasMessageContaining("cut off");
  }

  /** Replaces text in a line and expects a message; single quotes stand for double ones. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "0 | 'version':1 | 'version':2 | found version 2, expected version 1",
        "0 | 'event':'capture' | 'event':'free' | \"capture\" on the first line",
        "1 | modules/1.cubin | modules/../../secret.cubin | modules/N.cubin inside of the capture",
        "1 | modules/1.cubin | /etc/passwd | modules/N.cubin inside of the capture",
        "2 | 'bytes':100000 | 'bytes':-1 | bytes: -1, expected an integer from 1",
        "2 | 'bytes':100000 | 'bytes':1048577 | none over allocation 1, which is not freed",
        "2 | 0x7f0000000000 | 0xffffffffffffff00 | an address of up to 57 bits",
        "2 | 'device' | 'moon' | the kind \"moon\", expected one of",
        "3 | 'allocation':2 | 'allocation':1 | allocation 1 again, expected each number once",
        "4 | 'count':2 | 'count':3 | count: 3, expected an integer from 1 to 2",
        "4 | 'packed': | 'packed':9 | an extent inside of pages.bin",
        "4 | 'allocation':1 | 'allocation':7 | allocation 7, expected one that was made",
        "4 | deflate | xz | the method \"xz\", expected deflate or stored",
        "4 | deflate | stored | bytes that are stored, expected 100000 for these pages",
        "5 | 'n':1 | 'n':2 | operation 2, expected 1, as they are counted",
        "5 | [256,1,1] | [256,8,1] | a block of 2048 threads, expected at most 1024",
        "5 | 'module':1 | 'module':3 | module 3, expected a module of a line before",
        "5 | 'shared':0, | `` | no field \"shared\"",
        "5 | 'event' | 'event':1,'event' | no JSON (Duplicate field 'event')",
        "6 | 'n':1 | 'n':3 | n: 3, expected an integer from 1 to 1",
        "6 | [0,1] | [0,9] | pages 0 to 8, expected pages of allocation 2, which has 1",
        "6 | 'event':'wrote' | 'event':'woke' | the event \"woke\", expected one of version 1"
      })
  void whatCannotBeIsRefused(int line, String text, String other, String message)
      throws IOException {
    String changed =
        recording
            .lines
            .get(line)
            .replace(text.strip().replace('\'', '"'), other.strip().replace('\'', '"'));
    assertThat(changed).isNotEqualTo(recording.lines.get(line));
    recording.lines.set(line, changed);

    refused(message.strip());
  }

  @Test
  void anAllocationOverAnotherIsRefusedUnlessThatWasFreed() throws IOException {
    recording.line("{'event':'free','allocation':2}").allocate(3, 0x7f0000100800L, 4096);
    recording.allocate(4, 0x7f00001007ffL, 2);

    refused("allocation 4 at 0x7f00001007ff, expected none over allocation 3");
  }

  @Test
  void aCountOfOperationsThatDoesNotHoldIsRefused() throws IOException {
    recording.line("{'event':'end','operations':5}");

    refused("5 operations, expected 1");
  }

  @Test
  void codeThatIsNotWhatWasRecordedIsRefused() throws IOException {
    Path capture = recording.write();
    Path cubin = capture.resolve("modules/1.cubin");
    byte[] content = Files.readAllBytes(cubin);
    content[content.length / 2] ^= 1;
    Files.write(cubin, content);

    assertThatThrownBy(() -> CaptureExecution.run(capture, outcome -> {}, done -> {}))
        .isInstanceOf(CaptureException.class)
        .hasMessageContaining("modules/1.cubin: found the sum 0x")
        .hasMessageContaining("as recorded (line 2)");
  }

  @Test
  void pagesThatDoNotUnpackAreRefused() throws IOException {
    Path capture = recording.write();
    Path pages = capture.resolve("pages.bin");
    byte[] content = Files.readAllBytes(pages);
    content[content.length / 2] ^= 1;
    Files.write(pages, content);

    assertThatThrownBy(() -> CaptureExecution.run(capture, outcome -> {}, done -> {}))
        .isInstanceOf(CaptureException.class)
        .hasMessageContaining("pages.bin: found at byte 0")
        .hasMessageContaining("what line 5 of capture.jsonl says");
  }

  @Test
  void aFileThatIsALinkToSomewhereElseIsNotRead() throws IOException {
    Path capture = recording.write();
    Path secret = Files.writeString(folder.resolve("secret"), "secret");
    Path cubin = capture.resolve("modules/1.cubin");
    Files.delete(cubin);
    Files.createSymbolicLink(cubin, secret);

    assertThatThrownBy(() -> CaptureExecution.run(capture, outcome -> {}, done -> {}))
        .isInstanceOf(CaptureException.class)
        .hasMessageContaining("a link to")
        .hasMessageContaining("a file inside of the capture");
  }

  @Test
  void aFileThatIsNoZipIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("x.wcap"), "not a zip");

    assertThatThrownBy(() -> Capture.open(file)).hasMessageContaining("x.wcap: found no zip");
  }

  @Test
  void theSumOfAPageCountsWordsWithTheirPlaces() {
    byte[] zeros = new byte[8];
    byte[] one = {1, 0, 0, 0, 0, 0, 0, 0};
    byte[] other = {0, 0, 0, 0, 1, 0, 0, 0};

    // The first output of splitmix64 from seed 0 is the sum of one zero word.
    assertThat(Sums.of(zeros, 4, 0)).isEqualTo(0xe220a8397b1dcdafL);
    assertThat(Sums.of(one, 8, 0)).isNotEqualTo(Sums.of(other, 8, 0));
    assertThat(Sums.of(zeros, 4, 0) + Sums.of(zeros, 4, 4)).isEqualTo(Sums.of(zeros, 8, 0));
    assertThat(List.of(Sums.of(one, 1, 0))).containsExactly(Sums.of(one, 4, 0));
  }
}
