package dev.grapevine.app.reproduce;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.app.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReproduceCommandTest {

  private static final String EXPERIMENTS =
      """
      name = "tiny"
      rounds = 4
      [nodes]
      count = 4
      [topology]
      kind = "ring"
      [data]
      set = "digits"
      [model]
      kind = "logistic"
      [evaluation]
      every = 2
      samples = 100
      [sweep]
      mode = "list"
      name = ["slow", "fast"]
      "training.rate" = [0.001, 0.5]
      seeds = [90, 91]
      """;

  private static final String CLAIMS =
      """
      title = "Table 1: rates"
      document = "A document"
      setup = "four nodes"
      claim = "the faster the better"
      samples = 1437
      laptop = "nothing is left out"
      stand-in = "digits in place of something else"
      published = [{name = "fast", accuracy = 99.5, deviation = 0.1}]
      [[figure]]
      name = "figure1"
      metric = ["test_loss", "test_accuracy", "never_recorded"]
      against = ["epochs"]
      side-by-side = true
      [[claims]]
      says = "A larger rate is better."
      published = "99.5 and 10 %"
      first = "fast"
      second = "slow"
      at-least = 0.05
      [[claims]]
      says = "A smaller rate is better."
      first = "slow"
      second = "fast"
      at-least = 0.0
      """;

  @TempDir private Path folder;

  @BeforeEach
  void writePreset() throws IOException {
    Path preset = Files.createDirectories(folder.resolve("presets/paper/table1"));
    Files.writeString(preset.resolve("laptop.toml"), EXPERIMENTS);
    Files.writeString(
        preset.resolve("paper.toml"), EXPERIMENTS.replace("\"digits\"", "\"femnist\""));
    Files.writeString(preset.resolve("claims.toml"), CLAIMS);
  }

  private CommandRun reproduce(String... arguments) {
    return CommandRun.of(
        Stream.of(
                Stream.of("reproduce"),
                Stream.of(arguments),
                Stream.of("--presets", folder.resolve("presets").toString()),
                Stream.of("--out", folder.resolve("runs").toString()),
                Stream.of("--data-dir", folder.resolve("data").toString()),
                Stream.of("--no-estimate"))
            .flatMap(part -> part)
            .toArray());
  }

  @Test
  void fromNothingToClaimsAndAFigure() throws IOException {
    CommandRun first = reproduce("table1");
    assertThat(first.err()).isEmpty();
    assertThat(first.exitCode()).isZero();
    assertThat(first.out())
        .contains("STAND-IN DATA: digits in place of something else")
        .contains("holds         A larger rate is better.")
        .contains("does not hold A smaller rate is better.")
        .contains("published: 99.5 and 10 %");
    Path results = folder.resolve("runs/table1-laptop");
    assertThat(results.resolve("figure1.png")).isNotEmptyFile();
    assertThat(results.resolve("claims.md")).content().contains("| holds |");
    assertThat(results.resolve("results.md")).content().contains("99.50");
    List<Long> written = summaries(results);
    CommandRun again = reproduce("table1");
    assertThat(again.out()).contains("4, 4 of them done").contains("holds         A larger");
    assertThat(summaries(results)).isEqualTo(written);
    assertThat(reproduce().out()).contains("laptop   done; 4 runs on digits");
  }

  @Test
  void aRunOfAnEarlierVersionStaysDone() throws IOException {
    assertThat(reproduce("table1", "--seeds", "1").exitCode()).isZero();
    Path results = folder.resolve("runs/table1-laptop");
    for (Path run : runs(results)) {
      Path experiment = run.resolve("experiment.toml");
      // A version that did not know this setting yet.
      Files.writeString(
          experiment, Files.readString(experiment).replace("training-set = false\n", ""));
      Files.move(
          run, run.resolveSibling(run.getFileName().toString().replaceAll("-.{8}$", "-00000000")));
    }
    assertThat(reproduce("table1", "--seeds", "1").out()).contains("2, 2 of them done");
    assertThat(runs(results)).hasSize(2);
  }

  @Test
  void oneSeedIsNoGroundForAVerdict() {
    CommandRun run = reproduce("table1", "--seeds", "1");
    assertThat(run.out()).contains("cannot tell   A larger rate is better.");
  }

  @Test
  void whatIsChangedDoesNotPassForThePreset() {
    CommandRun run = reproduce("table1", "--seeds", "1", "--set", "rounds=2");
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains("changed       rounds=2");
    assertThat(folder.resolve("runs/table1-laptop+rounds=2/claims.md")).exists();
    assertThat(folder.resolve("runs/table1-laptop")).doesNotExist();
    assertThat(reproduce().out()).contains("laptop   never run; 4 runs on digits");
    CommandRun unknown = reproduce("table1", "--set", "ruonds=2");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.err()).contains("rounds");
    assertThat(reproduce("--set", "rounds=2").exitCode()).isEqualTo(2);
  }

  @Test
  void theListSaysWhatIsMissing() {
    assertThat(reproduce().out())
        .contains("Table 1: rates")
        .contains("claim    the faster the better")
        .contains("laptop   never run; 4 runs on digits")
        .contains("paper    data missing: femnist");
  }

  @Test
  void mistakesAreExplained() {
    assertThat(reproduce("table1", "--scale", "paper").err()).contains("table1 needs femnist");
    CommandRun unknown = reproduce("tabel1");
    assertThat(unknown.exitCode()).isEqualTo(2);
    assertThat(unknown.err()).contains("table1");
    assertThat(reproduce("table1", "--seeds", "-1").err()).contains("--seeds");
    assertThat(reproduce("table1", "--seeds", "0").err()).contains("--seeds must be at least 1");
    assertThat(reproduce("table1", "--claims").out()).contains("nothing is done yet");
  }

  private static List<Long> summaries(Path results) throws IOException {
    try (Stream<Path> files = Files.walk(results)) {
      return files
          .filter(file -> file.endsWith("summary.json"))
          .map(file -> file.toFile().lastModified())
          .sorted()
          .toList();
    }
  }

  private static List<Path> runs(Path results) throws IOException {
    try (Stream<Path> inside = Files.list(results)) {
      return inside.filter(Files::isDirectory).sorted().toList();
    }
  }
}
