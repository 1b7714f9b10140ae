/** Comparing simulated kernels with the counters of a real GPU. */
package dev.warpline.study.validate;
