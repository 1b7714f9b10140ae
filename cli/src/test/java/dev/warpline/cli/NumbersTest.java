package dev.warpline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class NumbersTest {
  private record Numeric(List<String> command, OptionSpec option) {}

  private static List<Numeric> numbers() {
    List<Numeric> found = new ArrayList<>();
    collect(Main.commandLine(), List.of(), found);
    return found;
  }

  private static void collect(CommandLine line, List<String> path, List<Numeric> found) {
    for (OptionSpec option : line.getCommandSpec().options()) {
      Class<?> type = option.type();
      if (Number.class.isAssignableFrom(type)
          || type.isPrimitive() && type != boolean.class && type != char.class) {
        found.add(new Numeric(path, option));
      }
    }
    line.getSubcommands()
        .forEach(
            (name, sub) -> {
              List<String> deeper = new ArrayList<>(path);
              deeper.add(name);
              collect(sub, deeper, found);
            });
  }

  @Test
  void thereAreOptionsWithNumbers() {
    assertThat(numbers().stream().map(n -> n.option().longestName()))
        .contains("--threads", "--max-cycles", "--max-instructions", "--sms", "--repeat", "--port");
  }

  @TestFactory
  List<DynamicTest> noOptionTakesANumberThatMakesNoSense() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Numeric numeric : numbers()) {
      String name = numeric.option().longestName();
      String expected =
          numeric.option().type() == Double.class ? "an error from 0.1%" : "a whole number";
      List<String> wrong = new ArrayList<>(List.of("-1", "99999999999999999999", "1.5", "x"));
      if (!name.equals("--port")) {
        wrong.add("0");
      }
      for (String value : wrong) {
        List<String> words = new ArrayList<>(numeric.command());
        words.add(name + "=" + value);
        tests.add(
            DynamicTest.dynamicTest(
                String.join(" ", words),
                () -> {
                  Warpline run = Warpline.run(words.toArray(String[]::new));
                  assertThat(run.code()).isEqualTo(ExitCode.USAGE);
                  assertThat(run.err())
                      .contains("'" + name + "'")
                      .contains("found " + value + ", expected " + expected);
                }));
      }
    }
    return tests;
  }
}
