package dev.grapevine.sharing;

import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.util.random.RandomGenerator;

/** A share that rises in a straight line from the scheme's {@code alpha} and then stays. */
@Kind(name = "growing", summary = "from alpha to a larger share in a straight line")
public final class GrowingBudget implements Budget {

  private final double from;
  private final Settings settings;

  /** Where the line ends. */
  public record Settings(
      @Doc("the share at the end, in (0, 1], at least alpha") @Default("1.0") double to,
      @Doc("the round in which it is reached, at least 1") @Default("100") int over) {
    public Settings {
      Shares.require(to, "to");
      SettingException.require(over >= 1, "over", "over must be at least 1: over=" + over);
    }
  }

  public GrowingBudget(Settings settings, Double alpha) {
    SettingException.require(
        alpha <= settings.to(),
        "to",
        "to must be at least alpha: to=%s, alpha=%s".formatted(settings.to(), alpha));
    this.from = alpha;
    this.settings = settings;
  }

  @Override
  public double share(int round, RandomGenerator random) {
    double progress = Math.min(1, (double) round / settings.over());
    return from + progress * (settings.to() - from);
  }
}
