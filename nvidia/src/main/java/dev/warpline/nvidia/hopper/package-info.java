/**
 * Hopper's asynchronous machine as parts that know nothing of the SM around them: mbarriers, tensor
 * boxes, the copy engine's groups, warpgroup matrix products, the register pool, clusters.
 */
package dev.warpline.nvidia.hopper;
