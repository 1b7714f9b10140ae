package dev.warpline.amd.hsa;

/**
 * Turns core cycles into time and back.
 *
 * @param megahertz core clock
 */
record Clock(double megahertz) {
  long cycles(double nanos) {
    return Math.round(nanos * megahertz / 1000);
  }

  long nanos(long cycles) {
    return Math.round(cycles * 1000 / megahertz);
  }
}
