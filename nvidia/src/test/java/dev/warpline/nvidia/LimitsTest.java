package dev.warpline.nvidia;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.warpline.engine.KernelResult;
import dev.warpline.engine.Progress;
import dev.warpline.engine.RunOptions;
import dev.warpline.engine.RunResult;
import dev.warpline.engine.UnfinishedSimulationException;
import dev.warpline.engine.gpu.Gpus;
import dev.warpline.trace.KernelBuilder;
import dev.warpline.trace.MemoryKernel;
import dev.warpline.trace.MemoryTrace;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A limit of warp instructions ends a run on either core, and one that is not reached does not. */
class LimitsTest {
  private static final int BLOCKS = 200;
  private static final int PER_BLOCK = 400;
  private static final long PER_KERNEL = (long) BLOCKS * PER_BLOCK;

  private static MemoryKernel kernel() {
    KernelBuilder kernel = new KernelBuilder("additions").grid(BLOCKS, 1, 1).block(32, 1, 1);
    for (int block = 0; block < BLOCKS; block++) {
      kernel.warp(block, 0);
      for (int i = 0; i < PER_BLOCK - 1; i++) {
        kernel.line(String.format("%04x ffffffff 1 R1 FADD 2 R1 R2 0", 16 * i));
      }
      kernel.line(String.format("%04x ffffffff 0 EXIT 0 0 0", 16 * (PER_BLOCK - 1)));
    }
    return kernel.build();
  }

  private static RunResult run(Core core, long limit) throws IOException {
    MemoryTrace program = new MemoryTrace("twice").launch(kernel()).launch(kernel());
    return core.machine(Gpus.load("rtx3070"))
        .run(program, new RunOptions(1, 0, limit, (id, name) -> true), Progress.NONE);
  }

  @ParameterizedTest
  @EnumSource(Core.class)
  void aLimitInTheSecondKernelLeavesTheFirst(Core core) {
    UnfinishedSimulationException stop =
        catchThrowableOfType(
            UnfinishedSimulationException.class, () -> run(core, PER_KERNEL + PER_KERNEL / 2));
    assertThat(stop).hasMessageContaining("limit of " + 3 * PER_KERNEL / 2 + " warp instructions");
    assertThat(stop.finished())
        .singleElement()
        .extracting(KernelResult::warpInstructions)
        .isEqualTo(PER_KERNEL);
  }

  @ParameterizedTest
  @EnumSource(Core.class)
  void aLimitInTheFirstKernelLeavesNothing(Core core) {
    UnfinishedSimulationException stop =
        catchThrowableOfType(UnfinishedSimulationException.class, () -> run(core, PER_KERNEL / 4));
    assertThat(stop).hasMessageContaining("limit of " + PER_KERNEL / 4 + " warp instructions");
    assertThat(stop.finished()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Core.class)
  void aLimitBeyondTheProgramChangesNothing(Core core) throws IOException {
    assertThat(run(core, 2 * PER_KERNEL + 1).kernels()).isEqualTo(run(core, 0).kernels());
  }
}
