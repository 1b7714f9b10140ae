package dev.warpline.cli;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.energy.KernelEnergy;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Power under the names of AccelWattch's report: per kernel the average of all and of its
 * components in watts, then that of the kernels so far. What Warpline counts together stands under
 * one of the names, the others are 0.
 */
final class AccelWattchText {
  /** AccelWattch's components, in its order, with the component that is told there. */
  private static final String[][] COMPONENTS = {
    {"IBP", ""},
    {"ICP", ""},
    {"DCP", "L1"},
    {"TCP", ""},
    {"CCP", ""},
    {"SHRDP", "shared memory"},
    {"RFP", "registers"},
    {"INTP", "arithmetic"},
    {"FPUP", ""},
    {"DPUP", ""},
    {"INT_MUL24P", ""},
    {"INT_MUL32P", ""},
    {"INT_MULP", ""},
    {"INT_DIVP", ""},
    {"FP_MULP", ""},
    {"FP_DIVP", ""},
    {"FP_SQRTP", ""},
    {"FP_LGP", ""},
    {"FP_SINP", ""},
    {"FP_EXP", ""},
    {"DP_MULP", ""},
    {"DP_DIVP", ""},
    {"TENSORP", "tensor cores"},
    {"TEXP", ""},
    {"SCHEDP", "issue"},
    {"L2CP", "L2 and network"},
    {"MCP", ""},
    {"NOCP", ""},
    {"DRAMP", "DRAM"},
    {"PIPEP", ""},
    {"IDLE_COREP", ""},
    {"CONSTP", "static"},
    {"STATICP", ""},
  };

  private AccelWattchText() {}

  static void write(RunResult run, PrintWriter out) {
    List<KernelEnergy> before = new ArrayList<>();
    double most = 0;
    double least = Double.MAX_VALUE;
    for (KernelResult kernel : run.kernels()) {
      KernelEnergy energy = kernel.energy();
      out.println("kernel_name = " + kernel.name());
      out.println("kernel_launch_uid = " + kernel.id());
      if (energy == null) {
        out.println("no energy: expected the modern core and a GPU with a section energy");
        continue;
      }
      before.add(energy);
      double[] watts = energy.trace() == null ? new double[0] : energy.trace().total();
      double high = Arrays.stream(watts).max().orElse(energy.watts());
      double low = Arrays.stream(watts).min().orElse(energy.watts());
      most = Math.max(most, high);
      least = Math.min(least, low);
      out.println("Kernel Average Power Data:");
      value(out, "kernel_avg_power", energy.watts());
      for (String[] component : COMPONENTS) {
        double joules = part(energy.parts(), component[1]);
        value(out, "gpu_avg_" + component[0] + ",", joules / energy.seconds());
      }
      out.println();
      out.println("Kernel Maximum Power Data:");
      value(out, "kernel_max_power", high);
      out.println();
      out.println("Kernel Minimum Power Data:");
      value(out, "kernel_min_power", low);
      out.println();
      out.println("Accumulative Power Statistics Over Previous Kernels:");
      value(out, "gpu_tot_avg_power", KernelEnergy.sum(before).watts());
      value(out, "gpu_tot_max_power", most);
      value(out, "gpu_tot_min_power", least);
      out.println();
    }
  }

  private static double part(Map<String, Double> parts, String name) {
    return name.isEmpty() ? 0 : parts.getOrDefault(name, 0.0);
  }

  private static void value(PrintWriter out, String name, double watts) {
    out.printf(Locale.ROOT, "%s = %.6g%n", name, watts);
  }
}
