package dev.warpline.study.sweep;

/**
 * What a sweep cost beside the simulations, as measured.
 *
 * @param points points that ended
 * @param slots points at a time
 * @param claimSeconds processor time for taking points from the store, all of them
 * @param storeSeconds processor time for writing down what came of them
 * @param carried what it took to have them simulated elsewhere
 * @param firstSeconds until the first point had ended
 * @param wallSeconds until the last one had
 * @param simulatedSeconds all simulations, one after the other
 */
public record Costs(
    int points,
    int slots,
    double claimSeconds,
    double storeSeconds,
    On.Carried carried,
    double firstSeconds,
    double wallSeconds,
    double simulatedSeconds) {

  /** Processor time of a point in the one process that has the store, in seconds. */
  public double serialSeconds() {
    return (claimSeconds + carried.task() + carried.answer() + storeSeconds) / Math.max(1, points);
  }

  /** How long a slot is taken by a point beside its simulation, in seconds. */
  public double slotSeconds() {
    double taken = (wallSeconds - firstSeconds) * slots;
    return Math.max(0, taken - simulatedSeconds) / Math.max(1, points);
  }
}
