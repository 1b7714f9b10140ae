package dev.warpline.amd.hsa;

import dev.warpline.amd.exec.DeviceMemory;

/**
 * A packet of the Architected Queuing Language: 64 bytes in a queue. The header is written last, so
 * that a half-written packet stays invalid.
 */
public sealed interface AqlPacket {
  /** Bytes of every packet. */
  int BYTES = 64;

  int VENDOR = 0;
  int INVALID = 1;
  int KERNEL_DISPATCH = 2;
  int BARRIER_AND = 3;
  int AGENT_DISPATCH = 4;
  int BARRIER_OR = 5;

  /** Header bit: do not start before all earlier packets of the queue are complete. */
  int BARRIER_BIT = 1 << 8;

  /** Header bits: acquire and release at system scope. */
  int SYSTEM_FENCES = FenceScope.header(FenceScope.SYSTEM, FenceScope.SYSTEM);

  int COMPLETION_SIGNAL = 56;

  /** Type, barrier bit and fences. */
  int header();

  /** Writes all but the header to a zeroed slot. */
  void writeBody(DeviceMemory memory, long slot);

  /** Writes the packet, header last. */
  default void write(DeviceMemory memory, long slot) {
    memory.writeShort(slot, INVALID);
    memory.fill(slot + 2, BYTES - 2, 0);
    writeBody(memory, slot);
    memory.writeShort(slot, header());
  }

  /**
   * Starts a kernel.
   *
   * @param barrier wait for the earlier packets of the queue
   * @param acquire fence before it starts
   * @param release fence before it is complete
   * @param grid work-items along x, y, z
   * @param group work-items of a group along x, y, z
   * @param privateBytes scratch per work-item
   * @param groupBytes LDS per work-group
   * @param kernelObject address of the kernel descriptor
   * @param kernarg address of the arguments
   * @param completion address of a signal, 0 for none
   * @param number the program's count of launches, from 1; 0: counted when it is taken
   */
  record KernelDispatch(
      boolean barrier,
      FenceScope acquire,
      FenceScope release,
      int[] grid,
      int[] group,
      int privateBytes,
      int groupBytes,
      long kernelObject,
      long kernarg,
      long completion,
      int number)
      implements AqlPacket {
    /** Place of the number, reserved in HSA's packet. */
    static final int NUMBER = 48;

    /** A launch that is counted when it is taken. */
    public KernelDispatch(
        boolean barrier,
        FenceScope acquire,
        FenceScope release,
        int[] grid,
        int[] group,
        int privateBytes,
        int groupBytes,
        long kernelObject,
        long kernarg,
        long completion) {
      this(
          barrier,
          acquire,
          release,
          grid,
          group,
          privateBytes,
          groupBytes,
          kernelObject,
          kernarg,
          completion,
          0);
    }

    @Override
    public int header() {
      return KERNEL_DISPATCH | (barrier ? BARRIER_BIT : 0) | FenceScope.header(acquire, release);
    }

    @Override
    public void writeBody(DeviceMemory memory, long slot) {
      int dimensions = grid[2] > 1 ? 3 : grid[1] > 1 ? 2 : 1;
      memory.writeShort(slot + 2, dimensions);
      for (int d = 0; d < 3; d++) {
        memory.writeShort(slot + 4 + 2L * d, group[d]);
        memory.writeInt(slot + 12 + 4L * d, grid[d]);
      }
      memory.writeInt(slot + 24, privateBytes);
      memory.writeInt(slot + 28, groupBytes);
      memory.writeLong(slot + 32, kernelObject);
      memory.writeLong(slot + 40, kernarg);
      memory.writeInt(slot + NUMBER, number);
      memory.writeLong(slot + COMPLETION_SIGNAL, completion);
    }
  }

  /**
   * Waits for up to five signals to become zero: all of them, or any.
   *
   * @param any complete when one of them is zero (barrier-OR)
   * @param signals addresses, at most five
   */
  record Barrier(boolean barrier, boolean any, long[] signals, long completion)
      implements AqlPacket {
    /** Most signals one packet can name. */
    public static final int MAX_SIGNALS = 5;

    public Barrier {
      if (signals.length > MAX_SIGNALS) {
        throw new IllegalArgumentException(
            "a barrier packet takes at most 5 signals, found " + signals.length);
      }
    }

    @Override
    public int header() {
      return (any ? BARRIER_OR : BARRIER_AND) | (barrier ? BARRIER_BIT : 0) | SYSTEM_FENCES;
    }

    @Override
    public void writeBody(DeviceMemory memory, long slot) {
      for (int i = 0; i < signals.length; i++) {
        memory.writeLong(slot + 8 + 8L * i, signals[i]);
      }
      memory.writeLong(slot + COMPLETION_SIGNAL, completion);
    }
  }

  /**
   * Asks the agent itself for something.
   *
   * @param type {@link #NOOP} or {@link #SIGNAL_OF_TASK}
   * @param returnAddress where the answer goes
   * @param argument first argument
   */
  record AgentDispatch(
      boolean barrier, int type, long returnAddress, long argument, long completion)
      implements AqlPacket {
    /** Does nothing. */
    public static final int NOOP = 0;

    /** Writes the address of the completion signal of task {@code argument}. */
    public static final int SIGNAL_OF_TASK = 1;

    @Override
    public int header() {
      return AGENT_DISPATCH | (barrier ? BARRIER_BIT : 0) | SYSTEM_FENCES;
    }

    @Override
    public void writeBody(DeviceMemory memory, long slot) {
      memory.writeShort(slot + 2, type);
      memory.writeLong(slot + 8, returnAddress);
      memory.writeLong(slot + 16, argument);
      memory.writeLong(slot + COMPLETION_SIGNAL, completion);
    }
  }

  /**
   * A vendor's own packet: starts a transfer or another task of the device, if it names one.
   *
   * @param task number of what the device knows, 0 for none
   */
  record Vendor(boolean barrier, long task, long completion) implements AqlPacket {
    static final int TASK = 8;

    @Override
    public int header() {
      return VENDOR | (barrier ? BARRIER_BIT : 0);
    }

    @Override
    public void writeBody(DeviceMemory memory, long slot) {
      memory.writeLong(slot + TASK, task);
      memory.writeLong(slot + COMPLETION_SIGNAL, completion);
    }
  }
}
