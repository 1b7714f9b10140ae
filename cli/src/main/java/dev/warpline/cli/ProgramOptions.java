package dev.warpline.cli;

import dev.warpline.engine.gpu.DescriptionException;
import dev.warpline.nvidia.program.SmPartitions;
import dev.warpline.study.program.ProgramChanges;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What is asked of a whole program: a part of it, another shape of it, SMs of its streams. */
final class ProgramOptions {
  private static final String TIME = "(\\d{1,12}(?:\\.\\d{1,9})?)(ns|us|ms|s)";
  private static final Map<String, Double> US = Map.of("ns", 1e-3, "us", 1.0, "ms", 1e3, "s", 1e6);

  @Spec(Spec.Target.MIXEE)
  CommandSpec command;

  @Option(
      names = "--with-host",
      description = {
        "Let calls of the host, gaps between kernels and copies take time for a kernel list, too,"
            + " as they do for programs and captures (modern core; docs/programs.md)."
      })
  boolean withHost;

  @Option(
      names = "--reuse",
      description = {
        "Of launches that do the same work after the same work simulate the first and a warm one,"
            + " and take the others to be like that; says how sure it is (modern core;"
            + " docs/programs.md)."
      })
  boolean reuse;

  @Option(
      names = "--without",
      paramLabel = "REGEX",
      description = {
        "What if kernels with such names were not there: neither they nor their calls take time"
            + " (modern core; docs/programs.md)."
      })
  String without;

  @Option(
      names = "--fuse",
      paramLabel = "REGEX",
      description = {
        "What if kernels with such names were one where they follow each other in a stream or"
            + " graph: one call, no gaps between them (modern core; docs/programs.md)."
      })
  String fuse;

  @Option(
      names = "--partition",
      paramLabel = "STREAM=SMS",
      description = {
        "SMs that the kernels of a stream may use, as MPS and SM masks have it: 0-65,70 or a share,"
            + " 50%%. Repeatable (modern core; docs/programs.md)."
      })
  Map<String, String> sms = new LinkedHashMap<>();

  @Option(
      names = "--from",
      paramLabel = "N|NAME|TIME",
      description = {
        "Simulate from this kernel on: a launch number from 1, a part of a name (the first such"
            + " kernel), or a time of the program such as 500us. Those before are left out; AMD:"
            + " executed without time."
      })
  String from;

  @Option(
      names = "--until",
      paramLabel = "N|NAME|TIME",
      description = {
        "End with this kernel, the first from --from on that has the number or the part of a name;"
            + " or leave kernels out that would start at a time or later."
      })
  String until;

  /** Whether an end of the part is a time. */
  static boolean isTime(String end) {
    return end != null && end.matches(TIME);
  }

  /** What is to be done to the program. */
  ProgramChanges changes() {
    for (Map.Entry<String, String> one : sms.entrySet()) {
      try {
        SmPartitions.check(one.getValue());
      } catch (DescriptionException e) {
        throw wrong("--partition " + one.getKey() + "=" + one.getValue(), e.getMessage());
      }
    }
    double first = isTime(from) ? microseconds(from) : 0;
    double last = isTime(until) ? microseconds(until) : Double.POSITIVE_INFINITY;
    if (first >= last) {
      throw wrong("--until " + until, "expected a time after --from " + from);
    }
    return new ProgramChanges(
        names("--without", without), names("--fuse", fuse), Map.copyOf(sms), first, last);
  }

  /** The first of these options that acts on the modern core alone; null if none was given. */
  String modernOnly() {
    return reuse
        ? "--reuse"
        : withHost
            ? "--with-host"
            : without != null
                ? "--without"
                : fuse != null
                    ? "--fuse"
                    : !sms.isEmpty()
                        ? "--partition"
                        : isTime(from)
                            ? "--from " + from
                            : isTime(until) ? "--until " + until : null;
  }

  private static double microseconds(String time) {
    Matcher found = Pattern.compile(TIME).matcher(time);
    found.matches();
    return Double.parseDouble(found.group(1)) * US.get(found.group(2));
  }

  private Pattern names(String option, String regex) {
    try {
      return regex == null ? null : Pattern.compile(regex);
    } catch (PatternSyntaxException e) {
      throw wrong(option + " " + regex, "expected a regular expression: " + e.getDescription());
    }
  }

  private RuntimeException wrong(String what, String why) {
    return WrongUse.of(command, what + ": " + why);
  }
}
