package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.ChannelTerms;
import java.util.Arrays;

/** {@link BatchNorm2d} at work. */
final class BatchNormPass implements Pass {

  private static final double MOMENTUM = 0.1;

  private final Binding binding;
  private final AffineStage stage;
  private final ChannelTerms terms;
  private final int channels;
  private final int pixels;
  private final double[] means;
  private final double[] inverseDeviations;
  private final double[] sums;
  private final double[] products;

  BatchNormPass(BatchNorm2d layer, Binding binding) {
    this.binding = binding;
    this.stage = new AffineStage(binding, layer.after());
    this.channels = layer.input().channels();
    this.terms = new ChannelTerms(channels);
    this.pixels = layer.input().height() * layer.input().width();
    this.means = new double[channels];
    this.inverseDeviations = new double[channels];
    this.sums = new double[channels];
    this.products = new double[channels];
  }

  @Override
  public void forward(Step step, int from, int to) {
    if (step.training()) {
      batchStatistics(step);
    } else {
      runningStatistics(step);
    }
    scaleAndShift(step);
    for (int n = from; n < to; n++) {
      stage.forward(n, terms);
    }
  }

  private void batchStatistics(Step step) {
    double count = (double) step.samples() * pixels;
    if (count < 2) {
      throw new IllegalArgumentException(
          "layer %s: batch normalisation needs more than one value per channel to train: samples=%d"
              .formatted(binding.name(), step.samples()));
    }
    Plane x = binding.input().value();
    Arrays.fill(sums, 0);
    Arrays.fill(products, 0);
    System.arraycopy(x.data(), x.at(0, 0, 0), terms.center(), 0, channels);
    for (int n = 0; n < step.samples(); n++) {
      stage.momentsAroundCenter(n, terms);
      addSums();
    }
    int runningMean = binding.statisticsOffsets()[0];
    int runningVariance = binding.statisticsOffsets()[1];
    for (int c = 0; c < channels; c++) {
      double shift = sums[c] / count;
      double variance = Math.max(0, products[c] / count - shift * shift);
      means[c] = terms.center()[c] + shift;
      inverseDeviations[c] = 1 / Math.sqrt(variance + GroupNorm.EPSILON);
      move(step.statistics(), runningMean + c, means[c]);
      move(step.statistics(), runningVariance + c, variance * count / (count - 1));
    }
  }

  private void addSums() {
    for (int c = 0; c < channels; c++) {
      sums[c] += terms.sum()[c];
      products[c] += terms.product()[c];
    }
  }

  private static void move(float[] statistics, int at, double value) {
    statistics[at] = (float) ((1 - MOMENTUM) * statistics[at] + MOMENTUM * value);
  }

  private void runningStatistics(Step step) {
    for (int c = 0; c < channels; c++) {
      means[c] = step.statistics()[binding.statisticsOffsets()[0] + c];
      double variance = step.statistics()[binding.statisticsOffsets()[1] + c];
      inverseDeviations[c] = 1 / Math.sqrt(variance + GroupNorm.EPSILON);
    }
  }

  private void scaleAndShift(Step step) {
    for (int c = 0; c < channels; c++) {
      double scale = step.parameters()[binding.parameterOffsets()[0] + c] * inverseDeviations[c];
      terms.scale()[c] = (float) scale;
      terms.shift()[c] =
          (float) (step.parameters()[binding.parameterOffsets()[1] + c] - scale * means[c]);
      terms.center()[c] = (float) means[c];
    }
  }

  @Override
  public void backward(Step step, int from, int to) {
    scaleAndShift(step);
    Arrays.fill(sums, 0);
    Arrays.fill(products, 0);
    for (int n = from; n < to; n++) {
      stage.gradientSums(n, terms);
      addSums();
    }
    double count = (double) step.samples() * pixels;
    for (int c = 0; c < channels; c++) {
      double centered = products[c] + (terms.center()[c] - means[c]) * sums[c];
      double inverse = inverseDeviations[c];
      double weight = step.parameters()[binding.parameterOffsets()[0] + c];
      step.gradient()[binding.parameterOffsets()[0] + c] = (float) (centered * inverse);
      step.gradient()[binding.parameterOffsets()[1] + c] = (float) sums[c];
      double slope = -weight * inverse * inverse * inverse * centered / count;
      terms.slope()[c] = (float) slope;
      terms.offset()[c] = (float) (-weight * inverse * sums[c] / count - slope * means[c]);
    }
    for (int n = from; binding.input().hasGradient() && n < to; n++) {
      stage.backward(n, terms);
      scaleAndShift(step);
    }
  }
}
