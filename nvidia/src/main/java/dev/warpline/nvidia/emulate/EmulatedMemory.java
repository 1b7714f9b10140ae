package dev.warpline.nvidia.emulate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Global memory: the buffers of a launch file. */
final class EmulatedMemory {
  /** A stretch of memory. */
  static final class Buffer {
    final String name;
    final long address;
    final byte[] content;

    Buffer(String name, long address, byte[] content) {
      this.name = name;
      this.address = address;
      this.content = content;
    }

    long end() {
      return address + content.length;
    }

    /** FNV-1a over the 32-bit words. */
    long checksum() {
      long hash = 0xcbf29ce484222325L;
      for (int at = 0; at < content.length; at += 4) {
        long word = 0;
        for (int i = 0; i < 4 && at + i < content.length; i++) {
          word |= (content[at + i] & 0xffL) << 8 * i;
        }
        hash = (hash ^ word) * 0x100000001b3L;
      }
      return hash;
    }
  }

  private final List<Buffer> buffers = new ArrayList<>();
  private Buffer recent;

  void add(Buffer buffer) throws EmulationException {
    for (Buffer other : buffers) {
      if (buffer.address < other.end() && other.address < buffer.end()) {
        throw new EmulationException(
            "buffers " + other.name + " and " + buffer.name + " overlap in memory");
      }
    }
    buffers.add(buffer);
    buffers.sort(Comparator.comparingLong(b -> b.address));
  }

  /** The buffer that holds all of an access. */
  Buffer at(long address, int bytes) {
    Buffer last = recent;
    if (last != null && address >= last.address && address + bytes <= last.end()) {
      return last;
    }
    for (Buffer buffer : buffers) {
      if (address >= buffer.address && address + bytes <= buffer.end()) {
        recent = buffer;
        return buffer;
      }
    }
    StringBuilder text = new StringBuilder();
    for (Buffer buffer : buffers) {
      text.append(
          String.format("%n  %s: 0x%x to 0x%x", buffer.name, buffer.address, buffer.end() - 1));
    }
    throw new AddressFault(
        String.format(
            "accesses %d bytes at 0x%x, which is in no buffer; the buffers are:%s",
            bytes, address, text));
  }
}
