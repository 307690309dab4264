package dev.grapevine.app.sweep;

import dev.grapevine.experiment.Search;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Many places are trained for a short time, the best part of them for a longer one, until one is
 * left that is trained in full (Jamieson and Talwalkar, "Non-stochastic best arm identification and
 * hyperparameter optimization", AISTATS 2016). Every stage trains from the start, so that a trial
 * is an ordinary run.
 */
record SuccessiveHalving(Search search) implements SearchMethod {

  @Override
  public List<Trial> next(List<Judged> before) {
    int stages = stages();
    int done = 0;
    int size = search.trials();
    for (int stage = 0; stage < stages; stage++) {
      int rounds = rounds(stages - 1 - stage);
      if (before.size() == done) {
        return stage == 0
            ? IntStream.range(0, size)
                .mapToObj(i -> new Trial(SearchMethod.random(search, i), rounds))
                .toList()
            : best(before.subList(done - sizeOf(stage - 1), done), size, rounds);
      }
      done += size;
      size = Math.max(1, size / search.eta());
    }
    return List.of();
  }

  private static List<Trial> best(List<Judged> last, int count, int rounds) {
    return last.stream()
        .sorted(Comparator.comparingDouble(Judged::rank).reversed())
        .limit(count)
        .map(judged -> new Trial(judged.trial().place(), rounds))
        .toList();
  }

  /** As many as it takes to come down to one trial, while rounds can still be divided. */
  private int stages() {
    int stages = 1;
    while (sizeOf(stages - 1) > 1 && rounds(stages) >= 1 && rounds(stages) < rounds(stages - 1)) {
      stages++;
    }
    return stages;
  }

  private int sizeOf(int stage) {
    int size = search.trials();
    for (int i = 0; i < stage; i++) {
      size = Math.max(1, size / search.eta());
    }
    return size;
  }

  /** How long to train in the stage that is so far from the last. */
  private int rounds(int fromLast) {
    return (int) Math.max(1, Math.round(search.rounds() / Math.pow(search.eta(), fromLast)));
  }
}
