/**
 * Apache Spark's side of a sweep: a driver that gets tasks as lines and gives answers as lines, and
 * what its executors do. It knows Spark and Java, and Warpline only as jars: executors load them
 * apart from Spark's own classes, whose libraries have other versions.
 */
package dev.warpline.spark;
