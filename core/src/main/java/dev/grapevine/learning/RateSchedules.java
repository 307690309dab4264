package dev.grapevine.learning;

import static dev.grapevine.settings.SettingException.require;

import dev.grapevine.engine.RateSchedule;
import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Family;
import dev.grapevine.settings.Kind;
import java.util.List;

/**
 * The engine's schedules of the learning rate, to be chosen by {@code schedule} in the table {@code
 * [training]}. Their keys begin with {@code schedule-} because they share the table; their unit of
 * time is the round.
 */
public final class RateSchedules implements Catalogue {

  public static final Family<Void, RateSchedule> FAMILY =
      new Family<>(
          "schedule",
          RateSchedule.class,
          Void.class,
          "how the learning rate changes from round to round");

  @Override
  public Family<?, ?> family() {
    return FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(ConstantKind.class, StepKind.class, ExponentialKind.class, CosineKind.class);
  }

  @Kind(name = "constant", summary = "the same rate in every round")
  static final class ConstantKind {
    private ConstantKind() {}

    /** Warm-up only. */
    public record Settings(@Default("0") @Doc(WARM_UP) int scheduleWarmUp) {
      public Settings {
        requireWarmUp(scheduleWarmUp);
      }
    }

    public static RateSchedule create(Settings settings) {
      return warmUp(settings.scheduleWarmUp, new RateSchedule.Constant());
    }
  }

  @Kind(name = "step", summary = "the rate is multiplied by a factor every so many rounds")
  static final class StepKind {
    private StepKind() {}

    /** As PyTorch's StepLR. */
    public record Settings(
        @Doc("rounds between two changes, at least 1") int scheduleEvery,
        @Default("0.1") @Doc("factor of one change, above 0") double scheduleDecay,
        @Default("0") @Doc(WARM_UP) int scheduleWarmUp) {
      public Settings {
        require(
            scheduleEvery >= 1,
            "schedule-every",
            "schedule-every must be at least 1: schedule-every=" + scheduleEvery);
        requireDecay(scheduleDecay);
        requireWarmUp(scheduleWarmUp);
      }
    }

    public static RateSchedule create(Settings settings) {
      return warmUp(
          settings.scheduleWarmUp,
          new RateSchedule.Step(settings.scheduleEvery, settings.scheduleDecay));
    }
  }

  @Kind(name = "exponential", summary = "the rate is multiplied by a factor in every round")
  static final class ExponentialKind {
    private ExponentialKind() {}

    /** As PyTorch's ExponentialLR. */
    public record Settings(
        @Default("0.99") @Doc("factor of one round, above 0") double scheduleDecay,
        @Default("0") @Doc(WARM_UP) int scheduleWarmUp) {
      public Settings {
        requireDecay(scheduleDecay);
        requireWarmUp(scheduleWarmUp);
      }
    }

    public static RateSchedule create(Settings settings) {
      return warmUp(settings.scheduleWarmUp, new RateSchedule.Exponential(settings.scheduleDecay));
    }
  }

  @Kind(
      name = "cosine",
      summary = "half a cosine down to a floor, then flat",
      paper = "Loshchilov, Hutter: SGDR: Stochastic Gradient Descent with Warm Restarts, ICLR 2017")
  static final class CosineKind {
    private CosineKind() {}

    /** As PyTorch's CosineAnnealingLR. */
    public record Settings(
        @Doc("rounds until the floor, at least 1") int scheduleRounds,
        @Default("0") @Doc("share of the rate that is left at the end, at least 0")
            double scheduleFloor,
        @Default("0") @Doc(WARM_UP) int scheduleWarmUp) {
      public Settings {
        require(
            scheduleRounds >= 1,
            "schedule-rounds",
            "schedule-rounds must be at least 1: schedule-rounds=" + scheduleRounds);
        require(
            scheduleFloor >= 0 && Double.isFinite(scheduleFloor),
            "schedule-floor",
            "schedule-floor must not be negative: schedule-floor=" + scheduleFloor);
        requireWarmUp(scheduleWarmUp);
      }
    }

    public static RateSchedule create(Settings settings) {
      return warmUp(
          settings.scheduleWarmUp,
          new RateSchedule.Cosine(settings.scheduleRounds, settings.scheduleFloor));
    }
  }

  private static final String WARM_UP = "rounds in which the rate first rises from 0; 0 for none";

  private static RateSchedule warmUp(int rounds, RateSchedule then) {
    return rounds == 0 ? then : new RateSchedule.WarmUp(rounds, 0, then);
  }

  private static void requireWarmUp(int rounds) {
    require(
        rounds >= 0,
        "schedule-warm-up",
        "schedule-warm-up must not be negative: schedule-warm-up=" + rounds);
  }

  private static void requireDecay(double decay) {
    require(
        decay > 0 && Double.isFinite(decay),
        "schedule-decay",
        "schedule-decay must be above 0: schedule-decay=" + decay);
  }
}
