package dev.warpline.amd.samples;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What a sample needs of the machine that runs it. The functional and the timed device each
 * implement the four abstract methods.
 */
public abstract class SampleDevice {
  /** A {@code __local} pointer argument of this many bytes. */
  public record Local(int bytes) {}

  /** Reserves zeroed global memory. */
  protected abstract long allocate(int bytes);

  protected abstract void write(long address, byte[] data);

  protected abstract byte[] read(long address, int bytes);

  /**
   * Runs a kernel to its end.
   *
   * @param grid work-items along x, y, z
   * @param group work-items per group along x, y, z
   * @param dynamicLds bytes of dynamic LDS without an argument (HIP)
   * @param arguments Integer, Long (also addresses), Float, Double, byte[] (structure) or {@link
   *     Local}
   */
  protected abstract void launch(
      String kernel, int[] grid, int[] group, int dynamicLds, Object... arguments);

  /** Runs a one-dimensional kernel. */
  public void launch(String kernel, int grid, int group, Object... arguments) {
    launch(kernel, new int[] {grid, 1, 1}, new int[] {group, 1, 1}, 0, arguments);
  }

  /** Runs a two-dimensional kernel. */
  public void launch2d(
      String kernel, int gridX, int gridY, int groupX, int groupY, Object... args) {
    launch(kernel, new int[] {gridX, gridY, 1}, new int[] {groupX, groupY, 1}, 0, args);
  }

  public long zeros(int bytes) {
    return allocate(bytes);
  }

  public long buffer(byte... values) {
    long address = allocate(values.length);
    write(address, values);
    return address;
  }

  public long buffer(int... values) {
    byte[] data = new byte[4 * values.length];
    little(data).asIntBuffer().put(values);
    return buffer(data);
  }

  public long buffer(long... values) {
    byte[] data = new byte[8 * values.length];
    little(data).asLongBuffer().put(values);
    return buffer(data);
  }

  public long buffer(float... values) {
    byte[] data = new byte[4 * values.length];
    little(data).asFloatBuffer().put(values);
    return buffer(data);
  }

  public long buffer(double... values) {
    byte[] data = new byte[8 * values.length];
    little(data).asDoubleBuffer().put(values);
    return buffer(data);
  }

  public long buffer(short... values) {
    byte[] data = new byte[2 * values.length];
    little(data).asShortBuffer().put(values);
    return buffer(data);
  }

  public byte[] bytes(long address, int count) {
    return read(address, count);
  }

  public int[] ints(long address, int count) {
    int[] values = new int[count];
    wrap(address, 4 * count).asIntBuffer().get(values);
    return values;
  }

  public long[] longs(long address, int count) {
    long[] values = new long[count];
    wrap(address, 8 * count).asLongBuffer().get(values);
    return values;
  }

  public float[] floats(long address, int count) {
    float[] values = new float[count];
    wrap(address, 4 * count).asFloatBuffer().get(values);
    return values;
  }

  public double[] doubles(long address, int count) {
    double[] values = new double[count];
    wrap(address, 8 * count).asDoubleBuffer().get(values);
    return values;
  }

  public short[] shorts(long address, int count) {
    short[] values = new short[count];
    wrap(address, 2 * count).asShortBuffer().get(values);
    return values;
  }

  private ByteBuffer wrap(long address, int bytes) {
    return little(read(address, bytes));
  }

  private static ByteBuffer little(byte[] data) {
    return ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
  }
}
