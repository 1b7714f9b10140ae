package dev.warpline.amd.exec;

import dev.warpline.isa.gcn.GcnDecoder;
import dev.warpline.isa.gcn.GcnInstruction;
import dev.warpline.isa.gcn.GcnOperand;
import dev.warpline.isa.gcn.GcnTarget;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * One wave with 64 VGPRs and 64 AGPRs on which tests execute instructions in assembler syntax. The
 * encodings come from {@code encodings.tsv}, written by {@code assemble.sh} with llvm-mc.
 */
final class Machine {
  private static final Map<String, int[]> ENCODINGS = readEncodings();

  final GcnTarget target;
  final DeviceMemory memory = new DeviceMemory();
  final WaveState wave;
  private final Semantics semantics = new Semantics();
  private final MemoryAccess access = new MemoryAccess();

  Machine(GcnTarget target) {
    this.target = target;
    wave = new WaveState(128, 64, new GroupState("test", 1, 2, 3, 1024), 0);
    wave.setExec(-1L);
    wave.mode = 0x3f0; // nearest, denormals, DX10_CLAMP, IEEE: as compilers set it
    wave.pc = 0x1000;
  }

  static Machine gfx900() {
    return new Machine(GcnTarget.GFX900);
  }

  static Machine gfx90a() {
    return new Machine(GcnTarget.GFX90A);
  }

  static Machine gfx942() {
    return new Machine(GcnTarget.GFX942);
  }

  /** Sets lanes 0, 1, ... of a vector register; the remaining lanes get the last value. */
  Machine v(int register, int... values) {
    for (int lane = 0; lane < 64; lane++) {
      wave.setVector(register, lane, values[Math.min(lane, values.length - 1)]);
    }
    return this;
  }

  Machine v(int register, float... values) {
    int[] bits = new int[values.length];
    for (int i = 0; i < values.length; i++) {
      bits[i] = Float.floatToRawIntBits(values[i]);
    }
    return v(register, bits);
  }

  /** Sets a register pair. */
  Machine v64(int register, long... values) {
    for (int lane = 0; lane < 64; lane++) {
      long value = values[Math.min(lane, values.length - 1)];
      wave.setVector(register, lane, (int) value);
      wave.setVector(register + 1, lane, (int) (value >>> 32));
    }
    return this;
  }

  Machine v64(int register, double... values) {
    long[] bits = new long[values.length];
    for (int i = 0; i < values.length; i++) {
      bits[i] = Double.doubleToRawLongBits(values[i]);
    }
    return v64(register, bits);
  }

  /** Gives every lane its number. */
  Machine lanes(int register) {
    for (int lane = 0; lane < 64; lane++) {
      wave.setVector(register, lane, lane);
    }
    return this;
  }

  Machine s(int register, int... values) {
    System.arraycopy(values, 0, wave.sgpr, register, values.length);
    return this;
  }

  Machine s64(int register, long value) {
    wave.setPair(register, value);
    return this;
  }

  Machine vcc(long mask) {
    wave.setVcc(mask);
    return this;
  }

  Machine exec(long mask) {
    wave.setExec(mask);
    return this;
  }

  Machine scc(boolean value) {
    wave.scc = value;
    return this;
  }

  Machine mode(int mode) {
    wave.mode = mode;
    return this;
  }

  /** Executes instructions, memory accesses at once. */
  Machine run(String... lines) {
    for (String line : lines) {
      run(Semantics.bind(decode(target, line)));
    }
    return this;
  }

  void run(Operation operation) {
    semantics.execute(wave, operation, access);
    if (operation.isAccess()) {
      access.complete(memory);
    }
  }

  /** Executes a memory instruction up to its addresses. */
  MemoryAccess issue(String line) {
    semantics.execute(wave, Semantics.bind(decode(target, line)), access);
    return access;
  }

  static GcnInstruction decode(GcnTarget target, String line) {
    int[] words = ENCODINGS.get(target.processor() + " " + line);
    if (words == null) {
      throw new IllegalArgumentException(
          "no encoding of " + line + " for " + target.processor() + ": run assemble.sh");
    }
    return GcnDecoder.decode(target, words, 0);
  }

  /** Lane 0 of a vector register. */
  int v(int register) {
    return wave.vector(register, 0);
  }

  /** A lane of a vector register. */
  int lane(int register, int lane) {
    return wave.vector(register, lane);
  }

  float f(int register) {
    return f(register, 0);
  }

  float f(int register, int lane) {
    return Float.intBitsToFloat(wave.vector(register, lane));
  }

  double d(int register) {
    return Double.longBitsToDouble(l(register, 0));
  }

  double d(int register, int lane) {
    return Double.longBitsToDouble(l(register, lane));
  }

  long l(int register, int lane) {
    return wave.vector(register, lane) & 0xffffffffL | (long) wave.vector(register + 1, lane) << 32;
  }

  int s(int register) {
    return wave.sgpr[register];
  }

  long s64(int register) {
    return wave.pair(register);
  }

  long vcc() {
    return wave.pair(GcnOperand.VCC);
  }

  /** Index of an accumulation register among the vector registers. */
  int acc(int register) {
    return wave.accBase + register;
  }

  private static Map<String, int[]> readEncodings() {
    Map<String, int[]> encodings = new HashMap<>();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                Machine.class.getResourceAsStream("encodings.tsv"), StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] fields = line.split("\t");
        String[] hex = fields[2].split(" ");
        int[] words = new int[hex.length];
        for (int i = 0; i < hex.length; i++) {
          words[i] = Integer.parseUnsignedInt(hex[i], 16);
        }
        encodings.put(fields[0] + " " + fields[1], words);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return encodings;
  }
}
