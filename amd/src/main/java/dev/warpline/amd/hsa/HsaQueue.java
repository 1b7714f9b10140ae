package dev.warpline.amd.hsa;

import dev.warpline.amd.exec.DeviceMemory;

/**
 * A user-mode queue: an {@code amd_queue_t} and a ring of packets in device memory, seen from the
 * side that fills it.
 */
public final class HsaQueue {
  static final int QUEUE_BYTES = 256;
  static final int BASE_ADDRESS = 8;
  static final int DOORBELL = 16;
  static final int SIZE = 24;
  static final int ID = 32;
  static final int WRITE_DISPATCH_ID = 56;
  static final int GROUP_APERTURE_HI = 64;
  static final int PRIVATE_APERTURE_HI = 68;
  static final int READ_DISPATCH_ID = 128;
  static final int READ_DISPATCH_ID_OFFSET = 136;
  static final int TMPRING_SIZE = 140;
  static final int SCRATCH_LOCATION = 160;
  static final int SCRATCH_BYTES = 168;
  static final int SCRATCH_PER_ITEM = 176;

  private final DeviceMemory memory;
  private final int id;
  private final long address;
  private final long base;
  private final int size;
  private final long doorbell;

  HsaQueue(DeviceMemory memory, int id, int size, long doorbell) {
    if (size < 1 || Integer.bitCount(size) != 1) {
      throw new IllegalArgumentException("a queue holds a power of two of packets, found " + size);
    }
    this.memory = memory;
    this.id = id;
    this.size = size;
    this.doorbell = doorbell;
    address = memory.allocate(QUEUE_BYTES);
    base = memory.allocate((long) size * AqlPacket.BYTES);
    memory.writeInt(address + 4, 1);
    memory.writeLong(address + BASE_ADDRESS, base);
    memory.writeLong(address + DOORBELL, doorbell);
    memory.writeInt(address + SIZE, size);
    memory.writeLong(address + ID, id);
    memory.writeInt(address + READ_DISPATCH_ID_OFFSET, READ_DISPATCH_ID);
    memory.writeInt(address + GROUP_APERTURE_HI, 0x10000);
    memory.writeInt(address + PRIVATE_APERTURE_HI, 0x20000);
    for (int i = 0; i < size; i++) {
      memory.writeShort(slot(i), AqlPacket.INVALID);
    }
  }

  public int id() {
    return id;
  }

  /** Address of the {@code amd_queue_t}. */
  public long address() {
    return address;
  }

  /** Packets the ring holds. */
  public int size() {
    return size;
  }

  public long writeIndex() {
    return memory.readLong(address + WRITE_DISPATCH_ID);
  }

  public long readIndex() {
    return memory.readLong(address + READ_DISPATCH_ID);
  }

  public boolean isFull() {
    return writeIndex() - readIndex() >= size;
  }

  /** Puts a packet into the next slot without ringing; returns its index. */
  public long write(AqlPacket packet) {
    if (isFull()) {
      throw new IllegalStateException("queue " + id + " is full: " + size + " packets");
    }
    long index = writeIndex();
    memory.writeLong(address + WRITE_DISPATCH_ID, index + 1);
    packet.write(memory, slot(index));
    return index;
  }

  long slot(long index) {
    return base + (index & (size - 1)) * AqlPacket.BYTES;
  }

  long doorbell() {
    return doorbell;
  }
}
