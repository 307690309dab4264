package dev.grapevine.runtime.report;

/**
 * The mean of the models of a round, taken as each node passed its {@code evaluate}.
 *
 * @param round the round
 * @param nodes how many models it is the mean of
 * @param parameters the mean, owned by the receiver
 * @param statistics the mean of the models' running statistics, if they keep any, owned likewise
 * @param consensusDistance root of the mean squared distance of the models from their mean
 */
public record AverageModel(
    int round, int nodes, float[] parameters, float[] statistics, double consensusDistance) {}
