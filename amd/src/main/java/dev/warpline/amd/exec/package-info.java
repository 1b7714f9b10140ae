/**
 * What AMD instructions do. {@link dev.warpline.amd.exec.WaveState} is the architectural state of
 * one wavefront, {@link dev.warpline.amd.exec.DeviceMemory} the memory it sees, {@link
 * dev.warpline.amd.exec.Semantics} turns each decoded instruction once into an {@link
 * dev.warpline.amd.exec.Operation} that changes them. Memory instructions run in two steps so that
 * a timed compute unit can place them in time: executing the operation fills a {@link
 * dev.warpline.amd.exec.MemoryAccess} with addresses, {@link
 * dev.warpline.amd.exec.MemoryAccess#complete} moves the data. {@link
 * dev.warpline.amd.exec.FunctionalDevice} does both at once, wave by wave, without time.
 */
package dev.warpline.amd.exec;
