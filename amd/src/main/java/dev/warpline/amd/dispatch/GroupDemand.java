package dev.warpline.amd.dispatch;

/**
 * What one work-group of a kernel asks of a compute unit.
 *
 * @param vectorRegisters per wave, architectural and accumulation registers together
 * @param scalarRegisters per wave
 * @param ldsBytes of the group
 */
public record GroupDemand(int vectorRegisters, int scalarRegisters, int ldsBytes) {}
