package dev.grapevine.protocol;

/**
 * What a protocol knows of its node before it runs.
 *
 * @param node the node's number
 * @param nodes how many nodes there are
 * @param seed the run's seed, the same on every node
 */
public record ProtocolContext(int node, int nodes, long seed) {}
