/** Instruction prefetchers, a class each. */
package dev.warpline.policy.prefetch;
