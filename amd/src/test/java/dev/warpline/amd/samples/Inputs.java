package dev.warpline.amd.samples;

import java.util.Random;

/** Reproducible input data. */
final class Inputs {
  private Inputs() {}

  /** Integers in [low, high). */
  static int[] ints(int seed, int count, int low, int high) {
    return new Random(seed).ints(count, low, high).toArray();
  }

  /** Any integers. */
  static int[] anyInts(int seed, int count) {
    return new Random(seed).ints(count).toArray();
  }

  static long[] anyLongs(int seed, int count) {
    return new Random(seed).longs(count).toArray();
  }

  static byte[] anyBytes(int seed, int count) {
    byte[] values = new byte[count];
    new Random(seed).nextBytes(values);
    return values;
  }

  /** Floats in [low, high). */
  static float[] floats(int seed, int count, float low, float high) {
    Random random = new Random(seed);
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = low + (high - low) * random.nextFloat();
    }
    return values;
  }

  static double[] doubles(int seed, int count, double low, double high) {
    return new Random(seed).doubles(count, low, high).toArray();
  }

  /** Small whole numbers: sums and products of them are exact in any order. */
  static float[] wholeFloats(int seed, int count, int low, int high) {
    int[] values = ints(seed, count, low, high);
    float[] floats = new float[count];
    for (int i = 0; i < count; i++) {
      floats[i] = values[i];
    }
    return floats;
  }
}
