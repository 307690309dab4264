package dev.grapevine.benchmarks.report;

import java.io.PrintWriter;
import java.util.Locale;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What all benchmarks have in common on the command line, to be mixed in. */
public final class Output {

  @Option(names = "--json", description = "Print one JSON object instead of tables.")
  private boolean json;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Says on the error stream what is going on. */
  public void progress(String format, Object... values) {
    PrintWriter err = command.commandLine().getErr();
    err.println(String.format(Locale.ROOT, format, values));
    err.flush();
  }

  /** Prints a report as asked for. */
  public void print(Report report) {
    PrintWriter out = command.commandLine().getOut();
    if (json) {
      out.println(report.json());
    } else {
      report.print(out);
    }
    out.flush();
  }
}
