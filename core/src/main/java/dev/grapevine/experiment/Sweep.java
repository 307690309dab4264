package dev.grapevine.experiment;

import dev.grapevine.settings.Place;
import dev.grapevine.settings.RawValue;
import dev.grapevine.settings.RawValue.Entry;
import dev.grapevine.settings.RawValue.Table;
import dev.grapevine.settings.TomlWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * The experiments that a {@code [sweep]} table asks for:
 *
 * <pre>
 * [sweep]
 * "training.rate" = [0.1, 0.01]
 * seeds = [90, 91, 92]
 * mode = "grid"
 * </pre>
 *
 * {@code grid} (the default) combines every value with every other, the last key changing fastest;
 * {@code list} takes the first values of all keys, then the second ones, and so on, each with every
 * seed; {@code rows} has a table of its own for each, {@code [[sweep.rows]]}, with a {@code name},
 * perhaps a {@code group}, and whatever it sets. Other modes search, see {@link Search}.
 */
public final class Sweep {

  private static final String SEEDS = "seeds";
  private static final String MODE = "mode";
  private static final String ROWS = "rows";
  private static final int MOST = 100_000;

  /**
   * One experiment of a sweep.
   *
   * @param values what distinguishes it from the others, key by key, as TOML
   */
  public record Point(SequencedMap<String, String> values, Experiment experiment) {}

  /** A named variant of the experiment. */
  public static final class Row {

    private final String name;
    private final String group;
    private final Experiment experiment;
    private final Table changes;

    private Row(String name, String group, Experiment experiment, Table changes) {
      this.name = name;
      this.group = group;
      this.experiment = experiment;
      this.changes = changes;
    }

    public String name() {
      return name;
    }

    /** What kind of row it is, for pictures; may be empty. */
    public String group() {
      return group;
    }

    public Experiment experiment() {
      return experiment;
    }

    /** The row with a seed. */
    public Point point(long seed) {
      SequencedMap<String, String> values = new LinkedHashMap<>();
      values.put("row", TomlWriter.text(name));
      values.put("seed", Long.toString(seed));
      return new Point(values, experiment.with("seed", Long.toString(seed)));
    }

    /** This row with what another one says about a table. */
    public Row with(Row other, String table) {
      RawValue value = other.changes.get(table).orElse(null);
      Experiment both =
          value == null
              ? experiment
              : experiment.laidOver(Document.nested(table, value, other.changes.place()));
      return new Row(name + " + " + other.name, "pairs", both, changes);
    }
  }

  /** One key with the values it takes. */
  private record Axis(String key, Place place, List<RawValue> values) {}

  private Sweep() {}

  /** Whether the experiment has a {@code [sweep]} table. */
  public static boolean isIn(Experiment experiment) {
    return experiment.document().root().get(Document.SWEEP).isPresent();
  }

  /** The experiments of the sweep, or the experiment itself when it has none. */
  public static List<Experiment> expand(Experiment experiment) {
    return points(experiment).stream().map(Point::experiment).toList();
  }

  /**
   * The experiments of the sweep with what distinguishes them; of a search, those in the middle of
   * what it may try.
   */
  public static List<Point> points(Experiment experiment) {
    if (!isIn(experiment)) {
      return List.of(new Point(new LinkedHashMap<>(), experiment));
    }
    Optional<Search> search = Search.of(experiment);
    if (search.isPresent()) {
      double[] middle = new double[search.get().choices().length];
      Arrays.fill(middle, 0.5);
      return search.get().points(middle, search.get().rounds());
    }
    Table table = experiment.document().table(Document.SWEEP);
    if (isRows(table)) {
      return rowPoints(rows(experiment), table);
    }
    Document plain = experiment.document().withoutSweep();
    List<Point> points = new ArrayList<>();
    for (SequencedMap<String, RawValue> values : combinations(table)) {
      Document changed = plain;
      SequencedMap<String, String> written = new LinkedHashMap<>();
      for (Map.Entry<String, RawValue> value : values.entrySet()) {
        Place place = table.placeOfKey(value.getKey().equals("seed") ? SEEDS : value.getKey());
        changed = changed.laidOver(Document.nested(value.getKey(), value.getValue(), place));
        written.put(value.getKey(), TomlWriter.raw(value.getValue()));
      }
      points.add(new Point(written, new Experiment(changed)));
    }
    return List.copyOf(points);
  }

  /** The rows of a sweep with {@code mode = "rows"}; none of any other. */
  public static List<Row> rows(Experiment experiment) {
    if (!isIn(experiment) || !isRows(experiment.document().table(Document.SWEEP))) {
      return List.of();
    }
    Table table = experiment.document().table(Document.SWEEP);
    for (Map.Entry<String, Entry> entry : table.entries().entrySet()) {
      if (!List.of(MODE, SEEDS, ROWS).contains(entry.getKey())) {
        throw entry
            .getValue()
            .key()
            .mistake("with mode = \"rows\" there are only seeds and [[sweep.rows]] beside it");
      }
    }
    if (!(table.get(ROWS).orElse(null) instanceof RawValue.Sequence list)) {
      throw table
          .placeOfKey(ROWS)
          .mistake("with mode = \"rows\" each row is a table: write a line [[sweep.rows]]");
    }
    Document plain = experiment.document().withoutSweep();
    SequencedMap<String, Row> rows = new LinkedHashMap<>();
    for (RawValue item : list.items()) {
      Row row = row(item, plain);
      if (rows.put(row.name(), row) != null) {
        throw item.place().mistake("two rows have the same name: name=" + row.name());
      }
    }
    return List.copyOf(rows.values());
  }

  private static Row row(RawValue item, Document plain) {
    if (!(item instanceof Table table)) {
      throw item.place().mistake("each row is a table: write a line [[sweep.rows]]");
    }
    String name = text(table, "name");
    if (name.isBlank()) {
      throw table.place().mistake("the row has no name; add a line name = \"D-PSGD\"");
    }
    Table changes = table.without("name").without("group");
    Document changed = plain;
    for (Map.Entry<String, Entry> entry : changes.entries().entrySet()) {
      Entry value = entry.getValue();
      changed = changed.laidOver(Document.nested(entry.getKey(), value.value(), value.key()));
    }
    return new Row(name, text(table, "group"), new Experiment(changed), changes);
  }

  private static String text(Table table, String key) {
    RawValue value = table.get(key).orElse(null);
    if (value == null) {
      return "";
    }
    if (value instanceof RawValue.Text text) {
      return text.text();
    }
    throw value.place().mistake("%s must be a text, but is %s".formatted(key, value.described()));
  }

  private static boolean isRows(Table table) {
    return table.get(MODE).orElse(null) instanceof RawValue.Text text && text.text().equals(ROWS);
  }

  private static List<Point> rowPoints(List<Row> rows, Table table) {
    List<Point> points = new ArrayList<>();
    Entry seeds = table.entries().get(SEEDS);
    for (Row row : rows) {
      List<RawValue> values =
          seeds == null
              ? List.of(new RawValue.Whole(row.experiment().seed(), table.place()))
              : axis("seed", seeds).values();
      for (RawValue value : values) {
        if (!(value instanceof RawValue.Whole seed)) {
          throw value.place().mistake("a seed is a whole number, but is " + value.described());
        }
        points.add(row.point(seed.value()));
      }
    }
    return List.copyOf(points);
  }

  private static List<SequencedMap<String, RawValue>> combinations(Table table) {
    List<Axis> axes = new ArrayList<>();
    Axis seeds = null;
    for (Map.Entry<String, Entry> entry : flat(table, "").entrySet()) {
      String key = entry.getKey();
      if (key.equals(MODE)) {
        continue;
      }
      Axis axis = axis(key.equals(SEEDS) ? "seed" : key, entry.getValue());
      if (key.equals(SEEDS)) {
        seeds = axis;
      } else {
        axes.add(axis);
      }
    }
    List<SequencedMap<String, RawValue>> combinations = isGrid(table) ? grid(axes) : list(axes);
    return seeds == null ? combinations : times(combinations, seeds);
  }

  /** Dotted keys without quotes are nested tables; both ways of writing mean the same. */
  private static SequencedMap<String, Entry> flat(Table table, String prefix) {
    SequencedMap<String, Entry> keys = new LinkedHashMap<>();
    table
        .entries()
        .forEach((key, entry) -> {
          if (entry.value() instanceof Table inner) {
            if (inner.entries().containsKey("from") && inner.entries().containsKey("to")) {
              throw entry
                  .key()
                  .mistake(
                      "a range can be searched but not tried in full: set mode = \"random\","
                          + " \"halving\" or \"bayesian\", or give a list of values");
            }
            keys.putAll(flat(inner, prefix + key + "."));
          } else {
            keys.put(prefix + key, entry);
          }
        });
    return keys;
  }

  private static boolean isGrid(Table table) {
    RawValue mode = table.get(MODE).orElse(null);
    if (mode == null || (mode instanceof RawValue.Text text && text.text().equals("grid"))) {
      return true;
    }
    if (mode instanceof RawValue.Text text && text.text().equals("list")) {
      return false;
    }
    throw mode.place()
        .mistake(
            "sweep.mode must be \"grid\", \"list\", \"rows\", \"random\", \"halving\" or \"bayesian\", but is "
                + mode.described());
  }

  private static Axis axis(String key, Entry entry) {
    if (!(entry.value() instanceof RawValue.Sequence sequence) || sequence.items().isEmpty()) {
      throw entry
          .value()
          .place()
          .mistake(
              "sweep.\"%s\" must be a list of the values to try, such as [0.1, 0.01]"
                  .formatted(key));
    }
    return new Axis(key, entry.key(), sequence.items());
  }

  private static List<SequencedMap<String, RawValue>> grid(List<Axis> axes) {
    List<SequencedMap<String, RawValue>> combinations = List.of(new LinkedHashMap<>());
    for (Axis axis : axes) {
      combinations = times(combinations, axis);
    }
    return combinations;
  }

  private static List<SequencedMap<String, RawValue>> times(
      List<SequencedMap<String, RawValue>> combinations, Axis axis) {
    if ((long) combinations.size() * axis.values().size() > MOST) {
      throw axis.place()
          .mistake("the sweep has more than %d experiments; try fewer values".formatted(MOST));
    }
    List<SequencedMap<String, RawValue>> more = new ArrayList<>();
    for (SequencedMap<String, RawValue> combination : combinations) {
      for (RawValue value : axis.values()) {
        SequencedMap<String, RawValue> longer = new LinkedHashMap<>(combination);
        longer.put(axis.key(), value);
        more.add(longer);
      }
    }
    return more;
  }

  private static List<SequencedMap<String, RawValue>> list(List<Axis> axes) {
    int length = axes.isEmpty() ? 1 : axes.getFirst().values().size();
    List<SequencedMap<String, RawValue>> combinations = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      SequencedMap<String, RawValue> values = new LinkedHashMap<>();
      for (Axis axis : axes) {
        if (axis.values().size() != length) {
          throw axis.place()
              .mistake(
                  "with mode = \"list\" all lists must be equally long: %s has %d values, %s has %d"
                      .formatted(axes.getFirst().key(), length, axis.key(), axis.values().size()));
        }
        values.put(axis.key(), axis.values().get(i));
      }
      combinations.add(values);
    }
    return combinations;
  }
}
