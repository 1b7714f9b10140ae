package dev.warpline.amd.cu;

import dev.warpline.engine.Counter;
import dev.warpline.engine.gpu.AmdSpec;
import java.util.Arrays;

/**
 * The register-file cache of one SIMD: the last results of its vector instructions. A result is in
 * here sooner than in the register file, and an instruction that finds it here need not wait.
 */
final class RegisterCache {
  private static final long EMPTY = -1;

  @Counter("vector registers read that the register-file cache had")
  long readHits;

  @Counter("vector registers written that the register-file cache had")
  long writeHits;

  /** Registers by recency, the latest first. */
  private final long[] registers;

  private final int pipe;
  private final int issuePeriod;

  private RegisterCache(AmdSpec spec) {
    registers = new long[spec.registers().cacheRegisters()];
    Arrays.fill(registers, EMPTY);
    pipe = spec.registers().cachePipe();
    issuePeriod = spec.issue().issuePeriod();
  }

  static RegisterCache[] perSimd(AmdSpec spec) {
    if (spec.registers().cacheRegisters() == 0) {
      return new RegisterCache[0];
    }
    RegisterCache[] caches = new RegisterCache[spec.waves().simds()];
    Arrays.setAll(caches, i -> new RegisterCache(spec));
    return caches;
  }

  /** A vector instruction reads its registers, and its results come into the cache. */
  void execute(Wavefront wave, TimedInstruction instruction, long now) {
    for (int i = 0; i < instruction.vectorSources; i++) {
      readHits += touch(key(wave, instruction.vectorRegisters[i]), false) ? 1 : 0;
    }
    long ready = now + pipe + Math.max(0, instruction.occupancy - issuePeriod);
    for (int i = 0; i < instruction.vectorResults.length; i++) {
      short register = instruction.vectorResults[i];
      writeHits += touch(key(wave, register), true) ? 1 : 0;
      // Of more results than there is room for only the last stay.
      if (!instruction.isMatrix && instruction.vectorResults.length - i <= registers.length) {
        wave.vectorReady[register] = Math.min(wave.vectorReady[register], ready);
      }
    }
  }

  private static long key(Wavefront wave, short register) {
    return (long) wave.slot << 16 | register;
  }

  /** Makes a register the latest; returns whether it was there. */
  private boolean touch(long key, boolean insert) {
    int at = 0;
    while (at < registers.length && registers[at] != key) {
      at++;
    }
    boolean found = at < registers.length;
    if (found || insert) {
      System.arraycopy(registers, 0, registers, 1, Math.min(at, registers.length - 1));
      registers[0] = key;
    }
    return found;
  }
}
