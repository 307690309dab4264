package dev.grapevine.app.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.app.sweep.SearchMethod.Judged;
import dev.grapevine.app.sweep.SearchMethod.Trial;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.Search;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SearchMethodTest {

  private static Search search(String mode, int trials) {
    return Search.of(
            Experiment.parse(
                """
                name = "x"
                rounds = 27
                [sweep]
                mode = "%s"
                trials = %d
                "training.rate" = {from = 0.0, to = 1.0}
                "training.batch-size" = [1, 2, 3, 4]
                """
                    .formatted(mode, trials)))
        .orElseThrow();
  }

  /** Best at 0.3 in the first key and the third choice of the second. */
  private static double height(Trial trial) {
    double first = trial.place()[0] - 0.3;
    return 1 - first * first - ((int) (4 * trial.place()[1]) == 2 ? 0 : 0.2);
  }

  private static List<Judged> all(Search search) {
    List<Judged> judged = new ArrayList<>();
    while (true) {
      List<Trial> trials = SearchMethod.of(search).next(judged);
      if (trials.isEmpty()) {
        return judged;
      }
      trials.forEach(trial -> judged.add(new Judged(trial, height(trial))));
    }
  }

  @Test
  void halvingKeepsTheBestAndTrainsThemLonger() {
    List<Judged> judged = all(search("halving", 27));
    assertThat(judged.stream().map(j -> j.trial().rounds()).distinct())
        .containsExactly(1, 3, 9, 27);
    assertThat(judged).hasSize(27 + 9 + 3 + 1);
    double best = judged.stream().mapToDouble(Judged::accuracy).max().orElseThrow();
    assertThat(judged.getLast().accuracy()).isEqualTo(best);
  }

  @Test
  void theBayesianSearchGathersAroundTheBest() {
    List<Judged> judged = all(search("bayesian", 60));
    assertThat(judged).hasSize(60);
    double early = judged.subList(0, 10).stream().mapToDouble(Judged::accuracy).average().orElse(0);
    double late = judged.subList(40, 60).stream().mapToDouble(Judged::accuracy).average().orElse(0);
    assertThat(late).isGreaterThan(early + 0.1).isGreaterThan(0.9);
  }

  @Test
  void theSameResultsGiveTheSameTrials() {
    for (String mode : List.of("random", "halving", "bayesian")) {
      List<Judged> first = all(search(mode, 20));
      List<Judged> again = all(search(mode, 20));
      assertThat(again.stream().map(j -> j.trial().place()))
          .containsExactlyElementsOf(first.stream().map(j -> j.trial().place()).toList());
    }
  }

  @Test
  void aFailedTrialIsTheWorst() {
    assertThat(new Judged(new Trial(new double[] {0}, 1), Double.NaN).rank())
        .isEqualTo(Double.NEGATIVE_INFINITY);
  }
}
