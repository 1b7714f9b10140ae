package dev.warpline.amd.hsa;

import dev.warpline.amd.exec.DeviceMemory;

/** A signal ({@code amd_signal_t}) in device memory. Work is complete when its value is below 1. */
public record Signal(DeviceMemory memory, long address) {
  static final int BYTES = 64;
  private static final int KIND = 0;
  private static final int VALUE = 8;
  private static final int MAILBOX = 16;
  private static final int EVENT_ID = 24;
  private static final int START = 32;
  private static final int END = 40;
  private static final int USER = 1;

  static Signal create(DeviceMemory memory, long value) {
    Signal signal = new Signal(memory, memory.allocate(BYTES));
    memory.writeLong(signal.address + KIND, USER);
    signal.set(value);
    return signal;
  }

  public long value() {
    return memory.readLong(address + VALUE);
  }

  public void set(long value) {
    memory.writeLong(address + VALUE, value);
  }

  public boolean isComplete() {
    return value() < 1;
  }

  /** When the command processor took the packet up, in nanoseconds of device time. */
  public long startNanos() {
    return memory.readLong(address + START);
  }

  /** When the work was complete, in nanoseconds of device time. */
  public long endNanos() {
    return memory.readLong(address + END);
  }

  /** What the packet processor does at completion: event, time stamps, then the value. */
  void complete(long startNanos, long endNanos) {
    long mailbox = memory.readLong(address + MAILBOX);
    if (mailbox != 0) {
      memory.writeLong(mailbox, memory.readInt(address + EVENT_ID));
    }
    memory.writeLong(address + START, startNanos);
    memory.writeLong(address + END, endNanos);
    set(value() - 1);
  }
}
