/**
 * Comparison of simulated AMD kernels with measured times: the sample kernels that share their
 * algorithm with the measured programs, launched as those launch theirs.
 */
package dev.warpline.study.amd;
