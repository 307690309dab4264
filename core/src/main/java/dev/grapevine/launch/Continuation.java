package dev.grapevine.launch;

import dev.grapevine.UserException;
import dev.grapevine.checkpoint.Identity;
import dev.grapevine.checkpoint.SavedCut;
import dev.grapevine.checkpoint.UnusableCut;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.runtime.Cuts;
import dev.grapevine.runtime.Resumption;
import dev.grapevine.state.State;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a run goes on from: nothing, or a cut of itself or of another run.
 *
 * @param cut the cut; null for a run that begins
 * @param keeps what a node takes over of what was saved of it
 * @param times how often the run was resumed, this time included
 */
record Continuation(
    @Nullable SavedCut cut,
    BiFunction<Integer, Map<String, State.Saved>, Map<String, State.Saved>> keeps,
    int times) {

  static final Continuation NONE = new Continuation(null, (node, state) -> state, 0);

  /** A run that begins again, since nothing of it was saved. */
  static Continuation again(int times) {
    return new Continuation(null, (node, state) -> state, times);
  }

  /** All of a cut. */
  static Continuation of(SavedCut cut, int times) {
    return new Continuation(cut, (node, state) -> state, times);
  }

  /** What tells the cuts of an experiment from those of others. */
  static Identity identity(Experiment experiment) {
    // How a run is carried out has no say in what comes out of it.
    Experiment bare =
        experiment.with(
            List.of("runtime.threads=0", "runtime.stall-after=60 s", "checkpoint.keep=2"));
    return Identity.of(
        Version.TEXT,
        bare.with("checkpoint.also", "[]").toToml() + experiment.files().fingerprint());
  }

  boolean isNone() {
    return cut == null;
  }

  /** Refuses a cut of fewer or more nodes, such as one without a server. */
  void requireNodes(int nodes) {
    int saved = cut == null ? nodes : cut.nodes().size() + cut.ended().size();
    if (saved != nodes) {
      throw new UserException(
          "the checkpoint has %d nodes and the experiment %d: a fork needs as many servers as its"
                  .formatted(saved, nodes)
              + " parent; begin anew with grapevine run");
    }
  }

  /** What to say when parts of the experiment have another size than what was saved of them. */
  UserException refusal(State.UnfitException e) {
    return new UserException(
        "the checkpoint after round %d does not fit the experiment: %s; a fork needs a model of the"
                .formatted(firstRound(), e.getMessage())
            + " same size as its parent's, so data with as many inputs and classes; begin anew with"
            + " grapevine run",
        e);
  }

  /** The round to begin with. */
  int firstRound() {
    return cut == null ? 0 : cut.rounds();
  }

  IntFunction<State> states() {
    SavedCut from = cut;
    if (from == null) {
      return node -> State.fresh();
    }
    return node -> {
      try {
        return State.resumed(keeps.apply(node, from.state(node)));
      } catch (UnusableCut e) {
        throw new UserException(
            "the checkpoint after round %d cannot be used: %s".formatted(from.rounds(), e.reason()),
            e);
      }
    };
  }

  /** How long the run went before, by the wall clock. */
  Duration wallTime() {
    return Duration.ofNanos(new RunClock(run()).before());
  }

  /** Numbers of the whole run. */
  State run() {
    return cut == null ? State.fresh() : State.resumed(cut.run());
  }

  Resumption resumption() {
    if (cut == null) {
      return times == 0 ? Resumption.NONE : new Resumption(0, Cuts.Moment.START, List.of(), times);
    }
    return new Resumption(cut.rounds(), cut.moment(), cut.ended(), times);
  }
}
