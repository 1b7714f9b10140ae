package dev.warpline.amd.exec;

import dev.warpline.isa.gcn.GcnInstruction;
import dev.warpline.isa.gcn.GcnOpcode;
import dev.warpline.isa.gcn.GcnOperand;
import dev.warpline.isa.gcn.GcnUnit;
import java.util.Objects;

/**
 * A memory instruction. Running it computes addresses ({@link AddressUnit}) and takes store data;
 * the data then moves when the {@link MemoryAccess} is performed and written back.
 */
final class MemoryOperation extends Operation implements MemoryAccess.Transfer {
  private final AddressUnit addresses;
  private final boolean isScalar;
  private final boolean signExtend;
  private final AtomicFunction atomic;
  private final boolean comparesFirst;

  /** d16 forms: -1 none, 0 low half, 1 high half. */
  private final int half;

  private final int elementDwords;
  private final int destination;
  private final boolean toLds;

  MemoryOperation(GcnInstruction i, AddressUnit addresses, AtomicFunction atomic) {
    super(i);
    this.addresses = addresses;
    this.atomic = atomic;
    String name = i.opcode.mnemonic();
    isScalar = i.opcode.unit() == GcnUnit.SCALAR_MEMORY;
    signExtend =
        name.contains("sbyte")
            || name.contains("sshort")
            || name.contains("_i8")
            || name.contains("_i16");
    comparesFirst = name.startsWith("ds_cmpst");
    half = name.contains("d16_hi") ? 1 : name.contains("d16") ? 0 : -1;
    elementDwords = (i.opcode.accessBytes() + 3) / 4;
    destination = isScalar ? i.sdst : i.vdst;
    toLds = i.lds || name.contains("load_lds");
  }

  @Override
  public boolean isAccess() {
    return true;
  }

  @Override
  public boolean returnsData() {
    return destination != GcnOperand.NONE;
  }

  @Override
  void run(WaveState w, Lanes x, MemoryAccess m) {
    GcnOpcode opcode = instruction.opcode;
    m.transfer = this;
    m.instruction = instruction;
    m.wave = w;
    m.pc = w.pc - instruction.size;
    m.bytes = opcode.accessBytes();
    m.elements = opcode.elements();
    m.ldsLanes = 0;
    m.scratchLanes = 0;
    m.enabled = isScalar ? 1 : w.exec();
    m.lanes = m.enabled;
    if (toLds) {
      m.ldsTarget = (w.m0() & 0xffff) + instruction.offset;
    }
    requireDestination(w);
    addresses.compute(w, instruction, m);
    if (opcode.isStore() || opcode.isAtomic()) {
      takeData(w, m);
    }
  }

  /** The result comes later, but a destination that the wave does not have is a fault now. */
  private void requireDestination(WaveState w) {
    if (destination == GcnOperand.NONE || toLds) {
      return;
    }
    if (isScalar) {
      Objects.checkFromIndexSize(destination, instruction.sdstWidth, w.sgpr.length);
    } else {
      int registers = Math.max(1, instruction.vdstWidth);
      Objects.checkFromIndexSize(
          VectorSource.register(w, destination), registers, w.vgpr.length / 64);
    }
  }

  private void takeData(WaveState w, MemoryAccess m) {
    if (isScalar) {
      System.arraycopy(w.sgpr, instruction.src2, m.data, 0, instruction.src2Width);
      return;
    }
    int first = instruction.src1Width * 64;
    if (instruction.src1 != GcnOperand.NONE) {
      System.arraycopy(w.vgpr, VectorSource.register(w, instruction.src1) * 64, m.data, 0, first);
    }
    if (instruction.opcode.unit() == GcnUnit.LDS && instruction.src2 != GcnOperand.NONE) {
      System.arraycopy(
          w.vgpr,
          VectorSource.register(w, instruction.src2) * 64,
          m.data,
          first,
          instruction.src2Width * 64);
    }
  }

  @Override
  public void perform(MemoryAccess m, DeviceMemory memory) {
    if (isScalar) {
      try {
        performScalar(m, memory);
      } catch (MemoryFault e) {
        throw Semantics.fault(m.wave, instruction, m.pc, -1, e);
      }
      return;
    }
    if (atomic != null) {
      performAtomic(m, memory);
    } else if (instruction.opcode.isStore()) {
      performStore(m, memory);
    } else if (instruction.opcode.isLoad()) {
      performLoad(m, memory);
    }
  }

  private void performScalar(MemoryAccess m, DeviceMemory memory) {
    if (m.lanes == 0) {
      return;
    }
    int dwords = elementDwords;
    if (atomic != null) {
      long operand = dwords == 2 ? join(m.data[0], m.data[1]) : m.data[0] & 0xffffffffL;
      long compare = dwords == 2 ? join(m.data[2], m.data[3]) : m.data[1] & 0xffffffffL;
      long old = exchange(m, memory, 0, m.address[0], operand, compare);
      m.data[0] = (int) old;
      m.data[1] = (int) (old >>> 32);
      return;
    }
    boolean load = instruction.opcode.isLoad();
    for (int k = 0; k < dwords; k++) {
      long at = m.address[0] + 4L * k;
      boolean inRange = at - m.address[0] < m.address1[0];
      if (load) {
        m.data[k] = inRange ? memory.readInt(at) : 0;
      } else if (inRange) {
        memory.writeInt(at, m.data[k]);
      }
    }
  }

  private void performLoad(MemoryAccess m, DeviceMemory memory) {
    try {
      if (m.bytes < 4) {
        for (long left = m.lanes; left != 0; left &= left - 1) {
          int lane = Long.numberOfTrailingZeros(left);
          int value = m.read(memory, lane, m.address[lane], 0, m.bytes);
          m.data[lane] = !signExtend ? value : m.bytes == 1 ? (byte) value : (short) value;
        }
      } else {
        m.loadDwords(memory, m.address, 0, elementDwords);
        if (m.elements == 2) {
          m.loadDwords(memory, m.address1, elementDwords, elementDwords);
        }
      }
    } catch (MemoryFault e) {
      throw Semantics.fault(m.wave, instruction, m.pc, m.laneOf(e), e);
    }
    for (long outside = m.enabled & ~m.lanes; outside != 0; outside &= outside - 1) {
      for (int k = 0; k < elementDwords; k++) {
        m.data[64 * k + Long.numberOfTrailingZeros(outside)] = 0;
      }
    }
  }

  private void performStore(MemoryAccess m, DeviceMemory memory) {
    try {
      if (m.bytes < 4) {
        for (long left = m.lanes; left != 0; left &= left - 1) {
          int lane = Long.numberOfTrailingZeros(left);
          int value = half == 1 ? m.data[lane] >>> 16 : m.data[lane];
          m.write(memory, lane, m.address[lane], 0, m.bytes, value);
        }
      } else {
        m.storeDwords(memory, m.address, 0, elementDwords);
        if (m.elements == 2) {
          m.storeDwords(memory, m.address1, elementDwords, elementDwords);
        }
      }
    } catch (MemoryFault e) {
      throw Semantics.fault(m.wave, instruction, m.pc, m.laneOf(e), e);
    }
  }

  private void performAtomic(MemoryAccess m, DeviceMemory memory) {
    int[] data = m.data;
    int lane = 0;
    try {
      for (long left = m.lanes; left != 0; left &= left - 1) {
        lane = Long.numberOfTrailingZeros(left);
        if (m.elements == 2) {
          long first = value(data, 0, lane);
          long second = value(data, elementDwords, lane);
          put(data, 0, lane, exchange(m, memory, lane, m.address[lane], first, 0));
          put(data, elementDwords, lane, exchange(m, memory, lane, m.address1[lane], second, 0));
          continue;
        }
        long operand = value(data, 0, lane);
        long compare = value(data, elementDwords, lane);
        long old =
            comparesFirst
                ? exchange(m, memory, lane, m.address[lane], compare, operand)
                : exchange(m, memory, lane, m.address[lane], operand, compare);
        put(data, 0, lane, old);
      }
    } catch (MemoryFault e) {
      throw Semantics.fault(m.wave, instruction, m.pc, lane, e);
    }
  }

  private long value(int[] data, int dword, int lane) {
    int low = data[64 * dword + lane];
    return elementDwords == 2 ? join(low, data[64 * (dword + 1) + lane]) : low & 0xffffffffL;
  }

  private void put(int[] data, int dword, int lane, long value) {
    data[64 * dword + lane] = (int) value;
    if (elementDwords == 2) {
      data[64 * (dword + 1) + lane] = (int) (value >>> 32);
    }
  }

  private long exchange(
      MemoryAccess m, DeviceMemory memory, int lane, long at, long data, long compare) {
    int bytes = 4 * elementDwords;
    if ((at & bytes - 1) != 0) {
      throw new MemoryFault(
          String.format("atomic at 0x%x is not aligned to its %d bytes", at, bytes), at, bytes);
    }
    long old = m.read(memory, lane, at, 0, 4) & 0xffffffffL;
    if (elementDwords == 2) {
      old |= (long) m.read(memory, lane, at, 4, 4) << 32;
    }
    long result = atomic.apply(old, data, compare);
    m.write(memory, lane, at, 0, 4, (int) result);
    if (elementDwords == 2) {
      m.write(memory, lane, at, 4, 4, (int) (result >>> 32));
    }
    return old;
  }

  @Override
  public void writeBack(MemoryAccess m) {
    if (toLds) {
      for (long left = m.lanes; left != 0; left &= left - 1) {
        int lane = Long.numberOfTrailingZeros(left);
        MemoryAccess.writeLds(m.wave.group.lds, m.ldsTarget + 4L * lane, 4, m.data[lane]);
      }
      return;
    }
    if (destination == GcnOperand.NONE) {
      return;
    }
    if (isScalar) {
      System.arraycopy(m.data, 0, m.wave.sgpr, destination, instruction.sdstWidth);
      return;
    }
    int[] vgpr = m.wave.vgpr;
    int base = VectorSource.register(m.wave, destination) * 64;
    if (half >= 0) {
      int keep = half == 0 ? 0xffff0000 : 0xffff;
      for (long left = m.enabled; left != 0; left &= left - 1) {
        int lane = Long.numberOfTrailingZeros(left);
        vgpr[base + lane] = vgpr[base + lane] & keep | (m.data[lane] & 0xffff) << 16 * half;
      }
      return;
    }
    int dwords = instruction.vdstWidth;
    if (m.enabled == -1L) {
      System.arraycopy(m.data, 0, vgpr, base, 64 * dwords);
      return;
    }
    for (long left = m.enabled; left != 0; left &= left - 1) {
      int lane = Long.numberOfTrailingZeros(left);
      for (int k = 0; k < dwords; k++) {
        vgpr[base + 64 * k + lane] = m.data[64 * k + lane];
      }
    }
  }

  private static long join(int low, int high) {
    return low & 0xffffffffL | (long) high << 32;
  }
}
