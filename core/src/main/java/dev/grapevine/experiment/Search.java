package dev.grapevine.experiment;

import dev.grapevine.settings.Place;
import dev.grapevine.settings.RawValue;
import dev.grapevine.settings.RawValue.Entry;
import dev.grapevine.settings.RawValue.Table;
import dev.grapevine.settings.TomlWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * A {@code [sweep]} that does not try everything but searches:
 *
 * <pre>
 * [sweep]
 * mode = "bayesian"
 * trials = 30
 * "training.rate" = {from = 0.001, to = 0.5, scale = "log"}
 * "training.batch-size" = {from = 8, to = 64}
 * "sharing.kind" = ["full", "topk"]
 * seeds = [90, 91]
 * </pre>
 *
 * A place in the space is a vector of numbers from 0 to 1, one for each key. What to try next is
 * for others to say; this knows what may be tried and makes experiments of it.
 */
public final class Search {

  private static final String SEEDS = "seeds";

  /** How a sweep searches. */
  public enum Mode {
    RANDOM,
    HALVING,
    BAYESIAN
  }

  /** One key with what it may be: some values, or any number of a range. */
  private record Dimension(
      String key, Place place, List<RawValue> choices, double from, double to, Scale scale) {

    RawValue at(double share) {
      if (!choices.isEmpty()) {
        return choices.get(Math.min((int) (share * choices.size()), choices.size() - 1));
      }
      double value =
          scale == Scale.LOG ? from * Math.pow(to / from, share) : from + share * (to - from);
      return scale == Scale.WHOLE
          ? new RawValue.Whole(
              Math.round(Math.clamp(Math.floor(from + share * (to - from + 1)), from, to)), place)
          : new RawValue.Real(new BigDecimal(value).round(new MathContext(4)).doubleValue(), place);
    }
  }

  private enum Scale {
    LINEAR,
    LOG,
    WHOLE
  }

  private final Experiment experiment;
  private final Mode mode;
  private final int trials;
  private final int batch;
  private final int eta;
  private final List<Dimension> dimensions;
  private final List<RawValue> seeds;

  private Search(Experiment experiment, Table table, Mode mode) {
    this.experiment = experiment;
    this.mode = mode;
    this.trials = whole(table, "trials", 20, 1, 100_000);
    this.batch = whole(table, "batch", 4, 1, 1000);
    this.eta = whole(table, "eta", 3, 2, 100);
    List<Dimension> found = new ArrayList<>();
    List<RawValue> seedList = List.of();
    for (Map.Entry<String, Entry> entry : flat(table, "").entrySet()) {
      String key = entry.getKey();
      if (key.equals(SEEDS)) {
        seedList = choices(key, entry.getValue().value());
      } else if (!List.of("mode", "trials", "batch", "eta").contains(key)) {
        found.add(dimension(key, entry.getValue()));
      }
    }
    if (found.isEmpty()) {
      throw table
          .place()
          .mistake("[sweep] names no setting to search, such as \"training.rate\" = [0.1, 0.01]");
    }
    this.dimensions = List.copyOf(found);
    this.seeds = seedList;
  }

  /** The search that an experiment's {@code [sweep]} asks for, unless it tries everything. */
  public static Optional<Search> of(Experiment experiment) {
    if (!Sweep.isIn(experiment)) {
      return Optional.empty();
    }
    Table table = experiment.document().table(Document.SWEEP);
    RawValue mode = table.get("mode").orElse(null);
    if (mode instanceof RawValue.Text text) {
      for (Mode known : Mode.values()) {
        if (known.name().equalsIgnoreCase(text.text())) {
          return Optional.of(new Search(experiment, table, known));
        }
      }
    }
    return Optional.empty();
  }

  private static int whole(Table table, String key, int silent, int least, int most) {
    RawValue value = table.get(key).orElse(null);
    if (value == null) {
      return silent;
    }
    if (value instanceof RawValue.Whole number
        && number.value() >= least
        && number.value() <= most) {
      return (int) number.value();
    }
    throw value
        .place()
        .mistake(
            "sweep.%s must be a whole number from %d to %d, but is %s"
                .formatted(key, least, most, value.described()));
  }

  private static boolean isRange(Table table) {
    return table.entries().containsKey("from") || table.entries().containsKey("to");
  }

  private static SequencedMap<String, Entry> flat(Table table, String prefix) {
    SequencedMap<String, Entry> keys = new LinkedHashMap<>();
    table
        .entries()
        .forEach((key, entry) -> {
          if (entry.value() instanceof Table inner && !isRange(inner)) {
            keys.putAll(flat(inner, prefix + key + "."));
          } else {
            keys.put(prefix + key, entry);
          }
        });
    return keys;
  }

  private static List<RawValue> choices(String key, RawValue value) {
    if (value instanceof RawValue.Sequence sequence && !sequence.items().isEmpty()) {
      return sequence.items();
    }
    throw value
        .place()
        .mistake(
            "sweep.\"%s\" must be a list of values such as [0.1, 0.01], or a range such as {from ="
                    .formatted(key)
                + " 0.001, to = 0.1, scale = \"log\"}");
  }

  private static Dimension dimension(String key, Entry entry) {
    if (!(entry.value() instanceof Table range)) {
      return new Dimension(key, entry.key(), choices(key, entry.value()), 0, 0, Scale.LINEAR);
    }
    for (Map.Entry<String, Entry> given : range.entries().entrySet()) {
      if (!List.of("from", "to", "scale").contains(given.getKey())) {
        throw given
            .getValue()
            .key()
            .mistake("a range has the keys from, to and scale, but not " + given.getKey());
      }
    }
    double from = end(range, "from", key);
    double to = end(range, "to", key);
    boolean whole =
        range.get("from").orElseThrow() instanceof RawValue.Whole
            && range.get("to").orElseThrow() instanceof RawValue.Whole;
    Scale scale = whole ? Scale.WHOLE : Scale.LINEAR;
    RawValue written = range.get("scale").orElse(null);
    if (written != null) {
      scale =
          switch (written instanceof RawValue.Text text ? text.text() : "") {
            case "log" -> Scale.LOG;
            case "linear" -> scale;
            default ->
                throw written
                    .place()
                    .mistake("scale must be \"linear\" or \"log\", but is " + written.described());
          };
    }
    if (!(from < to) || scale == Scale.LOG && from <= 0) {
      throw range
          .place()
          .mistake(
              "sweep.\"%s\" must go from a number to a larger one%s: from=%s, to=%s"
                  .formatted(key, scale == Scale.LOG ? ", both above 0" : "", from, to));
    }
    return new Dimension(key, entry.key(), List.of(), from, to, scale);
  }

  private static double end(Table range, String end, String key) {
    RawValue value = range.get(end).orElse(null);
    return switch (value) {
      case RawValue.Whole number -> number.value();
      case RawValue.Real number -> number.value();
      case null, default ->
          throw (value == null ? range.place() : value.place())
              .mistake("the range of sweep.\"%s\" needs a number for %s".formatted(key, end));
    };
  }

  public Mode mode() {
    return mode;
  }

  /** How many places are tried; of halving, with how many it begins. */
  public int trials() {
    return trials;
  }

  /** How many places a Bayesian search tries before it looks at their results. */
  public int batch() {
    return batch;
  }

  /** Of how many trials halving keeps one, to train it as many times longer. */
  public int eta() {
    return eta;
  }

  /** The seed of the search itself. */
  public long seed() {
    return experiment.seed();
  }

  public int rounds() {
    return experiment.rounds();
  }

  /** For each key, how many values it can take; 0 for a range. */
  public int[] choices() {
    return dimensions.stream().mapToInt(dimension -> dimension.choices.size()).toArray();
  }

  /**
   * The experiments of one place, one for each seed.
   *
   * @param rounds how long to train; the experiment's own for all of it
   */
  public List<Sweep.Point> points(double[] place, int rounds) {
    SequencedMap<String, RawValue> values = new LinkedHashMap<>();
    for (int i = 0; i < dimensions.size(); i++) {
      values.put(dimensions.get(i).key(), dimensions.get(i).at(place[i]));
    }
    if (mode == Mode.HALVING) {
      values.put("rounds", new RawValue.Whole(rounds, dimensions.getFirst().place()));
    }
    List<Sweep.Point> points = new ArrayList<>();
    for (Optional<RawValue> seed :
        seeds.isEmpty()
            ? List.of(Optional.<RawValue>empty())
            : seeds.stream().map(Optional::of).toList()) {
      SequencedMap<String, RawValue> all = new LinkedHashMap<>(values);
      seed.ifPresent(value -> all.put("seed", value));
      points.add(point(all));
    }
    return points;
  }

  private Sweep.Point point(SequencedMap<String, RawValue> values) {
    Document changed = experiment.document().withoutSweep();
    SequencedMap<String, String> written = new LinkedHashMap<>();
    for (Map.Entry<String, RawValue> value : values.entrySet()) {
      changed =
          changed.laidOver(
              Document.nested(value.getKey(), value.getValue(), value.getValue().place()));
      written.put(value.getKey(), TomlWriter.raw(value.getValue()));
    }
    return new Sweep.Point(written, new Experiment(changed));
  }
}
