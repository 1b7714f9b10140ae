package dev.warpline.nvidia.modern;

import dev.warpline.engine.gpu.FlowMemorySpec;
import dev.warpline.engine.gpu.GpuDescription;
import dev.warpline.engine.gpu.ModernCoreSpec;
import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.KernelProfile.Line;
import dev.warpline.engine.profile.KernelProfile.Throughput;
import dev.warpline.engine.profile.KernelProfile.Traffic;
import dev.warpline.engine.profile.KernelRecorder;
import dev.warpline.nvidia.KernelListing;
import dev.warpline.nvidia.modern.code.CodeRow;
import dev.warpline.nvidia.modern.code.CodeRows;
import dev.warpline.nvidia.modern.launch.Residency;
import dev.warpline.trace.KernelTrace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The profile of a kernel on this core: what recorders counted, with the peaks of the parts. */
final class ModernProfile {
  private static final String[] UNIT_NAMES = {
    "FMA", "ALU", "FP64", "XU", "Uniform", "Tensor", "Branch"
  };
  private static final int SECTOR = 32;
  private static final int LANES = 32;

  private ModernProfile() {}

  static KernelProfile of(
      KernelRecorder recorder,
      GpuDescription gpu,
      KernelTrace kernel,
      Residency residency,
      CodeRows code,
      Map<String, Number> statistics) {
    KernelProfile profile =
        recorder.profile(
            KernelListing.launch(kernel.header(), gpu.sm().warps(), residency.limits()),
            new KernelListing(kernel.code()));
    List<Throughput> parts = new ArrayList<>();
    double subCores = (double) gpu.sm().subCores() * gpu.sm().count();
    parts.add(new Throughput("Issue", "instructions", executed(profile), subCores));
    units(profile, code, subCores, parts);
    memory(gpu, profile, statistics, parts);
    flops(gpu.modern().units(), subCores, parts);
    return profile.withThroughputs(parts);
  }

  private static double executed(KernelProfile profile) {
    return profile.lines().stream().mapToLong(Line::executed).sum();
  }

  /** A unit's use is the time its instructions hold it. */
  private static void units(
      KernelProfile profile, CodeRows code, double subCores, List<Throughput> parts) {
    double[] busy = new double[CodeRow.UNITS];
    for (Line line : profile.lines()) {
      CodeRow row = code.get(line.row());
      busy[row.unit] += (double) line.executed() * row.interval;
    }
    for (int unit = 0; unit < UNIT_NAMES.length; unit++) {
      if (busy[unit] > 0) {
        parts.add(new Throughput(UNIT_NAMES[unit], "busy cycles", busy[unit], subCores));
      }
    }
  }

  private static void memory(
      GpuDescription gpu,
      KernelProfile profile,
      Map<String, Number> statistics,
      List<Throughput> parts) {
    FlowMemorySpec memory = gpu.flowMemory();
    double sms = gpu.sm().count();
    double pipe = statistics.get("l1.pipeCycles").doubleValue();
    double l1 = profile.lines().stream().mapToLong(Line::sectors).sum();
    double l2 = profile.slices().stream().mapToLong(Traffic::first).sum();
    double dram = profile.channels().stream().mapToLong(t -> t.first() + t.second()).sum();
    parts.add(new Throughput("L1 and shared path", "busy cycles", pipe, sms));
    parts.add(new Throughput("L1", "bytes", SECTOR * l1, 4 * SECTOR * sms));
    parts.add(
        new Throughput(
            "L2", "bytes", SECTOR * l2, memory.slices() * memory.sliceBytesPerCycle(gpu.clocks())));
    parts.add(new Throughput("DRAM", "bytes", dram, memory.dramPeak(gpu.clocks())));
  }

  /** Peaks of the roofline; the page counts the operations themselves from the listing. */
  private static void flops(ModernCoreSpec.Units units, double subCores, List<Throughput> parts) {
    parts.add(new Throughput("FP32", "flops", 0, 2 * LANES * subCores / units.fma()));
    parts.add(new Throughput("FP16", "flops", 0, 4 * LANES * subCores / units.half()));
    parts.add(new Throughput("FP64", "flops", 0, 2 * LANES * subCores / units.fp64()));
    parts.add(new Throughput("TENSOR", "flops", 0, 2 * units.tensorRate() * subCores));
  }
}
