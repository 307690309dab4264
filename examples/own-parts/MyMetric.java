import dev.grapevine.learning.Predictions;
import dev.grapevine.learning.TestMetric;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/**
 * An own metric in one file: on what share of the test samples the model is both wrong and sure,
 * that is, scores its answer higher than the right one by 2 or more.
 */
public final class MyMetric implements TestMetric {

  @Override
  public SequencedMap<String, Double> of(Predictions predictions) {
    int sure = 0;
    for (int sample = 0; sample < predictions.samples(); sample++) {
      float right = predictions.score(sample, predictions.labels()[sample]);
      float given = predictions.score(sample, predictions.answer(sample));
      sure += given - right >= 2 ? 1 : 0;
    }
    SequencedMap<String, Double> figures = new LinkedHashMap<>();
    figures.put("sure_errors", (double) sure / predictions.samples());
    return figures;
  }
}
