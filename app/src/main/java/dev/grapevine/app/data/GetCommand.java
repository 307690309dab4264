package dev.grapevine.app.data;

import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.DataSplits;
import dev.grapevine.settings.Registry;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** {@code grapevine data get}: brings a data set into the cache and checks it. */
@Command(
    name = "get",
    description = "Brings a data set into the cache folder and checks every byte of it.",
    mixinStandardHelpOptions = true)
final class GetCommand implements Runnable {

  @Parameters(paramLabel = "SET", description = "A name from `grapevine data list`.")
  private String set;

  @Unmatched private List<String> settings = new ArrayList<>();

  @Mixin private DataOptions options = new DataOptions();

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    DataContext context = options.context();
    DataSource source =
        options.bind(Registry.load(), set, "iid", settings).choice("set", DataSource.FAMILY).create(context);
    if (source.present()) {
      out.printf("%s is here already; checking it%n", set);
      out.flush();
    } else {
      try (ProgressBar bar = new ProgressBar(spec.commandLine().getErr())) {
        source.fetch(bar);
      }
    }
    DataSplits splits = source.load();
    out.printf(
        "%s: %,d training and %,d test samples, checked, in %s%n",
        set, splits.train().size(), splits.test().size(), context.dataDirectory());
    out.flush();
  }
}
