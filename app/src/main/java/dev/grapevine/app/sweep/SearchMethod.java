package dev.grapevine.app.sweep;

import dev.grapevine.experiment.Search;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Says what a search tries next. What it says depends on the search's seed and on the results so
 * far alone: after a kill, the same command finds what was done in its place and goes on.
 */
interface SearchMethod {

  /**
   * Something to try.
   *
   * @param place a number from 0 to 1 for each key
   * @param rounds how long to train
   */
  record Trial(double[] place, int rounds) {}

  /**
   * A trial with its result.
   *
   * @param accuracy mean over nodes and seeds; NaN if it failed
   */
  record Judged(Trial trial, double accuracy) {

    /** For sorting, a failed trial being the worst. */
    double rank() {
      return Double.isNaN(accuracy) ? Double.NEGATIVE_INFINITY : accuracy;
    }
  }

  /** What to try next, all at once; nothing when the search is over. */
  List<Trial> next(List<Judged> before);

  static SearchMethod of(Search search) {
    return switch (search.mode()) {
      case RANDOM -> new RandomSearch(search);
      case HALVING -> new SuccessiveHalving(search);
      case BAYESIAN -> new ParzenSearch(search);
    };
  }

  /** The i-th random place, the same whatever was drawn before. */
  static double[] random(Search search, int index) {
    SplittableRandom random = new SplittableRandom(search.seed() * 1_000_003 + index);
    return random.doubles(search.choices().length).toArray();
  }
}
