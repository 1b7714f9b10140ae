package dev.warpline.engine.gpu;

/** Clock domains. */
public record ClockSpec(
    @Field(value = "SMs or compute units", unit = "MHz", least = 50, most = 20_000) double coreMHz,
    @Field(value = "network between SMs and L2", unit = "MHz", least = 50, most = 20_000)
        double interconnectMHz,
    @Field(value = "L2 slices", unit = "MHz", least = 50, most = 20_000) double l2MHz,
    @Field(value = "DRAM commands", unit = "MHz", least = 50, most = 20_000) double dramMHz) {

  /** One clock for everything. */
  public static ClockSpec all(double megahertz) {
    return new ClockSpec(megahertz, megahertz, megahertz, megahertz);
  }

  /** A time in core cycles. */
  public double cycles(double nanoseconds) {
    return rounded(nanoseconds * coreMHz / 1000);
  }

  /** Cycles of the network in core cycles. */
  public double fromInterconnect(double cycles) {
    return rounded(cycles * coreMHz / interconnectMHz);
  }

  /** Something per cycle of the network as so much per core cycle. */
  public double interconnectRate(double perCycle) {
    return rounded(perCycle * interconnectMHz / coreMHz);
  }

  /** Cycles of L2 in core cycles. */
  public double fromL2(double cycles) {
    return rounded(cycles * coreMHz / l2MHz);
  }

  /** To a millionth: more digits than any source has, and none that a conversion adds. */
  static double rounded(double value) {
    return Math.rint(value * 1e6) / 1e6;
  }
}
