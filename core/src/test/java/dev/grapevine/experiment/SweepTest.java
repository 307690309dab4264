package dev.grapevine.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.grapevine.UserException;
import java.util.List;
import org.junit.jupiter.api.Test;

class SweepTest {

  private static List<Sweep.Point> points(String sweep) {
    return Sweep.points(Experiment.parse("name = \"x\"\n[sweep]\n" + sweep));
  }

  @Test
  void gridCombinesAll() {
    List<Sweep.Point> points =
        points(
            "\"training.rate\" = [0.1, 0.01]\n\"sharing.kind\" = [\"full\", \"none\"]\nseeds = [1, 2, 3]");
    assertThat(points).hasSize(12);
    assertThat(points.get(4).values())
        .containsExactly(
            java.util.Map.entry("training.rate", "0.1"),
            java.util.Map.entry("sharing.kind", "\"none\""),
            java.util.Map.entry("seed", "2"));
    assertThat(points.get(4).experiment().seed()).isEqualTo(2);
    assertThat(points.get(4).experiment().sharing().name()).isEqualTo("none");
    assertThat(Sweep.isIn(points.get(4).experiment())).isFalse();
  }

  @Test
  void listKeepsValuesTogether() {
    List<Sweep.Point> points =
        points(
            "training.rate = [0.1, 0.01]\ntraining.steps = [1, 10]\nseeds = [1, 2]\nmode = \"list\"");
    assertThat(points).hasSize(4);
    assertThat(points.get(2).experiment().training().rate()).isEqualTo(0.01);
    assertThat(points.get(2).experiment().training().steps()).hasValue(10);
  }

  @Test
  void rowsAreNamedVariants() {
    String rows =
        """
        mode = "rows"
        seeds = [1, 2]
        [[sweep.rows]]
        name = "plain"
        [[sweep.rows]]
        name = "pushed"
        group = "directed"
        protocol.kind = "push-sum"
        "training.rate" = 0.2
        """;
    List<Sweep.Point> points = points(rows);
    assertThat(points).hasSize(4);
    assertThat(points.get(3).values())
        .containsExactly(
            java.util.Map.entry("row", "\"pushed\""), java.util.Map.entry("seed", "2"));
    assertThat(points.get(3).experiment().seed()).isEqualTo(2);
    assertThat(points.get(3).experiment().protocol().name()).isEqualTo("push-sum");
    assertThat(points.get(3).experiment().training().rate()).isEqualTo(0.2);
    assertThat(points.get(0).experiment().protocol().name()).isEqualTo("d-psgd");
    List<Sweep.Row> named = Sweep.rows(Experiment.parse("name = \"x\"\n[sweep]\n" + rows));
    assertThat(named).extracting(Sweep.Row::group).containsExactly("", "directed");
    assertThatThrownBy(() -> points("mode = \"rows\"\nrows = [1]"))
        .hasMessageContaining("[[sweep.rows]]");
    assertThatThrownBy(() -> points("mode = \"rows\"\nrows = [{name = \"a\"}, {name = \"a\"}]"))
        .hasMessageContaining("two rows have the same name");
  }

  @Test
  void noSweepIsOneExperiment() {
    Experiment experiment = Experiment.parse("name = \"x\"");
    assertThat(Sweep.expand(experiment)).containsExactly(experiment);
  }

  @Test
  void wrongValuesArePointedAtInTheSweep() {
    refused(
        "\"training.rate\" = [0.1, -1]",
        """
        experiment:3:25: rate must be above 0: rate=-1.0
          3 | "training.rate" = [0.1, -1]
            |                         ^^\
        """);
    refused(
        "\"training.rte\" = [0.1]",
        """
        experiment:3:1: [training] has no key "rte" with optimizer "sgd" and schedule "constant"; did you mean "rate"?
          3 | "training.rte" = [0.1]
            | ^^^^^^^^^^^^^^\
        """);
    refused(
        "\"training.rate\" = 0.1",
        """
        experiment:3:19: sweep."training.rate" must be a list of the values to try, such as [0.1, 0.01]
          3 | "training.rate" = 0.1
            |                   ^^^\
        """);
    refused(
        "seeds = [1]\nmode = \"gird\"",
        """
        experiment:4:8: sweep.mode must be "grid", "list", "rows", "random", "halving" or "bayesian", but is the text "gird"
          4 | mode = "gird"
            |        ^^^^^^\
        """);
    refused(
        "\"training.rate\" = [1, 2]\n\"training.steps\" = [1]\nmode = \"list\"",
        """
        experiment:4:1: with mode = "list" all lists must be equally long: training.rate has 2 values, training.steps has 1
          4 | "training.steps" = [1]
            | ^^^^^^^^^^^^^^^^\
        """);
  }

  private static void refused(String sweep, String message) {
    assertThatThrownBy(() -> points(sweep)).isInstanceOf(UserException.class).hasMessage(message);
  }
}
