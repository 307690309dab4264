package dev.grapevine.results;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Runs of the same experiment that differ in their seed only.
 *
 * @param label what distinguishes them from the other groups
 * @param runs at least one
 * @param begins how many rounds they have in common with a run beside them that they branch off
 */
public record SeedGroup(String label, List<SavedRun> runs, int begins) {

  private static final String FORKED_AFTER = "forked-after";

  private static final String KIND = ".kind";
  private static final String MISSING = "-";
  private static final int SHORT_HASH = 8;

  private static final List<String> MEASURES =
      List.of(Metrics.TEST_ACCURACY, Metrics.AVERAGE_ACCURACY, Metrics.TEST_R2, Metrics.AVERAGE_R2);

  /** When a run got where it was asked to. */
  public record Reached(int rounds, double seconds, double bytes) {}

  public SeedGroup {
    runs = List.copyOf(runs);
  }

  /** Runs that branch off no other. */
  public SeedGroup(String label, List<SavedRun> runs) {
    this(label, runs, 0);
  }

  /** The same with another label and some of its runs. */
  SeedGroup of(String newLabel, List<SavedRun> some) {
    return new SeedGroup(newLabel, some, begins);
  }

  /** Sorts runs into groups, in the order in which the groups first appear. */
  public static List<SeedGroup> of(List<SavedRun> runs) {
    SequencedMap<Object, List<SavedRun>> groups = new LinkedHashMap<>();
    for (SavedRun run : runs) {
      SequencedMap<String, String> settings = new LinkedHashMap<>(run.settings());
      settings.remove("seed");
      settings.putAll(run.fileHashes());
      run.branch().ifPresent(branch -> settings.put(FORKED_AFTER, "" + branch.rounds()));
      // Without its experiment, a run can be like no other.
      Object key = settings.isEmpty() ? run.directory().path() : settings;
      groups.computeIfAbsent(key, k -> new ArrayList<>()).add(run);
    }
    List<List<SavedRun>> members = List.copyOf(groups.values());
    List<String> labels = labels(members);
    List<SeedGroup> result = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      OptionalInt branch = branch(members.get(i), runs);
      result.add(
          new SeedGroup(
              branch.isEmpty()
                  ? labels.get(i)
                  : "%s, from round %d".formatted(labels.get(i), branch.getAsInt()),
              members.get(i),
              branch.orElse(0)));
    }
    return result;
  }

  /** Where runs branch off others that are shown beside them; empty unless all do. */
  private static OptionalInt branch(List<SavedRun> group, List<SavedRun> all) {
    Set<Path> shown =
        all.stream().map(run -> real(run.directory().path())).collect(Collectors.toSet());
    return group.stream()
            .allMatch(run -> run.branch().filter(at -> shown.contains(real(at.run()))).isPresent())
        ? group.stream()
            .flatMap(run -> run.branch().stream())
            .mapToInt(SavedRun.Branch::rounds)
            .min()
        : OptionalInt.empty();
  }

  private static Path real(Path path) {
    return path.toAbsolutePath().normalize();
  }

  /** Names, where these differ; else the settings in which they differ; else directories. */
  private static List<String> labels(List<List<SavedRun>> groups) {
    List<String> names = groups.stream().map(group -> group.getFirst().name()).toList();
    if (names.stream().distinct().count() == names.size()) {
      return names;
    }
    SequencedMap<String, List<String>> telling =
        telling(differences(groups.stream().map(List::getFirst).toList()), groups.size());
    List<String> labels =
        IntStream.range(0, groups.size()).mapToObj(group -> label(telling, group)).toList();
    return labels.stream().distinct().count() == labels.size() ? labels : directories(groups);
  }

  /** By their last name where these differ, else in full. */
  private static List<String> directories(List<List<SavedRun>> groups) {
    List<Path> paths = groups.stream().map(group -> group.getFirst().directory().path()).toList();
    List<String> names =
        paths.stream().map(path -> path.toAbsolutePath().getFileName().toString()).toList();
    return names.stream().distinct().count() == names.size()
        ? names
        : paths.stream().map(Path::toString).toList();
  }

  /**
   * As many of the differences as it takes to tell the groups apart. Kinds come first: other
   * settings often differ only because the kind does.
   */
  private static SequencedMap<String, List<String>> telling(
      SequencedMap<String, List<String>> differences, int groups) {
    List<Map.Entry<String, List<String>>> kindsFirst =
        differences.entrySet().stream()
            .sorted(Comparator.comparing(difference -> !isKind(difference.getKey())))
            .toList();
    SequencedMap<String, List<String>> telling = new LinkedHashMap<>();
    List<List<String>> apart = new ArrayList<>(Collections.nCopies(groups, List.of()));
    for (Map.Entry<String, List<String>> difference : kindsFirst) {
      List<List<String>> further = new ArrayList<>();
      for (int group = 0; group < groups; group++) {
        List<String> values = new ArrayList<>(apart.get(group));
        values.add(difference.getValue().get(group));
        further.add(values);
      }
      if (further.stream().distinct().count() > apart.stream().distinct().count()) {
        telling.put(difference.getKey(), difference.getValue());
        apart = further;
      }
    }
    return telling;
  }

  private static String label(SequencedMap<String, List<String>> telling, int group) {
    if (telling.size() == 1 && isKind(telling.firstEntry().getKey())) {
      return telling.firstEntry().getValue().get(group);
    }
    return telling.entrySet().stream()
        .filter(entry -> !entry.getValue().get(group).equals(MISSING))
        .map(entry ->
            shortened(entry.getKey(), telling.keySet()) + "=" + entry.getValue().get(group))
        .collect(Collectors.joining(", "));
  }

  private static boolean isKind(String key) {
    return key.endsWith(KIND);
  }

  /** The last part of a key where no other ends in the same; of a kind the part it belongs to. */
  private static String shortened(String key, Collection<String> all) {
    String whole = isKind(key) ? key.substring(0, key.length() - KIND.length()) : key;
    String last = whole.substring(whole.lastIndexOf('.') + 1);
    boolean shared =
        all.stream()
            .filter(other -> !other.equals(key))
            .anyMatch(other -> ("." + other + ".").contains("." + last + "."));
    return shared ? whole : last;
  }

  /**
   * The settings in which runs differ, other than the seed: key to each run's value, {@code -}
   * where a run lacks it.
   */
  public static SequencedMap<String, List<String>> differences(List<SavedRun> runs) {
    SequencedMap<String, List<String>> differing = new LinkedHashMap<>();
    List<SequencedMap<String, String>> all = runs.stream().map(SeedGroup::described).toList();
    for (SequencedMap<String, String> described : all) {
      for (String key : described.keySet()) {
        if (!key.equals("seed") && !differing.containsKey(key)) {
          differing.put(key, all.stream().map(run -> run.getOrDefault(key, MISSING)).toList());
        }
      }
    }
    differing.values().removeIf(values -> values.stream().distinct().count() == 1);
    return differing;
  }

  /** Settings, and what the files that they name held. */
  private static SequencedMap<String, String> described(SavedRun run) {
    SequencedMap<String, String> described = new LinkedHashMap<>(run.settings());
    run.branch().ifPresent(branch -> described.put(FORKED_AFTER, "" + branch.rounds()));
    run.fileHashes()
        .forEach((file, hash) ->
            described.put(file, hash.substring(0, Math.min(SHORT_HASH, hash.length()))));
    return described;
  }

  /**
   * What groups are compared by: test accuracy or, where no run has it, the average model's; R²
   * where values are learned.
   */
  public static String measure(List<SeedGroup> groups) {
    return MEASURES.stream()
        .filter(measure ->
            groups.stream()
                .flatMap(group -> group.runs().stream())
                .anyMatch(run -> run.metric(measure).isPresent()))
        .findFirst()
        .orElse(Metrics.TEST_ACCURACY);
  }

  /** The metric's course; without points where no run recorded it. */
  public Curve curve(String metric, Axis axis) {
    return axis == Axis.PERCENTILES ? shareCounts(metric) : course(metric, axis);
  }

  /** How often each hundredth of the coordinates was shared; empty of any other metric. */
  private Curve shareCounts(String metric) {
    List<SharePercentiles> counts =
        metric.equals(SharePercentiles.METRIC)
            ? runs.stream().flatMap(run -> run.shareCounts().stream()).toList()
            : List.of();
    List<Curve.Point> points = new ArrayList<>();
    for (int part = 0; part < SharePercentiles.COUNT && !counts.isEmpty(); part++) {
      int at = part;
      double[] values =
          counts.size() == 1
              ? counts.getFirst().values(part)
              : counts.stream().mapToDouble(run -> Spread.of(run.values(at)).mean()).toArray();
      points.add(new Curve.Point(part, part + 1, Spread.of(values)));
    }
    return new Curve(label, metric, Axis.PERCENTILES, points);
  }

  private Curve course(String metric, Axis axis) {
    TreeMap<Integer, List<double[]>> byRound = new TreeMap<>();
    for (SavedRun run : runs) {
      MetricColumn column = run.metric(metric).orElse(null);
      // A branch begins at the last point that it has in common with its parent.
      int first = column == null ? 0 : Math.max(0, column.indexUpTo(begins - 1));
      for (int i = first; column != null && i < column.rounds(); i++) {
        OptionalDouble x = x(run, column, i, axis);
        if (x.isPresent()) {
          double[] values =
              runs.size() == 1 ? column.values(i) : new double[] {column.spread(i).mean()};
          double[] row = new double[values.length + 1];
          row[0] = x.getAsDouble();
          System.arraycopy(values, 0, row, 1, values.length);
          byRound.computeIfAbsent(column.round(i), r -> new ArrayList<>()).add(row);
        }
      }
    }
    List<Curve.Point> points = new ArrayList<>();
    byRound.forEach((round, rows) -> {
      double x = rows.stream().mapToDouble(row -> row[0]).average().orElseThrow();
      double[] values =
          rows.stream().flatMapToDouble(row -> Arrays.stream(row, 1, row.length)).toArray();
      Spread spread = Spread.of(values);
      if (spread.count() > 0) {
        points.add(new Curve.Point(round, x, spread));
      }
    });
    return new Curve(label, metric, axis, points);
  }

  private static OptionalDouble x(SavedRun run, MetricColumn column, int index, Axis axis) {
    return switch (axis) {
      case ROUNDS -> OptionalDouble.of(column.round(index) + 1);
      case EPOCHS -> epochs(run, column.round(index) + 1);
      case TIME -> OptionalDouble.of(column.time(index));
      case BYTES -> bytes(run, column.round(index));
      case PERCENTILES -> OptionalDouble.empty();
    };
  }

  private static OptionalDouble epochs(SavedRun run, int rounds) {
    OptionalDouble each = GlobalEpochs.ofRound(run);
    return each.isPresent()
        ? OptionalDouble.of(each.getAsDouble() * rounds)
        : OptionalDouble.empty();
  }

  private static OptionalDouble bytes(SavedRun run, int round) {
    Optional<MetricColumn> sent = run.metric(Metrics.BYTES_SENT);
    int index = sent.map(column -> column.indexUpTo(round)).orElse(-1);
    return index < 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(sent.orElseThrow().spread(index).mean());
  }

  /** Each run's mean over the nodes in the last round that has the metric; NaN where none has. */
  public double[] last(String metric) {
    return runs.stream()
        .mapToDouble(run ->
            run.metric(metric)
                .map(column -> column.spread(column.rounds() - 1).mean())
                .orElse(Double.NaN))
        .toArray();
  }

  /** Each run's best mean over the nodes; NaN where no round has the metric. */
  public double[] highest(String metric) {
    return runs.stream().mapToDouble(run -> highest(run, metric)).toArray();
  }

  private static double highest(SavedRun run, String metric) {
    MetricColumn column = run.metric(metric).orElse(null);
    double highest = Double.NaN;
    for (int i = 0; column != null && i < column.rounds(); i++) {
      double mean = column.spread(i).mean();
      highest = Double.isNaN(highest) || mean > highest ? mean : highest;
    }
    return highest;
  }

  /** When each run's mean over the nodes first was {@code target} or more; empty where never. */
  public List<Optional<Reached>> reached(String metric, double target) {
    return runs.stream().map(run -> reached(run, metric, target)).toList();
  }

  private static Optional<Reached> reached(SavedRun run, String metric, double target) {
    MetricColumn column = run.metric(metric).orElse(null);
    for (int i = 0; column != null && i < column.rounds(); i++) {
      if (column.spread(i).mean() >= target) {
        int round = column.round(i);
        return Optional.of(
            new Reached(round + 1, column.time(i), bytes(run, round).orElse(Double.NaN)));
      }
    }
    return Optional.empty();
  }

  /** Compares two groups run by run where their seeds agree, by their last values. */
  public PairedTest compare(SeedGroup other, String metric) {
    List<Double> mine = new ArrayList<>();
    List<Double> theirs = new ArrayList<>();
    double[] last = last(metric);
    double[] otherLast = other.last(metric);
    for (int i = 0; i < runs.size(); i++) {
      for (int j = 0; j < other.runs.size(); j++) {
        if (Objects.equals(runs.get(i).seed(), other.runs.get(j).seed())
            && runs.get(i).seed().isPresent()
            && !Double.isNaN(last[i] - otherLast[j])) {
          mine.add(last[i]);
          theirs.add(otherLast[j]);
          break;
        }
      }
    }
    return PairedTest.of(
        mine.stream().mapToDouble(Double::doubleValue).toArray(),
        theirs.stream().mapToDouble(Double::doubleValue).toArray());
  }
}
