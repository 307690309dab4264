package dev.grapevine.launch;

import dev.grapevine.experiment.Experiment;
import dev.grapevine.settings.Choice;
import dev.grapevine.state.State;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What the nodes of a fork take over from its parent: all but what belongs to a part that is
 * another now. Such a part starts empty.
 *
 * @param parent the experiment that was saved
 * @param child the experiment that goes on
 */
record Inheritance(Experiment parent, Experiment child) {

  /** What one node takes over. */
  Map<String, State.Saved> of(int node, Map<String, State.Saved> state) {
    boolean learns = node < child.nodes().count();
    Experiment before = learns ? parent.forNode(node) : parent;
    Experiment after = learns ? child.forNode(node) : child;
    Predicate<String> dropped = name -> isDropped(name, before, after);
    Map<String, State.Saved> kept = new LinkedHashMap<>(state);
    kept.keySet().removeIf(dropped);
    return kept;
  }

  private static boolean isDropped(String name, Experiment before, Experiment after) {
    boolean sharing = !isSame(before.sharing(), after.sharing());
    boolean protocol = !isSame(before.protocol(), after.protocol());
    // What a scheme knows of its neighbours is worth nothing among others.
    boolean neighbours = !isSame(before.topology(), after.topology());
    if (name.startsWith("node/")) {
      // Messages that wait to be asked for are the protocol's, in the scheme's words.
      return (name.startsWith("node/inbox") && (protocol || sharing))
          || (name.startsWith("node/faults")
              && !before.faults().injected().equals(after.faults().injected()))
          || (name.equals("node/churn") && !isSame(before.churn(), after.churn()));
    }
    if (name.startsWith("learner/")) {
      return (name.equals("learner/optimizer") && !isSame(before.optimizer(), after.optimizer()))
          || (name.startsWith("learner/data") && !isSameData(before, after));
    }
    if (name.startsWith("model/")) {
      return sharing || protocol || neighbours;
    }
    return protocol || (name.startsWith("exchange/") && (sharing || neighbours));
  }

  private static boolean isSameData(Experiment before, Experiment after) {
    return isSame(before.data(), after.data())
        && isSame(before.partition(), after.partition())
        && before.dataSettings().equals(after.dataSettings())
        && before.training().batchSize() == after.training().batchSize();
  }

  /** Whether a part is of the same kind with the same settings. */
  static boolean isSame(Choice<?, ?> one, Choice<?, ?> other) {
    return one.name().equals(other.name()) && one.settings().equals(other.settings());
  }
}
