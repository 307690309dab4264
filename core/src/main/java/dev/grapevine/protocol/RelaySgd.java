package dev.grapevine.protocol;

import dev.grapevine.aggregation.Aggregator;
import dev.grapevine.exchange.Exchange;
import dev.grapevine.node.Node;
import dev.grapevine.settings.Kind;
import dev.grapevine.sharing.Encoding;
import dev.grapevine.topology.Neighbourhood;
import dev.grapevine.topology.Topology;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Optional;
import java.util.TreeSet;

/**
 * RelaySGD: on a tree, sums of models are passed on instead of being averaged away, so that each
 * node's model reaches all others in as many rounds as they are apart, with the same weight. After
 * training, with N_i the neighbours of node i in the tree and c the number of models in a sum,
 *
 * <pre>
 *   m(i→j) = x_i + Σ_{k ∈ N_i∖j} m(k→i) of the last round,   c(i→j) likewise with 1 for x_i
 *   x_i ← (x_i + Σ_j m(j→i) + (n − 1 − Σ_j c(j→i)) x⁰)/n,   of this round.</pre>
 *
 * <p>A sum that does not come is left out with its count. Nodes must start from the same model x⁰,
 * or they agree only after as many rounds as the tree is deep. On a topology that is no tree the
 * node uses the spanning tree that a breadth-first search from node 0 finds. One exchange a round
 * along the 2(n − 1) directed edges of the tree; each node keeps one vector for each neighbour and
 * x⁰.
 */
@Kind(
    name = "relay-sgd",
    summary = "passes sums of models on along a tree: all count alike, only later",
    paper =
        "Vogels, He, Koloskova, Karimireddy, Lin, Stich, Jaggi: RelaySum for Decentralized Deep"
            + " Learning on Heterogeneous Data, NeurIPS 2021")
public final class RelaySgd implements Protocol {

  private final ProtocolContext context;

  public RelaySgd(ProtocolContext context) {
    this.context = context;
  }

  @Override
  public boolean usesSharing() {
    return false;
  }

  @Override
  public Optional<String> objection(Encoding encoding, Aggregator rule, Topology topology) {
    return Objections.unless(
        rule.isLinear(),
        "it adds up models on their way and never sees a neighbour's own; take aggregation.kind ="
            + " \"weighted\"");
  }

  @Override
  public Optional<String> objection(Topology topology) {
    return Objections.first(
        Objections.unless(
            topology.period() == 1,
            "its sums run along the same edges in every round; take a topology that does not"
                + " change"),
        Objections.unless(
            Arrays.stream(parents(topology)).noneMatch(parent -> parent == UNREACHED),
            "not all nodes can be reached from node 0; take a connected topology such as tree"));
  }

  private static final int UNREACHED = -1;

  @Override
  public boolean isInStep() {
    return true;
  }

  @Override
  public void run(Node self) throws InterruptedException {
    int[] parents = context.shared().get(RelaySgd.class, () -> parents(context.topology()));
    Neighbourhood links = links(self.id(), parents);
    float[] parameters = self.learner().parameters();
    Exchange relay =
        self.exchange(
            "relay",
            parameters,
            new Relay(parameters, self.learners(), links.sendsTo(), self.state().part("relay")));
    for (int round = self.firstRound(); round < self.rounds(); round++) {
      self.train();
      relay.mix(round, links);
      self.evaluate(round);
    }
  }

  /** Each node's parent in the spanning tree; node 0 is its own. */
  private static int[] parents(Topology topology) {
    int[] parents = new int[topology.nodes()];
    Arrays.fill(parents, UNREACHED);
    ArrayDeque<Integer> reached = new ArrayDeque<>();
    parents[0] = 0;
    reached.add(0);
    while (!reached.isEmpty()) {
      int node = reached.remove();
      for (int peer : topology.neighbours(node, 0).sendsTo()) {
        if (parents[peer] == UNREACHED) {
          parents[peer] = node;
          reached.add(peer);
        }
      }
    }
    return parents;
  }

  private static Neighbourhood links(int node, int[] parents) {
    TreeSet<Integer> set = new TreeSet<>();
    if (node != 0) {
      set.add(parents[node]);
    }
    for (int child = 1; child < parents.length; child++) {
      if (parents[child] == node) {
        set.add(child);
      }
    }
    int[] peers = set.stream().mapToInt(Integer::intValue).toArray();
    double weight = 1.0 / (1 + peers.length);
    double[] weights = new double[peers.length];
    Arrays.fill(weights, weight);
    return new Neighbourhood(node, peers, peers, weights, weight);
  }
}
