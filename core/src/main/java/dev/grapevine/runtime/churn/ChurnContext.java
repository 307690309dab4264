package dev.grapevine.runtime.churn;

/**
 * What a schedule knows of the run.
 *
 * @param nodes how many nodes come and go; servers stay
 * @param seed where all randomness comes from
 */
public record ChurnContext(int nodes, long seed) {}
