package dev.warpline.nvidia.emulate;

import dev.warpline.trace.Dim3;

/**
 * One kernel launch.
 *
 * @param kernel mangled name
 * @param block threads of a block
 * @param cluster blocks of a cluster, 1 by 1 by 1 without clusters
 * @param sharedWindow bytes of shared memory, with what the system keeps
 * @param sharedBase where shared memory appears among generic addresses
 * @param localBase where local memory appears among generic addresses
 */
record Launch(
    String kernel,
    Dim3 grid,
    Dim3 block,
    Dim3 cluster,
    int sharedWindow,
    long sharedBase,
    long localBase,
    ConstantBanks constants,
    EmulatedMemory memory) {}
