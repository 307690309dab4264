package dev.grapevine.engine.layer;

import dev.grapevine.engine.kernel.ChannelTerms;
import java.util.Arrays;

/** {@link GroupNorm} at work, sample by sample. */
final class GroupNormPass implements Pass {

  private final Binding binding;
  private final AffineStage stage;
  private final ChannelTerms terms;
  private final int channels;
  private final int groups;
  private final int groupChannels;
  private final int pixels;

  /** Mean and 1/√(variance + ε) per sample and group, kept for the way back. */
  private final double[] means;

  private final double[] inverseDeviations;
  private final double[] weightGradient;
  private final double[] biasGradient;

  GroupNormPass(GroupNorm layer, Binding binding) {
    this.binding = binding;
    this.stage = new AffineStage(binding, layer.after());
    this.channels = layer.input().channels();
    this.terms = new ChannelTerms(channels);
    this.groups = layer.groups();
    this.groupChannels = channels / groups;
    this.pixels = layer.input().height() * layer.input().width();
    this.means = new double[binding.capacity() * groups];
    this.inverseDeviations = new double[binding.capacity() * groups];
    this.weightGradient = new double[channels];
    this.biasGradient = new double[channels];
  }

  @Override
  public void prepare(Step step) {
    Arrays.fill(weightGradient, 0);
    Arrays.fill(biasGradient, 0);
  }

  @Override
  public void forward(Step step, int from, int to) {
    for (int n = from; n < to; n++) {
      stage.moments(n, terms);
      for (int g = 0; g < groups; g++) {
        groupStatistics(n, g);
      }
      scaleAndShift(step, n);
      stage.forward(n, terms);
    }
  }

  /** Combines the channels' moments, each around its own center. */
  private void groupStatistics(int n, int group) {
    double count = (double) groupChannels * pixels;
    double mean = 0;
    for (int c = group * groupChannels; c < (group + 1) * groupChannels; c++) {
      mean += (terms.center()[c] + terms.sum()[c] / (double) pixels) / groupChannels;
    }
    double squares = 0;
    for (int c = group * groupChannels; c < (group + 1) * groupChannels; c++) {
      double shift = terms.center()[c] - mean;
      squares += terms.product()[c] + 2 * shift * terms.sum()[c] + shift * shift * pixels;
    }
    means[n * groups + group] = mean;
    inverseDeviations[n * groups + group] =
        1 / Math.sqrt(Math.max(0, squares / count) + GroupNorm.EPSILON);
  }

  private void scaleAndShift(Step step, int n) {
    int weight = binding.parameterOffsets()[0];
    int bias = binding.parameterOffsets()[1];
    for (int c = 0; c < channels; c++) {
      int at = n * groups + c / groupChannels;
      double scale = step.parameters()[weight + c] * inverseDeviations[at];
      terms.scale()[c] = (float) scale;
      terms.shift()[c] = (float) (step.parameters()[bias + c] - scale * means[at]);
      terms.center()[c] = (float) means[at];
    }
  }

  @Override
  public void backward(Step step, int from, int to) {
    for (int n = from; n < to; n++) {
      scaleAndShift(step, n);
      stage.gradientSums(n, terms);
      for (int g = 0; g < groups; g++) {
        gradientTerms(step, n, g);
      }
      if (binding.input().hasGradient()) {
        stage.backward(n, terms);
      }
    }
  }

  /** dx = γ·r·d − r/m·(Σ γ·d + x̂·Σ γ·d·x̂), with x̂ = (x − μ)·r and m values in the group. */
  private void gradientTerms(Step step, int n, int group) {
    int weight = binding.parameterOffsets()[0];
    double mean = means[n * groups + group];
    double inverse = inverseDeviations[n * groups + group];
    double sum = 0;
    double product = 0;
    for (int c = group * groupChannels; c < (group + 1) * groupChannels; c++) {
      // The center is the mean rounded to a float; the rest is made good here.
      double centered = terms.product()[c] + (terms.center()[c] - mean) * terms.sum()[c];
      weightGradient[c] += centered * inverse;
      biasGradient[c] += terms.sum()[c];
      sum += step.parameters()[weight + c] * (double) terms.sum()[c];
      product += step.parameters()[weight + c] * centered * inverse;
    }
    double count = (double) groupChannels * pixels;
    float slope = (float) (-inverse * inverse * product / count);
    float offset = (float) ((-inverse * sum + inverse * inverse * mean * product) / count);
    int first = group * groupChannels;
    Arrays.fill(terms.slope(), first, first + groupChannels, slope);
    Arrays.fill(terms.offset(), first, first + groupChannels, offset);
  }

  @Override
  public void finish(Step step) {
    for (int c = 0; c < channels; c++) {
      step.gradient()[binding.parameterOffsets()[0] + c] = (float) weightGradient[c];
      step.gradient()[binding.parameterOffsets()[1] + c] = (float) biasGradient[c];
    }
  }
}
