package dev.grapevine.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SearchTest {

  private static Search search(String sweep) {
    return Search.of(Experiment.parse("name = \"x\"\n[sweep]\n" + sweep)).orElseThrow();
  }

  @Test
  void aPlaceBecomesAnExperimentForEachSeed() {
    Search search =
        search(
            """
            mode = "random"
            "training.rate" = {from = 0.01, to = 1.0, scale = "log"}
            training.batch-size = {from = 1, to = 4}
            "sharing.kind" = ["full", "topk"]
            seeds = [1, 2]
            """);
    List<Sweep.Point> points = search.points(new double[] {0.5, 0.999, 0.2}, search.rounds());
    assertThat(points).hasSize(2);
    assertThat(points.get(1).values())
        .containsEntry("training.rate", "0.1")
        .containsEntry("training.batch-size", "4")
        .containsEntry("sharing.kind", "\"full\"")
        .containsEntry("seed", "2");
    assertThat(points.getFirst().experiment().training().batchSize()).isEqualTo(4);
    assertThat(search.choices()).containsExactly(0, 0, 2);
  }

  @Test
  void halvingSaysHowLongToTrain() {
    Search search = search("mode = \"halving\"\n\"training.rate\" = [0.1, 0.2]\n");
    assertThat(search.points(new double[] {0.9}, 7).getFirst().experiment().rounds()).isEqualTo(7);
    assertThat(search.eta()).isEqualTo(3);
  }

  @Test
  void aGridIsNoSearch() {
    assertThat(Search.of(Experiment.parse("name = \"x\"\n[sweep]\n\"training.rate\" = [0.1]\n")))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mode = \"random\"",
        "mode = \"random\"\ntrials = 0\n\"training.rate\" = [1.0]",
        "mode = \"random\"\n\"training.rate\" = 0.1",
        "mode = \"random\"\n\"training.rate\" = {from = 1.0, to = 0.1}",
        "mode = \"random\"\n\"training.rate\" = {from = 0.0, to = 0.1, scale = \"log\"}",
        "mode = \"random\"\n\"training.rate\" = {from = 0.1, to = 0.2, scale = \"cubic\"}",
        "mode = \"random\"\n\"training.rate\" = {from = 0.1, to = 0.2, step = 1}",
        "mode = \"random\"\n\"training.rate\" = {from = 0.1}",
        "\"training.rate\" = {from = 0.1, to = 0.2}",
        "mode = \"guess\"\n\"training.rate\" = [0.1]",
      })
  void mistakesAreTold(String sweep) {
    assertThatThrownBy(() -> Sweep.points(Experiment.parse("name = \"x\"\n[sweep]\n" + sweep)))
        .isInstanceOf(UserException.class)
        .hasMessageContaining(":");
  }
}
