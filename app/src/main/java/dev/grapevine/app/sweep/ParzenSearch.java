package dev.grapevine.app.sweep;

import dev.grapevine.experiment.Search;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The tree-structured Parzen estimator (Bergstra, Bardenet, Bengio and Kégl, "Algorithms for
 * hyper-parameter optimization", NIPS 2011): trials are parted into good and other ones, the
 * density of each is estimated key by key, and what is far likelier among the good is tried. A
 * batch is drawn before its results are known; its own members count as other ones meanwhile, so
 * that they do not crowd.
 */
record ParzenSearch(Search search) implements SearchMethod {

  private static final int MOST_AT_RANDOM = 10;
  private static final double GOOD = 0.25;
  private static final int CANDIDATES = 32;

  @Override
  public List<Trial> next(List<Judged> before) {
    int left = search.trials() - before.size();
    if (left <= 0) {
      return List.of();
    }
    int atRandom = Math.min(search.trials(), Math.clamp(search.trials() / 3, 2, MOST_AT_RANDOM));
    if (before.isEmpty()) {
      return IntStream.range(0, atRandom)
          .mapToObj(i -> new Trial(SearchMethod.random(search, i), search.rounds()))
          .toList();
    }
    List<double[]> ranked =
        before.stream()
            .sorted(Comparator.comparingDouble(Judged::rank).reversed())
            .map(judged -> judged.trial().place())
            .toList();
    int cut = Math.max(1, (int) Math.ceil(GOOD * ranked.size()));
    List<double[]> good = ranked.subList(0, cut);
    List<double[]> others = new ArrayList<>(ranked.subList(cut, ranked.size()));
    List<Trial> trials = new ArrayList<>();
    for (int i = 0; i < Math.min(left, search.batch()); i++) {
      SplittableRandom random =
          new SplittableRandom(search.seed() * 1_000_003 + before.size() + i + 7_919);
      double[] place = best(good, others, random);
      trials.add(new Trial(place, search.rounds()));
      others.add(place);
    }
    return trials;
  }

  private double[] best(List<double[]> good, List<double[]> others, SplittableRandom random) {
    int[] choices = search.choices();
    double[] place = new double[choices.length];
    for (int key = 0; key < choices.length; key++) {
      double highest = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < CANDIDATES; i++) {
        double candidate = draw(good, key, choices[key], random);
        double score =
            Math.log(density(good, key, choices[key], candidate))
                - Math.log(density(others, key, choices[key], candidate));
        if (score > highest) {
          highest = score;
          place[key] = candidate;
        }
      }
    }
    return place;
  }

  /** From the density of the good ones, which keeps a little of the even one. */
  private static double draw(List<double[]> good, int key, int choices, SplittableRandom random) {
    int pick = random.nextInt(good.size() + 1);
    double even = random.nextDouble();
    if (pick == good.size() || choices > 0 && random.nextInt(4) == 0) {
      return even;
    }
    double center = good.get(pick)[key];
    if (choices > 0) {
      return center;
    }
    double drawn = center + width(good.size()) * random.nextGaussian();
    return drawn >= 0 && drawn < 1 ? drawn : even;
  }

  private static double density(List<double[]> places, int key, int choices, double at) {
    double sum = 1;
    double width = width(places.size());
    for (double[] place : places) {
      if (choices > 0) {
        sum += (int) (place[key] * choices) == (int) (at * choices) ? choices : 0;
      } else {
        double z = (at - place[key]) / width;
        sum += Math.exp(-z * z / 2) / (width * Math.sqrt(2 * Math.PI));
      }
    }
    return sum / (places.size() + 1);
  }

  /** Scott's rule for even points between 0 and 1. */
  private static double width(int count) {
    return Math.max(0.05, 0.29 * Math.pow(Math.max(1, count), -0.2));
  }
}
