package dev.warpline.amd.cu;

import dev.warpline.engine.profile.SmRecorder;
import dev.warpline.memory.MemoryRequest;

/**
 * Writes down where a wave's time goes. A row of the profile is a dword of the kernel's code;
 * functions that lie elsewhere share one more row.
 */
public final class WaveProfile {
  private final SmRecorder recorder;
  private final long entry;
  private final int rows;

  /**
   * @param recorder the compute unit's
   * @param entry address of the kernel's first instruction
   * @param bytes length of its code
   */
  public WaveProfile(SmRecorder recorder, long entry, long bytes) {
    this.recorder = recorder;
    this.entry = entry;
    rows = (int) (bytes / 4);
  }

  int row(long pc) {
    long row = pc - entry >> 2;
    return row < 0 || row >= rows ? rows : (int) row;
  }

  void start(Wavefront wave, long now) {
    wave.lastRow = 0;
    recorder.start(wave.slot, now);
  }

  /** What the wave waited for until now is over. */
  void status(Wavefront wave, long now) {
    long pc = wave.bufferPc + (wave.headTaken ? wave.head().size : 0);
    recorder.charge(wave.slot, row(pc), wave.cause, now);
  }

  void issue(Wavefront wave, int lanes, long now) {
    int row = row(wave.bufferPc);
    recorder.charge(wave.slot, row, wave.cause, now);
    recorder.issue(wave.slot, row, now, lanes);
    wave.lastRow = row;
  }

  void end(Wavefront wave, long now) {
    recorder.end(wave.slot, wave.lastRow, now);
  }

  /** A memory instruction of a row touched lines, some of them in the first-level cache. */
  void access(int row, long now, int sectors, int hits, int conflicts) {
    recorder.access(row, now, sectors, hits, conflicts);
  }

  /** A line of a row's access came from beyond the first level. */
  void filled(int row, int sectors, int level) {
    if (level != MemoryRequest.FROM_MEMORY_CACHE) {
      recorder.filled(row, sectors, level == MemoryRequest.FROM_DRAM);
    }
  }

  /** Data of a row's access have come. */
  void returned(Wavefront wave, int row, long issued, long now) {
    recorder.completes(wave.slot, row, issued, now, true);
  }
}
