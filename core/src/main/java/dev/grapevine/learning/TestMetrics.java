package dev.grapevine.learning;

import static dev.grapevine.settings.SettingException.require;

import dev.grapevine.settings.Catalogue;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Family;
import dev.grapevine.settings.Kind;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.IntStream;

/** The metrics that come with Grapevine. */
public final class TestMetrics implements Catalogue {

  @Override
  public Family<?, ?> family() {
    return TestMetric.FAMILY;
  }

  @Override
  public List<Class<?>> kinds() {
    return List.of(F1.class, Auc.class, TopK.class, PerClass.class, Confusion.class);
  }

  private static SequencedMap<String, Double> one(String name, double value) {
    SequencedMap<String, Double> figures = new LinkedHashMap<>();
    if (!Double.isNaN(value)) {
      figures.put(name, value);
    }
    return figures;
  }

  @Kind(name = "f1", summary = "F1, the harmonic mean of precision and recall, mean over classes")
  static final class F1 implements TestMetric {

    F1() {}

    /** As scikit-learn's macro average: a class that is neither held nor answered counts 0. */
    @Override
    public SequencedMap<String, Double> of(Predictions predictions) {
      int[][] counts = predictions.confusion();
      double sum = 0;
      int classes = 0;
      for (int label = 0; label < counts.length; label++) {
        int at = label;
        int held = Arrays.stream(counts[label]).sum();
        int answered = Arrays.stream(counts).mapToInt(row -> row[at]).sum();
        if (held + answered > 0) {
          sum += 2.0 * counts[label][label] / (held + answered);
          classes++;
        }
      }
      return one("test_f1", classes == 0 ? Double.NaN : sum / classes);
    }
  }

  @Kind(
      name = "auc",
      summary = "area under the curve of each class against the others, mean over classes")
  static final class Auc implements TestMetric {

    Auc() {}

    @Override
    public SequencedMap<String, Double> of(Predictions predictions) {
      double sum = 0;
      int known = 0;
      for (int label = 0; label < predictions.classes(); label++) {
        double area = area(predictions, label);
        if (!Double.isNaN(area)) {
          sum += area;
          known++;
        }
      }
      return one("test_auc", known == 0 ? Double.NaN : sum / known);
    }

    /** By the ranks of the shares that a softmax gives (Mann and Whitney); ties count half. */
    private static double area(Predictions predictions, int label) {
      int samples = predictions.samples();
      double[] shares = new double[samples];
      Arrays.setAll(shares, sample -> share(predictions, sample, label));
      int[] order =
          IntStream.range(0, samples)
              .boxed()
              .sorted((a, b) -> Double.compare(shares[a], shares[b]))
              .mapToInt(Integer::intValue)
              .toArray();
      double ranks = 0;
      long held = 0;
      for (int start = 0; start < samples; ) {
        int end = start;
        while (end < samples && shares[order[end]] == shares[order[start]]) {
          end++;
        }
        for (int i = start; i < end; i++) {
          if (predictions.labels()[order[i]] == label) {
            ranks += (start + end + 1) / 2.0;
            held++;
          }
        }
        start = end;
      }
      long others = samples - held;
      return held == 0 || others == 0
          ? Double.NaN
          : (ranks - held * (held + 1) / 2.0) / ((double) held * others);
    }

    private static double share(Predictions predictions, int sample, int label) {
      double sum = 0;
      for (int other = 0; other < predictions.classes(); other++) {
        sum += Math.exp(predictions.score(sample, other) - predictions.score(sample, label));
      }
      return 1 / sum;
    }
  }

  @Kind(name = "top-k", summary = "share of samples whose class is among the k that score highest")
  static final class TopK implements TestMetric {

    /** How many. */
    public record Settings(@Default("5") @Doc("how many classes may be named, at least 1") int k) {
      public Settings {
        require(k >= 1, "k", "k must be at least 1: k=" + k);
      }
    }

    private final int k;

    TopK(Settings settings) {
      this.k = settings.k;
    }

    @Override
    public SequencedMap<String, Double> of(Predictions predictions) {
      long among =
          IntStream.range(0, predictions.samples())
              .filter(sample -> predictions.rank(sample) < k)
              .count();
      return one("test_top" + k, (double) among / predictions.samples());
    }
  }

  @Kind(name = "per-class", summary = "accuracy on the samples of each class alone")
  static final class PerClass implements TestMetric {

    PerClass() {}

    @Override
    public SequencedMap<String, Double> of(Predictions predictions) {
      int[][] counts = predictions.confusion();
      SequencedMap<String, Double> figures = new LinkedHashMap<>();
      for (int label = 0; label < counts.length; label++) {
        int held = Arrays.stream(counts[label]).sum();
        if (held > 0) {
          figures.put("class_%d_accuracy".formatted(label), (double) counts[label][label] / held);
        }
      }
      return figures;
    }
  }

  @Kind(
      name = "confusion",
      summary = "how many samples of each class were taken for each other, class by class")
  static final class Confusion implements TestMetric {

    Confusion() {}

    @Override
    public SequencedMap<String, Double> of(Predictions predictions) {
      int[][] counts = predictions.confusion();
      SequencedMap<String, Double> figures = new LinkedHashMap<>();
      for (int label = 0; label < counts.length; label++) {
        for (int answer = 0; answer < counts.length; answer++) {
          if (counts[label][answer] > 0) {
            figures.put("confusion_%d_%d".formatted(label, answer), (double) counts[label][answer]);
          }
        }
      }
      return figures;
    }
  }
}
