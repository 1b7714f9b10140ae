package dev.warpline.study.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionTest {
  private static final Map<String, Object> NAMES =
      Map.of("sm.count", 4L, "ipc", 0.5, "trace", "gemm", "stall.a-b", 7L);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 + 2 * 3 | 7",
        "(1 + 2) * 3 | 9",
        "-sm.count - -1 | -3",
        "7 % 4 / 2 | 1.5",
        "min(sm.count, 3) + max(1, ipc) | 4",
        "round(2.6) + floor(2.6) + ceil(2.2) | 8",
        "sqrt(16) + log2(8) | 7",
        "`stall.a-b` * 2 | 14",
        "1e3 | 1000"
      })
  void arithmeticIsWhatItIsInEveryLanguage(String text, double value) {
    assertThat(new Expression(text).number(NAMES::get)).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sm.count == 4 and trace = \"gemm\" | true",
        "not sm.count < 4 or 1 > 2 | true",
        "trace ~ \"^ge\" and trace != \"ge\" | true",
        "sm.count >= 5 | false",
        "absent > 1 | false",
        "absent == 1 | false"
      })
  void comparisonsHoldOrDoNot(String text, boolean holds) {
    assertThat(new Expression(text).holds(NAMES::get)).isEqualTo(holds);
  }

  @Test
  void whatIsAbsentIsNoNumber() {
    assertThat(new Expression("absent + 1").number(NAMES::get)).isNaN();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1 +", "(1", "1 2", "f(1)", "min(1)", "a ? b", "and 1"})
  void whatIsNoFormulaIsRefused(String text) {
    assertThatThrownBy(() -> new Expression(text))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .contains("expected");
  }

  @Test
  void textIsNoNumberAndANumberIsNoComparison() {
    assertThatThrownBy(() -> new Expression("trace * 2").number(NAMES::get))
        .hasMessageContaining("found \"gemm\", expected a number");
    assertThatThrownBy(() -> new Expression("sm.count").holds(NAMES::get))
        .hasMessageContaining("expected a comparison");
  }
}
