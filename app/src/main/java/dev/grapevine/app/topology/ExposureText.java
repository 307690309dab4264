package dev.grapevine.app.topology;

import dev.grapevine.UserException;
import dev.grapevine.topology.Exposure;
import dev.grapevine.topology.Topology;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;

/** Says whose models nodes that work together could solve for. */
final class ExposureText {

  /** How many are named. */
  private static final int SHOWN = 5;

  private ExposureText() {}

  static void print(Topology topology, int round, int most, PrintWriter print) {
    if (most < 1 || most >= topology.nodes()) {
      throw new UserException(
          "--exposure must be at least 1 and below the number of nodes: exposure=%d, nodes=%d"
              .formatted(most, topology.nodes()));
    }
    long coalitions = Exposure.coalitions(topology.nodes(), most);
    if (coalitions > Exposure.MOST_COALITIONS) {
      throw new UserException(
          "there are %,d sets of %d nodes, too many to look at: take fewer nodes or a smaller"
                  .formatted(coalitions, most)
              + " --exposure");
    }
    Exposure exposure = new Exposure(topology, round);
    for (int size = 1; size <= most; size++) {
      List<Exposure.Exposed> exposed = exposure.to(size);
      TopologyCommand.line(
          print,
          "exposed to " + (size == 1 ? "one" : size + " together"),
          exposed.isEmpty() ? "nobody" : named(exposed));
    }
  }

  private static String named(List<Exposure.Exposed> exposed) {
    String some =
        exposed.stream()
            .limit(SHOWN)
            .map(each ->
                "node %d to %s"
                    .formatted(
                        each.node(),
                        each.coalition().stream()
                            .map(String::valueOf)
                            .collect(Collectors.joining(" and "))))
            .collect(Collectors.joining(", "));
    String rest = exposed.size() > SHOWN ? ", ..." : "";
    return "%d nodes: %s%s".formatted(exposed.size(), some, rest);
  }
}
