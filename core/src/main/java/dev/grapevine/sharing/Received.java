package dev.grapevine.sharing;

import java.util.List;

/**
 * All that a node mixes in one round, by rising sender so that sums come out the same every time.
 * The weights and {@code selfWeight} add up to one; when a peer is missing, its weight has gone to
 * the node itself.
 */
public record Received(int round, double selfWeight, List<Contribution> contributions) {}
