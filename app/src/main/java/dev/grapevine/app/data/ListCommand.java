package dev.grapevine.app.data;

import dev.grapevine.UserException;
import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.Offer;
import dev.grapevine.settings.KindDescription;
import dev.grapevine.settings.Registry;
import dev.grapevine.settings.SettingDescription;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code grapevine data list}: the data sets, their size and terms, and whether they are here. */
@Command(
    name = "list",
    description = "Lists the data sets: what they hold, size, terms, whether they are here.",
    mixinStandardHelpOptions = true)
final class ListCommand implements Runnable {

  @Mixin private DataOptions options = new DataOptions();

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    Registry registry = Registry.load();
    PrintWriter out = spec.commandLine().getOut();
    DataContext context = options.context();
    for (KindDescription<DataContext, DataSource> kind : registry.kinds(DataSource.FAMILY)) {
      Offer offer = kind.type().getAnnotation(Offer.class);
      out.printf("%-20s%s%n", kind.name(), kind.summary());
      if (offer != null) {
        out.printf(
            "%-20s%s; size: %s; terms: %s%n",
            "", state(kind, offer, registry, context), offer.size(), offer.terms());
      }
    }
    out.printf("%nData is kept in %s%n", context.dataDirectory());
    out.flush();
  }

  private static String state(
      KindDescription<DataContext, DataSource> kind,
      Offer offer,
      Registry registry,
      DataContext context) {
    boolean needsSettings = kind.settings().stream().anyMatch(SettingDescription::required);
    boolean lasting =
        offer.access() == Offer.Access.EMBEDDED || offer.access() == Offer.Access.GENERATED;
    if (lasting || needsSettings) {
      return offer.access().words();
    }
    return isHere(kind, registry, context) ? "here" : "not here (" + offer.access().words() + ")";
  }

  private static boolean isHere(
      KindDescription<DataContext, DataSource> kind, Registry registry, DataContext context) {
    try {
      return registry.choose(DataSource.FAMILY, kind.name(), "").create(context).present();
    } catch (UserException unusable) {
      return false;
    }
  }
}
