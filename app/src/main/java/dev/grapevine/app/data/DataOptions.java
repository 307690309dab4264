package dev.grapevine.app.data;

import dev.grapevine.UserException;
import dev.grapevine.app.DataFolder;
import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSettings;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.Partitioner;
import dev.grapevine.settings.BareText;
import dev.grapevine.settings.Binder;
import dev.grapevine.settings.Place;
import dev.grapevine.settings.RawValue;
import dev.grapevine.settings.Registry;
import dev.grapevine.settings.Section;
import dev.grapevine.settings.SectionValues;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * What the data commands have in common: the cache folder, and any setting of the {@code [data]}
 * table as an option, such as {@code --shards-per-node 2}.
 */
final class DataOptions {

  @Mixin private DataFolder folder = new DataFolder();

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Seed of the deal and of generated sets (default: ${DEFAULT-VALUE}).")
  private long seed;

  long seed() {
    return seed;
  }

  DataContext context() {
    return new DataContext(folder.path(), seed, Path.of("").toAbsolutePath());
  }

  /**
   * The set and the partitioner.
   *
   * @param settings what the command line holds besides the command's own options
   */
  SectionValues bind(Registry registry, String set, String partition, List<String> settings) {
    Section section =
        Section.of("data", "what is learned, and which node holds what of it")
            .choice("set", DataSource.FAMILY, set)
            .choice("partition", Partitioner.FAMILY, partition)
            .settings(DataSettings.class);
    return new Binder(registry, Path.of("")).bind(section, table(set, partition, settings));
  }

  private static RawValue.Table table(String set, String partition, List<String> settings) {
    Place place = Place.named("command line");
    RawValue.Table table =
        RawValue.Table.empty(place)
            .with("set", entry(set, place))
            .with("partition", entry(partition, place));
    for (int i = 0; i < settings.size(); i++) {
      String option = settings.get(i);
      if (!option.startsWith("--")) {
        throw new UserException("unexpected argument: %s; see --help".formatted(option));
      }
      int equals = option.indexOf('=');
      String key = option.substring(2, equals < 0 ? option.length() : equals);
      boolean valueFollows =
          equals < 0 && i + 1 < settings.size() && !settings.get(i + 1).startsWith("--");
      String value =
          equals >= 0 ? option.substring(equals + 1) : valueFollows ? settings.get(++i) : "true";
      table = table.with(key, entry(value, place));
    }
    return table;
  }

  private static RawValue.Entry entry(String value, Place place) {
    return new RawValue.Entry(BareText.parse(value, place), place, 0);
  }
}
