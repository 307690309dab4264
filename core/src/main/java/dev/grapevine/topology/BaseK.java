package dev.grapevine.topology;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The Base-(k+1) graph: a cycle of sparse graphs in which no node has more than k neighbours and
 * whose mixing matrices, multiplied over one cycle, give exactly the mean, whatever the number of
 * nodes. The cycle has O(log n / log(k + 1)) rounds.
 *
 * <p>Where n has no prime factor above k + 1, groups of at most k + 1 nodes average in turn, as on
 * a hypercube. Else n is written to the base k + 1, n = Σ a_l (k+1)^{p_l}: the parts V_l average
 * inside; then, for l = 1, 2, …, every node of a later part meets one node of each of V_l's a_l
 * equal pieces, with the weight |V_l| / (a_l Σ_{m≥l} |V_m|), and the pieces average inside once
 * more. A factor of n that groups can average is split off first where that makes the cycle
 * shorter.
 *
 * <p>Y. Takezawa, R. Sato, H. Bao, K. Niwa, M. Yamada, "Beyond exponential graph:
 * communication-efficient topologies for decentralized learning via finite-time convergence",
 * NeurIPS 2023.
 */
@Kind(
    name = "base-k",
    summary = "A cycle of sparse graphs that averages exactly, for any number of nodes.",
    paper = "Takezawa et al. 2023, Beyond exponential graph")
public final class BaseK {

  private BaseK() {}

  /** How many neighbours a node may have in a round. */
  public record Settings(
      @Doc("most neighbours of a node in a round, at least 1; the base is one more") @Default("1")
          int peers) {
    public Settings {
      SettingException.require(peers >= 1, "peers", "peers must be at least 1: peers=" + peers);
    }
  }

  public static Topology create(Settings settings, TopologyContext context) {
    int nodes = context.nodes();
    int base = Math.min(settings.peers() + 1, Math.max(2, nodes));
    int[] all = new int[nodes];
    for (int node = 0; node < nodes; node++) {
      all[node] = node;
    }
    Cycle plain = new Cycle(nodes);
    int length = byDigits(plain, all, base, 0);
    int smooth = smoothPart(nodes, base);
    Cycle split = new Cycle(nodes);
    int inner = 0;
    for (int group = 0; group < smooth; group++) {
      inner = byDigits(split, every(all, group, smooth), base, 0);
    }
    for (int place = 0; place < nodes / smooth; place++) {
      byGroups(split, slice(all, place * smooth, smooth), base, inner);
    }
    return (split.length() <= length ? split : plain).topology();
  }

  /** Averages {@code nodes}, any number of them, from {@code round} on; returns the round after. */
  private static int byDigits(Cycle cycle, int[] nodes, int base, int round) {
    List<int[]> parts = new ArrayList<>();
    List<Integer> digits = new ArrayList<>();
    int from = 0;
    int after = round;
    for (int power = highestPower(nodes.length, base); power >= 1; power /= base) {
      int digit = (nodes.length - from) / power;
      if (digit > 0) {
        int[] part = slice(nodes, from, digit * power);
        parts.add(part);
        digits.add(digit);
        after = Math.max(after, byGroups(cycle, part, base, round));
        from += part.length;
      }
    }
    int met = after;
    int rest = nodes.length;
    for (int l = 0; l + 1 < parts.size(); l++) {
      int[] part = parts.get(l);
      int digit = digits.get(l);
      int piece = part.length / digit;
      int[] later = slice(nodes, nodes.length - rest + part.length, rest - part.length);
      double weight = (double) part.length / digit / rest;
      for (int a = 0; a < digit; a++) {
        for (int i = 0; i < later.length; i++) {
          cycle.add(met, later[i], part[a * piece + i], weight);
        }
        after = Math.max(after, byGroups(cycle, slice(part, a * piece, piece), base, met + 1));
      }
      met++;
      rest -= part.length;
      after = Math.max(after, met);
    }
    return after;
  }

  /** Averages nodes whose number has only factors up to {@code base}; returns the round after. */
  private static int byGroups(Cycle cycle, int[] nodes, int base, int round) {
    int stride = 1;
    for (int size : factors(nodes.length, base)) {
      for (int first = 0; first < nodes.length; first++) {
        if (first / stride % size == 0) {
          for (int i = 0; i < size; i++) {
            for (int j = 0; j < i; j++) {
              cycle.add(round, nodes[first + i * stride], nodes[first + j * stride], 1.0 / size);
            }
          }
        }
      }
      stride *= size;
      round++;
    }
    return round;
  }

  /** As few factors from 2 to {@code base} as make up {@code number}. */
  private static List<Integer> factors(int number, int base) {
    if (number == 1) {
      return List.of();
    }
    List<Integer> fewest = List.of();
    for (int factor = Math.min(number, base); factor >= 2; factor--) {
      if (number % factor == 0 && smoothPart(number / factor, base) == number / factor) {
        List<Integer> found = new ArrayList<>(List.of(factor));
        found.addAll(factors(number / factor, factor));
        int product = found.stream().reduce(1, (a, b) -> a * b);
        if (product == number && (fewest.isEmpty() || found.size() < fewest.size())) {
          fewest = found;
        }
      }
    }
    return fewest;
  }

  /** The largest divisor without a prime factor above {@code base}. */
  private static int smoothPart(int number, int base) {
    int part = 1;
    for (int factor = 2; factor <= base && number > 1; factor++) {
      while (number % factor == 0) {
        number /= factor;
        part *= factor;
      }
    }
    return part;
  }

  private static int highestPower(int number, int base) {
    int power = 1;
    while (power <= number / base) {
      power *= base;
    }
    return power;
  }

  private static int[] slice(int[] nodes, int from, int length) {
    return Arrays.copyOfRange(nodes, from, from + length);
  }

  private static int[] every(int[] nodes, int first, int stride) {
    int[] chosen = new int[nodes.length / stride];
    for (int i = 0; i < chosen.length; i++) {
      chosen[i] = nodes[first + i * stride];
    }
    return chosen;
  }

  /** The graphs and weights of a cycle's rounds while they are being laid down. */
  private static final class Cycle {

    private final int nodes;
    private final List<Graph.Builder> graphs = new ArrayList<>();
    private final List<Map<Long, Double>> weights = new ArrayList<>();

    Cycle(int nodes) {
      this.nodes = nodes;
    }

    int length() {
      return graphs.size();
    }

    void add(int round, int node, int peer, double weight) {
      while (graphs.size() <= round) {
        graphs.add(Graph.undirected(nodes));
        weights.add(new HashMap<>());
      }
      graphs.get(round).add(node, peer);
      weights.get(round).put(edge(node, peer), weight);
    }

    private static long edge(int node, int peer) {
      return (long) Math.max(node, peer) << 32 | Math.min(node, peer);
    }

    Topology topology() {
      if (graphs.isEmpty()) {
        return new StaticTopology(Graph.undirected(nodes).build(), new UniformWeights());
      }
      List<StaticTopology> cycle = new ArrayList<>();
      for (int round = 0; round < graphs.size(); round++) {
        Map<Long, Double> known = weights.get(round);
        WeightRule rule = (graph, node, peer) -> known.getOrDefault(edge(node, peer), 0.0);
        cycle.add(new StaticTopology(graphs.get(round).build(), rule));
      }
      return new CyclicTopology(cycle);
    }
  }
}
