package dev.warpline.web.timeline;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.Stage;
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
 * The Kanata log that the Konata pipeline viewer opens: one line per dynamic instruction. Where a
 * core records stages, they are its first lane, from fetch to write-back, and the states of its
 * warp before issue the second. Elsewhere there is one lane with the states, {@code Is} for the
 * issue and {@code Ex} or {@code Mem} until the result.
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
    Map<List<Long>, List<Slice>> stages = new HashMap<>();
    Map<List<Long>, List<Slice>> issues = new HashMap<>();
    for (Slice slice : profile.timeline()) {
      if (slice.kind() == Kind.STAGE) {
        List<Slice> its =
            stages.computeIfAbsent(
                List.of((long) slice.sm(), slice.instruction()), k -> new ArrayList<>());
        its.add(slice);
        if (slice.stage() == Stage.ISSUE) {
          issues.put(at(slice), its);
        }
      } else if (slice.kind() == Kind.INSTRUCTION || slice.kind() == Kind.MEMORY) {
        results.put(at(slice), slice);
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
        List<Slice> passed = issues.get(at(slice));
        if (passed != null) {
          staged(lines.get(slice.row()), waits, passed, origin);
        } else {
          instruction(lines.get(slice.row()), waits, results.get(at(slice)), origin);
        }
        waits.clear();
      }
    }
  }

  /** Who did something when. */
  private static List<Long> at(Slice slice) {
    return List.of((long) slice.sm(), (long) slice.warp(), slice.from());
  }

  private static boolean other(Slice a, Slice b) {
    return a.sm() != b.sm() || a.warp() != b.warp();
  }

  private int begin(KernelProfile.Line line, Slice first, long cycle) {
    int id = instructions++;
    add(cycle, "I\t%d\t%d\t%d", id, id, first.sm() * 1024 + first.warp());
    add(cycle, "L\t%d\t0\tSM %d W%d %04x: %s", id, first.sm(), first.warp(), line.pc(), text(line));
    return id;
  }

  /** An instruction whose core recorded its stages. */
  private void staged(KernelProfile.Line line, List<Slice> waits, List<Slice> stages, long origin) {
    List<Slice> passed = new ArrayList<>(stages);
    passed.sort(Comparator.comparingLong(Slice::from));
    long begin = Math.min(waits.get(0).from(), passed.get(0).from());
    int id = begin(line, passed.get(0), origin + begin);
    long end = 0;
    for (Slice stage : passed) {
      add(origin + stage.from(), "S\t%d\t0\t%s", id, stage.stage().symbol());
      end = origin + stage.until();
    }
    for (Slice wait : waits) {
      if (wait.reason() != StallReason.SELECTED) {
        add(origin + wait.from(), "S\t%d\t1\t%s", id, wait.reason().key());
        add(origin + wait.until(), "E\t%d\t1\t%s", id, wait.reason().key());
      }
    }
    add(end, "R\t%d\t%d\t0", id, id);
  }

  private void instruction(KernelProfile.Line line, List<Slice> waits, Slice result, long origin) {
    Slice first = waits.get(0);
    long begin = origin + first.from();
    int id = begin(line, first, begin);
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
