package dev.grapevine.runtime.compute;

/**
 * What a compute model knows of the run.
 *
 * @param nodes how many nodes there are
 * @param seed the run's seed
 */
public record ComputeContext(int nodes, long seed) {}
