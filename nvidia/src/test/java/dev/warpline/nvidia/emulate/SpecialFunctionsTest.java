package dev.warpline.nvidia.emulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The special function unit against an H200, by sums over all mantissas of a sign and exponent. All
 * 512 signs and exponents of all ten functions were compared once; the tests do some of them.
 */
class SpecialFunctionsTest {
  private static final int MANTISSAS = 1 << 23;
  private static final int PART = 1 << 18;
  private static final long STEP = 0x9E3779B97F4A7C15L;

  static long mix(long value) {
    long z = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
    z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
    return z ^ z >>> 31;
  }

  /** The sums of a function, by sign and exponent. */
  private static long[] sums(String function) throws IOException {
    try (InputStream in = SpecialFunctionsTest.class.getResourceAsStream("mufuSums.txt")) {
      String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
      String line =
          text.lines().filter(l -> l.startsWith(function + " ")).findFirst().orElseThrow();
      String[] words = line.split(" ");
      long[] sums = new long[words.length - 1];
      for (int i = 0; i < sums.length; i++) {
        sums[i] = Long.parseUnsignedLong(words[i + 1], 16);
      }
      return sums;
    }
  }

  private static long sum(SpecialFunctions.Function function, int signAndExponent) {
    long sum = 0;
    for (int i = 0; i < MANTISSAS; i++) {
      long result = Words64.unsigned(function.apply(signAndExponent << 23 | i));
      sum += mix(result + (i % PART + 1) * STEP);
    }
    return sum;
  }

  @ParameterizedTest
  @CsvSource({
    "RCP,    127",
    "RSQ,    128",
    "SQRT,   127",
    "EX2,    389",
    "LG2,    126",
    "SIN,    125",
    "COS,    382",
    "TANH,   128",
    "RCP64H, 127",
    "RSQ64H, 255",
  })
  void allMantissasGiveTheResultsOfTheGpu(String function, int exponent) throws IOException {
    assertThat(sum(SpecialFunctions.of(function), exponent)).isEqualTo(sums(function)[exponent]);
  }

  @ParameterizedTest
  @CsvSource({"RCP", "RSQ", "SQRT", "EX2", "LG2", "SIN", "COS", "TANH", "RCP64H", "RSQ64H"})
  @Tag("long")
  void manyExponentsGiveTheResultsOfTheGpu(String function) throws IOException {
    long[] sums = sums(function);
    List<Integer> wrong = new ArrayList<>();
    for (int at = 0; at < 512; at += at % 256 > 116 && at % 256 < 136 ? 1 : 23) {
      if (sum(SpecialFunctions.of(function), at) != sums[at]) {
        wrong.add(at);
      }
    }
    assertThat(wrong).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"EX2.F16", "TANH.F16", "EX2.BF16", "TANH.BF16"})
  void allHalvesGiveTheResultsOfTheGpu(String function) throws IOException {
    String[] parts = function.split("\\.");
    SpecialFunctions.Function single = SpecialFunctions.of(parts[0]);
    HalfFormat type = parts[1].equals("F16") ? HalfFormat.HALF : HalfFormat.BFLOAT;
    long sum = 0;
    for (int i = 0; i < 1 << 16; i++) {
      int result = type.truncated(single.apply(Float.floatToRawIntBits(type.value(i))));
      sum += mix((result & 0xffff) + (i + 1) * STEP);
    }
    assertThat(sum).isEqualTo(sums(function)[0]);
  }

  @Test
  void aFunctionThatTheUnitDoesNotHaveIsRefused() {
    assertThatThrownBy(() -> new Lab().run("MUFU.TAN R1, R0"))
        .hasMessageContaining("function .TAN is not emulated");
  }
}
