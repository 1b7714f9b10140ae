/**
 * The front end: instruction buffers filled by one fetch per cycle and sub-core, and the caches
 * that it fetches from.
 */
package dev.warpline.nvidia.modern.fetch;
