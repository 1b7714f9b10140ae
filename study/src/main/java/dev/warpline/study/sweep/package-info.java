/**
 * Many simulations from one file. {@link dev.warpline.study.sweep.Study} reads the file, {@link
 * dev.warpline.study.sweep.Plan} makes it into points, {@link dev.warpline.study.sweep.Sweep} has
 * those simulated that the store lacks, {@link dev.warpline.study.sweep.On} says where.
 */
package dev.warpline.study.sweep;
