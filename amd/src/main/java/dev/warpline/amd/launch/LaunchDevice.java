package dev.warpline.amd.launch;

import dev.warpline.amd.code.CodeObject;
import dev.warpline.amd.code.CodeObjectException;
import dev.warpline.amd.code.KernargSegment;
import dev.warpline.amd.code.Kernel;
import dev.warpline.amd.exec.DeviceMemory;
import dev.warpline.amd.hsa.FenceScope;
import dev.warpline.amd.hsa.Transfer;
import dev.warpline.amd.launch.LaunchFile.Order;
import java.io.IOException;
import java.util.List;

/** What the steps of a launch file need of a GPU, with time or without. */
interface LaunchDevice {
  /** A kernel with all that its launch needs. */
  record Launch(
      CodeObject code,
      Kernel kernel,
      int[] grid,
      int[] group,
      KernargSegment arguments,
      FenceScope acquire,
      FenceScope release) {}

  DeviceMemory memory();

  /** Whether the program does again what it did before a checkpoint, on memory of later. */
  default boolean replays() {
    return false;
  }

  /** Copies a code object into memory; returns where it lies. */
  long load(CodeObject object) throws CodeObjectException;

  /**
   * Launches a kernel.
   *
   * @param number its launch number
   * @param chosen whether it is to be looked at; others only change memory
   * @param place for messages
   */
  void launch(Order order, Launch launch, int number, boolean chosen, Place place)
      throws IOException;

  /** Copies or fills; waits for its end where asked to. */
  void transfer(Order order, Transfer transfer, boolean wait, Place place) throws IOException;

  /** Lets a queue wait. */
  void barrier(Order order, Place place) throws IOException;

  /** The host waits for signals. */
  void waitFor(List<String> signals, Place place) throws IOException;

  /** The host waits for all that a queue has. */
  void waitFor(int queue, Place place) throws IOException;

  /** The host waits for everything. */
  void waitForAll(Place place) throws IOException;
}
