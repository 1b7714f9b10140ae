/**
 * What the compute units share: second-level TLBs, the TCC of each die, the cache in front of
 * memory and the memory channels. Servers with real tags and next-free times; requests are served
 * in the order they arrive.
 */
package dev.warpline.amd.memory;
