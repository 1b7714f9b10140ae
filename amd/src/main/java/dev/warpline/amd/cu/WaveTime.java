package dev.warpline.amd.cu;

import dev.warpline.engine.profile.StallReason;
import dev.warpline.memory.MemoryRequest;

/**
 * Where the time of a compute unit's waves goes: every cycle of a wave has one reason. gem5's stall
 * cycles, what the scoreboard check said in each, are counted beside it.
 */
final class WaveTime {
  private static final Stall[] STALLS = Stall.values();

  /** Wave-cycles by reason. */
  final long[] reasons = new long[StallReason.COUNT];

  /** Wave-cycles by what the scoreboard check said. */
  final long[] stalls = new long[STALLS.length];

  /** What the wave waited for until now is over; a status begins or goes on. */
  void status(Wavefront wave, Stall status, long now) {
    charge(wave, wave.cause, now);
    if (status == Stall.WAIT_CNT) {
      wave.cause = counter(wave);
    }
    if (wave.status != status.ordinal()) {
      if (status != Stall.WAIT_CNT) {
        wave.cause = status.reason;
      }
      stalls[wave.status] += now - wave.statusSince;
      wave.statusSince = now;
      wave.status = status.ordinal();
    }
  }

  void issue(Wavefront wave, long now) {
    charge(wave, wave.cause, now);
    charge(wave, StallReason.SELECTED, now + 1);
  }

  void end(Wavefront wave, long now) {
    charge(wave, StallReason.DRAIN, now);
    stalls[wave.status] += now - wave.statusSince;
  }

  /** Data have come; a wave that waited for them learns from where. */
  static void returned(Wavefront wave, int level) {
    if (wave.cause.compareTo(StallReason.L1_HIT) >= 0
        && wave.cause.compareTo(StallReason.DRAM) <= 0) {
      wave.cause =
          switch (level) {
            case 0 -> StallReason.L1_HIT;
            case MemoryRequest.FROM_L2 -> StallReason.L2_HIT;
            case MemoryRequest.FROM_DRAM -> StallReason.DRAM;
            default -> StallReason.L1_MISS;
          };
    }
  }

  /** gem5's word for what the scoreboard check said of a wave last. */
  static String gem5(Wavefront wave) {
    return STALLS[wave.status].reason.gem5();
  }

  private void charge(Wavefront wave, StallReason reason, long until) {
    if (until > wave.charged) {
      reasons[reason.ordinal()] += until - wave.charged;
      wave.charged = until;
    }
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
