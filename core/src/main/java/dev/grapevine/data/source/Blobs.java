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
import java.util.stream.IntStream;

/**
 * Gaussian blobs: a random centre per class on the sphere of radius {@code separation}, samples
 * around it with deviation 1, classes in turn. The test set is a fifth as large again, from the
 * same blobs.
 */
@Kind(name = "blobs", summary = "Gaussian blobs, one per class: vectors for tests and teaching")
@Offer(access = Offer.Access.GENERATED, size = "none", terms = "free")
public final class Blobs implements DataSource {

  /**
   * @param samples training samples
   * @param classes number of blobs
   * @param dimensions floats per sample
   * @param separation distance of the centres from the origin
   */
  public record Settings(
      @Doc("training samples, 1 or more; a fifth as many again for testing") @Default("1000")
          int samples,
      @Doc("number of blobs, 2 or more") @Default("10") int classes,
      @Doc("floats per sample, 1 or more") @Default("16") int dimensions,
      @Doc("distance of the centres from the origin, in deviations") @Default("4")
          double separation) {
    public Settings {
      require(samples >= 1, "samples", "samples must be at least 1: samples=" + samples);
      require(classes >= 2, "classes", "classes must be at least 2: classes=" + classes);
      require(
          dimensions >= 1, "dimensions", "dimensions must be at least 1: dimensions=" + dimensions);
      require(
          separation >= 0,
          "separation",
          "separation must not be negative: separation=" + separation);
    }
  }

  private final Settings settings;
  private final long seed;

  public Blobs(Settings settings, DataContext context) {
    this.settings = settings;
    seed = context.seed();
  }

  @Override
  public DataSplits load() {
    SplitMix random = new SplitMix(seed);
    double[][] centres = new double[settings.classes()][settings.dimensions()];
    for (double[] centre : centres) {
      double square = 0;
      for (int j = 0; j < centre.length; j++) {
        centre[j] = random.nextGaussian();
        square += centre[j] * centre[j];
      }
      for (int j = 0; j < centre.length; j++) {
        centre[j] *= settings.separation() / Math.sqrt(square);
      }
    }
    return new DataSplits(
        draw(centres, settings.samples(), random),
        draw(centres, Math.max(1, settings.samples() / 5), random));
  }

  private VectorSet draw(double[][] centres, int samples, SplitMix random) {
    VectorSet.Builder builder = new VectorSet.Builder(settings.dimensions());
    float[] vector = new float[settings.dimensions()];
    for (int i = 0; i < samples; i++) {
      int label = i % centres.length;
      for (int j = 0; j < vector.length; j++) {
        vector[j] = (float) (centres[label][j] + random.nextGaussian());
      }
      builder.add(vector, label);
    }
    List<String> names = IntStream.range(0, centres.length).mapToObj(Integer::toString).toList();
    return builder.build("blobs", names, Users.NONE);
  }
}
