package dev.warpline.amd.code;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Builds the argument segment of one launch: the caller's arguments by position, then the hidden
 * ones that the runtime fills in.
 */
public final class KernargSegment {
  /**
   * What the hidden arguments tell a kernel about its launch.
   *
   * @param grid work-items along x, y, z
   * @param group work-items per group along x, y, z
   * @param dimensions 1 to 3
   * @param sharedBase address at which the LDS aperture begins
   * @param privateBase address at which the scratch aperture begins
   * @param queue address of the queue (amd_queue_t)
   */
  public record Launch(
      int[] grid, int[] group, int dimensions, long sharedBase, long privateBase, long queue) {}

  private final Kernel kernel;
  private final List<KernelArgument> explicit;
  private final ByteBuffer segment;
  private final boolean[] given;
  private final Map<String, Long> hidden = new HashMap<>();
  private int dynamicLdsBytes;

  public KernargSegment(Kernel kernel) {
    this.kernel = kernel;
    explicit = kernel.explicitArguments();
    given = new boolean[explicit.size()];
    segment = ByteBuffer.allocate(kernel.kernargBytes()).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Gives an argument as a number or address; the low bytes are taken. */
  public KernargSegment set(int position, long value) {
    KernelArgument argument = argument(position);
    if (argument.size() > 8) {
      throw new IllegalArgumentException(
          describe(position) + " has " + argument.size() + " bytes; a number has at most 8");
    }
    for (int i = 0; i < argument.size(); i++) {
      segment.put(argument.offset() + i, (byte) (value >> 8 * i));
    }
    given[position] = true;
    return this;
  }

  /** Gives a 32-bit float argument. */
  public KernargSegment set(int position, float value) {
    return set(position, Float.floatToRawIntBits(value) & 0xffffffffL);
  }

  /** Gives a 64-bit float argument. */
  public KernargSegment set(int position, double value) {
    return set(position, Double.doubleToRawLongBits(value));
  }

  /** Gives an argument as raw bytes, e.g. a structure. */
  public KernargSegment set(int position, byte[] value) {
    KernelArgument argument = argument(position);
    if (value.length != argument.size()) {
      throw new IllegalArgumentException(
          describe(position) + " has " + argument.size() + " bytes, found " + value.length);
    }
    segment.put(argument.offset(), value);
    given[position] = true;
    return this;
  }

  /** Gives all arguments at once, laid out as the kernel wants them. */
  public KernargSegment setAll(byte[] values) {
    int end = 0;
    for (KernelArgument argument : explicit) {
      end = Math.max(end, argument.offset() + argument.size());
    }
    if (values.length != end) {
      throw new IllegalArgumentException(
          "the arguments of kernel "
              + kernel.name()
              + " have "
              + end
              + " bytes, found "
              + values.length);
    }
    segment.put(0, values);
    Arrays.fill(given, true);
    return this;
  }

  /**
   * Gives a hidden argument that the runtime has to fill in, where the kernel has it.
   *
   * @param kind as the metadata name it, without {@code hidden_}
   */
  public KernargSegment setHidden(String kind, long value) {
    hidden.put(kind, value);
    return this;
  }

  /** Gives the size of a {@code __local} pointer argument; it is placed after the static LDS. */
  public KernargSegment setLocal(int position, int bytes) {
    KernelArgument argument = argument(position);
    if (!argument.isDynamicLds()) {
      throw new IllegalArgumentException(describe(position) + " is no LDS pointer");
    }
    int offset = kernel.descriptor().groupSegmentBytes() + dynamicLdsBytes + 15 & ~15;
    dynamicLdsBytes = offset + bytes - kernel.descriptor().groupSegmentBytes();
    return set(position, offset);
  }

  /** Adds dynamic LDS without an argument, as HIP launches do. */
  public KernargSegment addDynamicLds(int bytes) {
    dynamicLdsBytes += bytes;
    return this;
  }

  /** LDS bytes per group: static and dynamic; goes into the dispatch packet. */
  public int groupSegmentBytes() {
    return kernel.descriptor().groupSegmentBytes() + dynamicLdsBytes;
  }

  /** The finished segment. */
  public byte[] bytes(Launch launch) {
    for (int i = 0; i < given.length; i++) {
      if (!given[i]) {
        throw new IllegalArgumentException(describe(i) + " is missing");
      }
    }
    for (KernelArgument argument : kernel.arguments()) {
      if (argument.isHidden()) {
        long value = hidden(argument.kind().substring("hidden_".length()), launch);
        for (int i = 0; i < argument.size(); i++) {
          segment.put(argument.offset() + i, i < 8 ? (byte) (value >> 8 * i) : 0);
        }
      }
    }
    return segment.array().clone();
  }

  private long hidden(String kind, Launch launch) {
    int[] grid = launch.grid;
    int[] group = launch.group;
    return switch (kind) {
      case "block_count_x" -> grid[0] / group[0];
      case "block_count_y" -> grid[1] / group[1];
      case "block_count_z" -> grid[2] / group[2];
      case "group_size_x" -> group[0];
      case "group_size_y" -> group[1];
      case "group_size_z" -> group[2];
      case "remainder_x" -> grid[0] % group[0];
      case "remainder_y" -> grid[1] % group[1];
      case "remainder_z" -> grid[2] % group[2];
      case "grid_dims" -> launch.dimensions;
      case "dynamic_lds_size" -> dynamicLdsBytes;
      case "private_base" -> launch.privateBase >>> 32;
      case "shared_base" -> launch.sharedBase >>> 32;
      case "queue_ptr" -> launch.queue;
      // Global offsets are zero; what else there is somebody has given.
      default -> hidden.getOrDefault(kind, 0L);
    };
  }

  private KernelArgument argument(int position) {
    if (position < 0 || position >= explicit.size()) {
      throw new IllegalArgumentException(
          "kernel " + kernel.name() + " has " + explicit.size() + " arguments, not " + position);
    }
    return explicit.get(position);
  }

  private String describe(int position) {
    String name = explicit.get(position).name();
    return "argument "
        + position
        + (name.isEmpty() ? "" : " (" + name + ")")
        + " of kernel "
        + kernel.name();
  }
}
