package dev.grapevine.launch;

import dev.grapevine.UserException;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Saving;
import dev.grapevine.runtime.report.Observer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Two rounds of an experiment without training, on the virtual clock and without results. Finds
 * what only a run can show: nodes that do not understand each other because an override gives some
 * another sharing scheme or protocol, and own code that throws.
 */
public final class Rehearsal {

  /** Parameters of all nodes together beyond which it would take too long for a check. */
  private static final long MOST_PARAMETERS = 20_000_000;

  private Rehearsal() {}

  /** Whether an experiment has parts that only a run can put to the test. */
  public static boolean isWorthwhile(Experiment experiment, int parameters) {
    boolean mixed =
        experiment.overrides().stream()
            .anyMatch(override ->
                override.changes().get("sharing").isPresent()
                    || override.changes().get("protocol").isPresent());
    return (mixed || !experiment.files().sources().isEmpty())
        && parameters > 0
        && (long) parameters * experiment.nodes().count() <= MOST_PARAMETERS;
  }

  /**
   * Runs it.
   *
   * @return what went wrong, if something did
   * @throws UserException when the parts do not fit together
   */
  public static Optional<String> of(Experiment experiment, Path dataDirectory) {
    List<String> changes =
        new ArrayList<>(List.of("rounds=2", "runtime.kind=simulated", "faults.inject=[]"));
    if (experiment.training().epochs().isEmpty()
        && experiment.training().roundsPerEpoch().isEmpty()) {
      changes.add("training.steps=0");
    }
    Assembly assembly = new Assembly(experiment.with(changes), dataDirectory);
    Outcome outcome = assembly.runtime().run(assembly.plan(Saving.NONE), Observer.NONE);
    return outcome.ending() == Outcome.Ending.DONE
        ? Optional.empty()
        : Optional.of(outcome.reason());
  }
}
