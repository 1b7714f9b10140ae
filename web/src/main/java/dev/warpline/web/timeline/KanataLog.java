package dev.warpline.web.timeline;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.StallReason;
import dev.warpline.engine.profile.TimelineRecorder.Kind;
import dev.warpline.engine.profile.TimelineRecorder.Slice;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The Kanata log that the Konata pipeline viewer opens: one line per dynamic instruction, a stage
 * per state of its warp before issue, {@code Is} for the issue and {@code Ex} or {@code Mem} until
 * its result.
 */
final class KanataLog {
  /** One command of the log at a cycle; commands of a cycle keep their order. */
  private record Command(long cycle, String text) {}

  private final List<Command> commands = new ArrayList<>();
  private int instructions;

  private KanataLog() {}

  static void write(RunResult run, Writer out) throws IOException {
    KanataLog log = new KanataLog();
    long origin = 0;
    for (KernelResult kernel : run.kernels()) {
      if (kernel.profile() != null) {
        log.kernel(kernel.profile(), origin);
      }
      origin += kernel.cycles();
    }
    log.print(out);
  }

  private void kernel(KernelProfile profile, long origin) {
    Map<List<Long>, Slice> results = new HashMap<>();
    for (Slice slice : profile.timeline()) {
      if (slice.kind() != Kind.STATE) {
        results.put(List.of((long) slice.sm(), (long) slice.warp(), slice.from()), slice);
      }
    }
    List<Slice> states =
        profile.timeline().stream()
            .filter(slice -> slice.kind() == Kind.STATE)
            .sorted(
                Comparator.comparingInt(Slice::sm)
                    .thenComparingInt(Slice::warp)
                    .thenComparingLong(Slice::from))
            .toList();
    Map<Integer, KernelProfile.Line> lines = profile.linesByRow();
    List<Slice> waits = new ArrayList<>();
    for (Slice slice : states) {
      if (!waits.isEmpty() && other(waits.get(0), slice)) {
        waits.clear();
      }
      waits.add(slice);
      if (slice.reason() == StallReason.SELECTED) {
        Slice result = results.get(List.of((long) slice.sm(), (long) slice.warp(), slice.from()));
        instruction(lines.get(slice.row()), waits, result, origin);
        waits.clear();
      }
    }
  }

  private static boolean other(Slice a, Slice b) {
    return a.sm() != b.sm() || a.warp() != b.warp();
  }

  private void instruction(KernelProfile.Line line, List<Slice> waits, Slice result, long origin) {
    int id = instructions++;
    Slice first = waits.get(0);
    long begin = origin + first.from();
    add(begin, "I\t%d\t%d\t%d", id, id, first.sm() * 1024 + first.warp());
    add(begin, "L\t%d\t0\tSM %d W%d %04x: %s", id, first.sm(), first.warp(), line.pc(), text(line));
    long end = begin;
    for (Slice wait : waits) {
      String stage = wait.reason() == StallReason.SELECTED ? "Is" : wait.reason().key();
      add(origin + wait.from(), "S\t%d\t0\t%s", id, stage);
      end = origin + wait.until();
    }
    if (result != null) {
      add(end, "S\t%d\t0\t%s", id, result.kind() == Kind.MEMORY ? "Mem" : "Ex");
      end = Math.max(end, origin + result.until());
    }
    add(end, "R\t%d\t%d\t0", id, id);
  }

  private static String text(KernelProfile.Line line) {
    return line.text().replace('\t', ' ');
  }

  private void add(long cycle, String format, Object... values) {
    commands.add(new Command(cycle, String.format(format, values)));
  }

  private void print(Writer out) throws IOException {
    commands.sort(Comparator.comparingLong(Command::cycle));
    out.write("Kanata\t0004\n");
    long now = commands.isEmpty() ? 0 : commands.get(0).cycle();
    out.write("C=\t" + now + "\n");
    for (Command command : commands) {
      if (command.cycle() > now) {
        out.write("C\t" + (command.cycle() - now) + "\n");
        now = command.cycle();
      }
      out.write(command.text());
      out.write('\n');
    }
  }
}
