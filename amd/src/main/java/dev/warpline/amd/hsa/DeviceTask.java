package dev.warpline.amd.hsa;

/**
 * Something that is no kernel and takes its place in a queue: a copy, a fill, a function of the
 * host.
 */
@FunctionalInterface
public interface DeviceTask {
  /**
   * Does it.
   *
   * @param nanos device time at which the packet processor took it up
   * @return device time at which it is complete, not before {@code nanos}
   */
  double perform(double nanos);
}
