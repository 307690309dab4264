import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.Users;
import dev.grapevine.data.VectorSet;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import java.util.List;
import java.util.SplittableRandom;

/**
 * An own data set in one file: points in the plane, to be told apart by whether they lie inside or
 * outside of a circle. Randomness comes from the seed, so that every process sees the same data.
 */
public final class MyData implements DataSource {

  /** The keys of the table [data] next to {@code set}. */
  public record Settings(@Doc("training samples") @Default("2000") int samples) {}

  private final Settings settings;
  private final long seed;

  public MyData(Settings settings, DataContext context) {
    this.settings = settings;
    this.seed = context.seed();
  }

  @Override
  public DataSplits load() {
    SplittableRandom random = new SplittableRandom(seed);
    return new DataSplits(draw(settings.samples(), random), draw(500, random));
  }

  private static VectorSet draw(int samples, SplittableRandom random) {
    VectorSet.Builder set = new VectorSet.Builder(2);
    for (int i = 0; i < samples; i++) {
      float x = (float) random.nextDouble(-1, 1);
      float y = (float) random.nextDouble(-1, 1);
      set.add(new float[] {x, y}, x * x + y * y < 0.6 ? 1 : 0);
    }
    return set.build("circle", List.of("outside", "inside"), Users.NONE);
  }
}
