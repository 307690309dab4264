package dev.grapevine.app.compare;

import dev.grapevine.UserException;
import dev.grapevine.app.Subcommand;
import dev.grapevine.app.plot.ReadableRuns;
import dev.grapevine.results.SeedGroup;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Puts runs side by side. */
@Command(
    name = "compare",
    description = {
      "Compares runs in a table.",
      "Accuracy, cost of reaching a target, bytes, time, memory; which settings differ, and whether"
          + " the difference is significant.",
      "Runs that differ in their seed only are taken together."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example:  grapevine compare runs/quickstart-sweep --format latex --columns run,final,sent \\",
      "              --baseline sharing=full"
    })
public final class CompareCommand implements Subcommand, Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "RUN",
      description = "Run directories, or directories of sweeps.")
  private List<Path> runs;

  @Option(
      names = "--target",
      paramLabel = "ACCURACY",
      description = "As 0.7 or 70%%; by default the highest that all runs reach.")
  private @Nullable String target;

  @Option(
      names = "--format",
      defaultValue = "TEXT",
      description = "text, csv, markdown or latex, with booktabs (default text).")
  private Table.Format format;

  @Option(
      names = "--unfinished",
      description = "Take in runs that were cut off, have failed or still go, too.")
  private boolean unfinished;

  @Option(
      names = "--columns",
      split = ",",
      paramLabel = "NAME",
      description = "Only these columns, by how their titles begin.")
  private List<String> columns = List.of();

  @Option(
      names = "--baseline",
      paramLabel = "RUN",
      description =
          "What others are tested against, by its name in the table (default: the first).")
  private @Nullable String baseline;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    OptionalDouble wanted = target == null ? OptionalDouble.empty() : share(target);
    List<SeedGroup> groups =
        ReadableRuns.select(runs, unfinished, spec.commandLine().getErr()).groups();
    Comparison comparison = Comparison.of(groups, wanted);
    Table table = format == Table.Format.CSV ? comparison.numbers() : comparison.results();
    int against = baseline == null ? 0 : Comparison.baseline(groups, baseline);
    table = columns.isEmpty() ? table : table.columns(columns);
    out.print(table.in(format));
    // A table for a paper or a program stands alone.
    if (format == Table.Format.TEXT || format == Table.Format.MARKDOWN) {
      printMore(comparison, groups, against, out);
    }
    out.flush();
    return 0;
  }

  private void printMore(
      Comparison comparison, List<SeedGroup> groups, int against, PrintWriter out) {
    if (groups.size() > 1) {
      Table differences = comparison.differences();
      out.println();
      out.print(
          differences.rows().isEmpty()
              ? "The runs have the same settings.\n"
              : differences.in(format));
      out.println();
      out.print(comparison.significance(against).in(format));
    }
    out.println();
    out.println(
        "Accuracies: mean over nodes, then seeds, ± half the 95 % confidence interval over seeds.");
  }

  private static OptionalDouble share(String text) {
    try {
      double share =
          text.endsWith("%")
              ? Double.parseDouble(text.substring(0, text.length() - 1)) / 100
              : Double.parseDouble(text);
      if (share > 0 && share <= 1) {
        return OptionalDouble.of(share);
      }
    } catch (NumberFormatException e) {
      // Told below.
    }
    throw new UserException(
        "--target must be above 0 and at most 1, or a percentage: target=" + text);
  }
}
