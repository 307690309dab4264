package dev.grapevine.app.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.app.CommandRun;
import dev.grapevine.app.plot.SomeRuns;
import dev.grapevine.results.Spread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportCommandTest {

  // The name tries to break out of the page.
  private static final String SMALL =
      """
      name = "small <script> & co"
      rounds = 6
      [nodes]
      count = 6
      [topology]
      kind = "ring"
      [data]
      set = "fashion-mnist-mini"
      partition = "shards"
      [model]
      kind = "logistic"
      [evaluation]
      every = 2
      samples = 50
      """;

  @TempDir Path folder;

  private Path realRun() throws IOException {
    Path file = Files.writeString(folder.resolve("small.toml"), SMALL);
    Path out = folder.resolve("run");
    assertThat(CommandRun.of("run", file, "--out", out).exitCode()).isZero();
    return out;
  }

  @Test
  void aRunBecomesAPageThatNeedsNoNetwork() throws IOException {
    Path run = realRun();
    CommandRun report = CommandRun.of("report", run);
    assertThat(report.exitCode()).isZero();
    String page = Files.readString(run.resolve("report.html"));
    assertThat(page)
        .contains("<title>small &lt;script> &amp; co</title>")
        .contains("spectral gap", "smallest eigenvalue")
        .contains("./grapevine replay " + run)
        .contains("Copyright (c) 2022 Leon Sorokin")
        .doesNotContainPattern("(src|href)=\"?(https?:)?//");
  }

  @Test
  void itSaysWhereARunWasResumedAndBranchedOff() throws IOException {
    Path run = realRun();
    Path provenance = run.resolve("provenance.json");
    String told = Files.readString(provenance).strip();
    Files.writeString(
        provenance,
        told.substring(0, told.length() - 1)
            + ", \"parent\": {\"run\": \"elsewhere\", \"after_round\": 3},"
            + " \"resumed\": [{\"after_round\": 4, \"command\": [\"grapevine\", \"resume\"]}]}");

    assertThat(CommandRun.of("report", run).exitCode()).isZero();

    assertThat(Files.readString(run.resolve("report.html")))
        .contains("run elsewhere, after round 3")
        .contains("after round 4, command grapevine resume")
        .doesNotContain("SHA-256 of run");
  }

  @Test
  void chartsAreDrawnInABrowser() throws Exception {
    Path run = realRun();
    assertThat(CommandRun.of("report", run).exitCode()).isZero();
    try (Browser browser = Browser.start(folder)) {
      browser.open(run.resolve("report.html").toUri().toString());
      // Accuracy, loss, training loss, bytes; topology; spread.
      browser.assertDrawn(6);
      assertThat(browser.run("return document.querySelectorAll('#nodes tbody tr').length"))
          .isEqualTo(6L);
      browser.run("document.querySelector('[data-axis=bytes]').click()");
      browser.run("document.querySelector('#nodes th[data-key=accuracy]').click()");
      browser.assertDrawn(6);
      assertThat(browser.run("return document.body.innerText").toString())
          .contains("small <script> & co", "How the data is spread", "seed");
      browser.assertNoErrors();
    }
  }

  @Test
  void severalRunsShareOnePage() throws Exception {
    Path page = folder.resolve("all.html");
    CommandRun report =
        CommandRun.of(
            "report",
            SomeRuns.write(folder, "one", 1, 0.8),
            SomeRuns.write(folder, "one", 2, 0.8),
            SomeRuns.write(folder, "two", 1, 0.6),
            folder.resolve("missing"),
            "--out",
            page);
    assertThat(report.exitCode()).isZero();
    assertThat(report.err()).contains("left out");
    try (Browser browser = Browser.start(folder)) {
      browser.open(page.toUri().toString());
      browser.assertDrawn(3);
      assertThat(browser.run("return document.querySelectorAll('#runs tbody tr').length"))
          .isEqualTo(3L);
      browser.assertNoErrors();
    }
  }

  @Test
  void aBandIsTheConfidenceIntervalOfTheMean() {
    assertThat(PageData.band(Spread.of(1, 2, 3))[0]).isCloseTo(2 - 2.484, within(1e-3));
    assertThat(PageData.band(Spread.of(5)))
        .as("of one value nothing can be said")
        .containsOnly(Double.NaN);
  }
}
