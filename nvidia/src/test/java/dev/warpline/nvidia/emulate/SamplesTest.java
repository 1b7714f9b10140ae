package dev.warpline.nvidia.emulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.warpline.trace.Dim3;
import dev.warpline.trace.ExecutedCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every instruction of PTX that an H200 computes with, as its compiler translates it: the machine
 * code gives here what it gave there, to the bit. The kernels and their inputs are of
 * docs/hardware/h200/samples.py; what the GPU wrote is known by its sum.
 */
class SamplesTest {
  private static final List<String> KINDS =
      List.of("f32", "f64", "f16", "bf16", "int", "bits", "f8");
  private static final int BLOCKS = 2;
  private static final int THREADS = 128;
  private static final int INPUT_BYTES = BLOCKS * THREADS * 32;
  private static final int OUTPUT_BYTES = BLOCKS * THREADS * 16;
  private static final long INPUT = 0x7f0000000000L;
  private static final long OUTPUT = 0x7f0000100000L;
  private static final long SCRATCH = 0x7f0000200000L;
  private static final long LOCAL = 0x7f2b00000000L;

  /** The 64 bytes of the kernels' table in constant memory. */
  private static final String TABLE =
      "0182030405a0070809c80b0c0d0eff101112db14151617e0191a1b1c1d1e1fe8"
          + "2122232489262728292a2b902d2e2f309532333435369b38393a3b3c3d3ea340";

  private static final Pattern OPCODE = Pattern.compile("(?m)^[0-9a-f]+\t(?:@\\S+ +)?(\\S+)");

  /** A kernel, and the sums of what its first block and all its blocks wrote. */
  private record Sample(String name, String kind, long firstSum, long sum, String listing) {}

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = SamplesTest.class.getResourceAsStream(name);
        InputStream unpacked = new GZIPInputStream(in)) {
      return unpacked.readAllBytes();
    }
  }

  private static List<Sample> samples() throws IOException {
    List<Sample> samples = new ArrayList<>();
    String all = new String(resource("samples.txt.gz"), StandardCharsets.US_ASCII);
    for (String part : all.split("(?m)^kernel ")) {
      if (!part.isEmpty()) {
        int end = part.indexOf('\n');
        String[] head = part.substring(0, end).split(" ");
        long first = Long.parseUnsignedLong(head[2], 16);
        long sum = Long.parseUnsignedLong(head[3], 16);
        samples.add(new Sample(head[0], head[1], first, sum, part.substring(end + 1)));
      }
    }
    return samples;
  }

  @Test
  void everyOpcodeComputesWhatTheGpuDoes() throws IOException {
    Set<String> seen = new HashSet<>();
    List<Sample> needed = new ArrayList<>();
    for (Sample sample : samples()) {
      if (OPCODE.matcher(sample.listing()).results().filter(m -> seen.add(m.group(1))).count()
          > 0) {
        needed.add(sample);
      }
    }

    assertThat(seen).hasSizeGreaterThan(800);
    assertThat(wrong(needed, 1)).isEmpty();
  }

  @Test
  @Tag("long")
  void allSamplesComputeWhatTheGpuDoes() throws IOException {
    List<Sample> samples = samples();

    assertThat(samples).hasSizeGreaterThan(1300);
    assertThat(wrong(samples, BLOCKS)).isEmpty();
  }

  /** The kernels whose results differ. */
  private static List<String> wrong(List<Sample> samples, int blocks) throws IOException {
    byte[] inputs = resource("sampleInputs.bin.gz");
    List<String> wrong = new ArrayList<>();
    for (Sample sample : samples) {
      try {
        if (run(sample, inputs, blocks) != (blocks == 1 ? sample.firstSum() : sample.sum())) {
          wrong.add(sample.name());
        }
      } catch (EmulationException e) {
        wrong.add(sample.name() + ": " + e.getMessage());
      }
    }
    return wrong;
  }

  private static long run(Sample sample, byte[] inputs, int blocks) throws EmulationException {
    EmulatedMemory memory = new EmulatedMemory();
    memory.add("in", INPUT, INPUT_BYTES);
    memory.write(INPUT, inputs, KINDS.indexOf(sample.kind()) * INPUT_BYTES, INPUT_BYTES);
    memory.add("out", OUTPUT, OUTPUT_BYTES);
    memory.add("scratch", SCRATCH, 1 << 19);
    ByteBuffer bank = ByteBuffer.allocate(0x228).order(ByteOrder.LITTLE_ENDIAN);
    for (int dimension = 0; dimension < 6; dimension++) {
      // The kernels were started with eight blocks, of which two are enough here.
      bank.putInt(4 * dimension, dimension == 0 ? THREADS : dimension == 3 ? 8 : 1);
    }
    bank.putLong(0x20, LOCAL).putInt(0x28, LocalMemory.WINDOW - 16);
    bank.putLong(0x210, INPUT).putLong(0x218, OUTPUT).putLong(0x220, SCRATCH);
    ConstantBanks constants = new ConstantBanks();
    constants.put(0, 0, bank.array());
    constants.put(3, 0, HexFormat.of().parseHex(TABLE));
    constants.put(4, 0, new byte[0x40]);
    Launch launch =
        new Launch(
            sample.name(),
            new Dim3(8, 1, 1),
            new Dim3(THREADS, 1, 1),
            Dim3.ONE,
            BlockMemory.RESERVED + 8192,
            0x7f2c00000000L,
            LOCAL,
            constants,
            memory);
    KernelSteps program =
        new KernelSteps(
            SassParser.parse(sample.listing(), sample.name(), "samples.txt"),
            new ExecutedCode(90, pc -> true),
            5,
            1_000_000);
    BlockCluster cluster = new BlockCluster(launch);
    for (int block = 0; block < blocks; block++) {
      cluster.start(block);
      BlockCluster.run(List.of(cluster), program, new Standstill(program, done -> {}), () -> false);
    }
    byte[] written = new byte[OUTPUT_BYTES];
    memory.peek(OUTPUT, written, OUTPUT_BYTES);
    long sum = 0;
    for (int i = 0; i < blocks * THREADS * 4; i++) {
      long word = Words64.unsigned(Bytes.word(written, 4 * i));
      sum += SpecialFunctionsTest.mix(word + (i + 1) * 0x9E3779B97F4A7C15L);
    }
    return sum;
  }
}
