package dev.warpline.amd.cu;

import dev.warpline.amd.memory.MemoryHierarchy;
import dev.warpline.engine.profile.SmRecorder;
import dev.warpline.engine.profile.StallReason;

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
    wave.cause = StallReason.FETCH;
    wave.lastRow = 0;
    recorder.start(wave.slot, now);
  }

  /** What the wave waited for until now is over; a status begins or goes on. */
  void status(Wavefront wave, Stall status, long now) {
    long pc = wave.bufferPc + (wave.headTaken ? wave.head().size : 0);
    recorder.charge(wave.slot, row(pc), wave.cause, now);
    wave.cause = cause(wave, status);
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
    if (level != MemoryHierarchy.MEMORY_CACHE) {
      recorder.filled(row, sectors, level == MemoryHierarchy.DRAM);
    }
  }

  /** Data have come; a wave that waited for them learns from where. */
  void returned(Wavefront wave, int row, long issued, long now, int level) {
    if (wave.cause.compareTo(StallReason.L1_HIT) >= 0
        && wave.cause.compareTo(StallReason.DRAM) <= 0) {
      wave.cause =
          switch (level) {
            case 0 -> StallReason.L1_HIT;
            case MemoryHierarchy.L2 -> StallReason.L2_HIT;
            case MemoryHierarchy.DRAM -> StallReason.DRAM;
            default -> StallReason.L1_MISS;
          };
    }
    recorder.completes(wave.slot, row, issued, now, true);
  }

  private static StallReason cause(Wavefront wave, Stall status) {
    return switch (status) {
      case IB_EMPTY -> StallReason.FETCH;
      case WAIT_CNT -> counter(wave);
      case SLEEP -> StallReason.SLEEPING;
      case BARRIER_WAIT -> StallReason.BARRIER;
      case VGPR_BUSY, SGPR_BUSY -> StallReason.WAIT;
      case MATRIX_CORE -> StallReason.UNIT_BUSY;
      case INSTR_READY -> StallReason.NOT_SELECTED;
      case WF_STOP -> StallReason.MISC;
    };
  }

  private static StallReason counter(Wavefront wave) {
    if (wave.phase != Wavefront.Phase.WAITCNT) {
      return StallReason.DRAIN;
    }
    return wave.vmCount > wave.vmLimit || wave.lgkmCount <= wave.lgkmLimit
        ? StallReason.L1_MISS
        : wave.lgkmCause;
  }
}
