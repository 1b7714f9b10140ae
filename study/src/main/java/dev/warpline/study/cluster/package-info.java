/**
 * Points that are simulated on other machines. A {@link dev.warpline.study.cluster.Task} is a line
 * of text that says all of a point; {@link dev.warpline.study.cluster.TaskRun} makes a line of its
 * result from it, an {@link dev.warpline.study.cluster.Answer}, wherever it runs; files travel as
 * {@link dev.warpline.study.cluster.Parcel} and are kept once per machine in a {@link
 * dev.warpline.study.cluster.NodeCache}. {@link dev.warpline.study.cluster.OnSpark} carries the
 * lines through Apache Spark, {@link dev.warpline.study.cluster.OnSlurm} through files that jobs of
 * Slurm read and write. Only the sweep itself writes to the store.
 */
package dev.warpline.study.cluster;
