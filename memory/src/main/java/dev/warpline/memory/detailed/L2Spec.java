package dev.warpline.memory.detailed;

import dev.warpline.memory.cache.CacheSpec;

/**
 * An L2 slice and the queues around it.
 *
 * @param cache the slice's cache
 * @param delay fixed delay of a request before the slice, in core cycles
 * @param requestQueue requests that wait for the cache
 * @param toDramQueue requests that wait for the DRAM
 * @param fromDramQueue answers of the DRAM that wait for the cache
 * @param replyQueue replies that wait for the crossbar
 */
public record L2Spec(
    CacheSpec cache,
    int delay,
    int requestQueue,
    int toDramQueue,
    int fromDramQueue,
    int replyQueue) {}
