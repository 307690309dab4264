package dev.grapevine.app.run;

import dev.grapevine.app.console.ShellWord;
import dev.grapevine.app.console.Texts;
import dev.grapevine.launch.RunResult;
import dev.grapevine.results.Attendance;
import dev.grapevine.results.Spread;
import dev.grapevine.results.Summary;
import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.PhaseTimes;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What a run prints at its end. */
public final class RunSummaryText {

  private final RunResult result;
  private final List<Path> plots;

  /**
   * @param plots the pictures that were drawn of it
   */
  public RunSummaryText(RunResult result, List<Path> plots) {
    this.result = result;
    this.plots = plots;
  }

  public void print(PrintWriter out) {
    Outcome outcome = result.outcome();
    Summary summary = result.summary();
    line(out, "outcome", ending(outcome) + diverged(summary));
    Spread accuracy = summary.testAccuracy();
    if (accuracy.count() > 0) {
      line(out, "accuracy", accuracy(accuracy, summary.testLoss().mean()));
    } else if (summary.rSquared().count() > 0) {
      line(
          out,
          "error",
          String.format(
              Locale.ROOT,
              "mean squared error %.4g, R² %.4f (mean over %d nodes)",
              summary.testLoss().mean(),
              summary.rSquared().mean(),
              summary.rSquared().count()));
    } else if (summary.testLoss().count() > 0) {
      line(out, "loss", String.format(Locale.ROOT, "%.4f", summary.testLoss().mean()));
    }
    if (!Double.isNaN(summary.averageAccuracy())) {
      line(out, "average model", "accuracy " + Texts.percent(summary.averageAccuracy()));
    }
    summary.attendance().ifPresent(there -> line(out, "churn", churn(there)));
    if (summary.bytesSent().count() > 0) {
      line(out, "sent", Texts.bytes(summary.bytesSent().mean()) + " per node");
    }
    line(out, "time", time(outcome));
    outcome.traceHash().ifPresent(hash -> line(out, "trace hash", hash));
    line(out, "results", result.directory().path().toString());
    if (!plots.isEmpty()) {
      line(
          out,
          "plots",
          plots.stream()
              .map(plot -> plot.getFileName().toString())
              .collect(Collectors.joining(", ")));
    }
    line(
        out,
        "replay",
        "./grapevine replay " + ShellWord.quote(result.directory().path().toString()));
  }

  private static String churn(Attendance there) {
    return ("%d nodes up in the last round, %d at the fewest; %d restarts, %d rounds and %d"
            + " messages lost; figures are those of the nodes that were up")
        .formatted(
            there.last(),
            there.fewest(),
            there.restarts(),
            there.roundsLost(),
            there.messagesLost());
  }

  private static String accuracy(Spread accuracy, double loss) {
    return accuracy.count() == 1
        ? String.format(
            Locale.ROOT, "%.1f %% (of one node), loss %s", 100 * accuracy.mean(), loss(loss))
        : String.format(
            Locale.ROOT,
            "%.1f %% ± %.1f (mean ± std over %d nodes), loss %s",
            100 * accuracy.mean(),
            100 * accuracy.deviation(),
            accuracy.count(),
            loss(loss));
  }

  private static String loss(double loss) {
    return String.format(Locale.ROOT, Math.abs(loss) < 1e5 ? "%.3f" : "%.3e", loss);
  }

  private static String ending(Outcome outcome) {
    String word = outcome.ending().name().toLowerCase(Locale.ROOT);
    long failed =
        outcome.nodes().stream().filter(node -> node.status() == NodeOutcome.Status.FAILED).count();
    String dropped =
        failed == 0 ? "" : ", %d of %d nodes failed".formatted(failed, outcome.nodes().size());
    return outcome.reason().isEmpty() ? word + dropped : word + dropped + ": " + outcome.reason();
  }

  private static String diverged(Summary summary) {
    OptionalInt round = summary.ending().divergedIn();
    // A run that was stopped for it says so already.
    boolean told = summary.ending().reason().contains("diverged");
    return round.isEmpty() || told
        ? ""
        : ", diverged in round %d: a loss was not finite or beyond reason; try a lower training.rate"
            .formatted(round.getAsInt() + 1);
  }

  private static String time(Outcome outcome) {
    return "%s%s (all nodes: train %s, share %s, evaluate %s; mean wait %s)"
        .formatted(
            Texts.duration(outcome.wallTime()),
            outcome.virtualTime().map(virtual -> ", virtual " + Texts.duration(virtual)).orElse(""),
            total(outcome, PhaseTimes::training),
            total(outcome, PhaseTimes::sharing),
            total(outcome, PhaseTimes::evaluating),
            Texts.duration(
                sum(outcome, PhaseTimes::waiting).dividedBy(Math.max(1, outcome.nodes().size()))));
  }

  private static String total(Outcome outcome, Function<PhaseTimes, Duration> phase) {
    return Texts.duration(sum(outcome, phase));
  }

  private static Duration sum(Outcome outcome, Function<PhaseTimes, Duration> phase) {
    return outcome.nodes().stream()
        .map(node -> phase.apply(node.phases()))
        .reduce(Duration.ZERO, Duration::plus);
  }

  private static void line(PrintWriter out, String label, String text) {
    out.printf("%-14s%s%n", label, text);
  }
}
