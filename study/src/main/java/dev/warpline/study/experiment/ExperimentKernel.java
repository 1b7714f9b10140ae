package dev.warpline.study.experiment;

/**
 * A kernel of an experiment.
 *
 * @param name its trace is the cache of this name
 * @param launch which launch of the program is looked at, from 1; those before warm the caches
 * @param kind what limits it, in a word or two
 * @param about what it does
 */
public record ExperimentKernel(String name, int launch, String kind, String about) {}
