package dev.grapevine.data.source;

import static dev.grapevine.settings.SettingException.require;

import dev.grapevine.data.DataContext;
import dev.grapevine.data.DataSource;
import dev.grapevine.data.DataSplits;
import dev.grapevine.data.Offer;
import dev.grapevine.data.VectorSet;
import dev.grapevine.random.SplitMix;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * LEAF's Synthetic: every user u has a linear model of its own, near that of its cluster.
 *
 * <p>Q holds standard normal numbers, (d + 1) x classes x clusters; cluster c has mean {@code m_c ~
 * N(a_c, 1)} with {@code a_c ~ N(0, 1)}. User u draws a cluster, {@code s_u ~ N(m_c, 0.1)}, {@code
 * W_u = Q s_u}, {@code B_u ~ N(0, 1)}, {@code v_u ~ N(B_u, 1)} and samples {@code x ~ N(v_u, Σ)}
 * with {@code Σ_jj = j^-1.2}; the class is the largest of {@code W_u (1, x) + N(0, 0.1)}. A user
 * has {@code min(5 + LogNormal(3, 2), 1000)} samples, of which a tenth (and at least one) is for
 * testing. Same distributions as LEAF's script, another random generator.
 */
@Kind(
    name = "leaf-synthetic",
    summary = "every user has an own linear model: vectors by user, from LEAF's generator",
    paper = "S. Caldas et al., LEAF: A Benchmark for Federated Settings, 2018, appendix")
@Offer(access = Offer.Access.GENERATED, size = "none", terms = "free")
public final class LeafSynthetic implements DataSource {

  private static final int FEWEST = 5;
  private static final int MOST = 1000;
  private static final double TEST_SHARE = 0.1;
  private static final double MODEL_DEVIATION = 0.1;

  /**
   * @param tasks number of users
   * @param classes number of classes
   * @param dimensions floats per sample
   * @param clusters number of clusters, all as likely
   */
  public record Settings(
      @Doc("number of users, 1 or more") @Default("1000") int tasks,
      @Doc("number of classes, 2 or more") @Default("5") int classes,
      @Doc("floats per sample, 1 or more") @Default("60") int dimensions,
      @Doc("clusters of similar users, 1 or more") @Default("1") int clusters) {
    public Settings {
      require(tasks >= 1, "tasks", "tasks must be at least 1: tasks=" + tasks);
      require(classes >= 2, "classes", "classes must be at least 2: classes=" + classes);
      require(
          dimensions >= 1, "dimensions", "dimensions must be at least 1: dimensions=" + dimensions);
      require(clusters >= 1, "clusters", "clusters must be at least 1: clusters=" + clusters);
    }
  }

  private final Settings settings;
  private final long seed;

  public LeafSynthetic(Settings settings, DataContext context) {
    this.settings = settings;
    seed = context.seed();
  }

  @Override
  public DataSplits load() {
    SplitMix random = new SplitMix(seed);
    int dimensions = settings.dimensions();
    int clusters = settings.clusters();
    double[] q = normal((dimensions + 1) * settings.classes() * clusters, 0, 1, random);
    double[][] means = new double[clusters][];
    for (int cluster = 0; cluster < clusters; cluster++) {
      means[cluster] = normal(clusters, random.nextGaussian(), 1, random);
    }
    VectorSet.Builder train = new VectorSet.Builder(dimensions);
    VectorSet.Builder test = new VectorSet.Builder(dimensions);
    UserList trainUsers = new UserList();
    UserList testUsers = new UserList();
    for (int task = 0; task < settings.tasks(); task++) {
      String name = Integer.toString(task);
      int samples =
          (int) Math.min(FEWEST + Math.floor(Math.exp(3 + 2 * random.nextGaussian())), MOST);
      int forTest = Math.max(1, (int) Math.round(samples * TEST_SHARE));
      Task drawn = new Task(q, means[random.nextInt(clusters)], random);
      for (int i = 0; i < samples; i++) {
        boolean isTest = i < forTest;
        drawn.sample(random, isTest ? test : train);
        UserList users = isTest ? testUsers : trainUsers;
        users.add(users.number(name));
      }
    }
    List<String> names =
        IntStream.range(0, settings.classes()).mapToObj(Integer::toString).toList();
    return new DataSplits(
        train.build("leaf-synthetic", names, trainUsers.build()),
        test.build("leaf-synthetic", names, testUsers.build()));
  }

  private static double[] normal(int count, double mean, double deviation, RandomGenerator random) {
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = mean + deviation * random.nextGaussian();
    }
    return values;
  }

  /** One user's model and inputs. */
  private final class Task {

    private final double[] weights;
    private final double[] centre;
    private final float[] x;

    Task(double[] q, double[] clusterMean, RandomGenerator random) {
      int classes = settings.classes();
      int dimensions = settings.dimensions();
      double[] side = new double[clusterMean.length];
      for (int i = 0; i < side.length; i++) {
        side[i] = clusterMean[i] + MODEL_DEVIATION * random.nextGaussian();
      }
      weights = new double[(dimensions + 1) * classes];
      for (int i = 0; i < weights.length; i++) {
        for (int j = 0; j < side.length; j++) {
          weights[i] += q[i * side.length + j] * side[j];
        }
      }
      centre = normal(dimensions, random.nextGaussian(), 1, random);
      x = new float[dimensions];
    }

    void sample(RandomGenerator random, VectorSet.Builder builder) {
      for (int j = 0; j < x.length; j++) {
        x[j] = (float) (centre[j] + Math.pow(j + 1, -0.6) * random.nextGaussian());
      }
      int classes = settings.classes();
      int best = 0;
      double highest = Double.NEGATIVE_INFINITY;
      for (int label = 0; label < classes; label++) {
        double score = weights[label] + 0.1 * random.nextGaussian();
        for (int j = 0; j < x.length; j++) {
          score += weights[(j + 1) * classes + label] * x[j];
        }
        if (score > highest) {
          highest = score;
          best = label;
        }
      }
      builder.add(x, best);
    }
  }
}
