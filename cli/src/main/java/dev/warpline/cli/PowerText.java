package dev.warpline.cli;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.WholeFile;
import dev.warpline.engine.energy.PowerTrace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Power over time as a table. */
final class PowerText {
  private PowerText() {}

  /**
   * Writes a row per interval: kernel, cycle from the program's start, watts in all and by part.
   */
  static void write(RunResult run, int interval, Path file) throws IOException {
    StringBuilder text = new StringBuilder();
    for (KernelResult kernel : run.kernels()) {
      if (kernel.energy() == null || kernel.energy().trace() == null) {
        throw new IOException(
            file
                + ": kernel "
                + kernel.id()
                + " has no energy, expected the modern core and a GPU with a section energy");
      }
      PowerTrace trace = kernel.energy().trace().every(interval);
      List<String> parts = new ArrayList<>(trace.watts().keySet());
      if (text.isEmpty()) {
        text.append("kernel,cycle,watts,").append(String.join(",", parts)).append('\n');
      }
      double[] total = trace.total();
      for (int i = 0; i < total.length; i++) {
        text.append(kernel.id()).append(',');
        text.append(kernel.start() + i * trace.intervalCycles());
        text.append(String.format(Locale.ROOT, ",%.3f", total[i]));
        for (String part : parts) {
          text.append(String.format(Locale.ROOT, ",%.3f", trace.watts().get(part)[i]));
        }
        text.append('\n');
      }
    }
    WholeFile.writeText(file, text.toString());
  }
}
