package dev.warpline.cli;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which kernels of a program; a mixin of every command that runs or reads some. */
final class KernelFilter {
  @Spec(Spec.Target.MIXEE)
  CommandSpec command;

  @Option(
      names = "--kernel",
      paramLabel = "N|N-M|NAME",
      split = ",",
      description = {
        "Only these kernels: launch numbers from 1, ranges, or parts of kernel names; AMD: others"
            + " are executed without time. Repeatable."
      })
  List<String> kernels = new ArrayList<>();

  /** Names among the choices that some kernel has had, and the largest number. */
  private final Set<String> met = new HashSet<>();

  private int launches;

  /** Refuses numbers that no kernel can have. */
  void check() {
    for (String choice : kernels) {
      if (!isName(choice)) {
        inRange(choice, 1);
      }
    }
  }

  /** Whether a kernel is wanted, by its launch number or its name. */
  boolean wants(int number, String name) {
    launches = Math.max(launches, number);
    boolean wanted = kernels.isEmpty();
    for (String choice : kernels) {
      if (!isName(choice)) {
        wanted |= inRange(choice, number);
      } else if (name.contains(choice)) {
        met.add(choice);
        wanted = true;
      }
    }
    return wanted;
  }

  /** Whether a kernel could be wanted, as far as its number says. */
  boolean mayWant(int number) {
    return kernels.isEmpty() || kernels.stream().anyMatch(k -> isName(k) || inRange(k, number));
  }

  /** Numbers and ranges among the choices that none of so many launches has. */
  List<String> numbersBeyond(int count) {
    return kernels.stream()
        .filter(k -> !isName(k) && IntStream.rangeClosed(1, count).noneMatch(n -> inRange(k, n)))
        .toList();
  }

  /** What of the choices no kernel met so far has been, as a message; null if nothing. */
  String unmetMessage(String program) {
    List<String> names = kernels.stream().filter(k -> isName(k) && !met.contains(k)).toList();
    return names.isEmpty()
        ? null
        : program + ": no kernel is named like " + String.join(" or ", names);
  }

  /** The same with numbers, for a program whose launches are known only when it has run. */
  String unmetAfterRun(String program) {
    List<String> numbers = numbersBeyond(launches);
    return numbers.isEmpty()
        ? unmetMessage(program)
        : String.format(
            "%s: no kernel is %s, it launched %,d",
            program, String.join(" or ", numbers), launches);
  }

  private static boolean isName(String choice) {
    return !choice.matches("\\d{1,9}(-\\d{1,9})?");
  }

  private boolean inRange(String choice, int number) {
    String[] ends = choice.split("-");
    int first = Integer.parseInt(ends[0]);
    int last = Integer.parseInt(ends[ends.length - 1]);
    if (first < 1 || last < first) {
      throw new ParameterException(
          command.commandLine(),
          "--kernel " + choice + ": kernels are numbered from 1, ranges go upwards");
    }
    return number >= first && number <= last;
  }
}
