package dev.grapevine.data.source;

import static dev.grapevine.settings.SettingException.require;

import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.Offer;
import dev.grapevine.data.Users;
import dev.grapevine.data.VectorSet;
import dev.grapevine.random.SplitMix;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import java.util.List;

/**
 * {@code y = w x + b + noise} with x standard normal and {@link #optimum} known, so that a test can
 * say how far a run is from where it should end. The test set is a fifth as large again.
 */
@Kind(
    name = "linear-regression",
    summary = "values of a known linear function with noise: a convex problem with known optimum")
@Offer(access = Offer.Access.GENERATED, size = "none", terms = "free")
public final class LinearRegression implements DataSource {

  private static final long WEIGHTS = 1;
  private static final long SAMPLES = 2;

  /**
   * @param samples training samples
   * @param dimensions floats per sample
   * @param noise deviation of the noise
   */
  public record Settings(
      @Doc("training samples, 1 or more; a fifth as many again for testing") @Default("1000")
          int samples,
      @Doc("floats per sample, 1 or more") @Default("8") int dimensions,
      @Doc("deviation of the noise, 0 or more") @Default("0.1") double noise) {
    public Settings {
      require(samples >= 1, "samples", "samples must be at least 1: samples=" + samples);
      require(
          dimensions >= 1, "dimensions", "dimensions must be at least 1: dimensions=" + dimensions);
      require(noise >= 0, "noise", "noise must not be negative: noise=" + noise);
    }
  }

  private final Settings settings;
  private final long seed;

  public LinearRegression(Settings settings, DataContext context) {
    this.settings = settings;
    seed = context.seed();
  }

  /** The weights w, then the bias b, as a linear layer's parameters are laid out. */
  public float[] optimum() {
    SplitMix random = new SplitMix(SplitMix.mix(seed, WEIGHTS));
    float[] optimum = new float[settings.dimensions() + 1];
    for (int i = 0; i < optimum.length; i++) {
      optimum[i] = (float) random.nextGaussian();
    }
    return optimum;
  }

  @Override
  public DataSplits load() {
    SplitMix random = new SplitMix(SplitMix.mix(seed, SAMPLES));
    return new DataSplits(
        draw(settings.samples(), random), draw(Math.max(1, settings.samples() / 5), random));
  }

  private VectorSet draw(int samples, SplitMix random) {
    float[] optimum = optimum();
    VectorSet.Builder builder = new VectorSet.Builder(settings.dimensions());
    float[] x = new float[settings.dimensions()];
    for (int i = 0; i < samples; i++) {
      double y = optimum[x.length] + settings.noise() * random.nextGaussian();
      for (int j = 0; j < x.length; j++) {
        x[j] = (float) random.nextGaussian();
        y += (double) optimum[j] * x[j];
      }
      builder.add(x, (float) y);
    }
    return builder.build("linear-regression", List.of(), Users.NONE);
  }
}
