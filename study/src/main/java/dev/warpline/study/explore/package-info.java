/**
 * Questions to the results of a study: {@link dev.warpline.study.explore.ResultTable} has a row per
 * point, and the others read it: pivots, comparisons, sensitivities, Pareto fronts.
 */
package dev.warpline.study.explore;
