package dev.grapevine.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.UserException;
import dev.grapevine.exchange.Contribution;
import dev.grapevine.exchange.Received;
import dev.grapevine.message.Payload;
import dev.grapevine.sharing.Scheme;
import dev.grapevine.sharing.SharingContext;
import dev.grapevine.topology.Neighbourhood;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExamplesTest {

  /** Whether somebody has fetched data on this machine must not matter, and loading takes long. */
  @TempDir static Path noData;

  static List<Path> files() throws Exception {
    return Examples.all();
  }

  @ParameterizedTest
  @MethodSource("files")
  void everyExampleIsRight(Path file) {
    Experiment experiment = Experiment.read(file);
    List<Experiment> points = Sweep.expand(experiment);
    long seed = points.getFirst().seed();
    for (Experiment point : points) {
      // What fits together does not depend on the seed.
      if (point.seed() == seed) {
        ExperimentCheck.check(point, noData);
      }
    }
    assertThat(Experiment.parse(experiment.toToml(), experiment.directory())).isEqualTo(experiment);
  }

  @Test
  void theOwnSchemeSendsAPartAndMixesIt() {
    Experiment experiment =
        Experiment.read(Examples.file("own-sharing/own-sharing.toml")).with("sharing.every", "2");
    float[] mine = {1, 2, 3, 4, 5};
    float[] theirs = {3, 4, 5, 6, 7};
    Scheme self = sharing(experiment, mine);
    Payload message =
        sharing(experiment, theirs)
            .message(1, new Neighbourhood(1, new int[] {0}, new int[] {0}, new double[] {0.5}, 0.5))
            .to(0);
    assertThat(message.size()).isEqualTo(2 * Float.BYTES);
    self.merge(new Received(1, 0.5, List.of(new Contribution(1, 0.5, message))));
    assertThat(mine).containsExactly(1, 3, 3, 5, 5);
  }

  private static Scheme sharing(Experiment experiment, float[] parameters) {
    SharingContext context = new SharingContext(0, 2, parameters, List.of(), 90, new Random(1));
    return new Scheme(experiment.sharing().create(context), parameters);
  }

  @Test
  void theOwnSchemesSettingsAreCheckedLikeAnyOther() {
    org.assertj.core.api.Assertions.assertThatThrownBy(() ->
            Experiment.read(Examples.file("own-sharing/own-sharing.toml"))
                .with("sharing.every", "0"))
        .isInstanceOf(UserException.class)
        .hasMessage(
            """
            --set: every must be at least 1: every=0
               | --set sharing.every=0
               |                     ^\
            """);
  }
}
