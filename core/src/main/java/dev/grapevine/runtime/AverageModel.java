package dev.grapevine.runtime;

/**
 * The mean of the models of a round, taken as each node passed its {@code evaluate}.
 *
 * @param round the round
 * @param nodes how many models it is the mean of
 * @param parameters the mean, owned by the receiver
 * @param consensusDistance root of the mean squared distance of the models from their mean
 */
public record AverageModel(int round, int nodes, float[] parameters, double consensusDistance) {}
