package dev.grapevine.experiment;

import dev.grapevine.UserException;
import dev.grapevine.settings.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Holds all models of an experiment to one size: what is mixed must be of equal length. */
final class ModelSizes {

  private final Experiment experiment;
  private int parameters;

  ModelSizes(Experiment experiment) {
    this.experiment = experiment;
  }

  /** Passes if a node's model is of the size of those before it. */
  void require(int node, int size) {
    if (parameters != 0 && size != parameters) {
      throw oddSize(node, size);
    }
    parameters = size;
  }

  /** Names who differs from most: an override for most nodes leaves the others as the odd ones. */
  private UserException oddSize(int node, int size) {
    int count = experiment.nodes().count();
    if (node >= count) {
      return experiment
          .section("model")
          .place("kind")
          .mistake(
              "models must be of one size to be mixed: the server's has %d parameters, those of the"
                      .formatted(size)
                  + " nodes have %d; servers have the model that no override changes"
                      .formatted(parameters));
    }
    Experiment variant = experiment.forNode(node);
    List<Integer> alike = new ArrayList<>();
    List<Integer> others = new ArrayList<>();
    for (int other = 0; other < count; other++) {
      (experiment.forNode(other) == variant ? alike : others).add(other);
    }
    boolean isOdd = alike.size() <= others.size();
    return placeOfModel(node)
        .mistake(
            "models must be of one size to be mixed: %s %d parameters, the others have %d"
                .formatted(
                    having(isOdd ? alike : others),
                    isOdd ? size : parameters,
                    isOdd ? parameters : size));
  }

  private static String having(List<Integer> nodes) {
    int shown = Math.min(nodes.size(), 5);
    String numbers =
        nodes.subList(0, shown).stream()
            .map(node -> Integer.toString(node))
            .collect(Collectors.joining(", "));
    return nodes.size() == 1
        ? "node " + numbers + " has"
        : "nodes " + numbers + (nodes.size() > shown ? " ... have" : " have");
  }

  /** The override that gives a node its model, or the data that decide the model's size. */
  private Place placeOfModel(int node) {
    for (NodeOverride override : experiment.overrides().reversed()) {
      for (String section : List.of("model", "data")) {
        if (override.nodes().contains(node) && override.changes().get(section).isPresent()) {
          return override.changes().placeOfKey(section);
        }
      }
    }
    return experiment.section("model").place("kind");
  }
}
