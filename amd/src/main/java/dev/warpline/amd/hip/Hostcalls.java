package dev.warpline.amd.hip;

import dev.warpline.amd.code.KernargSegment;
import dev.warpline.amd.code.Kernel;
import dev.warpline.amd.exec.DeviceMemory;
import dev.warpline.amd.hsa.HsaDevice;
import dev.warpline.amd.hsa.HsaException;
import dev.warpline.amd.hsa.Signal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * What running kernels ask of the host: to print, and for memory. A wave takes a packet from a list
 * of free ones in device memory, puts what it wants into it, a row per lane, appends it to a list
 * of ready ones and waits until the host has answered there. The layout is that of AMD's device
 * library: {@code headers, payloads, doorbell, free list, ready list, mask} in the buffer.
 */
final class Hostcalls {
  /** Formats and prints for a kernel. */
  @FunctionalInterface
  interface Printer {
    /**
     * @param stream 1 for standard output, 2 for standard error
     * @param message format and arguments as the kernel sent them
     * @return characters printed
     */
    long print(int stream, byte[] message) throws IOException;
  }

  /** Gives memory to kernels. */
  interface Heap {
    /** So many bytes; 0 if there is no room. */
    long allocate(long bytes) throws IOException;

    void free(long address);
  }

  private static final int FREE = 24;
  private static final int READY = 32;
  private static final int MASK = 40;
  private static final int BUFFER_BYTES = 48;

  private static final int HEADER_BYTES = 24;
  private static final int ACTIVE = 8;
  private static final int SERVICE = 16;
  private static final int CONTROL = 20;

  private static final int LANE_BYTES = 64;
  private static final int PAYLOAD_BYTES = 64 * LANE_BYTES;

  private static final int PRINTF = 2;
  private static final int MEMORY = 3;

  /** Bits of a message's first word: the first part, the last part, words in this part, number. */
  private static final long FIRST = 1;

  private static final long LAST = 2;
  private static final int WORDS_SHIFT = 5;
  private static final int WORDS_MASK = 7;
  private static final int NUMBER_SHIFT = 8;

  private static final int HEAP_BYTES = 128 << 10;

  private final HsaDevice device;
  private final DeviceMemory memory;
  private final Printer printer;
  private final Heap heap;
  private final int packets;
  private final Map<Long, ByteArrayOutputStream> messages = new HashMap<>();
  private long nextMessage = 1;
  private long buffer;
  private long heapState;

  /**
   * @param waves that run at a time at most; as many packets are needed
   */
  Hostcalls(HsaDevice device, int waves, Printer printer, Heap heap) {
    this.device = device;
    this.memory = device.memory();
    this.printer = printer;
    this.heap = heap;
    packets = Integer.highestOneBit(Math.max(1, waves - 1)) * 2;
  }

  /** Gives a kernel that wants it the buffer, and the state of the heap. */
  void complete(KernargSegment arguments, Kernel kernel) {
    if (wants(kernel, "hidden_hostcall_buffer")) {
      if (buffer == 0) {
        create();
      }
      arguments.setHidden("hostcall_buffer", buffer);
    }
    if (wants(kernel, "hidden_heap_v1")) {
      if (heapState == 0) {
        heapState = memory.allocate(HEAP_BYTES);
      }
      arguments.setHidden("heap_v1", heapState);
    }
  }

  static boolean wants(Kernel kernel, String kind) {
    return kernel.arguments().stream().anyMatch(a -> a.kind().equals(kind));
  }

  private void create() {
    long made = memory.allocate(BUFFER_BYTES);
    long headers = memory.allocate((long) packets * HEADER_BYTES);
    long payloads = memory.allocateVisible((long) packets * PAYLOAD_BYTES);
    Signal doorbell = device.createSignal(0);
    memory.writeLong(made, headers);
    memory.writeLong(made + 8, payloads);
    memory.writeLong(made + 16, doorbell.address());
    memory.writeLong(made + MASK, packets - 1);
    // A packet's name is its number and, above it, how often it was used; 0 ends a list.
    long next = 0;
    for (int i = 0; i < packets; i++) {
      memory.writeLong(headers + (long) i * HEADER_BYTES, next);
      next = packets + i;
    }
    memory.writeLong(made + FREE, next);
    buffer = made;
  }

  /** Answers everything that waits. */
  void serve() {
    if (buffer == 0) {
      return;
    }
    long ready = memory.readLong(buffer + READY);
    if (ready == 0) {
      return;
    }
    memory.writeLong(buffer + READY, 0);
    long headers = memory.readLong(buffer);
    // The list has the last first.
    Deque<Integer> inOrder = new ArrayDeque<>();
    while (ready != 0) {
      int index = (int) (ready & packets - 1);
      inOrder.push(index);
      ready = memory.readLong(headers + (long) index * HEADER_BYTES);
    }
    for (int index : inOrder) {
      answer(headers + (long) index * HEADER_BYTES, index);
    }
  }

  private void answer(long header, int index) {
    long payload = memory.readLong(buffer + 8) + (long) index * PAYLOAD_BYTES;
    int service = memory.readInt(header + SERVICE);
    try {
      for (long left = memory.readLong(header + ACTIVE); left != 0; left &= left - 1) {
        long row = payload + (long) Long.numberOfTrailingZeros(left) * LANE_BYTES;
        long answer =
            switch (service) {
              case PRINTF -> print(row);
              case MEMORY -> heap(memory.readLong(row), memory.readLong(row + 8));
              default ->
                  throw new HsaException(
                      "a kernel asks the host for service "
                          + service
                          + "; expected 2 (printf) or 3 (memory)");
            };
        memory.writeLong(row, answer);
        memory.writeLong(row + 8, 0);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    memory.writeInt(header + CONTROL, memory.readInt(header + CONTROL) & ~1);
  }

  /** A part of a message; what the kernel has to name with the next one, or characters printed. */
  private long print(long row) throws IOException {
    long word = memory.readLong(row);
    int words = (int) (word >>> WORDS_SHIFT) & WORDS_MASK;
    long number = word >>> NUMBER_SHIFT;
    if ((word & FIRST) != 0) {
      number = nextMessage++;
      messages.put(number, new ByteArrayOutputStream());
    }
    ByteArrayOutputStream message = messages.get(number);
    if (message == null) {
      throw new HsaException("a kernel continues message " + number + " of printf, which is none");
    }
    message.writeBytes(memory.copyOut(row + 8, 8 * words));
    if ((word & LAST) == 0) {
      return word & ~FIRST & (1L << NUMBER_SHIFT) - 1 | number << NUMBER_SHIFT;
    }
    messages.remove(number);
    byte[] all = message.toByteArray();
    byte[] text = new byte[Math.max(0, all.length - 8)];
    System.arraycopy(all, 8, text, 0, text.length);
    return printer.print(all[0] == 0 ? 1 : 2, text);
  }

  private long heap(long address, long bytes) throws IOException {
    if (address != 0) {
      heap.free(address);
      return 0;
    }
    return heap.allocate(bytes);
  }
}
