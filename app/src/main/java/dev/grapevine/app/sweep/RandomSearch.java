package dev.grapevine.app.sweep;

import dev.grapevine.experiment.Search;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Places drawn evenly (Bergstra and Bengio, "Random search for hyper-parameter optimization", JMLR
 * 13, 2012).
 */
record RandomSearch(Search search) implements SearchMethod {

  @Override
  public List<Trial> next(List<Judged> before) {
    return before.isEmpty()
        ? IntStream.range(0, search.trials())
            .mapToObj(i -> new Trial(SearchMethod.random(search, i), search.rounds()))
            .toList()
        : List.of();
  }
}
