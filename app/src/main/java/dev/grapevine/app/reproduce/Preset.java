package dev.grapevine.app.reproduce;

import dev.grapevine.FileProblem;
import dev.grapevine.UserException;
import dev.grapevine.settings.Binder;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Nearest;
import dev.grapevine.settings.RawValue;
import dev.grapevine.settings.Registry;
import dev.grapevine.settings.TomlText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A figure or table to run again.
 *
 * @param id the name of its folder, such as {@code fig3}
 * @param folder where its experiments are
 * @param about what its file {@code claims.toml} says
 * @param figures how the document draws it: tables of a figure file that lack only the runs
 */
record Preset(String id, Path folder, About about, List<RawValue.Table> figures) {

  private static final String CLAIMS = "claims.toml";
  private static final String FIGURE = "figure";

  /** A number that the document gives for one of its curves. */
  record Published(
      @Doc("the name of the curve") String name,
      @Doc("accuracy in percent") double accuracy,
      @Doc("standard deviation over nodes, in percent") OptionalDouble deviation) {}

  /** A curve whose name would not be true at laptop scale, and what it is called there. */
  record Renamed(
      @Doc("the name of the curve in the document") String name,
      @Doc("its name at laptop scale: what really runs") String laptop) {}

  /** What stands beside the experiments. */
  record About(
      @Doc("what it is") String title,
      @Doc("the document and place") String document,
      @Doc("nodes, graph, data, model, rates, rounds") String setup,
      @Doc("what it shows, in one sentence, with the numbers") String claim,
      @Doc("training samples of its data, for the estimate") int samples,
      @Default("0") @Doc("those of the data that stand in at laptop scale; 0 for the same")
          int laptopSamples,
      @Default("") @Doc("what the document leaves open, and what was taken instead") String open,
      @Doc("how laptop differs from paper") String laptop,
      @Default("") @Doc("what takes the place of the data at laptop scale") String standIn,
      @Default("") @Doc("what it needs that not every version has") String needs,
      @Default("") @Doc("which files to put where, where data cannot be fetched") String bring,
      @Default("[]") List<Published> published,
      @Default("[]") @Doc("curves that are called otherwise at laptop scale") List<Renamed> renamed,
      @Default("[]") List<Claim> claims) {}

  /** How many training samples there are at a scale. */
  int samples(Scale scale) {
    return scale == Scale.LAPTOP && about.laptopSamples > 0 ? about.laptopSamples : about.samples;
  }

  /** What a curve of the document is called at a scale, where other things may run in its place. */
  String curve(String name, Scale scale) {
    return about.renamed.stream()
        .filter(renamed -> scale == Scale.LAPTOP && renamed.name.equals(name))
        .map(Renamed::laptop)
        .findFirst()
        .orElse(name);
  }

  /** The file of the experiments at a scale. */
  Path experiments(Scale scale) {
    return folder.resolve(scale.word() + ".toml");
  }

  /** All presets of a folder such as {@code examples}, papers before theses, by number. */
  static List<Preset> all(Path examples) {
    try (Stream<Path> files = Files.walk(examples, 3)) {
      return files
          .filter(file -> file.endsWith(CLAIMS))
          .map(Preset::read)
          .sorted(
              Comparator.comparing((Preset preset) -> String.valueOf(preset.folder.getParent()))
                  .thenComparingInt(Preset::number))
          .toList();
    } catch (IOException e) {
      throw new UserException(
          "the presets cannot be read from %s: %s".formatted(examples, FileProblem.reason(e)), e);
    }
  }

  private int number() {
    String digits = id.replaceAll("\\D", "");
    return digits.isEmpty() ? 0 : Integer.parseInt(digits);
  }

  /** One of them by its name. */
  static Preset named(String id, List<Preset> all) {
    return all.stream()
        .filter(preset -> preset.id.equals(id))
        .findFirst()
        .orElseThrow(() ->
            new UserException(
                "there is no figure or table %s%s; 'grapevine reproduce' lists them"
                    .formatted(id, Nearest.hint(id, all.stream().map(Preset::id).toList()))));
  }

  static Preset read(Path file) {
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException e) {
      throw new UserException(file + " cannot be read: " + FileProblem.reason(e), e);
    }
    RawValue.Table whole = TomlText.parse(file.toString(), text);
    SequencedMap<String, RawValue.Entry> entries = new LinkedHashMap<>(whole.entries());
    RawValue.Entry drawn = entries.remove(FIGURE);
    Path parent = file.toAbsolutePath().normalize().getParent();
    Path folder = parent == null ? Path.of("/") : parent;
    About about =
        new Binder(Registry.load(), folder)
            .bind(About.class, new RawValue.Table(entries, whole.place()), "claims");
    return new Preset(String.valueOf(folder.getFileName()), folder, about, tables(drawn));
  }

  private static List<RawValue.Table> tables(RawValue.@Nullable Entry entry) {
    if (entry == null) {
      return List.of();
    }
    List<RawValue> given =
        entry.value() instanceof RawValue.Sequence sequence
            ? sequence.items()
            : List.of(entry.value());
    return given.stream()
        .map(value -> {
          if (value instanceof RawValue.Table table) {
            return table;
          }
          throw value
              .place()
              .mistake("figure must be a table: write [[figure]] above its settings");
        })
        .toList();
  }
}
