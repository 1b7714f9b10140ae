package dev.warpline.cli;

import dev.warpline.engine.Activity;
import dev.warpline.engine.RunResult;
import dev.warpline.isa.Demangler;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The whole program's time as a person reads it: what the GPU did when, and what took how much. */
final class ActivityText {
  /** More of them stand in files. */
  private static final int LISTED = 40;

  private ActivityText() {}

  static void print(RunResult run, PrintWriter out) {
    List<Activity> all =
        run.activities().stream().filter(a -> a.kind() != Activity.Kind.BARRIER).toList();
    List<Activity> kernels = all.stream().filter(a -> a.kernel() > 0).toList();
    List<Activity> transfers = all.stream().filter(a -> a.kind().isTransfer()).toList();
    List<Activity> work = new ArrayList<>(kernels);
    work.addAll(transfers);
    long whole = run.cycles();
    long busyKernels = Activity.busyCycles(kernels);
    long busyTransfers = Activity.busyCycles(transfers);
    long busy = Activity.busyCycles(work);
    if (!transfers.isEmpty() && all.size() <= LISTED) {
      list(all, run, out);
    }
    boolean streams = run.program() != null;
    out.printf(
        Locale.ROOT,
        "%s %.2f us from the first %s: kernels %s%s, neither %s%s%n",
        streams ? "GPU:" : "program:",
        run.microseconds(whole),
        streams ? "call to the last end" : "packet to the last completion",
        share(busyKernels, whole),
        transfers.isEmpty()
            ? ""
            : String.format(
                Locale.ROOT,
                ", %d copies and fills %s, both at once %s",
                transfers.size(),
                share(busyTransfers, whole),
                share(busyKernels + busyTransfers - busy, whole)),
        share(whole - busy, whole),
        streams ? "" : " (packets, launch, completion)");
  }

  private static String share(long cycles, long whole) {
    return String.format(Locale.ROOT, "%.1f %%", whole == 0 ? 0 : 100.0 * cycles / whole);
  }

  private static void list(List<Activity> all, RunResult run, PrintWriter out) {
    out.printf(
        "%-40s %6s %10s %10s %10s %10s%n",
        "times in us",
        run.program() == null ? "queue" : "stream",
        "submitted",
        "start",
        "end",
        "done");
    for (Activity activity : all) {
      String name =
          activity.kernel() > 0
              ? activity.kernel() + " " + Demangler.demangle(activity.name())
              : activity.kind().words()
                  + ", "
                  + activity.name()
                  + ", "
                  + activity.bytes()
                  + " bytes";
      out.printf(
          Locale.ROOT,
          "%-40s %6d %10.2f %10.2f %10.2f %10.2f%n",
          name.length() > 40 ? name.substring(0, 37) + "..." : name,
          activity.queue(),
          run.microseconds(activity.submitted()),
          run.microseconds(activity.start()),
          run.microseconds(activity.end()),
          run.microseconds(activity.complete()));
    }
  }
}
