package dev.grapevine.app.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.app.Grapevine;
import dev.grapevine.app.plot.SomeRuns;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class CompareCommandTest {

  @TempDir Path dir;

  private final List<String> runs = new ArrayList<>();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void makeRuns() {
    for (int seed = 90; seed < 93; seed++) {
      runs.add(SomeRuns.write(dir, "full", seed, 0.7).toString());
      runs.add(SomeRuns.write(dir, "ring", seed, 0.6).toString());
    }
  }

  private int compare(String... options) {
    List<String> arguments = new ArrayList<>(List.of("compare"));
    arguments.addAll(runs);
    arguments.addAll(List.of(options));
    CommandLine command = Grapevine.commandLine();
    command.setOut(new PrintWriter(out));
    command.setErr(new PrintWriter(err));
    return command.execute(arguments.toArray(String[]::new));
  }

  @Test
  void saysWhoIsBetterAtWhatCostAndWhetherItIsSignificant() {
    assertThat(compare("--target", "50%")).as(err.toString()).isZero();
    assertThat(out.toString())
        .containsPattern("full +3 +\\d\\d\\.\\d\\d ± \\d\\.\\d\\d")
        .contains("rounds to 50 %")
        .containsPattern("training\\.rate +0\\.7 +0\\.6")
        .containsPattern("ring against full +-9\\.\\d\\d +3 +significant, p");
  }

  @Test
  void aTargetThatIsNotReachedIsSaid() {
    assertThat(compare("--target", "0.65")).isZero();
    assertThat(out.toString()).containsPattern("ring .* never");
  }

  @Test
  void writesNumbersForPrograms() {
    assertThat(compare("--format", "csv")).isZero();
    List<String> lines = out.toString().lines().toList();
    assertThat(lines).hasSize(3);
    assertThat(lines.getFirst()).startsWith("run,seeds,final_accuracy,final_accuracy_ci95");
    assertThat(lines.get(1)).startsWith("full,3,0.");
    assertThat(lines.get(1).split(",", -1)).hasSize(17);
  }

  @Test
  void writesTablesForPapers() {
    assertThat(compare("--format", "latex")).isZero();
    assertThat(out.toString())
        .contains("\\begin{tabular}", "\\toprule", "\\textbf{")
        .contains("$\\pm$")
        .contains("\\%");
    assertThat(compare("--format", "markdown")).isZero();
    assertThat(out.toString()).contains("| full | 3 |");
  }

  @Test
  void columnsAndBaselineAreChosen() {
    assertThat(compare("--format", "latex", "--columns", "run,best", "--baseline", "ring"))
        .isZero();
    assertThat(out.toString())
        .contains("{lr}", "run & best")
        .doesNotContain("memory")
        .containsPattern("full & .textbf\\{\\d\\d");
    assertThat(compare("--baseline", "ring")).isZero();
    assertThat(out.toString()).contains("full against ring");
    assertThat(compare("--baseline", "nobody")).isEqualTo(2);
    assertThat(compare("--columns", "nothing")).isEqualTo(2);
    assertThat(err.toString()).contains("fits 0; there are: full; ring", "no column \"nothing\"");
  }

  @Test
  void aSingleRunHasNothingToBeComparedWith() {
    runs.subList(1, runs.size()).clear();
    assertThat(compare()).isZero();
    assertThat(out.toString()).contains("full").doesNotContain("against");
  }

  @Test
  void oneSeedEachIsTooLittleToTell() {
    runs.subList(2, runs.size()).clear();
    assertThat(compare()).isZero();
    assertThat(out.toString()).contains("needs two or more seeds in common");
  }

  @Test
  void aSeedGivenTwiceCountsOnce() {
    runs.add(SomeRuns.write(dir.resolve("again"), "full", 90, 0.7).toString());
    runs.add(runs.getFirst());
    assertThat(compare()).isZero();
    assertThat(out.toString()).containsPattern("full +3 +");
    assertThat(err.toString()).contains("left out: ", "same seed as " + runs.getFirst());
  }

  @Test
  void aRunThatWasCutOffIsLeftOutUnlessAskedFor() {
    runs.add(SomeRuns.writeCutOff(dir, "full", 93, 0.7).toString());
    assertThat(compare()).isZero();
    assertThat(out.toString()).containsPattern("full +3 +");
    assertThat(err.toString()).contains("full-93 is cut off after round 15");
    assertThat(compare("--unfinished")).isZero();
    assertThat(out.toString()).containsPattern("full +4 +");
  }

  @Test
  void aRunThatIsAloneIsShownAsCutOff() {
    runs.clear();
    runs.add(SomeRuns.writeCutOff(dir, "torus", 93, 0.7).toString());
    assertThat(compare()).isZero();
    assertThat(out.toString()).contains("torus (cut off after round 15)");
  }

  @Test
  void mistakesAreToldInWords() {
    assertThat(compare("--target", "70")).isEqualTo(2);
    assertThat(err.toString()).contains("--target must be above 0 and at most 1");
  }
}
