package dev.grapevine.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {

  @ParameterizedTest
  @CsvSource({
    "rnu, run",
    "rnu x.toml, run",
    "dtaa list, data",
    "data gte, get",
    "run x.toml --ot y, --out",
    "run --hlep, --help",
    "help rnu, run"
  })
  void suggestsWhatWasMeant(String typed, String meant) {
    CommandRun run = CommandRun.of((Object[]) typed.split(" "));

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err())
        .contains("did you mean")
        .contains(meant)
        .hasLineCount(typed.startsWith("help") ? 1 : 2);
  }

  @Test
  void namesTheCommandsWhenNothingIsAlike() {
    assertThat(CommandRun.of("qqqqqq").err()).contains("commands: ", "report");
    assertThat(CommandRun.of().err()).contains("Say which command to run", "report");
  }

  @Test
  void helpIsAWord() {
    assertThat(CommandRun.of("help").out()).isEqualTo(CommandRun.of("--help").out());
    assertThat(CommandRun.of("help", "run").out())
        .isEqualTo(CommandRun.of("run", "--help").out())
        .contains("--force");
    assertThat(CommandRun.of("help", "data", "get").out()).contains("grapevine data get");
  }

  @Test
  void summariesAreWholeSentences() {
    assertThat(CommandRun.of("help").out().replaceAll("\\s+", " "))
        .contains("how data is spread, nodes, provenance.")
        .doesNotContain("%%");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh", "fish"})
  void completionKnowsCommandsAndOptions(String shell) {
    CommandRun run = CommandRun.of("completion", shell);

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).contains("grapevine", "topology", "save-models");
  }
}
