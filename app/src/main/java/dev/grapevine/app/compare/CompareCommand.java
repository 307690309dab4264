package dev.grapevine.app.compare;

import dev.grapevine.UserException;
import dev.grapevine.app.Subcommand;
import dev.grapevine.app.plot.ReadableRuns;
import dev.grapevine.results.RunGroup;
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
    mixinStandardHelpOptions = true)
public final class CompareCommand implements Subcommand, Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(arity = "1..*", paramLabel = "RUN", description = "Run directories.")
  private List<Path> runs;

  @Option(
      names = "--target",
      paramLabel = "ACCURACY",
      description = "As 0.7 or 70%%; by default the highest that all runs reach.")
  private @Nullable String target;

  @Option(
      names = "--format",
      defaultValue = "TEXT",
      description = "text, csv, markdown or latex (default text).")
  private Table.Format format;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    OptionalDouble wanted = target == null ? OptionalDouble.empty() : share(target);
    List<RunGroup> groups = RunGroup.of(ReadableRuns.read(runs, spec.commandLine().getErr()));
    Comparison comparison = Comparison.of(groups, wanted);
    Table table = format == Table.Format.CSV ? comparison.numbers() : comparison.results();
    out.print(table.in(format));
    // A table for a paper or a program stands alone.
    if (format == Table.Format.TEXT || format == Table.Format.MARKDOWN) {
      printMore(comparison, groups, out);
    }
    out.flush();
    return 0;
  }

  private void printMore(Comparison comparison, List<RunGroup> groups, PrintWriter out) {
    if (groups.size() > 1) {
      Table differences = comparison.differences();
      out.println();
      out.print(
          differences.rows().isEmpty()
              ? "The runs have the same settings.\n"
              : differences.in(format));
      out.println();
      out.print(comparison.significance().in(format));
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
