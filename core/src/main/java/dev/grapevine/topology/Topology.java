package dev.grapevine.topology;

/**
 * Who talks to whom, as a pure function of (node, round): asking twice gives the same answer, and
 * every process of a run computes the same one from the seed.
 */
public interface Topology {

  int nodes();

  Neighbourhood neighbours(int node, int round);
}
