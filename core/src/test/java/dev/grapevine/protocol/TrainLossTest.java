package dev.grapevine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.grapevine.runtime.Outcome;
import dev.grapevine.runtime.Runs;
import dev.grapevine.runtime.report.NodeReport;
import dev.grapevine.runtime.report.Observer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a protocol does in place of a plain step, its nodes say how well training goes. */
class TrainLossTest {

  static List<Entry> protocols() {
    return Entry.all();
  }

  @ParameterizedTest
  @MethodSource("protocols")
  void everyLearnerTellsItsTrainingLoss(Entry entry) {
    Map<Integer, Double> losses = new TreeMap<>();
    Trial trial = new Trial(entry, 1, 0.1);
    trial.observer =
        new Observer() {
          @Override
          public void roundFinished(NodeReport report) {
            losses.put(report.node(), report.trainLoss());
          }

          @Override
          public void reported(NodeReport report) {
            losses.put(report.node(), report.trainLoss());
          }
        };

    Outcome outcome = trial.run(Runs.simulated(1), 12);

    assertThat(outcome.ending()).as(outcome.reason()).isEqualTo(Outcome.Ending.DONE);
    losses.keySet().removeIf(node -> node >= trial.learners);
    assertThat(losses.keySet())
        .containsExactlyElementsOf(IntStream.range(0, trial.learners).boxed().toList());
    assertThat(losses.values()).allMatch(loss -> Double.isFinite(loss) && loss >= 0);
  }
}
