package dev.grapevine.compression.transform;

import dev.grapevine.compression.Transform;
import dev.grapevine.engine.kernel.Slice;
import dev.grapevine.scratch.Scratch;
import dev.grapevine.settings.Default;
import dev.grapevine.settings.Doc;
import dev.grapevine.settings.Kind;
import dev.grapevine.settings.SettingException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The discrete wavelet transform with half-point symmetric extension. Coefficients stand as in
 * PyWavelets' {@code coeffs_to_array(wavedec(x, wavelet, "symmetric", level))}: the approximation
 * of the deepest level, then the details from the deepest level to the first.
 *
 * <p>A level turns n values into ⌊(n+L−1)/2⌋ approximations and as many details, for a filter of
 * length L: a[i] = Σⱼ h[j]·x[2i+1−j]. Cost: 4L multiplications a value over all levels.
 */
@Kind(
    name = "wavelet",
    summary = "the discrete wavelet transform, as PyWavelets' wavedec",
    paper = "S. Mallat, A theory for multiresolution signal decomposition, 1989")
public final class Wavelet implements Transform {

  /**
   * @param wavelet the filters' name
   * @param level how often the approximation is split again
   */
  public record Settings(
      @Doc("haar, db1-db10, sym2-sym10, coif1-coif3, bior1.1-bior6.8 or rbio1.1-rbio6.8")
          @Default("sym2")
          String wavelet,
      @Doc("levels of decomposition, at least 1; as many as the length allows when left out")
          Optional<Integer> level) {

    public Settings {
      WaveletFilters.named(wavelet);
      SettingException.require(
          level.isEmpty() || level.get() >= 1,
          "level",
          "level must be at least 1: level=" + level.orElse(0));
    }
  }

  private final Settings settings;
  private final WaveletFilters filters;
  private final FloatFilterBank bank;
  private volatile @Nullable Plan plan;

  /** lengths[l] values enter level l+1; the last entry is the deepest approximation's length. */
  private record Plan(int[] lengths, int size) {

    int levels() {
      return lengths.length - 1;
    }
  }

  public Wavelet(Settings settings) {
    this.settings = settings;
    filters = WaveletFilters.named(settings.wavelet());
    bank = new FloatFilterBank(filters);
  }

  /** A wavelet by name, as deep as each length allows. */
  public static Wavelet maximal(String name) {
    return new Wavelet(new Settings(name, Optional.empty()));
  }

  /** The deepest level at which a vector of {@code length} still has a coefficient of its own. */
  public int maximalLevel(int length) {
    int level = 0;
    while ((long) (filters.length() - 1) << (level + 1) <= length) {
      level++;
    }
    return level;
  }

  @Override
  public int size(int length) {
    return plan(length).size;
  }

  @Override
  public void forward(float[] x, float[] coefficients, Scratch scratch) {
    Plan plan = plan(x.length);
    int levels = plan.levels();
    if (levels == 0) {
      System.arraycopy(x, 0, coefficients, 0, x.length);
      return;
    }
    int[] lengths = plan.lengths;
    FloatFilterBank.Block block = FloatFilterBank.Block.of(scratch);
    float[] halves = scratch.floats("wavelet.approximations", 2 * lengths[1]);
    Slice from = new Slice(x, 0);
    int end = plan.size;
    for (int level = 1; level <= levels; level++) {
      end -= lengths[level];
      boolean last = level == levels;
      Slice to = new Slice(last ? coefficients : halves, half(last, level, lengths));
      bank.analyse(from, lengths[level - 1], to, new Slice(coefficients, end), block);
      from = to;
    }
  }

  @Override
  public void inverse(float[] coefficients, float[] x, Scratch scratch) {
    Plan plan = plan(x.length);
    int levels = plan.levels();
    if (levels == 0) {
      System.arraycopy(coefficients, 0, x, 0, x.length);
      return;
    }
    int[] lengths = plan.lengths;
    FloatFilterBank.Block block = FloatFilterBank.Block.of(scratch);
    float[] halves = scratch.floats("wavelet.approximations", 2 * lengths[1]);
    Slice from = new Slice(coefficients, 0);
    int details = lengths[levels];
    for (int level = levels; level >= 1; level--) {
      boolean last = level == 1;
      Slice to = new Slice(last ? x : halves, half(last, level, lengths));
      bank.synthesise(from, new Slice(coefficients, details), to, lengths[level - 1], block);
      details += lengths[level];
      from = to;
    }
  }

  /** Where a level's result begins: approximations alternate between halves of the scratch. */
  private static int half(boolean last, int level, int[] lengths) {
    return last || level % 2 == 1 ? 0 : lengths[1];
  }

  /** As {@link #forward(float[], float[])} in double precision; makes its own work space. */
  public void forward(double[] x, double[] coefficients) {
    Plan plan = plan(x.length);
    DoubleFilterBank doubles = new DoubleFilterBank(filters);
    double[] approximation = x;
    int end = plan.size;
    for (int level = 1; level <= plan.levels(); level++) {
      int length = plan.lengths[level];
      end -= length;
      double[] next = new double[length];
      doubles.analyse(approximation, next, coefficients, end);
      approximation = next;
    }
    System.arraycopy(approximation, 0, coefficients, 0, approximation.length);
  }

  /** As {@link #inverse(float[], float[])} in double precision; makes its own work space. */
  public void inverse(double[] coefficients, double[] x) {
    Plan plan = plan(x.length);
    DoubleFilterBank doubles = new DoubleFilterBank(filters);
    int at = plan.lengths[plan.levels()];
    double[] approximation = new double[at];
    System.arraycopy(coefficients, 0, approximation, 0, at);
    for (int level = plan.levels(); level >= 1; level--) {
      double[] next = new double[plan.lengths[level - 1]];
      doubles.synthesise(approximation, coefficients, at, next);
      at += plan.lengths[level];
      approximation = next;
    }
    System.arraycopy(approximation, 0, x, 0, x.length);
  }

  private Plan plan(int length) {
    Plan known = plan;
    if (known == null || known.lengths[0] != length) {
      known = makePlan(length);
      plan = known;
    }
    return known;
  }

  private Plan makePlan(int length) {
    int deepest = maximalLevel(length);
    int levels = settings.level().orElse(deepest);
    SettingException.require(
        levels <= deepest,
        "level",
        "level is too deep for that many parameters: level=%d, parameters=%d, wavelet=%s, %s"
            .formatted(
                levels,
                length,
                settings.wavelet(),
                deepest == 0 ? "which allow none" : "allowed are 1 to " + deepest));
    int[] lengths = new int[levels + 1];
    lengths[0] = length;
    int size = 0;
    for (int level = 1; level <= levels; level++) {
      lengths[level] = (int) (((long) lengths[level - 1] + filters.length() - 1) / 2);
      size += lengths[level];
    }
    return new Plan(lengths, size + lengths[levels]);
  }
}
