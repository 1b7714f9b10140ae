package dev.warpline.engine.gpu;

/** The modern SM core, driven by the control bits of the code. */
public record ModernCoreSpec(
    @Field(value = "instructions a warp's buffer holds", least = 1) int instructionBuffer,
    @Field(value = "memory instructions a sub-core queues", least = 1) int memoryQueue) {}
