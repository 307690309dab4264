package dev.grapevine.runtime;

import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;

/** Keeps cuts in memory, for tests. */
public final class MemoryCuts implements Cuts {

  private final int every;
  private final Map<Integer, Map<Integer, Map<String, State.Saved>>> states = new TreeMap<>();
  private final Map<Integer, Moment> moments = new TreeMap<>();
  private final List<Resumption.EndedNode> ended = new ArrayList<>();
  private Source source;

  public MemoryCuts(int every) {
    this.every = every;
  }

  @Override
  public void begin(Source run) {
    source = run;
  }

  @Override
  public boolean due(int round) {
    return (round + 1) % every == 0;
  }

  @Override
  public synchronized void save(int round, int node, Map<String, State.Saved> state) {
    states
        .computeIfAbsent(round, missing -> new ConcurrentHashMap<>())
        .put(node, State.copyOf(state));
    moments.put(round, source.moment());
  }

  @Override
  public synchronized void ended(NodeOutcome outcome, boolean told) {
    ended.add(new Resumption.EndedNode(outcome, told));
  }

  /** The last rounds before each cut. */
  public Set<Integer> rounds() {
    return states.keySet();
  }

  /** What a node remembered, as it was saved. */
  public Map<String, State.Saved> saved(int round, int node) {
    return states.get(round).get(node);
  }

  /** What the nodes remembered; each call gives states of its own. */
  public State state(int round, int node) {
    return State.resumed(states.get(round).get(node));
  }

  /** The same for all nodes; of those that had ended nothing is left. */
  public IntFunction<State> states(int round) {
    return node -> states.get(round).containsKey(node) ? state(round, node) : State.fresh();
  }

  public int nodes(int round) {
    return states.get(round).size();
  }

  public Resumption resumption(int round) {
    return new Resumption(
        round + 1,
        moments.get(round),
        ended.stream()
            .filter(each -> !states.get(round).containsKey(each.outcome().node()))
            .toList(),
        1);
  }
}
