package dev.grapevine.launch;

import dev.grapevine.cluster.Event;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Tells what is new of what workers report. One that was lost and comes back goes through some
 * rounds again, with the same figures: those that were recorded stand. Used by one thread.
 */
final class Retold {

  private static final class Node {
    private int finished = -1;
    private final Set<String> before = new HashSet<>();

    /** Figures of rounds that it has not finished. */
    private final Set<String> figures = new HashSet<>();
  }

  private final Map<Integer, Node> nodes = new HashMap<>();

  boolean isNew(Event event) {
    Node node = nodes.computeIfAbsent(event.node(), number -> new Node());
    return switch (event) {
      case Event.Before figure -> node.before.add(figure.metric());
      case Event.Figure figure ->
          figure.round() > node.finished
              && node.figures.add(figure.round() + " " + figure.metric());
      case Event.RoundFinished finished -> {
        boolean isNew = finished.report().round() > node.finished;
        if (isNew) {
          node.finished = finished.report().round();
          node.figures.clear();
        }
        yield isNew;
      }
      case Event.Reported _,
          Event.Sent _,
          Event.Thrown _,
          Event.ShareCounts _,
          Event.FaultStruck _,
          Event.WentDown _,
          Event.IsBack _,
          Event.Ended _ ->
          true;
    };
  }
}
