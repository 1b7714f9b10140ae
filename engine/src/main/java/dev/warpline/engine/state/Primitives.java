package dev.warpline.engine.state;

import java.nio.ByteBuffer;

/** Stretches of arrays of numbers as bytes. */
final class Primitives {
  private Primitives() {}

  /** Bytes of an element. */
  static int size(Object array) {
    if (array instanceof long[] || array instanceof double[]) {
      return 8;
    }
    if (array instanceof int[] || array instanceof float[]) {
      return 4;
    }
    return array instanceof short[] || array instanceof char[] ? 2 : 1;
  }

  static void put(Object array, int from, int count, ByteBuffer into) {
    if (array instanceof long[] a) {
      into.asLongBuffer().put(a, from, count);
    } else if (array instanceof int[] a) {
      into.asIntBuffer().put(a, from, count);
    } else if (array instanceof double[] a) {
      into.asDoubleBuffer().put(a, from, count);
    } else if (array instanceof float[] a) {
      into.asFloatBuffer().put(a, from, count);
    } else if (array instanceof short[] a) {
      into.asShortBuffer().put(a, from, count);
    } else if (array instanceof char[] a) {
      into.asCharBuffer().put(a, from, count);
    } else {
      boolean[] a = (boolean[]) array;
      for (int i = 0; i < count; i++) {
        into.put((byte) (a[from + i] ? 1 : 0));
      }
    }
  }

  static void get(Object array, int from, int count, ByteBuffer source) {
    if (array instanceof long[] a) {
      source.asLongBuffer().get(a, from, count);
    } else if (array instanceof int[] a) {
      source.asIntBuffer().get(a, from, count);
    } else if (array instanceof double[] a) {
      source.asDoubleBuffer().get(a, from, count);
    } else if (array instanceof float[] a) {
      source.asFloatBuffer().get(a, from, count);
    } else if (array instanceof short[] a) {
      source.asShortBuffer().get(a, from, count);
    } else if (array instanceof char[] a) {
      source.asCharBuffer().get(a, from, count);
    } else {
      boolean[] a = (boolean[]) array;
      for (int i = 0; i < count; i++) {
        a[from + i] = source.get() != 0;
      }
    }
  }
}
