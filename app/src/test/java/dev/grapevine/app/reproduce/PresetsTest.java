package dev.grapevine.app.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.UserException;
import dev.grapevine.experiment.Experiment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The presets that come with Grapevine. */
class PresetsTest {

  private static final Path NOWHERE = Path.of("nowhere");

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
        assertThat(curves).contains(claim.first(), claim.second());
      }
      for (Preset.Published published : preset.about().published()) {
        assertThat(curves).contains(published.name());
      }
      assertThat(reproduction.claims(java.util.Map.of()))
          .allMatch(claim -> claim.verdict() == Measured.Verdict.CANNOT_TELL);
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
