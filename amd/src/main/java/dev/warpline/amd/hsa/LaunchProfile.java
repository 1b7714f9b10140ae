package dev.warpline.amd.hsa;

import dev.warpline.amd.dispatch.DispatchTask;
import dev.warpline.engine.gpu.AmdSpec;
import dev.warpline.engine.gpu.ClockSpec;
import dev.warpline.engine.profile.KernelProfile;
import dev.warpline.engine.profile.KernelProfile.Throughput;
import dev.warpline.engine.profile.KernelProfile.Traffic;
import dev.warpline.engine.profile.KernelRecorder;
import dev.warpline.engine.profile.LaneWork;
import dev.warpline.engine.profile.LaneWork.Kind;
import dev.warpline.engine.profile.LaneWork.Space;
import dev.warpline.engine.profile.ProfileOptions;
import dev.warpline.isa.gcn.GcnOpcode;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The profile of a kernel: what compute units wrote down, with the peaks of the parts. */
final class LaunchProfile {
  private static final int SECTOR = 32;

  private static final Pattern ARITHMETIC =
      Pattern.compile(
          "v_(?<packed>pk_)?(add|sub|mul|(?<fused>fma|mac|mad|fmac))_f(?<bits>16|32|64)");

  private LaunchProfile() {}

  static KernelRecorder recorder(ProfileOptions options, AmdSpec spec, long cycle) {
    return new KernelRecorder(
        options,
        spec.computeUnits(),
        spec.waves().simds() * spec.waves().slotsPerSimd(),
        spec.dies() * spec.tcc().slices(),
        spec.memory().count(),
        cycle);
  }

  static KernelProfile of(
      LaunchedKernel kernel,
      DispatchTask task,
      AmdSpec spec,
      ClockSpec clocks,
      Map<String, Number> statistics) {
    KernelProfile.Launch launch =
        new KernelProfile.Launch(
            text(kernel.dispatch.grid()),
            text(kernel.dispatch.group()),
            task.demand().vectorRegisters(),
            task.demand().ldsBytes(),
            task.waves(0),
            spec.waves().simds() * spec.waves().slotsPerSimd(),
            Map.of());
    KernelProfile profile = kernel.recorder.profile(launch, new Listing(kernel));
    double units = spec.computeUnits();
    double simds = units * spec.waves().simds();
    double l1 = profile.lines().stream().mapToLong(KernelProfile.Line::sectors).sum();
    double l2 = profile.slices().stream().mapToLong(Traffic::first).sum();
    double dram = profile.channels().stream().mapToLong(t -> t.first() + t.second()).sum();
    double l2Peak = (double) spec.dies() * spec.tcc().slices() * spec.tcc().bytesPerCycle();
    double dramPeak = spec.memory().peakGigabytes(clocks) * 1e3 / clocks.coreMHz();
    return profile.withThroughputs(
        List.of(
            new Throughput(
                "Vector ALU",
                "busy cycles",
                statistics.get("cu.vectorAluCycles").doubleValue(),
                simds),
            new Throughput("L1", "bytes", SECTOR * l1, (double) spec.tcp().lineBytes() * units),
            new Throughput("L2", "bytes", SECTOR * l2, l2Peak),
            new Throughput("DRAM", "bytes", dram, dramPeak),
            new Throughput("FP32", "flops", 0, 2 * spec.waves().simdWidth() * simds)));
  }

  private static String text(int[] size) {
    return size[0] + " x " + size[1] + " x " + size[2];
  }

  /** Rows are dwords of the kernel's code; the one behind them stands for called functions. */
  private record Listing(LaunchedKernel kernel) implements KernelRecorder.Listing {
    @Override
    public int pc(int row) {
      return 4 * row;
    }

    @Override
    public String text(int row) {
      return isOwn(row)
          ? kernel.image().text(kernel.dispatch.entry() + 4L * row)
          : "(called function)";
    }

    @Override
    public LaneWork work(int row) {
      return isOwn(row)
          ? work(kernel.image().opcode(kernel.dispatch.entry() + 4L * row))
          : LaneWork.NONE;
    }

    private boolean isOwn(int row) {
      return 4L * row < kernel.kernel.codeBytes();
    }

    private static LaneWork work(GcnOpcode opcode) {
      int bytes = opcode.accessBytes() * opcode.elements();
      return switch (opcode.unit()) {
        case LDS -> LaneWork.memory(Space.SHARED, bytes);
        case SCALAR_MEMORY -> LaneWork.memory(Space.CONSTANT, bytes);
        case SCRATCH -> LaneWork.memory(Space.LOCAL, bytes);
        case FLAT, GLOBAL, BUFFER, IMAGE -> LaneWork.memory(Space.GLOBAL, bytes);
        case VECTOR_ALU -> arithmetic(opcode.mnemonic());
        default -> LaneWork.NONE;
      };
    }

    private static LaneWork arithmetic(String mnemonic) {
      Matcher matcher = ARITHMETIC.matcher(mnemonic);
      if (!matcher.matches()) {
        return LaneWork.NONE;
      }
      Kind kind = Kind.valueOf("FP" + matcher.group("bits"));
      int operations = matcher.group("fused") == null ? 1 : 2;
      return LaneWork.arithmetic(kind, operations * (matcher.group("packed") == null ? 1 : 2));
    }
  }
}
