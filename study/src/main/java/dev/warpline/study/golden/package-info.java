/**
 * Golden results: what every example gives on every GPU and core, kept in {@code examples/goldens},
 * so that no change of a result goes unnoticed or unexplained.
 */
package dev.warpline.study.golden;
