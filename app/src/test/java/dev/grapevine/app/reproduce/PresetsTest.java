package dev.grapevine.app.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.UserException;
import dev.grapevine.experiment.Experiment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The presets that come with Grapevine. */
class PresetsTest {

  private static final Path NOWHERE = Path.of("nowhere");
  private static final Pattern NODES = Pattern.compile("(\\d+) nodes");
  private static final Map<String, String> DATA_WORDS =
      Map.of("CIFAR-10", "cifar10", "CelebA", "celeba", "Fashion", "fashion-mnist-mini");

  private static Path examples() {
    Path here = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(here.resolve("examples"))) {
      here = here.getParent();
    }
    return here.resolve("examples");
  }

  static List<Preset> presets() {
    return Preset.all(examples());
  }

  @Test
  void thereIsOneForEveryTableAndFigureWithResults() {
    assertThat(presets())
        .extracting(Preset::id)
        .containsExactlyElementsOf(
            Stream.concat(
                    IntStream.rangeClosed(3, 6).mapToObj(figure -> "fig" + figure),
                    IntStream.rangeClosed(2, 18).mapToObj(table -> "table" + table))
                .toList());
  }

  @ParameterizedTest
  @MethodSource("presets")
  void claimsAndPublishedNumbersAreAboutItsCurves(Preset preset) {
    assertThat(preset.figures()).isNotEmpty();
    assertThat(preset.about().claims()).isNotEmpty();
    for (Scale scale : Scale.values()) {
      Reproduction reproduction;
      try {
        reproduction = Reproduction.of(preset, scale, NOWHERE, 0, List.of());
      } catch (UserException lacking) {
        // A preset may wait for what this version lacks; the list says so.
        assertThat(preset.about().needs()).isNotEmpty();
        continue;
      }
      List<String> curves = reproduction.experiments().stream().map(Experiment::name).toList();
      for (Claim claim : preset.about().claims()) {
        assertThat(curves)
            .contains(preset.curve(claim.first(), scale), preset.curve(claim.second(), scale));
      }
      for (Preset.Published published : preset.about().published()) {
        assertThat(curves).contains(preset.curve(published.name(), scale));
      }
      assertThat(reproduction.claims(Map.of()))
          .allMatch(claim -> claim.verdict() == Measured.Verdict.CANNOT_TELL);
    }
  }

  /** A picture must not say "1024 nodes" or "CelebA" where 128 nodes or other data ran. */
  @ParameterizedTest
  @MethodSource("presets")
  void namesOfCurvesSayWhatRuns(Preset preset) {
    for (Scale scale : Scale.values()) {
      for (Experiment experiment :
          Reproduction.of(preset, scale, NOWHERE, 0, List.of()).experiments()) {
        String name = experiment.name();
        Matcher nodes = NODES.matcher(name);
        if (nodes.find()) {
          assertThat(Integer.parseInt(nodes.group(1))).isEqualTo(experiment.nodes().count());
        }
        for (Map.Entry<String, String> named : DATA_WORDS.entrySet()) {
          if (name.contains(named.getKey())) {
            assertThat(experiment.data().name()).as(name).isEqualTo(named.getValue());
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("presets")
  void dataThatCannotBeFetchedIsExplained(Preset preset) {
    boolean own =
        Stream.of("femnist", "celeba", "reddit")
            .anyMatch(set -> text(preset.experiments(Scale.PAPER)).contains("\"" + set + "\""));
    assertThat(preset.about().bring().isEmpty()).isEqualTo(!own && !preset.id().equals("table14"));
    if (own) {
      assertThat(preset.about().standIn()).isNotEmpty();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
