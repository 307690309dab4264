package dev.grapevine.app.zoo;

import dev.grapevine.UserException;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.ExperimentCheck;
import dev.grapevine.experiment.Sweep;
import dev.grapevine.protocol.Protocol;
import dev.grapevine.settings.KindDescription;
import dev.grapevine.settings.SettingException;
import dev.grapevine.sharing.Encoding;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The rows of a file that are to be compared: those that can run, and those that cannot with the
 * reason.
 *
 * @param rows those that can run, each with the runs of its seeds
 * @param refused the reason of each row that cannot
 * @param missing kinds of protocols and schemes that no row of the file names
 */
record Zoo(
    SequencedMap<String, Animal> rows, SequencedMap<String, String> refused, List<String> missing) {

  /** The scheme that rows have which say nothing of sharing. */
  private static final String PLAIN = "full";

  private static final String BASELINE = "d-psgd";

  /**
   * One row.
   *
   * @param group what it is drawn with
   * @param points one for each seed
   */
  record Animal(String group, List<Sweep.Point> points) {}

  static Zoo of(
      Experiment experiment, List<String> only, boolean cross, int seeds, Path dataDirectory) {
    List<Sweep.Row> rows = Sweep.rows(experiment);
    if (rows.isEmpty()) {
      throw new UserException(
          "the file has no rows to compare: it needs a table [sweep] with mode = \"rows\" and tables"
              + " [[sweep.rows]], as examples/zoo.toml has them");
    }
    List<String> missing = missing(rows, experiment);
    List<Sweep.Row> all = new ArrayList<>(rows);
    if (cross) {
      all.addAll(pairs(rows));
    }
    List<Sweep.Row> wanted = wanted(all, only);
    SequencedMap<String, Animal> able = new LinkedHashMap<>();
    SequencedMap<String, String> refused = new LinkedHashMap<>();
    for (Sweep.Row row : wanted) {
      try {
        ExperimentCheck.check(row.experiment(), dataDirectory);
        List<Sweep.Point> points = new ArrayList<>();
        for (int seed = 0; seed < seeds; seed++) {
          points.add(row.point(row.experiment().seed() + seed));
        }
        able.put(row.name(), new Animal(row.group(), points));
      } catch (UserException | SettingException reason) {
        refused.put(row.name(), firstLine(String.valueOf(reason.getMessage())));
      }
    }
    return new Zoo(able, refused, missing);
  }

  private static String firstLine(String message) {
    return message.lines().findFirst().orElse(message);
  }

  /** Every protocol that is there with full sharing, with every scheme of the file's. */
  private static List<Sweep.Row> pairs(List<Sweep.Row> rows) {
    List<Sweep.Row> pairs = new ArrayList<>();
    for (Sweep.Row protocol : rows) {
      for (Sweep.Row scheme : rows) {
        if (sharing(protocol).equals(PLAIN)
            && !protocol(protocol).equals(BASELINE)
            && !sharing(scheme).equals(PLAIN)
            && protocol(scheme).equals(BASELINE)) {
          pairs.add(protocol.with(scheme, "sharing"));
        }
      }
    }
    return pairs;
  }

  private static String protocol(Sweep.Row row) {
    return row.experiment().protocol().name();
  }

  private static String sharing(Sweep.Row row) {
    return row.experiment().sharing().name();
  }

  private static List<Sweep.Row> wanted(List<Sweep.Row> rows, List<String> only) {
    if (only.isEmpty()) {
      return rows;
    }
    Set<Sweep.Row> chosen = new LinkedHashSet<>();
    for (String name : only) {
      List<Sweep.Row> fitting = rows.stream().filter(row -> fits(row, name.strip())).toList();
      if (fitting.isEmpty()) {
        throw new UserException(
            "no row is called %s; there are: %s"
                .formatted(name, String.join(", ", rows.stream().map(Sweep.Row::name).toList())));
      }
      chosen.addAll(fitting);
    }
    return List.copyOf(chosen);
  }

  private static boolean fits(Sweep.Row row, String name) {
    return Stream.of(row.name(), row.group())
            .anyMatch(each -> each.toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT)))
        || (protocol(row).equals(name) && sharing(row).equals(PLAIN))
        || (sharing(row).equals(name) && protocol(row).equals(BASELINE));
  }

  /** Kinds of protocols and schemes that no row names. */
  static List<String> missing(List<Sweep.Row> rows, Experiment experiment) {
    Set<String> present = new LinkedHashSet<>();
    for (Sweep.Row row : rows) {
      present.add("protocol " + protocol(row));
      present.add("sharing " + sharing(row));
    }
    return Stream.concat(
            experiment.registry().kinds(Protocol.FAMILY).stream()
                .map(KindDescription::name)
                .map(name -> "protocol " + name),
            experiment.registry().kinds(Encoding.FAMILY).stream()
                .map(KindDescription::name)
                .map(name -> "sharing " + name))
        .filter(kind -> !present.contains(kind))
        .toList();
  }

  List<Sweep.Point> points() {
    return rows.values().stream().flatMap(animal -> animal.points().stream()).toList();
  }

  /** The points of each row. */
  Map<String, List<Sweep.Point>> byRow() {
    Map<String, List<Sweep.Point>> points = new LinkedHashMap<>();
    rows.forEach((name, animal) -> points.put(name, animal.points()));
    return points;
  }
}
