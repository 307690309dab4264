package dev.grapevine.protocol;

import dev.grapevine.topology.Topology;

/**
 * What a protocol knows before it runs.
 *
 * @param node the node's number
 * @param learners how many nodes hold data
 * @param seed the run's seed, the same on every node
 * @param topology the experiment's topology, for roles that hand it out
 * @param shared what the nodes of one process compute once
 */
public record ProtocolContext(
    int node, int learners, long seed, Topology topology, Shared shared) {}
