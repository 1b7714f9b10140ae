package dev.warpline.study.amd;

import dev.warpline.amd.hsa.HsaDevice;
import dev.warpline.engine.gpu.GpuDescription;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** Simulates measured calls and compares the times. */
public final class MeasuredTimes {
  /**
   * One measured call.
   *
   * @param kernel name of the measured program
   * @param size its problem size, as measured
   * @param measured milliseconds
   * @param simulated milliseconds
   * @param launches kernels it launches
   */
  public record Point(String kernel, String size, double measured, double simulated, int launches) {
    /** The same with every launch taking so much longer. */
    Point later(double nanosPerLaunch) {
      double milliseconds = simulated + launches * nanosPerLaunch / 1e6;
      return new Point(kernel, size, measured, milliseconds, launches);
    }

    /** Relative error of the simulated time. */
    public double error() {
      return simulated / measured - 1;
    }
  }

  /**
   * How well the simulation did.
   *
   * @param points compared
   * @param weighted absolute errors added up, over the measured times added up
   * @param mean absolute relative error, averaged
   */
  public record Summary(int points, double weighted, double mean) {}

  /**
   * One program, judged with a launch time that was chosen without it.
   *
   * @param program its name
   * @param as with the launch time of the preset
   * @param launchNanos what each launch would take longer, if it were chosen for the least weighted
   *     error of all other programs
   * @param leftOut the program with that launch time
   */
  public record LeftOut(String program, Summary as, double launchNanos, Summary leftOut) {}

  /** Range and step in which a better launch time is looked for. */
  private static final int LAUNCH_NANOS_RANGE = 1500;

  private static final int LAUNCH_NANOS_STEP = 10;

  private MeasuredTimes() {}

  /**
   * Simulates the measured calls that sample kernels exist for and that take seconds at most.
   *
   * @param times CSV: kernel, size, milliseconds; lines that begin with # are remarks
   * @param code folder of the samples' code objects
   * @param only calls whose "kernel size" matches
   * @param each told of every point as soon as it is known
   */
  public static List<Point> compare(
      GpuDescription gpu, Path times, Path code, Pattern only, int threads, Consumer<Point> each)
      throws IOException {
    List<Point> points = new ArrayList<>();
    List<String> lines = Files.readAllLines(times);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (line.isEmpty() || line.startsWith("#") || line.equals("kernel,size,ms")) {
        continue;
      }
      String[] fields = line.split(",", -1);
      double measured = fields.length == 3 ? parse(fields[2]) : Double.NaN;
      if (!(measured > 0)) {
        throw new IOException(
            times + ":" + (i + 1) + ": found \"" + line + "\", expected kernel,size,milliseconds");
      }
      MeasuredKernel kernel = MeasuredKernel.named(fields[0]);
      if (kernel == null
          || !kernel.isTractable(fields[1])
          || !only.matcher(fields[0] + " " + fields[1]).find()) {
        continue;
      }
      try (HsaDevice device = new HsaDevice(gpu.amd(), gpu.clocks(), threads)) {
        MeasuredCall workload = kernel.workload(device, code, fields[1]);
        Point point =
            new Point(fields[0], fields[1], measured, workload.milliseconds(), workload.launches());
        points.add(point);
        each.accept(point);
      }
    }
    return points;
  }

  private static double parse(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** Programs in the order of their first points, each judged by the others. */
  public static List<LeftOut> leaveOneOut(List<Point> points) {
    List<LeftOut> result = new ArrayList<>();
    for (String program : points.stream().map(Point::kernel).distinct().toList()) {
      List<Point> own = points.stream().filter(p -> p.kernel().equals(program)).toList();
      List<Point> others = points.stream().filter(p -> !p.kernel().equals(program)).toList();
      double nanos = bestLaunchNanos(others);
      result.add(new LeftOut(program, summary(own), nanos, summary(later(own, nanos))));
    }
    return result;
  }

  private static double bestLaunchNanos(List<Point> points) {
    double best = 0;
    double least = summary(points).weighted();
    for (int n = -LAUNCH_NANOS_RANGE; n <= LAUNCH_NANOS_RANGE; n += LAUNCH_NANOS_STEP) {
      double error = summary(later(points, n)).weighted();
      if (error < least) {
        least = error;
        best = n;
      }
    }
    return best;
  }

  private static List<Point> later(List<Point> points, double nanosPerLaunch) {
    return points.stream().map(p -> p.later(nanosPerLaunch)).toList();
  }

  /** Errors over all points. */
  public static Summary summary(List<Point> points) {
    double absolute = 0;
    double measured = 0;
    double relative = 0;
    for (Point point : points) {
      absolute += Math.abs(point.simulated() - point.measured());
      measured += point.measured();
      relative += Math.abs(point.error());
    }
    return new Summary(
        points.size(),
        measured == 0 ? 0 : absolute / measured,
        points.isEmpty() ? 0 : relative / points.size());
  }
}
