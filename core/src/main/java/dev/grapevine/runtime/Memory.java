package dev.grapevine.runtime;

import dev.grapevine.runtime.churn.ComesBackWith;
import dev.grapevine.state.State;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What of a node outlives the life in which it was learned. */
final class Memory {

  /** What is counted of a node belongs to its place, not to one of its lives. */
  static final String PLACE = "node";

  private final Host host;
  private final State place;
  private State present;

  /** What each kind that may be asked for would be. */
  private final Map<ComesBackWith, Map<String, State.Saved>> kept =
      new EnumMap<>(ComesBackWith.class);

  /**
   * @param first the state of its first life, which its place is declared in too
   */
  Memory(Host host, State first) {
    this.host = host;
    this.place = first;
    this.present = first;
  }

  /**
   * Keeps what outlives a life from now on; its first life knows what it was given.
   *
   * @param kinds what it may come back with
   */
  void keep(Set<ComesBackWith> kinds) {
    for (ComesBackWith kind : List.of(ComesBackWith.MEMORY, ComesBackWith.CHECKPOINT)) {
      if (kinds.contains(kind)) {
        kept.put(kind, State.copyOf(withoutPlace(present.everything())));
      }
    }
  }

  /** Another life begins, and knows what it was given. */
  void begin(State state) {
    present = state;
    if (kept.containsKey(ComesBackWith.MEMORY)) {
      kept.put(ComesBackWith.MEMORY, State.copyOf(withoutPlace(state.everything())));
    }
  }

  /** A round is over: a node that comes back with its memory comes back with this. */
  void keepRound() {
    if (kept.containsKey(ComesBackWith.MEMORY)) {
      kept.put(ComesBackWith.MEMORY, withoutPlace(present.snapshot()));
    }
  }

  /** What a life begins with. */
  State recalled(ComesBackWith with) {
    return State.resumed(kept.getOrDefault(with, Map.of()));
  }

  /** All that is to be saved of the node: what it is, or will come back with if it is down. */
  Map<String, State.Saved> view() {
    Lives lives = host.lives();
    return lives.isDown(host.id()) ? absent(lives.comesBackWith(host.id())) : present();
  }

  private Map<String, State.Saved> present() {
    Map<String, State.Saved> all = host.view(present);
    if (!kept.isEmpty()) {
      // Messages have been handled since its round was over, and a resumed run knows of them.
      Map<String, State.Saved> copy = State.copyOf(withoutPlace(all));
      kept.replaceAll((kind, before) -> copy);
    }
    return present == place ? all : withPlace(all);
  }

  private Map<String, State.Saved> absent(ComesBackWith with) {
    Map<String, State.Saved> state = kept.getOrDefault(with, Map.of());
    kept.replace(ComesBackWith.CHECKPOINT, state);
    return withPlace(state);
  }

  private Map<String, State.Saved> withPlace(Map<String, State.Saved> state) {
    Map<String, State.Saved> all = new LinkedHashMap<>(state);
    all.putAll(host.view(place.part(PLACE)));
    return all;
  }

  private static Map<String, State.Saved> withoutPlace(Map<String, State.Saved> state) {
    Map<String, State.Saved> rest = new LinkedHashMap<>(state);
    rest.keySet().removeIf(name -> name.startsWith(PLACE + "/"));
    return rest;
  }
}
