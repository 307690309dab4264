package dev.grapevine.app.cluster;

import dev.grapevine.UserException;
import dev.grapevine.cluster.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Nodes by worker as a text, such as {@code 0-3;4-5,8}. */
final class Placements {

  private Placements() {}

  static Placement parse(String text, int learners, int nodes) {
    List<int[]> nodesOf = new ArrayList<>();
    for (String worker : text.split(";")) {
      nodesOf.add(numbers(worker));
    }
    return Placement.of(learners, nodes, nodesOf);
  }

  static String text(Placement placement, int learners) {
    List<String> workers = new ArrayList<>();
    for (int worker = 0; worker < placement.workers(); worker++) {
      workers.add(
          Placement.ranges(
                  IntStream.of(placement.nodesOf(worker)).filter(node -> node < learners).toArray())
              .replace(" ", ""));
    }
    return String.join(";", workers);
  }

  private static int[] numbers(String list) {
    IntStream all = IntStream.empty();
    for (String part : list.split(",")) {
      String[] ends = part.strip().split("-");
      try {
        int first = Integer.parseInt(ends[0]);
        int last = Integer.parseInt(ends[ends.length - 1]);
        all = IntStream.concat(all, IntStream.rangeClosed(first, last));
      } catch (NumberFormatException e) {
        throw new UserException("no list of nodes: " + list, e);
      }
    }
    return all.toArray();
  }
}
