/**
 * A memory side that reserves instead of stepping: every shared resource (port, link, slice,
 * channel) is a {@link dev.warpline.memory.flow.Lane} that hands out time, so a request's whole
 * path is computed when it is seen. Tags are real: hits, misses and bytes come out of state.
 */
package dev.warpline.memory.flow;
