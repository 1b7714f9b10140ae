/**
 * Fields of a GPU fitted to measured kernels. {@link dev.warpline.study.tune.FitField} says what
 * may change and how far, {@link dev.warpline.study.tune.Samples} what it is fitted to; {@link
 * dev.warpline.study.tune.Tuner} lets a {@link dev.warpline.study.tune.PatternSearch} for all
 * kernels and one for each fold try machines, whose points go through the store of a study, and
 * gives a {@link dev.warpline.study.tune.Tuning}.
 */
package dev.warpline.study.tune;
