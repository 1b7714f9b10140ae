package dev.warpline.nvidia.emulate;

import java.util.Arrays;

/** Shared memory of a block: 1 KiB that the system keeps, then the kernel's. */
final class BlockMemory {
  /** Where a kernel's own shared memory begins, from Hopper on. */
  static final int RESERVED = 1024;

  private final byte[] content;

  BlockMemory(int bytes) {
    content = new byte[bytes];
  }

  void clear() {
    Arrays.fill(content, (byte) 0);
  }

  void hash(StateHash hash) {
    hash.add(content);
  }

  int word(int address) {
    return Bytes.word(at(address, 4), address);
  }

  byte[] at(int address, int bytes) {
    if (address < 0 || address + bytes > content.length) {
      throw new AddressFault(
          String.format(
              "accesses %d bytes of shared memory at 0x%x, but the block has 0x%x",
              bytes, address, content.length));
    }
    return content;
  }
}
