package dev.warpline.study.oracle;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a command costs whoever types it: a process of its own, from its start to its end.
 *
 * @param wallSeconds from start to end
 * @param cpuSeconds processor time of all its threads, NaN where the system does not say
 * @param peakMegabytes most memory that it and processes that it started had, NaN where the system
 *     does not say
 */
public record ColdStart(double wallSeconds, double cpuSeconds, double peakMegabytes) {
  private static final Path OWN_STATE = Path.of("/proc/self/stat");
  private static final double TICKS_PER_SECOND = 100;

  /**
   * Starts a command and waits for its end.
   *
   * @throws IOException with its last words if it fails
   */
  public static ColdStart of(List<String> command) throws IOException {
    Path words = Files.createTempFile("warpline", ".txt");
    try {
      double before = cpuOfChildren();
      long began = System.nanoTime();
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(words.toFile())
              .start();
      double peak = Double.NaN;
      while (!process.waitFor(10, TimeUnit.MILLISECONDS)) {
        double together = memory(process.pid(), "VmRSS:");
        double now = memory(process.pid(), "VmHWM:");
        for (ProcessHandle child : process.descendants().toList()) {
          double its = memory(child.pid(), "VmRSS:");
          // One that has ended has none, and may stay in the list until its parent ends.
          if (!Double.isNaN(its)) {
            together += its;
            now = Math.max(now, memory(child.pid(), "VmHWM:"));
          }
        }
        now = Math.max(now, together);
        peak = Double.isNaN(now) ? peak : Double.isNaN(peak) ? now : Math.max(now, peak);
      }
      double wall = (System.nanoTime() - began) / 1e9;
      if (process.exitValue() != 0) {
        throw new IOException(
            String.join(" ", command)
                + " ended with "
                + process.exitValue()
                + ": "
                + Files.readString(words, StandardCharsets.UTF_8).strip());
      }
      return new ColdStart(wall, cpuOfChildren() - before, peak);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    } finally {
      Files.delete(words);
    }
  }

  /** Processor time of all processes that this one started and that have ended. */
  private static double cpuOfChildren() throws IOException {
    if (!Files.exists(OWN_STATE)) {
      return Double.NaN;
    }
    String state = Files.readString(OWN_STATE);
    // The second field is a name in parentheses; the 16th and 17th are the children's times.
    String[] fields = state.substring(state.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[13]) + Long.parseLong(fields[14])) / TICKS_PER_SECOND;
  }

  /** What the system says of a process's memory, in megabytes. */
  private static double memory(long process, String what) {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/" + process + "/status"))) {
        if (line.startsWith(what)) {
          return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
        }
      }
    } catch (IOException e) {
      // It has ended, or the system keeps no such file.
    }
    return Double.NaN;
  }
}
