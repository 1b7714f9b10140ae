package dev.warpline.study.advice;

import java.util.ArrayList;
import java.util.List;

/**
 * How one cause is taken away: the same kernel on the same GPU but for some settings, which a user
 * may give to {@code --what-if} as well.
 *
 * @param settings {@code FIELD=VALUE} each; empty if there is no way
 * @param scale what the cycles of that simulation, but for the fixed ones, are multiplied by; not 1
 *     where it has fewer SMs, each with an even share of the blocks, and the time is wanted for all
 * @param fixed cycles that do not change with the number of SMs: launch and drain
 */
public record Relief(List<String> settings, double scale, long fixed) {
  /** No way to take the cause away. */
  public static final Relief NONE = of();

  /** Settings alone. */
  static Relief of(String... settings) {
    return new Relief(List.of(settings), 1, 0);
  }

  /**
   * The blocks on fewer SMs with as much less of L2 and device memory, and the time that all of it
   * would need for an even share.
   */
  static Relief onFewerSms(long sms, KernelEvidence kernel) {
    double part = (double) sms / kernel.sms();
    List<String> settings = new ArrayList<>(List.of("sm.count=" + sms));
    if (!kernel.profile.channels().isEmpty() && !kernel.profile.slices().isEmpty()) {
      long channels = Math.max(1, Math.round(part * kernel.profile.channels().size()));
      // An even number, because each partition has as many.
      long slices = Math.max(1, Math.round(part * kernel.profile.slices().size() / 2)) * 2;
      settings.add("flowMemory.dramChannels=" + channels);
      settings.add("flowMemory.slices=" + slices);
      settings.add(Words.say("flowMemory.linkBytes=%.3fx", part));
    }
    long ofBusiest = (kernel.blocks() + sms - 1) / sms;
    double scale = (double) kernel.blocks() / (ofBusiest * kernel.sms());
    long fixed = (long) Math.max(0, kernel.cycles() - kernel.longest());
    return new Relief(settings, scale, fixed);
  }

  /** Whether there is one. */
  public boolean exists() {
    return !settings.isEmpty();
  }

  /**
   * Share of the time that it saves.
   *
   * @param before cycles of the kernel as it is
   * @param after cycles with the settings
   */
  public double gain(long before, long after) {
    double time = fixed + scale * Math.max(0, after - fixed);
    return before == 0 ? 0 : 1 - time / before;
  }
}
