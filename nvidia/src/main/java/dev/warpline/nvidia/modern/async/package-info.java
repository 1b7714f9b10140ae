/**
 * What an SM of Hopper does beside its warps: {@link dev.warpline.nvidia.modern.async.MbarrierUnit}
 * counts arrivals and bytes, {@link dev.warpline.nvidia.modern.async.CopyUnit} runs bulk and tensor
 * copies, {@link dev.warpline.nvidia.modern.async.MatrixUnit} warpgroup matrix products, {@link
 * dev.warpline.nvidia.modern.async.RegisterHandover} moves registers between warps, {@link
 * dev.warpline.nvidia.modern.async.Clusters} is the SM's part in clusters of blocks.
 */
package dev.warpline.nvidia.modern.async;
