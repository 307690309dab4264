package dev.grapevine.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.UserException;
import dev.grapevine.engine.Model;
import dev.grapevine.engine.Safetensors;
import dev.grapevine.experiment.Experiment;
import dev.grapevine.experiment.ExperimentCheck;
import dev.grapevine.learning.Evaluation;
import dev.grapevine.results.LinkTraffic;
import dev.grapevine.results.Metrics;
import dev.grapevine.results.RunDirectory;
import dev.grapevine.results.SavedRun;
import dev.grapevine.runtime.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunTest {

  private static final String SMALL =
      """
      name = "small"
      rounds = 4
      [nodes]
      count = 4
      [topology]
      kind = "ring"
      [data]
      set = "blobs"
      partition = "shards"
      [model]
      kind = "logistic"
      [training]
      rate = 0.1
      [evaluation]
      every = 2
      average-model = true
      consensus = true
      """;

  @TempDir private Path folder;

  @Test
  void theTrainingSetIsEvaluatedWhereAskedFor() {
    RunResult result = run("training-set", "evaluation.training-set=true", "nodes.count=1");
    SavedRun saved = SavedRun.read(folder.resolve("training-set"));
    assertThat(saved.metric(Metrics.TRAINING_SET_ACCURACY)).isPresent();
    double loss = saved.metric(Metrics.TRAINING_SET_LOSS).orElseThrow().spread(1).mean();
    assertThat(loss)
        .as("of the model after the round, not of the steps that led to it")
        .isNotEqualTo(saved.metric(Metrics.TRAIN_LOSS).orElseThrow().spread(1).mean())
        .isPositive();
    assertThat(saved.metric(Metrics.SECONDS_PROCESSOR).orElseThrow().spread(1).mean())
        .as("a node's processor time")
        .isPositive();
    assertThat(result.outcome().ending()).isEqualTo(Outcome.Ending.DONE);
    run("without");
    assertThat(SavedRun.read(folder.resolve("without")).metric(Metrics.TRAINING_SET_LOSS))
        .isEmpty();
  }

  @Test
  void theAverageModelAloneIsEvaluatedWhereAskedFor() {
    run("central", "evaluation.local=false");
    SavedRun saved = SavedRun.read(folder.resolve("central"));
    assertThat(saved.metric(Metrics.TEST_ACCURACY)).isEmpty();
    assertThat(saved.metric(Metrics.AVERAGE_ACCURACY)).isPresent();
    run("usual");
    assertThat(saved.metric(Metrics.AVERAGE_ACCURACY).orElseThrow().spread(1).mean())
        .isEqualTo(
            SavedRun.read(folder.resolve("usual"))
                .metric(Metrics.AVERAGE_ACCURACY)
                .orElseThrow()
                .spread(1)
                .mean());
    assertThatThrownBy(
            () -> run("none", "evaluation.local=false", "evaluation.average-model=false"))
        .hasMessageContaining("average-model = true");
    assertThatThrownBy(() -> run("stop", "evaluation.local=false", "stop.accuracy=0.9"))
        .hasMessageContaining("could not stop by it");
  }

  private RunResult run(String name, String... settings) {
    Experiment experiment = Experiment.parse(SMALL).with(List.of(settings));
    return Run.of(experiment).into(folder.resolve(name)).start();
  }

  @Test
  void recordsEveryNodeInEveryDueRound() {
    SavedRun results = run("a").read();

    for (String metric : List.of(Metrics.TEST_ACCURACY, Metrics.TRAIN_LOSS, Metrics.BYTES_SENT)) {
      var column = results.metric(metric).orElseThrow();
      assertThat(column.rounds()).as(metric).isEqualTo(2);
      assertThat(column.values(1)).as(metric).hasSize(4);
    }
    assertThat(results.metric(Metrics.AVERAGE_ACCURACY)).isPresent();
    assertThat(results.metric(Metrics.CONSENSUS_DISTANCE)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"federated", "parameter-server", "stc"})
  void theClientsOfAServerCountToo(String protocol) {
    RunResult result =
        run(
            "a",
            "protocol.kind=" + protocol,
            "evaluation.consensus=false",
            "evaluation.average-model=false");

    assertThat(result.outcome().ending()).isEqualTo(Outcome.Ending.DONE);
    assertThat(result.summary().bytesSent().count()).isEqualTo(5);
    assertThat(result.summary().bytesSent().mean())
        .isEqualTo(result.summary().bytesReceived().mean());
    assertThat(result.summary().trainSeconds()).isPositive();
    var sent = result.read().metric(Metrics.BYTES_SENT).orElseThrow();
    assertThat(sent.nodes(sent.rounds() - 1)).containsExactly(0, 1, 2, 3, 4);
    assertThat(sent.values(sent.rounds() - 1)).doesNotContain(0);
    var trained = result.read().metric(Metrics.SECONDS_TRAIN).orElseThrow();
    assertThat(trained.value(trained.rounds() - 1, 2).orElseThrow()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"live", "simulated"})
  void writesTheBytesOfEveryLink(String runtime) {
    RunResult result = run("a", "runtime.kind=" + runtime);

    var links = result.read().links().orElseThrow().links();
    assertThat(links).hasSize(8);
    assertThat(links.getFirst().from()).isZero();
    assertThat(links.getFirst().to()).isEqualTo(1);
    assertThat(links.stream().mapToLong(LinkTraffic.Link::bytes).sum())
        .isEqualTo(4 * (long) result.summary().bytesSent().mean());
    assertThat(run("silent", "evaluation.link-traffic=false").read().links()).isEmpty();
  }

  @Test
  void linksCanBeLookedAtWhileARunGoes() {
    Path directory = folder.resolve("a");
    Queue<Long> whileItGoes = new ConcurrentLinkedQueue<>();

    RunResult result =
        Run.of(Experiment.parse(SMALL))
            .into(directory)
            .listener(progress ->
                SavedRun.readWithoutMetrics(directory)
                    .links()
                    .ifPresent(links -> whileItGoes.add(links.links().getFirst().bytes())))
            .start();

    long inTheEnd = result.read().links().orElseThrow().links().getFirst().bytes();
    assertThat(whileItGoes).anyMatch(bytes -> bytes > 0 && bytes < inTheEnd);
  }

  @Test
  void writesHowOftenCoordinatesWereSharedWhenAsked() {
    String scheme = "sharing.kind=subsampling";
    assertThat(run("silent", scheme).read().shareCounts()).isEmpty();

    var counts = run("a", scheme, "sharing.count-shares=true").read().shareCounts().orElseThrow();

    assertThat(counts.byNode().keySet()).containsExactly(0, 1, 2, 3);
    assertThat(counts.byNode().get(0)).isSorted().hasSize(100);
    assertThat(counts.byNode().get(0)[99]).isBetween(1.0, 4.0);
  }

  @Test
  void leavesACompleteDirectory() throws Exception {
    RunResult result = run("a");

    Path directory = result.directory().path();
    assertThat(result.outcome().ending()).isEqualTo(Outcome.Ending.DONE);
    assertThat(directory.resolve("topology.edges")).hasContent("4\n0 1\n0 3\n1 2\n2 3\n");
    assertThat(Files.readString(directory.resolve("summary.json")))
        .contains(
            "test_accuracy_mean",
            "test_accuracy_std",
            "test_loss_mean",
            "bytes_sent_per_node_mean",
            "bytes_received_per_node_mean",
            "wall_seconds",
            "virtual_seconds",
            "train_seconds_total",
            "peak_memory_bytes",
            "trace_hash");
    assertThat(Experiment.read(directory.resolve("experiment.toml")))
        .isEqualTo(Experiment.parse(SMALL));
  }

  /** Models with all that a node keeps from round to round: statistics, momentum, dropout. */
  private static final List<List<String>> MODELS =
      List.of(
          List.of(),
          List.of("data.set=digits", "model.kind=small-cnn", "training.optimizer=adam"),
          List.of(
              "data.set=digits",
              "model.kind=resnet20",
              "model.norm=batch",
              "training.steps=1",
              "evaluation.samples=20"));

  static List<Arguments> runtimesAndModels() {
    List<Arguments> cases = new ArrayList<>();
    for (String setting :
        List.of(
            "network.transport=tcp",
            "runtime.kind=simulated",
            "runtime.threads=1",
            "runtime.threads=3")) {
      for (List<String> model : MODELS) {
        cases.add(Arguments.of(setting, model));
      }
    }
    return cases;
  }

  @ParameterizedTest
  @MethodSource("runtimesAndModels")
  void anyRuntimeGivesTheSameModels(String setting, List<String> model) {
    double[] expected = accuracyAndLoss(run("live", model.toArray(String[]::new)));

    List<String> other = new ArrayList<>(model);
    other.add(setting);
    assertThat(accuracyAndLoss(run("other", other.toArray(String[]::new)))).isEqualTo(expected);
  }

  private static double[] accuracyAndLoss(RunResult result) {
    return new double[] {
      result.summary().testAccuracy().mean(),
      result.summary().testLoss().mean(),
      result.summary().averageLoss(),
      result.summary().bytesSent().mean()
    };
  }

  @Test
  void theTraceHashDependsOnTheSeedAlone() {
    String first = hash(run("a", "runtime.kind=simulated", "runtime.threads=1"));

    assertThat(hash(run("b", "runtime.kind=simulated", "runtime.threads=4"))).isEqualTo(first);
    assertThat(hash(run("c", "runtime.kind=simulated", "seed=91"))).isNotEqualTo(first);
  }

  private static String hash(RunResult result) {
    return result.outcome().traceHash().orElseThrow();
  }

  @Test
  void nodesLearnFromOneAnother() {
    double together = run("a", "rounds=30").summary().testAccuracy().mean();
    double alone =
        run("b", "rounds=30", "protocol.kind=no-communication").summary().testAccuracy().mean();

    assertThat(together).isGreaterThan(alone + 0.1);
  }

  @Test
  void anOverrideChangesSomeNodesOnly() {
    Experiment experiment =
        Experiment.parse(
            SMALL
                + """
                [[override]]
                nodes = "1"
                training.rate = 0.0000001
                """);
    SavedRun results =
        Run.of(experiment.with("protocol.kind", "no-communication"))
            .into(folder.resolve("a"))
            .start()
            .read();

    double[] losses = results.metric(Metrics.TRAIN_LOSS).orElseThrow().values(1);
    assertThat(losses[1]).isGreaterThan(losses[0]);
  }

  @Test
  void evaluatesAsManyNodesAsAsked() {
    SavedRun results = run("a", "evaluation.nodes=2", "evaluation.samples=10").read();

    double[] accuracies = results.metric(Metrics.TEST_ACCURACY).orElseThrow().values(1);
    assertThat(java.util.Arrays.stream(accuracies).filter(a -> !Double.isNaN(a))).hasSize(2);
  }

  @Test
  void tellsHowFarItHasGot() {
    List<RunProgress> heard = Collections.synchronizedList(new ArrayList<>());
    Run.of(Experiment.parse(SMALL)).into(folder.resolve("a")).listener(heard::add).start();

    assertThat(heard).hasSize(16);
    assertThat(heard.getLast().done()).isEqualTo(1);
    assertThat(heard.getLast().round()).isEqualTo(4);
  }

  static List<List<String>> models() {
    return MODELS;
  }

  @ParameterizedTest
  @MethodSource("models")
  void savesModelsThatCanBeReadBack(List<String> settings) throws Exception {
    Experiment experiment = Experiment.parse(SMALL).with(settings);
    RunResult result = Run.of(experiment).into(folder.resolve("a")).savesModels(true).start();

    Assembly assembly = new Assembly(experiment, folder);
    var losses = result.read().metric(Metrics.TEST_LOSS).orElseThrow();
    for (int node = 0; node < 4; node++) {
      Model model = assembly.learners().get(node).model();
      float[] parameters = new float[model.parameterCount()];
      float[] statistics = new float[model.statisticsCount()];
      Safetensors.read(result.directory().modelFile(node), model, parameters, statistics);
      Evaluation evaluation = assembly.testEvaluator().evaluate(parameters, statistics);
      assertThat(evaluation.loss())
          .as("node %d", node)
          .isCloseTo(losses.value(losses.rounds() - 1, node).orElseThrow(), within(1e-6));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "faults.inject=[{fault = \"throws\", node = 9}]",
        "evaluation.nodes=5",
        "evaluation.validation=true",
        "nodes.count=100000",
        "model.kind=gn-lenet",
        "sharing.kind=dcd"
      })
  void refusesWhatACheckRefusesInTheSameWords(String setting) {
    Experiment experiment =
        Experiment.parse(SMALL).with(List.of(setting, "nodes.same-start=false"));
    assertThatThrownBy(() -> ExperimentCheck.check(experiment, folder))
        .isInstanceOf(UserException.class)
        .satisfies(refusal ->
            assertThatThrownBy(() -> Run.of(experiment).into(folder.resolve("a")).start())
                .isInstanceOf(UserException.class)
                .hasMessage(refusal.getMessage()));
    assertThat(folder.resolve("a")).doesNotExist();
  }

  @Test
  void refusesADirectoryThatHoldsSomethingElse() throws Exception {
    Files.writeString(folder.resolve("mine.txt"), "keep");

    assertThatThrownBy(() -> Run.of(Experiment.parse(SMALL)).into(folder).start())
        .isInstanceOf(UserException.class)
        .hasMessageContaining("not empty");
    assertThat(folder.resolve("mine.txt")).hasContent("keep");
  }

  @Test
  void aMistakeLeavesNoDirectoryBehind() {
    assertThatThrownBy(() -> run("a", "nodes.count=100000"))
        .isInstanceOf(UserException.class)
        .hasMessageContaining("more nodes than");
    assertThat(folder.resolve("a")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"live", "simulated"})
  void anInterruptKeepsWhatWasRecorded(String runtime) {
    Thread runner = Thread.currentThread();
    RunResult result =
        Run.of(Experiment.parse(SMALL).with(List.of("rounds=100000", "runtime.kind=" + runtime)))
            .into(folder.resolve("a"))
            .listener(progress -> {
              if (progress.round() == 10) {
                runner.interrupt();
              }
            })
            .start();

    assertThat(result.outcome().ending()).isEqualTo(Outcome.Ending.INTERRUPTED);
    assertThat(result.read().metric(Metrics.TEST_ACCURACY).orElseThrow().rounds()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(strings = {"live", "simulated"})
  void anInterruptEndsTrainingThatWouldTakeHours(String runtime) {
    Thread runner = Thread.currentThread();
    RunResult result =
        Run.of(
                Experiment.parse(
                        SMALL
                            + """
                            [[override]]
                            nodes = "3"
                            training.steps = 2000000000
                            """)
                    .with(
                        List.of(
                            "runtime.kind=" + runtime,
                            "runtime.threads=2",
                            "protocol.kind=no-communication")))
            .into(folder.resolve("a"))
            .listener(progress -> runner.interrupt())
            .start();

    assertThat(result.outcome().ending()).isEqualTo(Outcome.Ending.INTERRUPTED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"live", "simulated"})
  void anInterruptBeforeTheFirstRoundEndsItInOrder(String clock) {
    List<Forecast> forecasts = new ArrayList<>();
    Run run =
        Run.of(
                Experiment.parse(SMALL)
                    .with(List.of("runtime.kind=" + clock, "training.steps=1000000000")))
            .into(folder.resolve(clock))
            .forecasts(true)
            .listener(
                new ProgressListener() {
                  @Override
                  public void progress(RunProgress progress) {}

                  @Override
                  public void begun(RunDirectory directory) {
                    Thread.currentThread().interrupt();
                  }

                  @Override
                  public void expected(Forecast forecast) {
                    forecasts.add(forecast);
                  }
                });

    RunResult result = run.start();
    Thread.interrupted();

    assertThat(result.outcome().ending()).isEqualTo(Outcome.Ending.INTERRUPTED);
    assertThat(SavedRun.read(folder.resolve(clock)).outcome()).isEqualTo("interrupted");
    assertThat(forecasts).as("of what nobody has measured").isEmpty();
  }
}
