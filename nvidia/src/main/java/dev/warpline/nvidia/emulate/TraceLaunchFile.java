package dev.warpline.nvidia.emulate;

import dev.warpline.engine.gpu.Binder;
import dev.warpline.engine.gpu.Field;
import dev.warpline.trace.Dim3;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** What a launch file says: docs/tracing.md. Paths are relative to the file. */
record TraceLaunchFile(
    @Field(value = "folder with STEM.cubin and STEM.sass", standard = ".") String code,
    @Field(value = "buffers in device memory by name", standard = "{}") Map<String, Buffer> buffers,
    @Field(value = "contents of constant banks set by the host", standard = "[]")
        List<ConstantData> constants,
    @Field("kernel launches, in order") List<Launched> launches,
    @Field(value = "generic address of shared memory", standard = "0x7f2c00000000", most = 1L << 62)
        long sharedBase,
    @Field(value = "generic address of local memory", standard = "0x7f2b00000000", most = 1L << 62)
        long localBase,
    @Field(
            value = "most warp instructions of a launch",
            standard = "2000000000",
            least = 1,
            most = 1L << 50)
        long limit) {

  /** Contents of a buffer or constant bank; zeros if nothing else is said. */
  public record Buffer(
      @Field(value = "address of its first byte", most = 1L << 62) long address,
      @Field(
              value = "size; 0: as long as the file",
              unit = "bytes",
              standard = "0",
              most = Integer.MAX_VALUE - 8)
          int bytes,
      @Field(value = "generated contents", optional = true) Generator random,
      @Field(value = "contents of a file", optional = true) String file,
      @Field(value = "checksum of the contents after the last launch", optional = true)
          String checksum) {
    public Buffer {
      if (random != null && file != null) {
        throw new IllegalArgumentException("expected at most one of random and file");
      }
      if (bytes == 0 && file == null) {
        throw new IllegalArgumentException("expected a size in bytes, or a file");
      }
      if (checksum != null) {
        parseChecksum(checksum);
      }
    }

    /** The checksum as a number. */
    long expected() {
      return parseChecksum(checksum);
    }

    private static long parseChecksum(String text) {
      try {
        return Long.parseUnsignedLong(text.startsWith("0x") ? text.substring(2) : text, 16);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            "checksum: found \"" + text + "\", expected up to 16 hexadecimal digits", e);
      }
    }
  }

  /** What an element of a generated buffer is. */
  public enum Kind {
    U32(4),
    BELOW(4),
    FLOAT(4),
    DOUBLE(8),
    HALF(2),
    IOTA(4);

    final int bytes;

    Kind(int bytes) {
      this.bytes = bytes;
    }
  }

  /** Element i is a function of seed and i alone. */
  public record Generator(
      @Field("what an element is") Kind kind,
      @Field(value = "seed", standard = "0", least = -1e300, most = 1e300) long seed,
      @Field(value = "integers stay below this", standard = "0", most = 1L << 32) long below) {
    public Generator {
      if (kind == Kind.BELOW && (below < 1 || below > 0xffffffffL)) {
        throw new IllegalArgumentException("expected below: 1 to 4294967295");
      }
    }

    byte[] generate(int bytes) {
      byte[] content = new byte[bytes];
      int size = kind.bytes;
      for (int i = 0; (i + 1) * (long) size <= bytes; i++) {
        long bits = mix(seed + (i + 1) * 0x9E3779B97F4A7C15L);
        int at = i * size;
        switch (kind) {
          case U32 -> Bytes.word(content, at, (int) (bits >>> 32));
          case BELOW -> Bytes.word(content, at, (int) ((bits >>> 32) % below));
          case FLOAT -> Bytes.word(content, at, Float.floatToRawIntBits(unit(bits)));
          case HALF -> Bytes.store(content, at, 2, Real.toHalf(unit(bits)));
          case IOTA -> Bytes.word(content, at, i);
          case DOUBLE ->
              Bytes.doubleWord(content, at, Double.doubleToRawLongBits((bits >>> 11) * 0x1p-53));
        }
      }
      return content;
    }

    private static float unit(long bits) {
      return (bits >>> 40) * 0x1p-24f;
    }

    /** The finaliser of splitmix64. */
    private static long mix(long z) {
      long a = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
      long b = (a ^ a >>> 27) * 0x94D049BB133111EBL;
      return b ^ b >>> 31;
    }
  }

  /** A stretch of a constant bank. */
  public record ConstantData(
      @Field(value = "bank", most = 31) int bank,
      @Field(value = "first byte", standard = "0", most = 65535) int offset,
      @Field(value = "size of generated contents", unit = "bytes", standard = "0", most = 65536)
          int bytes,
      @Field(value = "generated contents", optional = true) Generator random,
      @Field(value = "contents as hexadecimal digits", optional = true) String hex,
      @Field(value = "contents of a file", optional = true) String file) {
    public ConstantData {
      int sources = (random != null ? 1 : 0) + (hex != null ? 1 : 0) + (file != null ? 1 : 0);
      if (sources != 1) {
        throw new IllegalArgumentException("expected one of random, hex and file");
      }
    }
  }

  /** One kernel launch. */
  public record Launched(
      @Field("name of the kernel, as the cubin has it") String kernel,
      @Field(value = "stem of its code files", standard = "kernel-N") String code,
      @Field(value = "blocks along x, y, z", least = 1, most = Integer.MAX_VALUE)
          List<Integer> grid,
      @Field(value = "threads of a block along x, y, z", least = 1, most = 1024)
          List<Integer> block,
      @Field(value = "dynamic shared memory", unit = "bytes", standard = "0", most = 1 << 20)
          int dynamicShared,
      @Field(value = "parameter block as hexadecimal digits", standard = "\"\"") String parameters,
      @Field(value = "all of constant bank 0 as hexadecimal digits", optional = true)
          String bank0) {
    public Launched {
      dimensions("grid", grid);
      int threads = 1;
      for (int size : dimensions("block", block)) {
        threads *= size;
      }
      if (threads > 1024) {
        throw new IllegalArgumentException("block: found " + threads + " threads, at most 1024");
      }
      hex("parameters", parameters);
      if (bank0 != null) {
        hex("bank0", bank0);
      }
    }

    Dim3 gridSize() {
      int[] size = dimensions("grid", grid);
      return new Dim3(size[0], size[1], size[2]);
    }

    Dim3 blockSize() {
      int[] size = dimensions("block", block);
      return new Dim3(size[0], size[1], size[2]);
    }

    private static int[] dimensions(String name, List<Integer> list) {
      int[] sizes = {1, 1, 1};
      if (list.isEmpty() || list.size() > 3) {
        throw new IllegalArgumentException(name + ": expected one to three numbers");
      }
      for (int i = 0; i < list.size(); i++) {
        sizes[i] = list.get(i);
      }
      return sizes;
    }
  }

  /** Bytes from hexadecimal digits, two per byte, in memory order. */
  static byte[] hex(String name, String digits) {
    if (digits.length() % 2 != 0 || !digits.matches("[0-9a-fA-F]*")) {
      throw new IllegalArgumentException(
          name + ": expected an even number of hexadecimal digits, found " + digits.length());
    }
    byte[] bytes = new byte[digits.length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(digits.substring(2 * i, 2 * i + 2), 16);
    }
    return bytes;
  }

  /** Reads a launch file. */
  static TraceLaunchFile read(Path path) throws IOException {
    return Binder.read(TraceLaunchFile.class, Files.readString(path), path.toString());
  }
}
