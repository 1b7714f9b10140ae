package dev.warpline.amd.exec;

import dev.warpline.isa.gcn.GcnInstruction;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * One dynamic memory instruction on its way. Executing the instruction fills in addresses and, for
 * stores and atomics, takes the data from the registers; {@link #perform} exchanges data with
 * memory; {@link #writeBack} puts what was loaded into the registers. A timed model calls each at
 * its own time, {@link #complete} does both. Reusable: every execution overwrites it.
 *
 * <p>LDS permutations and the clocks also come this way (without lanes that touch memory), because
 * their result arrives like that of a load.
 */
public final class MemoryAccess {
  private static final VarHandle LDS_INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** Dwords of scratch of one lane lie this far apart: those of the other lanes are in between. */
  public static final int SCRATCH_STRIDE = 256;

  /** How the data of an access moves. */
  interface Transfer {
    boolean returnsData();

    void perform(MemoryAccess m, DeviceMemory memory);

    void writeBack(MemoryAccess m);
  }

  /**
   * First byte each lane touches: a device address or, for lanes in {@link #ldsLanes}, an offset in
   * LDS.
   */
  public final long[] address = new long[64];

  /** Second element of the LDS pair instructions. */
  public final long[] address1 = new long[64];

  /** Lanes that touch memory. A scalar access has lane 0 only. */
  public long lanes;

  /** Those of {@link #lanes} that touch LDS. */
  public long ldsLanes;

  /**
   * Those of {@link #lanes} that touch scratch: consecutive dwords of a lane are 256 bytes apart.
   */
  public long scratchLanes;

  /** Bytes per lane of one element, and elements (2 for LDS pairs). */
  public int bytes;

  public int elements;

  /** The instruction, its PC and its wave. */
  public GcnInstruction instruction;

  public long pc;
  public WaveState wave;

  /**
   * Values by dword and lane, as in the register file, at most four of each lane; a scalar access
   * uses the first dwords.
   */
  final int[] data = new int[4 * 64];

  /**
   * Lanes enabled when it was issued: their destination is written, with zero if they are out of a
   * buffer's range.
   */
  long enabled;

  Transfer transfer;

  /** Destination in LDS of loads that bypass the registers. */
  int ldsTarget;

  public boolean isLoad() {
    return instruction.opcode.isLoad();
  }

  public boolean isStore() {
    return instruction.opcode.isStore();
  }

  public boolean isAtomic() {
    return instruction.opcode.isAtomic();
  }

  /** Whether {@link #writeBack} changes a register. */
  public boolean returnsData() {
    return transfer.returnsData();
  }

  /** Whether each of some lanes touches the bytes behind those of the lane before. */
  public boolean isRun(int first, int count) {
    long next = address[first];
    for (int lane = first; lane < first + count; lane++) {
      if (address[lane] != next) {
        return false;
      }
      next += bytes;
    }
    return true;
  }

  /** Moves the data between memory and this access. */
  public void perform(DeviceMemory memory) {
    transfer.perform(this, memory);
  }

  /** Puts loaded data, or the old values of an atomic, into the registers of the wave. */
  public void writeBack() {
    transfer.writeBack(this);
  }

  public void complete(DeviceMemory memory) {
    perform(memory);
    writeBack();
  }

  /** Address of byte {@code offset} of what a lane touches, counted from {@code first}. */
  private long byteAddress(int lane, long first, int offset) {
    if ((scratchLanes >>> lane & 1) == 0) {
      return first + offset;
    }
    int within = ((int) first & 3) + offset;
    return (first & ~3L) + (long) (within >> 2) * SCRATCH_STRIDE + (within & 3);
  }

  private boolean isLds(int lane) {
    return (ldsLanes >>> lane & 1) != 0;
  }

  /** {@code count} bytes (1, 2 or 4) of a lane, zero-extended. */
  int read(DeviceMemory memory, int lane, long first, int offset, int count) {
    if (isLds(lane)) {
      return readLds(wave.group.lds, first + offset, count);
    }
    long at = byteAddress(lane, first, offset);
    if ((scratchLanes >>> lane & 1) != 0 && (at & 3) + count > 4) {
      int value = 0;
      for (int i = 0; i < count; i++) {
        value |= memory.readByte(byteAddress(lane, first, offset + i)) << 8 * i;
      }
      return value;
    }
    return switch (count) {
      case 1 -> memory.readByte(at);
      case 2 -> memory.readShort(at);
      default -> memory.readInt(at);
    };
  }

  void write(DeviceMemory memory, int lane, long first, int offset, int count, int value) {
    if (isLds(lane)) {
      writeLds(wave.group.lds, first + offset, count, value);
      return;
    }
    long at = byteAddress(lane, first, offset);
    if ((scratchLanes >>> lane & 1) != 0 && (at & 3) + count > 4) {
      for (int i = 0; i < count; i++) {
        memory.writeByte(byteAddress(lane, first, offset + i), value >> 8 * i);
      }
      return;
    }
    switch (count) {
      case 1 -> memory.writeByte(at, value);
      case 2 -> memory.writeShort(at, value);
      default -> memory.writeInt(at, value);
    }
  }

  /**
   * How far apart the dwords of one lane lie if that is the same for all lanes and none touches
   * LDS: 4 in memory, 256 in scratch; otherwise 0.
   */
  private int dwordStride() {
    if (ldsLanes != 0) {
      return 0;
    }
    if (scratchLanes == 0) {
      return 4;
    }
    long misaligned = 0;
    for (int lane = 0; lane < 64; lane++) {
      misaligned |= address[lane];
    }
    return scratchLanes == lanes && (misaligned & 3) == 0 ? SCRATCH_STRIDE : 0;
  }

  /**
   * Loads {@code dwords} dwords per lane from {@code at[lane]} to {@code data} from {@code first}.
   */
  void loadDwords(DeviceMemory memory, long[] at, int first, int dwords) {
    int stride = dwordStride();
    for (int k = 0; k < dwords; k++) {
      int row = 64 * (first + k);
      if (stride != 0) {
        memory.gather(at, (long) k * stride, lanes, data, row);
        continue;
      }
      for (long left = lanes; left != 0; left &= left - 1) {
        int lane = Long.numberOfTrailingZeros(left);
        data[row + lane] = read(memory, lane, at[lane], 4 * k, 4);
      }
    }
  }

  void storeDwords(DeviceMemory memory, long[] at, int first, int dwords) {
    int stride = dwordStride();
    for (int k = 0; k < dwords; k++) {
      int row = 64 * (first + k);
      if (stride != 0) {
        memory.scatter(at, (long) k * stride, lanes, data, row);
        continue;
      }
      for (long left = lanes; left != 0; left &= left - 1) {
        int lane = Long.numberOfTrailingZeros(left);
        write(memory, lane, at[lane], 4 * k, 4, data[row + lane]);
      }
    }
  }

  /** The lane whose access a fault came from. */
  int laneOf(MemoryFault fault) {
    for (long left = lanes; left != 0; left &= left - 1) {
      int lane = Long.numberOfTrailingZeros(left);
      for (int k = 0; k < Math.max(1, bytes); k++) {
        if (byteAddress(lane, address[lane], k) == fault.address()
            || elements == 2 && byteAddress(lane, address1[lane], k) == fault.address()) {
          return lane;
        }
      }
    }
    return -1;
  }

  private static void checkLds(byte[] lds, long offset, int count) {
    if (offset < 0 || offset + count > lds.length) {
      throw new MemoryFault(
          String.format(
              "LDS offset 0x%x lies outside of the %d bytes the work-group has",
              offset, lds.length),
          offset,
          count);
    }
  }

  private static int readLds(byte[] lds, long offset, int count) {
    checkLds(lds, offset, count);
    int at = (int) offset;
    return switch (count) {
      case 1 -> lds[at] & 0xff;
      case 2 -> lds[at] & 0xff | (lds[at + 1] & 0xff) << 8;
      default -> (int) LDS_INT.get(lds, at);
    };
  }

  static void writeLds(byte[] lds, long offset, int count, int value) {
    checkLds(lds, offset, count);
    int at = (int) offset;
    if (count == 4) {
      LDS_INT.set(lds, at, value);
      return;
    }
    for (int i = 0; i < count; i++) {
      lds[at + i] = (byte) (value >> 8 * i);
    }
  }
}
