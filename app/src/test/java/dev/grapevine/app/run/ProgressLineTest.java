package dev.grapevine.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.launch.RunProgress;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProgressLineTest {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  private String written() {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static RunProgress progress() {
    return new RunProgress(0.5, 10_000, 20_000, 0.771, 913_500_000, Duration.ofSeconds(9), false);
  }

  @Test
  void keepsQuietWhereNobodyWatches() {
    try (ProgressLine line = new ProgressLine(out, false, () -> 80)) {
      line.show("round 1/2");
      line.endWith("stopping");
    }

    assertThat(written()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {40, 55, 80, 99, 100, 120, 200})
  void fitsTheTerminal(int columns) {
    RunProgressText text = new RunProgressText();
    text.at(new RunProgress(0.4, 8_000, 20_000, 0.7, 800_000_000, Duration.ofSeconds(8), false));
    try (ProgressLine line = new ProgressLine(out, true, () -> columns)) {
      line.show(width -> text.of(progress(), width));
    }

    String shown = written().substring(1, written().indexOf("\u001b"));
    assertThat(shown).contains("round 10000/20000").contains("left").doesNotContain("…");
    assertThat(shown.length()).isLessThan(columns);
  }

  @Test
  void cutsWhatIsTooLong() {
    try (ProgressLine line = new ProgressLine(out, true, () -> 11)) {
      line.show("a line that is too long");
    }

    assertThat(written()).startsWith("\ra line th…\u001b");
  }

  @Test
  void staysAfterAnInterrupt() {
    try (ProgressLine line = new ProgressLine(out, true, () -> 80)) {
      line.show("round 3/9");
      line.endWith("stopping");
      line.show("round 4/9");
    }

    assertThat(written().lines().toList().getLast()).isEqualTo("stopping");
    assertThat(written()).contains("round 3/9").doesNotContain("round 4/9");
  }
}
