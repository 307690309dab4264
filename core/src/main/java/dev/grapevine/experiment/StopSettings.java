package dev.grapevine.experiment;

import static dev.grapevine.settings.SettingException.require;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * The table {@code [stop]}: what ends a run before its last round. Looked at when all nodes have
 * been evaluated in a round; whichever holds first counts.
 */
public record StopSettings(
    @Default("false")
        @Doc("stop when a loss is not finite, or a thousand times that of a blind guess")
        boolean diverged,
    @Doc("stop once the mean test accuracy of the nodes is this, from 0 to 1; R² for values")
        OptionalDouble accuracy,
    @Doc(
            "stop after so many evaluations without a better mean accuracy or R², on the"
                + " validation samples where [evaluation] asks for them, else on the test samples")
        OptionalInt patience,
    @Doc("stop after so many hours by the wall clock, whatever the clock of the run")
        OptionalDouble hours) {

  /** Nothing ends a run before its last round. */
  public static final StopSettings NEVER =
      new StopSettings(false, OptionalDouble.empty(), OptionalInt.empty(), OptionalDouble.empty());

  public StopSettings {
    double wanted = accuracy.orElse(1);
    require(
        wanted > 0 && wanted <= 1,
        "accuracy",
        "accuracy must be above 0 and at most 1: accuracy=" + wanted);
    require(
        patience.orElse(1) >= 1,
        "patience",
        "patience must be at least 1: patience=" + patience.orElse(1));
    require(
        hours.orElse(1) > 0 && Double.isFinite(hours.orElse(1)),
        "hours",
        "hours must be above 0: hours=" + hours.orElse(1));
  }

  /** Whether it takes evaluations to tell. */
  public boolean needsEvaluation() {
    return accuracy.isPresent() || patience.isPresent();
  }
}
