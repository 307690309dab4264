package dev.grapevine.network;

/**
 * What a link model knows of the run.
 *
 * @param nodes how many nodes there are
 * @param seed the run's seed
 */
public record LinkContext(int nodes, long seed) {}
