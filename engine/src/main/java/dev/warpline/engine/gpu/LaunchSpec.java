package dev.warpline.engine.gpu;

import dev.warpline.policy.BlockScheduler;
import dev.warpline.policy.Chosen;

/** Cost and limits of launching kernels and blocks. */
public record LaunchSpec(
    @Field(value = "which SM gets the next block", standard = "round-robin")
        Chosen<BlockScheduler> blockScheduler,
    @Field(value = "from launch to the first block", unit = "core cycles", most = 1_000_000)
        int kernelCycles,
    @Field(
            value = "added to the launch for every block of the grid",
            unit = "core cycles",
            standard = "0",
            most = 10_000)
        int blockCycles,
    @Field(value = "kernels that may run at once", standard = "32", least = 1, most = 1024)
        int concurrentKernels,
    @Field(value = "whether blocks of different kernels may share an SM", standard = "false")
        boolean kernelsShareSms) {}
