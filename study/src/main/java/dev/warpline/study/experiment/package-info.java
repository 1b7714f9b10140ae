/**
 * Experiments that must make sense: kernels of different kinds on changed machines, each with the
 * speed-up that is expected of it and why. {@link dev.warpline.study.experiment.Experiments} reads
 * them from two tables beside the kernels, {@link dev.warpline.study.experiment.ExperimentPage}
 * writes {@code docs/what-if.md}.
 */
package dev.warpline.study.experiment;
