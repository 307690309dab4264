package dev.grapevine.launch;

import dev.grapevine.experiment.StopSettings;
import dev.grapevine.state.State;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides, by the table {@code [stop]}, whether a run ends before its last round, and notices a run
 * that has diverged. A round is judged once all nodes that evaluate have told their figures of it,
 * so that in a simulated run the decision, too, is the same every time. Safe for concurrent use.
 */
final class Stopping {

  /** How many times worse than a blind guess a loss must be to be beyond hope. */
  private static final double HOPELESS = 1000;

  private static final double NANOS_PER_HOUR = 3600e9;

  private final StopSettings settings;
  private final BitSet tells;
  private final BitSet evaluating;
  private final double blindLoss;
  private final LongSupplier nanos;
  private long start;
  private final Map<Integer, Round> rounds = new HashMap<>();
  private double best = Double.NEGATIVE_INFINITY;
  private int sinceBest;
  private int lastComplete = -1;
  private int divergedIn = -1;
  private int stoppedAfter = -1;
  private volatile @Nullable String reason;

  private static final class Round {
    private final BitSet told = new BitSet();
    private double testSum;
    private double judgedSum;
    private int judged;
  }

  /**
   * @param evaluating the nodes that tell figures
   * @param blindLoss the loss of a model that has learned nothing
   * @param nanos how long the run has gone by the wall clock
   */
  Stopping(StopSettings settings, BitSet evaluating, double blindLoss, LongSupplier nanos) {
    this.settings = settings;
    this.tells = (BitSet) evaluating.clone();
    this.evaluating = (BitSet) evaluating.clone();
    this.blindLoss = blindLoss;
    this.nanos = nanos;
  }

  /** The first round begins only now. */
  synchronized void begin() {
    start = nanos.getAsLong();
  }

  /** Declares what no recorded figure tells. */
  void declare(State state, int firstRound) {
    state.value(
        "diverged-in",
        () -> divergedIn().orElse(-1),
        saved -> divergedIn = saved < firstRound ? (int) saved : -1);
  }

  /** Looks at a loss of a node; {@code what} is what the loss was measured on. */
  synchronized void loss(int node, int round, String what, double loss) {
    boolean beyondHope = !Double.isFinite(loss) || (blindLoss > 0 && loss > HOPELESS * blindLoss);
    if (beyondHope && divergedIn < 0) {
      divergedIn = round;
      if (settings.diverged()) {
        stop(
            round,
            String.format(
                Locale.ROOT,
                "diverged: the %s of node %d was %.3g in round %d",
                what,
                node,
                loss,
                round + 1));
      }
    }
  }

  /**
   * Takes the figures of a node in a round.
   *
   * @param test accuracy or R² on the test samples, NaN where there is neither
   * @param judged the same on the samples that decide about patience
   */
  synchronized void evaluated(int node, int round, double test, double judged) {
    if (reason != null || !evaluating.get(node)) {
      return;
    }
    Round figures = rounds.computeIfAbsent(round, r -> new Round());
    figures.told.set(node);
    // A model whose outputs are no numbers is as good as none.
    figures.testSum += Double.isNaN(test) ? 0 : test;
    figures.judgedSum += Double.isNaN(judged) ? 0 : judged;
    figures.judged++;
    judgeIfComplete(round);
  }

  /** A node tells nothing any more. */
  synchronized void ended(int node) {
    evaluating.clear(node);
    rounds.keySet().stream().sorted().toList().forEach(this::judgeIfComplete);
  }

  /** A node that told nothing any more does so again. */
  synchronized void isBack(int node) {
    evaluating.set(node, tells.get(node));
  }

  /** Looks at the clock. */
  synchronized void roundFinished() {
    double hours = (nanos.getAsLong() - start) / NANOS_PER_HOUR;
    if (settings.hours().isPresent() && hours >= settings.hours().getAsDouble()) {
      stop(
          lastComplete,
          String.format(Locale.ROOT, "the time is up: hours=%s", settings.hours().getAsDouble()));
    }
  }

  private void judgeIfComplete(int round) {
    Round figures = rounds.get(round);
    BitSet missing = (BitSet) evaluating.clone();
    if (figures == null || figures.judged == 0) {
      return;
    }
    missing.andNot(figures.told);
    if (!missing.isEmpty()) {
      return;
    }
    rounds.remove(round);
    lastComplete = Math.max(lastComplete, round);
    double test = figures.testSum / figures.judged;
    if (settings.accuracy().isPresent() && test >= settings.accuracy().getAsDouble()) {
      stop(round, String.format(Locale.ROOT, "reached %.4f in round %d", test, round + 1));
      return;
    }
    double judged = figures.judgedSum / figures.judged;
    if (judged > best) {
      best = judged;
      sinceBest = 0;
    } else {
      sinceBest++;
    }
    if (settings.patience().isPresent() && sinceBest >= settings.patience().getAsInt()) {
      stop(
          round,
          String.format(
              Locale.ROOT,
              "no better than %.4f for %d evaluations, in round %d",
              best,
              sinceBest,
              round + 1));
    }
  }

  private void stop(int round, String why) {
    if (reason == null) {
      stoppedAfter = round;
      reason = why;
    }
  }

  /** Why the run is to stop; null while it is not. */
  @Nullable String reason() {
    return reason;
  }

  /** The first round in which a loss was beyond hope. */
  synchronized OptionalInt divergedIn() {
    return divergedIn < 0 ? OptionalInt.empty() : OptionalInt.of(divergedIn);
  }

  /** The last round that counts in a run that was stopped. */
  synchronized OptionalInt stoppedAfter() {
    return reason == null || stoppedAfter < 0 ? OptionalInt.empty() : OptionalInt.of(stoppedAfter);
  }
}
