package dev.grapevine.app.data;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.Offer;
import dev.grapevine.data.fetch.DataDirectory;
import dev.grapevine.settings.Registry;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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

  @Option(
      names = "--again",
      description = "Remove what the cache folder holds of the set and fetch it anew.")
  private boolean again;

  @Unmatched private List<String> settings = new ArrayList<>();

  @Mixin private DataOptions options = new DataOptions();

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    DataContext context = options.context();
    if (again) {
      remove(context);
    }
    DataSource source =
        options
            .bind(Registry.load(), set, "iid", settings)
            .choice("set", DataSource.FAMILY)
            .create(context);
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

  /** Only what can be fetched again is removed; own files stay. */
  private void remove(DataContext context) {
    Offer offer = Registry.load().kind(DataSource.FAMILY, set).type().getAnnotation(Offer.class);
    if (offer == null || offer.access() != Offer.Access.FETCHED) {
      throw new UserException(
          "%s cannot be fetched again: only sets that `grapevine data get` fetches can"
              .formatted(set));
    }
    try {
      DataDirectory.deleteTree(new DataDirectory(context.dataDirectory()).of(set));
    } catch (IOException failure) {
      throw new UserException(
          "cannot remove %s: %s".formatted(set, FileProblem.reason(failure)), failure);
    }
  }
}
