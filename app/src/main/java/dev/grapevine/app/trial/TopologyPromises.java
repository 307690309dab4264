package dev.grapevine.app.trial;

import dev.grapevine.UserException;
import dev.grapevine.settings.Choice;
import dev.grapevine.topology.Neighbourhood;
import dev.grapevine.topology.Topology;
import dev.grapevine.topology.TopologyContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What every topology promises. */
final class TopologyPromises {

  private static final int[] SIZES = {2, 3, 8, 9, 16, 25, 64};
  private static final int ROUNDS = 5;

  private TopologyPromises() {}

  static List<Finding> of(Choice<TopologyContext, Topology> choice) {
    List<Finding> findings = new ArrayList<>();
    List<Integer> taken = new ArrayList<>();
    String pure = "";
    String inRange = "";
    String agrees = "";
    String sums = "";
    for (int size : SIZES) {
      Topology one;
      Topology other;
      try {
        one = choice.create(new TopologyContext(size, 7, Path.of("")));
        other = choice.create(new TopologyContext(size, 7, Path.of("")));
      } catch (UserException refused) {
        continue;
      }
      taken.add(size);
      for (int round = 0; round < ROUNDS; round++) {
        for (int node = 0; node < size; node++) {
          String where = "nodes=%d, node=%d, round=%d".formatted(size, node, round);
          Neighbourhood asked = one.neighbours(node, round);
          pure = first(pure, same(asked, other.neighbours(node, round)), "answers differ: ", where);
          inRange = first(inRange, isInRange(asked, node, size), "no such peer: ", where);
          sums = first(sums, sumsToOne(asked), "weights do not add up to 1: ", where);
          if (inRange.isEmpty()) {
            agrees = first(agrees, agrees(one, node, round), "peers disagree: ", where);
          }
        }
      }
    }
    findings.add(
        Finding.of(
            "can be built",
            taken.isEmpty() ? "every number of nodes was refused: " + Arrays.toString(SIZES) : ""));
    findings.add(Finding.of("asked twice, it gives the same answer", pure));
    findings.add(Finding.of("names peers that are there, and not the node itself", inRange));
    findings.add(Finding.of("who sends to a node is whom the node hears from", agrees));
    findings.add(Finding.of("own weight and those of the peers add up to 1", sums));
    findings.add(
        Finding.note("sizes", "takes %s of %s nodes".formatted(taken, Arrays.toString(SIZES))));
    return findings;
  }

  private static String first(String known, boolean holds, String complaint, String where) {
    return known.isEmpty() && !holds ? complaint + where : known;
  }

  private static boolean same(Neighbourhood one, Neighbourhood other) {
    return Arrays.equals(one.sendsTo(), other.sendsTo())
        && Arrays.equals(one.hearsFrom(), other.hearsFrom())
        && Arrays.equals(one.weights(), other.weights())
        && one.selfWeight() == other.selfWeight();
  }

  private static boolean isInRange(Neighbourhood asked, int node, int size) {
    return Arrays.stream(asked.sendsTo()).allMatch(p -> p >= 0 && p < size && p != node)
        && Arrays.stream(asked.hearsFrom()).allMatch(p -> p >= 0 && p < size && p != node);
  }

  private static boolean agrees(Topology topology, int node, int round) {
    return Arrays.stream(topology.neighbours(node, round).sendsTo())
            .allMatch(peer -> contains(topology.neighbours(peer, round).hearsFrom(), node))
        && Arrays.stream(topology.neighbours(node, round).hearsFrom())
            .allMatch(peer -> contains(topology.neighbours(peer, round).sendsTo(), node));
  }

  private static boolean contains(int[] nodes, int node) {
    return Arrays.stream(nodes).anyMatch(other -> other == node);
  }

  private static boolean sumsToOne(Neighbourhood asked) {
    double sum = asked.selfWeight() + Arrays.stream(asked.weights()).sum();
    return Math.abs(sum - 1) < 1e-6;
  }
}
