package dev.warpline.study.advice;

import java.util.List;

/**
 * How one cause is taken away: the same kernel on the same GPU but for some settings, which a user
 * may give to {@code --what-if} as well.
 *
 * @param settings {@code FIELD=VALUE} each; empty if there is no way
 * @param scale what the cycles of that simulation, but for the fixed ones, are multiplied by; not 1
 *     where it has fewer SMs, each with an even share of the blocks, and the time is wanted for all
 * @param fixed cycles that do not change with the number of SMs: launch and drain
 * @param least cycles that the kernel takes in any case, because a part that all SMs share needs
 *     them
 */
public record Relief(List<String> settings, double scale, long fixed, long least) {
  /** No way to take the cause away. */
  public static final Relief NONE = of();

  /** Settings alone. */
  static Relief of(String... settings) {
    return new Relief(List.of(settings), 1, 0, 0);
  }

  /** The blocks on fewer SMs, and the time that all SMs would need for an even share. */
  static Relief onFewerSms(long sms, Evidence kernel) {
    long ofBusiest = (kernel.blocks() + sms - 1) / sms;
    double scale = (double) kernel.blocks() / (ofBusiest * kernel.sms());
    long fixed = (long) Math.max(0, kernel.cycles() - kernel.longest());
    return new Relief(List.of("sm.count=" + sms), scale, fixed, kernel.sharedParts());
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
    double time = Math.max(least, fixed + scale * Math.max(0, after - fixed));
    return before == 0 ? 0 : 1 - time / before;
  }
}
