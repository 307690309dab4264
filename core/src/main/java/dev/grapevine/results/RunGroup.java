package dev.grapevine.results;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Runs of the same experiment that differ in their seed only.
 *
 * @param label what distinguishes them from the other groups
 * @param runs at least one
 */
public record RunGroup(String label, List<RunResults> runs) {

  private static final String KIND = ".kind";
  private static final String MISSING = "-";

  /** When a run got where it was asked to. */
  public record Reached(int rounds, double seconds, double bytes) {}

  public RunGroup {
    runs = List.copyOf(runs);
  }

  /** Sorts runs into groups, in the order in which the groups first appear. */
  public static List<RunGroup> of(List<RunResults> runs) {
    SequencedMap<Object, List<RunResults>> groups = new LinkedHashMap<>();
    for (RunResults run : runs) {
      SequencedMap<String, String> settings = new LinkedHashMap<>(run.settings());
      settings.remove("seed");
      // Without its experiment, a run can be like no other.
      Object key = settings.isEmpty() ? run.directory().path() : settings;
      groups.computeIfAbsent(key, k -> new ArrayList<>()).add(run);
    }
    List<List<RunResults>> members = List.copyOf(groups.values());
    List<String> labels = labels(members);
    List<RunGroup> result = new ArrayList<>();
    for (int i = 0; i < members.size(); i++) {
      result.add(new RunGroup(labels.get(i), members.get(i)));
    }
    return result;
  }

  /** Names, where these differ; else the settings in which they differ; else directories. */
  private static List<String> labels(List<List<RunResults>> groups) {
    List<String> names = groups.stream().map(group -> group.getFirst().name()).toList();
    if (names.stream().distinct().count() == names.size()) {
      return names;
    }
    SequencedMap<String, List<String>> telling =
        telling(differences(groups.stream().map(List::getFirst).toList()), groups.size());
    List<String> labels =
        IntStream.range(0, groups.size()).mapToObj(group -> label(telling, group)).toList();
    return labels.stream().distinct().count() == labels.size()
        ? labels
        : groups.stream()
            .map(group -> group.getFirst().directory().path().getFileName().toString())
            .toList();
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
        .map(entry -> shortened(entry.getKey()) + "=" + entry.getValue().get(group))
        .collect(Collectors.joining(", "));
  }

  private static boolean isKind(String key) {
    return key.endsWith(KIND);
  }

  private static String shortened(String key) {
    return isKind(key) ? key.substring(0, key.length() - KIND.length()) : key;
  }

  /**
   * The settings in which runs differ, other than the seed: key to each run's value, {@code -}
   * where a run lacks it.
   */
  public static SequencedMap<String, List<String>> differences(List<RunResults> runs) {
    SequencedMap<String, List<String>> differing = new LinkedHashMap<>();
    for (RunResults run : runs) {
      for (String key : run.settings().keySet()) {
        if (!key.equals("seed") && !differing.containsKey(key)) {
          differing.put(
              key, runs.stream().map(r -> r.settings().getOrDefault(key, MISSING)).toList());
        }
      }
    }
    differing.values().removeIf(values -> values.stream().distinct().count() == 1);
    return differing;
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
              : counts.stream().mapToDouble(run -> Sample.of(run.values(at)).mean()).toArray();
      points.add(new Curve.Point(part, part + 1, Sample.of(values)));
    }
    return new Curve(label, metric, Axis.PERCENTILES, points);
  }

  private Curve course(String metric, Axis axis) {
    TreeMap<Integer, List<double[]>> byRound = new TreeMap<>();
    for (RunResults run : runs) {
      MetricColumn column = run.metric(metric).orElse(null);
      for (int i = 0; column != null && i < column.rounds(); i++) {
        OptionalDouble x = x(run, column, i, axis);
        if (x.isPresent()) {
          double[] values =
              runs.size() == 1 ? column.values(i) : new double[] {column.sample(i).mean()};
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
      Sample sample = Sample.of(values);
      if (sample.count() > 0) {
        points.add(new Curve.Point(round, x, sample));
      }
    });
    return new Curve(label, metric, axis, points);
  }

  private static OptionalDouble x(RunResults run, MetricColumn column, int index, Axis axis) {
    return switch (axis) {
      case ROUNDS -> OptionalDouble.of(column.round(index) + 1);
      case TIME -> OptionalDouble.of(column.time(index));
      case BYTES -> bytes(run, column.round(index));
      case PERCENTILES -> OptionalDouble.empty();
    };
  }

  private static OptionalDouble bytes(RunResults run, int round) {
    Optional<MetricColumn> sent = run.metric(Metrics.BYTES_SENT);
    int index = sent.map(column -> column.indexUpTo(round)).orElse(-1);
    return index < 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(sent.orElseThrow().sample(index).mean());
  }

  /** Each run's mean over the nodes in the last round that has the metric; NaN where none has. */
  public double[] last(String metric) {
    return runs.stream()
        .mapToDouble(run ->
            run.metric(metric)
                .map(column -> column.sample(column.rounds() - 1).mean())
                .orElse(Double.NaN))
        .toArray();
  }

  /** Each run's best mean over the nodes; NaN where no round has the metric. */
  public double[] highest(String metric) {
    return runs.stream().mapToDouble(run -> highest(run, metric)).toArray();
  }

  private static double highest(RunResults run, String metric) {
    MetricColumn column = run.metric(metric).orElse(null);
    double highest = Double.NaN;
    for (int i = 0; column != null && i < column.rounds(); i++) {
      double mean = column.sample(i).mean();
      highest = Double.isNaN(highest) || mean > highest ? mean : highest;
    }
    return highest;
  }

  /** When each run's mean over the nodes first was {@code target} or more; empty where never. */
  public List<Optional<Reached>> reached(String metric, double target) {
    return runs.stream().map(run -> reached(run, metric, target)).toList();
  }

  private static Optional<Reached> reached(RunResults run, String metric, double target) {
    MetricColumn column = run.metric(metric).orElse(null);
    for (int i = 0; column != null && i < column.rounds(); i++) {
      if (column.sample(i).mean() >= target) {
        int round = column.round(i);
        return Optional.of(
            new Reached(round + 1, column.time(i), bytes(run, round).orElse(Double.NaN)));
      }
    }
    return Optional.empty();
  }

  /** Compares two groups run by run where their seeds agree, by their last values. */
  public PairedTest compare(RunGroup other, String metric) {
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
