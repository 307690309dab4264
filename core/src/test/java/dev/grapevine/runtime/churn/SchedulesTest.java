package dev.grapevine.runtime.churn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.UserException;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.ExperimentCheck;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where absences come from, as an experiment file says it. */
class SchedulesTest {

  private static final String BASE =
      """
      name = "churn"
      seed = 3
      [nodes]
      count = 4
      [topology]
      kind = "ring"
      [data]
      set = "digits"
      [model]
      kind = "mlp"
      [faults.churn]
      """;

  @TempDir private Path folder;

  private static Churn churn(String table) {
    return Experiment.parse(BASE + table).faults().churn();
  }

  private static List<String> absences(Churn churn, int node) {
    List<String> texts = new ArrayList<>();
    Iterator<Absence> all = churn.absences(node);
    while (all.hasNext() && texts.size() < 4) {
      Absence each = all.next();
      texts.add("%s - %s %s".formatted(each.from(), each.to(), each.with()));
    }
    return texts;
  }

  @Test
  void aListSaysWhoIsDownWhen() {
    Churn churn =
        churn(
            """
            kind = "list"
            absences = [
              {nodes = "1-2", from = "20 s", to = "35 s", with = "fresh"},
              {nodes = "1", from = "2 s", to = "3 s"},
              {nodes = "3", to-round = 4, with = "neighbour"},
              {nodes = "0", from-round = 7},
            ]
            """);
    assertThat(absences(churn, 1)).containsExactly("2.0 s - 3.0 s MEMORY", "20.0 s - 35.0 s FRESH");
    assertThat(absences(churn, 2)).containsExactly("20.0 s - 35.0 s FRESH");
    assertThat(absences(churn, 3)).containsExactly("0.0 s - round 4 NEIGHBOUR");
    assertThat(absences(churn, 0)).containsExactly("round 7 - null MEMORY");
    assertThat(churn.ways())
        .containsExactlyInAnyOrder(
            ComesBackWith.MEMORY, ComesBackWith.FRESH, ComesBackWith.NEIGHBOUR);
  }

  @Test
  void ratesAreThoseThatWereAskedForAndComeFromTheSeed() {
    String table = "kind = \"rate\"\nup = \"50 s\"\ndown = \"10 s\"";
    Iterator<Absence> all = churn(table).absences(2);
    double up = 0;
    double down = 0;
    long before = 0;
    int count = 20_000;
    for (int i = 0; i < count; i++) {
      Absence each = all.next();
      Moment end = each.to();
      assertThat(end).isNotNull();
      up += each.from().at() - before;
      down += end.at() - each.from().at();
      before = end.at();
    }
    assertThat(up / count / 1e9).isCloseTo(50, within(1.5));
    assertThat(down / count / 1e9).isCloseTo(10, within(0.3));
    assertThat(absences(churn(table), 2)).isEqualTo(absences(churn(table), 2));
    assertThat(absences(churn(table), 1)).isNotEqualTo(absences(churn(table), 2));
    assertThat(absences(churn(table + "\nfor-good = 1.0\nnodes = \"1\""), 1)).hasSize(1);
    assertThat(absences(churn(table + "\nnodes = \"1\""), 2)).isEmpty();
  }

  @Test
  void aTraceIsReadFromCsv() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("trace.csv"),
            """
            node,time,event,with
            1,20,leave,
            1,35.5,join,fresh
            2,60,join,
            0,120,leave,
            """);
    Churn churn = churn("kind = \"trace\"\nfile = \"%s\"".formatted(file));
    assertThat(absences(churn, 1)).containsExactly("20.0 s - 35.5 s FRESH");
    assertThat(absences(churn, 2)).containsExactly("0.0 s - 60.0 s MEMORY");
    assertThat(absences(churn, 0)).containsExactly("120.0 s - null MEMORY");
    assertThat(absences(churn, 3)).isEmpty();

    Files.writeString(file, "node,round,event\n1,4,leave\n1,6,join\n");
    assertThat(absences(churn("kind = \"trace\"\nfile = \"%s\"".formatted(file)), 1))
        .containsExactly("round 4 - round 6 MEMORY");

    Files.writeString(file, "node,round,event\n9,4,leave\n");
    assertThatThrownBy(() -> churn("kind = \"trace\"\nfile = \"%s\"".formatted(file)))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("line 2")
        .hasMessageContaining("a node below 4");
  }

  @Test
  void whoJoinsAndLeavesAtOnceWasNotThere() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("trace.csv"),
            """
            node,round,event
            1,4,join
            1,4,leave
            2,3,join
            2,5,leave
            2,6,join
            2,6,leave
            2,8,join
            """);
    Churn churn = churn("kind = \"trace\"\nfile = \"%s\"".formatted(file));
    assertThat(absences(churn, 1)).containsExactly("0.0 s - null MEMORY");
    assertThat(absences(churn, 2))
        .containsExactly("0.0 s - round 3 MEMORY", "round 5 - round 8 MEMORY");
  }

  @Test
  void whoSaysWhatComesAfterTheLastRoundHearsIt() throws Exception {
    String note = "faults.churn has no effect: nobody goes before round 30, and the run has 20";
    String late = "kind = \"list\"\nabsences = [{nodes = \"1\", from-round = 30}%s]";
    assertThat(ignored(late.formatted(""))).singleElement().asString().startsWith(note);
    assertThat(ignored(late.formatted(", {nodes = \"2\", from-round = 19}"))).isEmpty();
    assertThat(ignored(late.formatted(", {nodes = \"2\", to-round = 2}"))).isEmpty();
    assertThat(ignored(late.formatted(", {nodes = \"2\", from = \"1 min\"}"))).isEmpty();
    Path file =
        Files.writeString(folder.resolve("trace.csv"), "node,round,event\n1,30,leave\n1,32,join\n");
    assertThat(ignored("kind = \"trace\"\nfile = \"%s\"".formatted(file)))
        .singleElement()
        .asString()
        .startsWith(note);
  }

  private static List<String> ignored(String table) {
    return ExperimentCheck.ignored(Experiment.parse("rounds = 20\n" + BASE + table));
  }

  @Test
  void aTraceThatSaysNothingOrTwoThingsIsRefused() throws Exception {
    refusedTrace("node,round,event\n", "has no events");
    refusedTrace("", "has no events");
    refusedTrace("node,time,round,event\n1,2,,leave\n1,,4,join\n", "node=1");
    refusedTrace("node,time,round,event\n1,2,3,leave\n", "not both");
    refusedTrace("node,round,round,event\n1,2,3,leave\n", "is not a CSV file");
    refusedTrace("node;round;event\n1;2;leave\n", "separated by commas");
    Path directory = Files.createDirectory(folder.resolve("directory.csv"));
    assertThatThrownBy(() -> churn("kind = \"trace\"\nfile = \"%s\"".formatted(directory)))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("cannot read " + directory);
  }

  private void refusedTrace(String text, String what) throws Exception {
    Path file = Files.writeString(folder.resolve("trace.csv"), text);
    assertThatThrownBy(() -> churn("kind = \"trace\"\nfile = \"%s\"".formatted(file)))
        .isInstanceOf(UserException.class)
        .hasMessageContaining(what);
  }

  @Test
  void phonesMayBeThereWithoutAGapOrForNoTime() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("trace.json"),
            """
            {"1": {"active": [0, 5], "inactive": [5, 10], "finish_time": 10},
             "2": {"active": [1, 3, 3], "inactive": [3, 3, 6], "finish_time": 10}}
            """);
    Churn churn = churn("kind = \"fedscale\"\nfile = \"%s\"\nshuffle = false".formatted(file));
    assertThat(absences(churn, 0)).isEmpty();
    assertThat(absences(churn, 1)).startsWith("0.0 s - 1.0 s MEMORY", "6.0 s - 11.0 s MEMORY");

    Files.writeString(file, "{\"1\": {\"active\": [5], \"inactive\": [5], \"finish_time\": 10}}");
    assertThatThrownBy(() -> churn("kind = \"fedscale\"\nfile = \"%s\"".formatted(file)))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("client 1")
        .hasMessageContaining("never there");
  }

  @Test
  void fedScalesTraceRepeatsAfterItsEnd() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("trace.json"),
            """
            {"1": {"duration": 9, "inactive": [300, 900], "finish_time": 1000, "active": [0, 700]},
             "2": {"inactive": [1000], "finish_time": 1000, "active": [0]},
             "7": {"inactive": [800, 1000], "finish_time": 1000, "active": [100, 800]}}
            """);
    Churn churn =
        churn(
            "kind = \"fedscale\"\nfile = \"%s\"\nshuffle = false\nspeedup = 10.0".formatted(file));
    assertThat(absences(churn, 0))
        .containsExactly(
            "30.0 s - 70.0 s MEMORY",
            "90.0 s - 100.0 s MEMORY",
            "130.0 s - 170.0 s MEMORY",
            "190.0 s - 200.0 s MEMORY");
    assertThat(absences(churn, 1)).isEmpty();
    assertThat(absences(churn, 2)).startsWith("0.0 s - 10.0 s MEMORY", "100.0 s - 110.0 s MEMORY");
    assertThat(absences(churn, 3)).isEqualTo(absences(churn, 0));

    Files.writeString(file, "{\"1\": {\"active\": [5], \"inactive\": [3], \"finish_time\": 10}}");
    assertThatThrownBy(() -> churn("kind = \"fedscale\"\nfile = \"%s\"".formatted(file)))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("client 1");
  }

  /** On a virtual clock, as many would come and go in no time as there are ns in a round. */
  @Test
  void comingAndGoingTakesTime() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("trace.json"),
            "{\"1\": {\"active\": [0], \"inactive\": [1], \"finish_time\": 2}}");
    String table = "kind = \"fedscale\"\nfile = \"%s\"\nspeedup = ".formatted(file);
    assertThat(absences(churn(table + "1e3"), 1)).isNotEmpty();
    assertThatThrownBy(() -> churn(table + "1e4"))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("client 1")
        .hasMessageContaining("finish_time is 2.0E-4 s and must be at least 0.001 s");
    assertThatThrownBy(() -> churn("kind = \"rate\"\nup = \"1 us\"\ndown = \"1 s\""))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("at least 1 ms");
  }

  @Test
  void mistakesAreToldInASentence() {
    refused("absences = [{nodes = \"9\", from = \"1 s\"}]", "nodes");
    refused("absences = [{nodes = \"1\", from = \"5 s\", to = \"2 s\"}]", "must end after");
    refused("absences = [{nodes = \"1\", from = \"5 s\", to-round = 2}]", "not one of each");
    refused("absences = [{nodes = \"1\"}]", "never there");
    refused(
        "absences = [{nodes = \"1\", from = \"1 s\", to = \"5 s\"}, {nodes = \"1\", from = \"2 s\"}]",
        "while it is down");
    refused(
        "absences = [{nodes = \"1\", from = \"1 s\", to = \"5 s\", with = \"checkpoint\"}]",
        "checkpoint.every");
  }

  private static void refused(String list, String what) {
    assertThatThrownBy(
            () -> ExperimentCheck.check(Experiment.parse(BASE + "kind = \"list\"\n" + list)))
        .isInstanceOf(UserException.class)
        .hasMessageContaining(what);
  }
}
