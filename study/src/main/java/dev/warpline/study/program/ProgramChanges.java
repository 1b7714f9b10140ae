package dev.warpline.study.program;

import dev.warpline.trace.TraceFormatException;
import dev.warpline.trace.program.StreamProgram;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What is asked of a program beside what it says: a part of it, or another shape of it.
 *
 * @param without kernels with such names are left out, with their calls; null for none
 * @param fuse kernels with such names that follow each other are one; null for none
 * @param sms SMs that streams may use, by their names or numbers
 * @param fromUs kernels that would start before are not simulated
 * @param untilUs nor those that would not start before this
 */
public record ProgramChanges(
    Pattern without, Pattern fuse, Map<String, String> sms, double fromUs, double untilUs) {
  /** The program as it is. */
  public static final ProgramChanges NONE =
      new ProgramChanges(null, null, Map.of(), 0, Double.POSITIVE_INFINITY);

  /** Whether only a part by time is asked for. */
  public boolean isPart() {
    return fromUs > 0 || untilUs < Double.POSITIVE_INFINITY;
  }

  /** The program that is asked for. */
  StreamProgram of(StreamProgram program) throws TraceFormatException {
    StreamProgram changed = sms.isEmpty() ? program : program.onSms(sms);
    changed = without == null ? changed : changed.without(name -> without.matcher(name).find());
    return fuse == null ? changed : changed.fused(name -> fuse.matcher(name).find());
  }

  /** What no kernel of a program is named like, as messages. */
  List<String> unmet(StreamProgram program) {
    List<String> messages = new ArrayList<>();
    for (Pattern names : new Pattern[] {without, fuse}) {
      if (names != null && !program.hasLaunch(name -> names.matcher(name).find())) {
        messages.add(program.file() + ": no kernel is named like " + names);
      }
    }
    return messages;
  }

  @Override
  public String toString() {
    return (without == null ? "" : " without " + without)
        + (fuse == null ? "" : " fusing " + fuse)
        + (sms.isEmpty() ? "" : " on SMs " + new java.util.TreeMap<>(sms))
        + (isPart() ? " from " + fromUs + " until " + untilUs + " us" : "");
  }
}
