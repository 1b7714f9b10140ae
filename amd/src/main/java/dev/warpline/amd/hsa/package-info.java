/**
 * The way into the GPU: queues, packets, doorbells and signals in device memory, the packet
 * processor and command processor that turn packets into kernels, and the device as a program sees
 * it.
 */
package dev.warpline.amd.hsa;
