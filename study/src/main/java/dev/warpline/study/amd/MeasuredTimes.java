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
   * @param device simulated milliseconds on the GPU
   * @param work what it asks of the host
   * @param host what that takes
   */
  public record Point(
      String kernel,
      String size,
      double measured,
      double device,
      HostTimes.Work work,
      HostTimes host) {
    Point with(HostTimes other) {
      return new Point(kernel, size, measured, device, work, other);
    }

    /** Milliseconds of the GPU and of the host. */
    public double simulated() {
      return device + host.milliseconds(work);
    }

    /** Relative error of the simulated time. */
    public double error() {
      return simulated() / measured - 1;
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
   * One program, judged with times of the host that were chosen without it.
   *
   * @param program its name
   * @param as with the calibrated times
   * @param host the times with the least weighted error of all other programs
   * @param leftOut the program with these times
   * @param points its calls with these times
   */
  public record LeftOut(
      String program, Summary as, HostTimes host, Summary leftOut, List<Point> points) {}

  /** Errors over all programs, each judged with times chosen without it. */
  public static Summary leftOut(List<LeftOut> programs) {
    return summary(programs.stream().flatMap(program -> program.points.stream()).toList());
  }

  /** Rounds in which each of the host's times is chosen anew. */
  private static final int ROUNDS = 6;

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
        MeasuredCall workload = kernel.workload(device, gpu.amd(), code, fields[1]);
        Point point =
            new Point(
                fields[0],
                fields[1],
                measured,
                workload.milliseconds(),
                workload.work(),
                HostTimes.CALIBRATED);
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
      HostTimes host = best(others);
      List<Point> judged = with(own, host);
      result.add(new LeftOut(program, summary(own), host, summary(judged), judged));
    }
    return result;
  }

  /** The host's times with the least weighted error, found one after the other. */
  static HostTimes best(List<Point> points) {
    HostTimes best = HostTimes.CALIBRATED;
    for (int round = 0; round < ROUNDS; round++) {
      for (int n = -500; n <= 500; n += 10) {
        best =
            better(
                points,
                best,
                new HostTimes(n, best.syncMicros(), best.copyMicros(), best.microsPerKib()));
      }
      for (int n = 0; n <= 80; n++) {
        best =
            better(
                points,
                best,
                new HostTimes(best.launchNanos(), n / 2.0, best.copyMicros(), best.microsPerKib()));
      }
      for (int n = 0; n <= 60; n++) {
        best =
            better(
                points,
                best,
                new HostTimes(best.launchNanos(), best.syncMicros(), n / 4.0, best.microsPerKib()));
      }
      for (int n = 0; n <= 50; n++) {
        best =
            better(
                points,
                best,
                new HostTimes(best.launchNanos(), best.syncMicros(), best.copyMicros(), n / 100.0));
      }
    }
    return best;
  }

  private static HostTimes better(List<Point> points, HostTimes one, HostTimes other) {
    double with = summary(with(points, other)).weighted();
    return with < summary(with(points, one)).weighted() ? other : one;
  }

  private static List<Point> with(List<Point> points, HostTimes host) {
    return points.stream().map(p -> p.with(host)).toList();
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
