package dev.warpline.engine.energy;

import dev.warpline.engine.gpu.EnergyEvent.Component;
import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.StallReason;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Power over time: the energy of each component, laid where its work was done.
 *
 * @param intervalCycles core cycles of an interval
 * @param watts by component
 */
public record PowerTrace(long intervalCycles, Map<String, double[]> watts) {

  /**
   * The power of a profiled kernel, interval by interval of its profile. What SMs execute goes by
   * the instructions issued, L1 by the sectors asked of it, L2 and device memory by theirs.
   */
  public static PowerTrace of(KernelEnergy energy, KernelProfile.Series series, long cycles) {
    int count = (int) Math.max(1, (cycles + series.bucketCycles() - 1) / series.bucketCycles());
    double second = energy.seconds() / cycles * series.bucketCycles();
    double[] even = new double[count];
    for (int i = 0; i < count; i++) {
      even[i] = Math.min(series.bucketCycles(), cycles - i * series.bucketCycles());
    }
    double[] issued = weights(count, series.states().get(StallReason.SELECTED));
    double[] l1 = weights(count, series.l1Sectors());
    double[] l2 = weights(count, series.l2Sectors());
    double[] dram = weights(count, series.dramRead(), series.dramWrite());
    Map<String, double[]> watts = new LinkedHashMap<>();
    for (Component component : Component.values()) {
      double[] where =
          switch (component) {
            case STATIC -> even;
            case L1 -> l1;
            case L2 -> l2;
            case DRAM -> dram;
            default -> issued;
          };
      double sum = Arrays.stream(where).sum();
      double[] weight = sum == 0 ? even : where;
      double all = sum == 0 ? cycles : sum;
      double joules = energy.parts().get(component.label());
      double[] power = new double[count];
      for (int i = 0; i < count; i++) {
        power[i] = joules * weight[i] / all / (second * even[i] / series.bucketCycles());
      }
      watts.put(component.label(), power);
    }
    return new PowerTrace(series.bucketCycles(), watts);
  }

  private static double[] weights(int count, long[]... parts) {
    double[] sums = new double[count];
    for (long[] part : parts) {
      for (int i = 0; part != null && i < part.length; i++) {
        sums[Math.min(i, count - 1)] += part[i];
      }
    }
    return sums;
  }

  /**
   * The same in intervals of about so many cycles: a whole number of the profile's, which is the
   * least there is.
   */
  public PowerTrace every(long cycles) {
    int join = (int) Math.max(1, Math.min(Integer.MAX_VALUE, cycles / intervalCycles));
    Map<String, double[]> wider = new LinkedHashMap<>();
    watts.forEach(
        (component, power) -> {
          double[] joined = new double[(power.length + join - 1) / join];
          for (int i = 0; i < joined.length; i++) {
            int end = Math.min(power.length, (i + 1) * join);
            joined[i] = Arrays.stream(power, i * join, end).sum() / (end - i * join);
          }
          wider.put(component, joined);
        });
    return new PowerTrace(intervalCycles * join, wider);
  }

  /** Power of all components, interval by interval. */
  public double[] total() {
    double[] sums = new double[watts.values().iterator().next().length];
    for (double[] power : watts.values()) {
      for (int i = 0; i < sums.length; i++) {
        sums[i] += power[i];
      }
    }
    return sums;
  }
}
