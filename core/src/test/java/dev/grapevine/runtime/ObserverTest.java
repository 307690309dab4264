package dev.grapevine.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.grapevine.learning.Learner;
import dev.grapevine.protocol.DPsgd;
import dev.grapevine.runtime.fault.Fault;
import dev.grapevine.runtime.fault.FaultPolicy;
import dev.grapevine.runtime.fault.InjectedFault;
import dev.grapevine.runtime.report.AverageModel;
import dev.grapevine.runtime.report.Metric;
import dev.grapevine.runtime.report.NodeOutcome;
import dev.grapevine.runtime.report.NodeReport;
import dev.grapevine.runtime.report.Observer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class ObserverTest {

  private static final int NODES = 7;
  private static final int ROUNDS = 6;

  private static final class Recorder implements Observer {

    final Map<String, Double> records = new ConcurrentSkipListMap<>();
    final Map<Integer, AverageModel> averages = new ConcurrentHashMap<>();
    final Map<Integer, NodeOutcome> ended = new ConcurrentHashMap<>();
    final Map<Integer, NodeReport> lastRounds = new ConcurrentHashMap<>();

    @Override
    public boolean evaluationDue(int node, int round) {
      return round % 3 == 2 && node < 2;
    }

    @Override
    public List<Metric> evaluate(int node, int round, Learner learner) {
      return List.of(new Metric("test_loss", learner.test().loss()));
    }

    @Override
    public boolean averageDue(int node, int round) {
      return round % 3 == 2;
    }

    @Override
    public List<Metric> evaluateAverage(AverageModel average) {
      averages.put(average.round(), average);
      return List.of(new Metric("consensus", average.consensusDistance()));
    }

    @Override
    public void record(int node, int round, String metric, double value, Duration time) {
      records.put(node + " " + round + " " + metric, value);
    }

    @Override
    public void roundFinished(NodeReport report) {
      lastRounds.put(report.node(), report);
    }

    @Override
    public void nodeEnded(NodeOutcome outcome) {
      ended.put(outcome.node(), outcome);
    }
  }

  private static Recorder observe(Clock clock, List<NodeSetup> nodes, List<InjectedFault> faults) {
    Recorder recorder = new Recorder();
    Plan plan =
        new Plan(
            nodes,
            CirculantTopology.ring(NODES),
            ROUNDS,
            1,
            FaultPolicy.goOn(Duration.ofSeconds(20)),
            faults);
    Outcome outcome = clock.runtime().run(plan, recorder);
    assertThat(outcome.reason()).isEmpty();
    return recorder;
  }

  @ParameterizedTest
  @EnumSource
  void evaluatesWhereItIsDueAndAveragesAllModels(Clock clock) {
    List<NodeSetup> nodes = Runs.quadratics(NODES, 8, node -> new DPsgd());

    Recorder recorder = observe(clock, nodes, List.of());

    assertThat(recorder.records.keySet())
        .containsExactlyInAnyOrder(
            "0 2 test_loss",
            "0 5 test_loss",
            "1 2 test_loss",
            "1 5 test_loss",
            "-1 2 consensus",
            "-1 5 consensus");
    assertThat(recorder.ended).hasSize(NODES);
    assertThat(recorder.lastRounds.get(3).round()).isEqualTo(ROUNDS - 1);
    assertThat(recorder.lastRounds.get(3).trainLoss()).isPositive();
    AverageModel last = recorder.averages.get(ROUNDS - 1);
    assertThat(last.nodes()).isEqualTo(NODES);
    double distance = 0;
    for (int i = 0; i < Runs.PARAMETERS; i++) {
      double mean = 0;
      for (float[] model : Runs.models(nodes)) {
        mean += (double) model[i] / NODES;
      }
      assertThat((double) last.parameters()[i]).isCloseTo(mean, within(1e-6));
      for (float[] model : Runs.models(nodes)) {
        distance += (model[i] - mean) * (model[i] - mean) / NODES;
      }
    }
    assertThat(last.consensusDistance()).isCloseTo(Math.sqrt(distance), within(1e-5));
  }

  @ParameterizedTest
  @EnumSource
  void anAverageDoesNotWaitForANodeThatFailed(Clock clock) {
    List<NodeSetup> nodes = Runs.quadratics(NODES, 8, node -> new DPsgd());

    Recorder recorder = observe(clock, nodes, List.of(new InjectedFault(Fault.THROWS, 4, 3)));

    assertThat(recorder.averages.get(2).nodes()).isEqualTo(NODES);
    assertThat(recorder.averages.get(5).nodes()).isEqualTo(NODES - 1);
    assertThat(recorder.ended.get(4).status()).isEqualTo(NodeOutcome.Status.FAILED);
  }
}
