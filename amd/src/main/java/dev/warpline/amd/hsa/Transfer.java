package dev.warpline.amd.hsa;

import dev.warpline.amd.exec.DeviceMemory;
import dev.warpline.engine.Activity.Kind;
import dev.warpline.engine.gpu.AmdSpec;

/**
 * A copy or fill that goes through a queue as kernels do. It takes the time that the description's
 * {@code transfers} say, on one of so many engines, and its data move at its end.
 *
 * @param kind between which memories
 * @param name for lists and timelines
 * @param bytes how much
 * @param pinned the host's side cannot be paged out, so nothing is staged
 * @param move moves the data
 */
public record Transfer(Kind kind, String name, long bytes, boolean pinned, Runnable move) {
  public Transfer {
    if (!kind.isTransfer()) {
      throw new IllegalArgumentException("a transfer copies or fills, found " + kind.words());
    }
    if (bytes < 0) {
      throw new IllegalArgumentException("a transfer of " + bytes + " bytes");
    }
  }

  /** From pageable memory of the host, as it is when the copy ends. */
  public static Transfer toDevice(String name, DeviceMemory memory, long address, byte[] source) {
    return new Transfer(
        Kind.TO_DEVICE, name, source.length, false, () -> memory.copyIn(address, source));
  }

  /** To pageable memory of the host. */
  public static Transfer toHost(String name, DeviceMemory memory, long address, byte[] target) {
    return new Transfer(
        Kind.TO_HOST,
        name,
        target.length,
        false,
        () -> memory.copyOut(address, target, 0, target.length));
  }

  /** Inside the GPU's memory; the ranges must not overlap. */
  public static Transfer onDevice(
      String name, DeviceMemory memory, long from, long to, long bytes) {
    return new Transfer(Kind.ON_DEVICE, name, bytes, false, () -> memory.copy(from, to, bytes));
  }

  /** Sets every byte of a range. */
  public static Transfer fill(
      String name, DeviceMemory memory, long address, long bytes, int value) {
    return new Transfer(Kind.FILL, name, bytes, false, () -> memory.fill(address, bytes, value));
  }

  /** How long it takes once an engine has it. */
  double nanos(AmdSpec.Transfers spec) {
    return switch (kind) {
      case TO_DEVICE, TO_HOST -> spec.hostNs(bytes, pinned);
      default -> spec.deviceNs(bytes);
    };
  }
}
